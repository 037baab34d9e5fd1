package reports

import (
	"bytes"
	"io"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"simulate/diff"
	"simulate/sim/clock"
	"simulate/sim/metrics"
	"simulate/sim/trace"
	"simulate/sim/wire"
)

// side is the run as one of the two that are compared.
func (h *handMade) side() diff.Side {
	header := trace.Header{
		Scenario: h.name, Seed: 7, Kafka: "4", Duration: h.planned, StuckAfter: 30 * time.Second,
		Topics: []trace.Topic{{Name: topic, Partitions: twelve}}, Fleets: []trace.Fleet{trace.Fleet(h.fleet)},
	}
	ended := trace.Event{At: clock.At(h.end), Kind: trace.RunEnded}
	if h.outcome == Interrupted {
		ended.Text = "interrupted"
	}
	if h.title != "" {
		header.Scenario = h.title
	}
	return diff.NewSide(h.name, header, append(slices.Clone(h.events), ended))
}

// changed makes another run of the events of one.
func (h *handMade) changed(change func(e *trace.Event)) *handMade {
	h.events = slices.Clone(h.events)
	for i := range h.events {
		change(&h.events[i])
	}
	return h
}

// later shifts all events from an instant on.
func (h *handMade) later(from, by time.Duration) *handMade {
	return h.changed(func(e *trace.Event) {
		if e.At >= clock.At(from) {
			e.At = e.At.Add(by)
		}
	})
}

// before leaves out what happens from an instant on.
func (h *handMade) before(end time.Duration) *handMade {
	h.events = slices.DeleteFunc(slices.Clone(h.events), func(e trace.Event) bool { return e.At >= clock.At(end) })
	return h
}

type comparison struct {
	name string // of the golden files
	a, b diff.Side
}

func comparisons() []comparison {
	longer := eviction().side()
	longer.Name, longer.Changes = "eviction", []string{"fleet.orders.config.session.timeout.ms=60s", "seed=7"}
	patient := stuckClosed().side()
	patient.Header.StuckAfter = 10 * time.Minute
	return []comparison{
		{"diff-same", stuckClosed().side(), stuckClosed().side()},
		{"diff-stuck", stuckClosed().side(), longer},
		{"diff-later", stuckClosed().side(), stuckClosed().later(2*time.Minute, 1500*time.Microsecond).side()},
		{"diff-open", stuckOpen().side(), crashLoop().side()},
		{"diff-one-group", hostileNames().side(), quietStart().side()},
		{"diff-long", crashLoop().side(), storm().side()},
		{"diff-one-more", crashLoop().side(), crashLoop().before(4 * time.Minute).side()},
		{"diff-cut", quietStart().side(), interrupted().side()},
		{"diff-counted", stuckClosed().side(), diff.NewSide("patient", patient.Header, patient.Events)},
		{"diff-drawn", quietStart().side(), quietStart().changed(func(e *trace.Event) { e.Until = e.Until.Add(time.Second) }).side()},
		{"diff-detail", quietStart().side(), quietStart().changed(func(e *trace.Event) { e.Broker = 2 }).side()},
	}
}

func TestDiff(t *testing.T) {
	diffGolden(t, "text", func(w io.Writer, r diff.Result) error { return Diff(w, r, TextOptions{}) })
}

func TestDiffJSON(t *testing.T) { diffGolden(t, "json", DiffJSON) }

func diffGolden(t *testing.T, kind string, render func(io.Writer, diff.Result) error) {
	t.Helper()
	for _, c := range comparisons() {
		t.Run(c.name, func(t *testing.T) {
			var got bytes.Buffer
			if err := render(&got, diff.Compare(c.a, c.b)); err != nil {
				t.Fatal(err)
			}
			compareGolden(t, filepath.Join("testdata", c.name+"."+kind), got.String())
		})
	}
}

