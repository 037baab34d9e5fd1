package reproduce

import (
	"cmp"
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"simulate/incident/logs"
)

// TestCutLogs holds that logs that begin in the middle of a life, or of a rebalance, or have a gap, are repeated as far as they go,
// and that what only the generations tell is called that.
func TestCutLogs(t *testing.T) {
	for _, c := range []struct {
		name       string
		rebalances int
		says       []string
	}{
		{"gap", 3, []string{"neither when nor why", "when and why 4 rebalances took place of which only the generations tell"}},
		{"unnamed", 2, []string{"it falls silent", "why the group rebalances is not logged"}},
	} {
		result, err := From(context.Background(), fixture(t, c.name+".log"), Options{})
		if err != nil {
			t.Fatal(err)
		}
		if r := &result.Report; !r.Complete() || r.Rebalances.Logged != c.rebalances {
			t.Errorf("%s: %+v", c.name, r)
		}
		text := strings.Join(strings.Fields(strings.ReplaceAll(string(result.Text), "#", "")), " ")
		for _, want := range c.says {
			if !strings.Contains(text, want) {
				t.Errorf("%s: no %q in\n%s", c.name, want, result.Text)
			}
		}
		holds(t, c.name, result.Text)
	}
}

// TestFilled holds which events are added where lines are missing, and which are not.
func TestFilled(t *testing.T) {
	const p, c, a, e, loaded = logs.Preparing, logs.Completing, logs.AssignmentReceived, logs.EmptyGroup, logs.GroupLoaded
	type step struct {
		kind       logs.Kind
		generation int32
	}
	for _, tc := range []struct {
		name string
		log  []step
		want []step // those that are added
	}{
		{"nothing is missing", []step{{p, 0}, {c, 1}, {a, 1}, {p, 1}, {e, 2}, {p, 2}, {c, 3}}, nil},
		{"the assignment never came", []step{{c, 1}, {p, 1}, {c, 2}}, nil},
		{"one rebalance", []step{{a, 1}, {p, 2}}, []step{{p, 1}, {c, 2}, {a, 2}}},
		{"the lines of a join phase", []step{{p, 1}, {a, 2}}, []step{{c, 2}}},
		{"the beginning of a rebalance", []step{{a, 1}, {c, 2}}, []step{{p, 1}}},
		{"it was on another broker", []step{{a, 1}, {loaded, -1}, {p, 4}}, nil},
		{"too many", []step{{a, 1}, {p, 1 + mostUnseen + 1}}, nil},
	} {
		var log []logs.Event
		for i, s := range tc.log {
			log = append(log, logs.Event{Kind: s.kind, Generation: s.generation, At: logs.Instant(0).Add(time.Duration(i) * time.Minute)})
		}
		var got []step
		for _, e := range filled(log) {
			if e.unseen {
				got = append(got, step{e.Kind, e.Generation})
			}
		}
		if !slices.Equal(got, tc.want) {
			t.Errorf("%s: %v, want %v", tc.name, got, tc.want)
		}
	}
}

// sampled are real logs that come back whole, though each begins in the middle of something.
var sampled = []string{"04-", "05-", "14-", "16-", "17-", "19-", "26-", "28-", "34-"}

// TestSamples reproduces logs that people published, where they are at hand.
func TestSamples(t *testing.T) {
	folder := cmp.Or(os.Getenv("LOGS_DIR"), filepath.Join("..", "..", "shared", "logs"))
	files, err := filepath.Glob(filepath.Join(folder, "*.log"))
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		if !slices.ContainsFunc(sampled, func(number string) bool { return strings.HasPrefix(filepath.Base(file), number) }) {
			continue
		}
		reader, err := logs.Open([]string{file}, nil, logs.Options{})
		if err != nil {
			t.Fatal(err)
		}
		log, err := Read(context.Background(), reader)
		if err != nil {
			t.Fatal(err)
		}
		result, err := From(context.Background(), log, Options{})
		if err != nil {
			t.Fatal(err)
		}
		if !result.Report.Complete() {
			t.Errorf("%s: %+v", filepath.Base(file), result.Report)
		}
	}
}
