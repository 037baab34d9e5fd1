package incident

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"simulate/incident/logs"
	"simulate/sim/trace"
)

// recorded is what a recorded run says of its group: what a program observed that saw the requests, too.
type recorded struct {
	Protocol string `json:"protocol"`
	Observed struct {
		StableIs   string        `json:"stable_is"`
		States     []stay        `json:"states"`
		Events     []observation `json:"events"`
		Rebalances int           `json:"rebalances"`
		Completed  int           `json:"completed"` // join phases that ended with members
		Generation int32         `json:"final_generation"`
		State      string        `json:"final_state"`
	} `json:"observed"`
}

type stay struct {
	State string  `json:"state"`
	From  float64 `json:"from_ms"`
	To    float64 `json:"to_ms"`
}

type observation struct {
	At         float64  `json:"at_ms"`
	Kind       string   `json:"kind"`
	ReasonKind string   `json:"reason_kind"`
	Generation int32    `json:"generation"`
	Epoch      int32    `json:"epoch"`
	Evicted    []string `json:"evicted"`
}

// recordings returns the folders of the recorded runs that lie beside the repository; it need not have any.
func recordings(t *testing.T) []string {
	t.Helper()
	var all []string
	for _, pattern := range []string{"live/*/run*", "live-clients/*"} {
		found, err := filepath.Glob(filepath.Join("..", "..", "shared", pattern, "case.json"))
		if err != nil {
			t.Fatal(err)
		}
		for _, path := range found {
			all = append(all, filepath.Dir(path))
		}
	}
	return all
}

func readRecorded(t *testing.T, folder string) *recorded {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(folder, "case.json"))
	if err != nil {
		t.Fatal(err)
	}
	var r recorded
	if err := json.Unmarshal(text, &r); err != nil {
		t.Fatalf("%s: %v", folder, err)
	}
	return &r
}

// analyzed reads some logs.
func analyzed(t *testing.T, o Options, paths ...string) *Analysis {
	t.Helper()
	reader, err := logs.Open(paths, nil, logs.Options{})
	if err != nil {
		t.Fatal(err)
	}
	a, err := Analyze(context.Background(), reader, o)
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// TestRecordedRuns holds that what the brokers of recorded runs logged tells the same of the group as the recordings: the
// states with their times, and the numbers.
func TestRecordedRuns(t *testing.T) {
	for _, folder := range recordings(t) {
		want := readRecorded(t, folder)
		t.Run(strings.TrimPrefix(filepath.ToSlash(folder), "../../shared/"), func(t *testing.T) {
			paths, err := filepath.Glob(filepath.Join(folder, "broker*.log"))
			if err != nil || len(paths) == 0 {
				t.Fatalf("no log of a broker: %v", err)
			}
			g := busiest(t, analyzed(t, Options{}, paths...))
			if want.Protocol == "consumer" {
				compareEpochs(t, g, want)
				return
			}
			compareNumbers(t, g, want)
			compareStates(t, g, want)
		})
	}
}

// busiest returns the group that the recording observed: where there are two, its name ends in "a".
func busiest(t *testing.T, a *Analysis) *Group {
	t.Helper()
	var best *Group
	for i := range a.Groups {
		if g := &a.Groups[i]; best == nil || strings.HasSuffix(g.Name, "a") {
			best = g
		}
	}
	if best == nil {
		t.Fatal("no group")
	}
	return best
}

func compareNumbers(t *testing.T, g *Group, want *recorded) {
	t.Helper()
	o := &want.Observed
	got := fmt.Sprintf("rebalances %d, joined %d, generation %d, %v", g.Count, g.Joined, g.Generation, g.State)
	if wanted := fmt.Sprintf("rebalances %d, joined %d, generation %d, %s", o.Rebalances, o.Completed, o.Generation, o.State); got != wanted {
		t.Errorf("got  %s\nwant %s", got, wanted)
	}
	expired, late, left, pending := 0, 0, 0, 0
	reasons := map[string]int{}
	for _, e := range o.Events {
		switch e.Kind {
		case "preparing":
			reasons[e.ReasonKind]++
		case "session-expired":
			expired++
		case "not-rejoined":
			late += len(e.Evicted)
		case "left":
			left++
		case "pending-expired":
			pending++
		}
	}
	gotReasons := map[string]int{}
	for reason, n := range g.ByReason {
		gotReasons[reason.String()] = n
	}
	got = fmt.Sprintf("sessions %d, late %d, left %d, pending %d, %v", g.Evicted[trace.SessionExpired]+g.Evicted[trace.NewMemberExpired],
		g.Evicted[trace.NotRejoinedInTime], g.LeaveCount, g.PendingExpired, gotReasons)
	if wanted := fmt.Sprintf("sessions %d, late %d, left %d, pending %d, %v", expired, late, left, pending, reasons); got != wanted {
		t.Errorf("got  %s\nwant %s", got, wanted)
	}
}

// compareEpochs holds that the epochs come when the recording says.
func compareEpochs(t *testing.T, g *Group, want *recorded) {
	t.Helper()
	var got, wanted []string
	var first float64
	for _, e := range want.Observed.Events {
		if e.Kind == "ConsumerGroupEpoch" {
			if wanted == nil {
				first = e.At
			}
			wanted = append(wanted, fmt.Sprintf("%d at %.0f", e.Epoch, e.At-first))
		}
	}
	for _, e := range g.Epochs {
		got = append(got, fmt.Sprintf("%d at %.0f", e.Epoch, ms(e.At.Sub(g.Epochs[0].At))))
	}
	if strings.Join(got, "\n") != strings.Join(wanted, "\n") {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(wanted, "\n"))
	}
}