// allComparisons compares every hand-made run with every other one.
func allComparisons() []diff.Result {
	var all []diff.Result
	for _, c := range comparisons() {
		all = append(all, diff.Compare(c.a, c.b))
	}
	for _, a := range handMadeRuns() {
		for _, b := range handMadeRuns() {
			all = append(all, diff.Compare(a.side(), b.side()))
		}
	}
	return all
}

// What DiffJSON writes is what the published schema promises, and not a key more.
func TestDiffJSONKeepsItsSchema(t *testing.T) {
	schema := compile(t, "diff")
	for _, r := range allComparisons() {
		var b bytes.Buffer
		if err := DiffJSON(&b, r); err != nil {
			t.Fatal(err)
		}
		value, err := jsonschema.UnmarshalJSON(&b)
		if err != nil {
			t.Fatal(err)
		}
		if err := schema.Validate(value); err != nil {
			t.Errorf("%s and %s: %v", r.A.Name, r.B.Name, err)
		}
	}
}

// The schema is strict: a comparison with a key that is missing, unknown or of another type is refused.
func TestDiffSchemaRefuses(t *testing.T) {
	schema := compile(t, "diff")
	damages := map[string]func(result, group map[string]any){
		"missing key":     func(result, _ map[string]any) { delete(result, "same") },
		"unknown key":     func(_, group map[string]any) { group["lag"] = 1 },
		"wrong type":      func(_, group map[string]any) { group["numbers"] = "three" },
		"unknown side":    func(_, group map[string]any) { group["in"] = "c" },
		"no pair":         func(_, group map[string]any) { delete(group["rebalances"].([]any)[0].(map[string]any), "b") },
		"another version": func(result, _ map[string]any) { result["schema"] = "simulate.diff/2" },
	}
	for name, change := range damages {
		var b bytes.Buffer
		if err := DiffJSON(&b, diff.Compare(stuckClosed().side(), eviction().side())); err != nil {
			t.Fatal(err)
		}
		value, err := jsonschema.UnmarshalJSON(&b)
		if err != nil {
			t.Fatal(err)
		}
		result := value.(map[string]any)
		if err := schema.Validate(result); err != nil {
			t.Fatal(err)
		}
		change(result, result["groups"].([]any)[0].(map[string]any))
		if schema.Validate(result) == nil {
			t.Errorf("%s: accepted", name)
		}
	}
}

// Whatever names there are: no line is wider than a terminal, and nothing reaches it that it would obey.
func TestDiffIsTame(t *testing.T) {
	for _, r := range allComparisons() {
		var b bytes.Buffer
		if err := Diff(&b, r, TextOptions{All: true}); err != nil {
			t.Fatal(err)
		}
		for _, line := range strings.Split(strings.TrimSuffix(b.String(), "\n"), "\n") {
			if columns(line) > width {
				t.Errorf("%d columns: %q", columns(line), line)
			}
			for _, c := range line {
				if !unicode.IsPrint(c) {
					t.Errorf("%q in %q", c, line)
				}
			}
		}
	}
}

// Every number that differs is a line of its own, with two values that are not the same.
func TestDiffTellsNumbersApart(t *testing.T) {
	for _, r := range allComparisons() {
		for _, g := range r.Groups {
			for i := range g.Numbers {
				n := &g.Numbers[i]
				if a, b, by := numberWords(n); a == b || (by == "") == n.HasChange() {
					t.Errorf("%s and %s, %+v: %q, %q, %q", r.A.Name, r.B.Name, n.Query, a, b, by)
				}
			}
		}
	}
}

