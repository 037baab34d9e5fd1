package reports

import (
	"bytes"
	"path/filepath"
	"strings"
	"testing"

	"simulate/sim/trace"
)

func TestMermaidStates(t *testing.T) { golden(t, "states.mmd", MermaidStates) }

// The last rebalance of each run that has one.
func TestMermaidRebalance(t *testing.T) {
	for _, run := range handMadeRuns() {
		r := run.report()
		g := &r.Summary.Groups[0]
		if len(g.Rebalances) == 0 {
			continue
		}
		var b bytes.Buffer
		if err := MermaidRebalance(&b, r, g.Name, len(g.Rebalances)); err != nil {
			t.Fatal(err)
		}
		compareGolden(t, filepath.Join("testdata", run.name+".rebalance.mmd"), b.String())
	}
}

// A diagram has at most 60 messages and notes, and one more note that says what was cut.
func TestMermaidIsShort(t *testing.T) {
	h := begin("crowd", "orders", "orders").create()
	for range 100 {
		h.join("orders-1")
	}
	r := h.stabilize("orders-1").report()
	var b bytes.Buffer
	if err := MermaidRebalance(&b, r, "orders", 1); err != nil {
		t.Fatal(err)
	}
	text := b.String()
	if n := strings.Count(text, "\n    ") - 3; n != mostShown+1 {
		t.Errorf("%d messages and notes, want %d", n, mostShown+1)
	}
	if !strings.Contains(text, "Note over c: left out here: 89 × member added, 89 × starts, 177 × JoinGroup, 89 × MEMBER_ID_REQUIRED") {
		t.Errorf("what was cut is not said:\n%s", text)
	}
	b.Reset()
	if err := MermaidStates(&b, storm().report()); err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(b.String(), " :"); n > mostShown {
		t.Errorf("%d bars", n)
	}
}

// What another group and its processes do at the same time is no part of a diagram.
func TestMermaidIsAboutOneGroup(t *testing.T) {
	r := quietStart().report()
	var alone, among bytes.Buffer
	if err := MermaidRebalance(&alone, r, "orders", 1); err != nil {
		t.Fatal(err)
	}
	var events []trace.Event
	for _, e := range r.Events {
		events = append(events, e)
		e.Group, e.Member = "bills", "m-"+e.Member
		if e.Who != "" {
			e.Who = "bills-1"
		}
		events = append(events, e)
	}
	r.Events = events
	if err := MermaidRebalance(&among, r, "orders", 1); err != nil {
		t.Fatal(err)
	}
	if alone.String() != among.String() {
		t.Errorf("got\n%s\nwant\n%s", among.String(), alone.String())
	}
}