func ms(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }

// compareStates aligns both by the first entry to PreparingRebalance.
func compareStates(t *testing.T, g *Group, want *recorded) {
	t.Helper()
	got, wanted, down := told(g), observedStays(want), false
	for _, s := range want.Observed.States {
		down = down || s.State == "BrokerDown"
	}
	if down || want.Observed.StableIs == "assignment-received" { // there, too, a broker may have been killed
		got, wanted = withoutElsewhere(got), withoutElsewhere(wanted)
	}
	got, wanted = merged(got), merged(wanted)
	if len(got) == 0 || len(wanted) == 0 {
		t.Fatalf("got %v, want %v", got, wanted)
	}
	from, zero := got[0].From, wanted[0].From
	bad := len(got) != len(wanted)
	for i := 0; !bad && i < len(got); i++ {
		begins := got[i].From - from - (wanted[i].From - zero)
		bad = got[i].State != wanted[i].State || begins < -1.1 || begins > 1.1
	}
	if bad {
		t.Errorf("got\n%s\nwant\n%s", list(got, from), list(wanted, zero))
	}
}

// withoutElsewhere leaves out when there was no broker: where one was killed no log knows since when.
func withoutElsewhere(stays []stay) []stay {
	return slices.DeleteFunc(stays, func(s stay) bool { return s.State == "Elsewhere" })
}

// merged makes one stay of two in the same state: a group that another broker loads while it still is at the first one.
func merged(stays []stay) []stay {
	return slices.CompactFunc(stays, func(a, b stay) bool { return a.State == b.State })
}

func list(stays []stay, zero float64) string {
	var b strings.Builder
	for _, s := range stays {
		fmt.Fprintf(&b, "  %-20s %.0f\n", s.State, s.From-zero)
	}
	return b.String()
}

// told are the states that a log told, without what a recording has no state for.
func told(g *Group) []stay {
	var all []stay
	for i := range g.Spans {
		s := &g.Spans[i]
		state := s.State.String()
		if s.State == Unknown || s.State == Empty && len(all) == 0 {
			continue
		}
		all = append(all, stay{state, ms(s.Since.Sub(0)), ms(s.Until.Sub(0))})
	}
	return all
}

// observedStays are the states of a recording, in the words of logs: Stable when the assignment was received.
func observedStays(want *recorded) []stay {
	var all []stay
	received := map[float64]float64{}
	at := 0.0
	for _, e := range want.Observed.Events {
		switch e.Kind {
		case "assignment-received":
			at = e.At
		case "stable":
			received[e.At] = at
		}
	}
	for _, s := range want.Observed.States {
		switch {
		case s.State == "Empty" && len(all) == 0:
			continue
		case s.State == "Unloaded", s.State == "BrokerDown":
			s.State = "Elsewhere"
		case s.State == "Stable" && received[s.From] != 0:
			s.From = received[s.From]
		}
		all = append(all, s)
	}
	return all
}