// There are words for every event that can part two runs, with names for all that they speak of.
func TestEventWords(t *testing.T) {
	for kind := trace.NoKind + 1; !kind.Routine(); kind++ {
		words := eventWords(&trace.Event{
			Kind: kind, Group: "billing", Member: "orders-3" + uuid + "3", Other: "orders-4" + uuid + "4",
			From: wire.Empty, To: wire.Stable, Text: "kill",
		})
		if happened[kind] == "" || strings.ContainsAny(words, "{}") || strings.Contains(words, uuid) {
			t.Errorf("%v: %q", kind, words)
		}
		if n := strings.Count(words, "kill"); n != 1 {
			t.Errorf("%v says its text %d times: %q", kind, n, words)
		}
	}
	for _, test := range []struct {
		event *trace.Event
		want  string
	}{
		{nil, "nothing more happened"},
		{&trace.Event{Kind: trace.FaultBegan, Text: "pause", Who: "orders-3"}, "the scenario's pause of orders-3 began"},
		{&trace.Event{Kind: trace.FaultBegan, Text: "delete-group", Group: "billing"}, "the scenario's delete-group of group billing began"},
		{&trace.Event{Kind: trace.RunEnded}, "the run ended"},
		{&trace.Event{Kind: trace.NotRejoined, List: []wire.MemberID{"a-1", "orders-2" + uuid + "2"}},
			"members did not rejoin in time (member a-1 and orders-2)"},
		{&trace.Event{Kind: trace.PartitionsRevoked, Who: "orders-1", Generation: 3, Partitions: ofTopic([]int32{0, 1, 2, 3, 4})},
			"orders-1 gave up partitions (generation 3; orders-0, orders-1, orders-2 and 2 others)"},
		{&trace.Event{Kind: trace.Blocked, Group: "billing", To: wire.PreparingRebalance, Chain: []trace.Link{{Who: "orders-3", On: trace.OwesJoin, Because: trace.CauseFrozen, Since: clock.At(time.Minute), Until: clock.At(2 * time.Minute)}}},
			"group billing is stuck in PreparingRebalance (orders-3 is frozen from 1m to 2m (1m) and owes JoinGroup)"},
	} {
		if got := eventWords(test.event); got != test.want {
			t.Errorf("got %q, want %q", got, test.want)
		}
	}
}

// A share may differ by less than any digit shows; what is written says so as far as it can.
func TestNumberWords(t *testing.T) {
	number := func(name string, a, b metrics.Value) *diff.Number {
		d, _ := metrics.Find(name)
		a.Type, b.Type = d.Type, d.Type
		change := metrics.Value{Type: d.Type, Count: b.Count - a.Count, Duration: b.Duration - a.Duration, Share: b.Share - a.Share}
		return &diff.Number{Metric: d, A: diff.Measured{Value: a}, B: diff.Measured{Value: b}, Change: change}
	}
	for _, test := range []struct {
		n        *diff.Number
		a, b, by string
	}{
		{number("stuck", metrics.Value{Count: 3}, metrics.Value{Count: 1}), "3", "1", "-2"},
		{number("stopped", metrics.Value{Duration: time.Second}, metrics.Value{Duration: 91 * time.Second}), "1s", "1m31s", "+1m30s"},
		{number("stopped", metrics.Value{Duration: 1500100}, metrics.Value{Duration: 1500000}), "1.5001ms", "1.5ms", "-0.1µs"},
		{number("share", metrics.Value{Share: 0.5}, metrics.Value{Share: 0.25}), "50.0 %", "25.0 %", "-25.0 points"},
		{number("share", metrics.Value{Share: 0.5}, metrics.Value{Share: 0.50001}), "50.000 %", "50.001 %", "+0.001 points"},
		{number("share", metrics.Value{Share: 0.00054}, metrics.Value{Share: 0.00046}), "0.1 %", "0.0 %", "-<0.1 points"},
		{number("state", metrics.Value{State: wire.Empty}, metrics.Value{State: wire.Stable}), "Empty", "Stable", ""},
	} {
		if a, b, by := numberWords(test.n); a != test.a || b != test.b || by != test.by {
			t.Errorf("got %q, %q, %q; want %q, %q, %q", a, b, by, test.a, test.b, test.by)
		}
	}
}
