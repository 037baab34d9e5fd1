package diff

import (
	"testing"
	"time"

	gocmp "github.com/google/go-cmp/cmp"

	"simulate/sim/clock"
	"simulate/sim/trace"
	"simulate/sim/wire"
)

const (
	oneID     = "orders-1-11111111-2222-3333-4444-555555555555"
	anotherID = "orders-1-aaaaaaaa-2222-3333-4444-555555555555"
)

// TestParting: runs part where something happens otherwise, not where ids, deadlines and settings differ.
func TestParting(t *testing.T) {
	at := clock.At(time.Second)
	added := trace.Event{At: at, Kind: trace.MemberAdded, Group: "orders", Member: oneID, To: wire.Empty}
	blocked := trace.Event{At: at, Kind: trace.Blocked, Chain: []trace.Link{{Who: "orders-1", Because: trace.CauseDead}}}
	with := func(e trace.Event, change func(*trace.Event)) trace.Event {
		e.Chain = append([]trace.Link{}, e.Chain...)
		change(&e)
		return e
	}
	for _, test := range []struct {
		name string
		a, b trace.Event
		want []string // nil: alike
	}{
		{"the same", added, added, nil},
		{"another id", added, with(added, func(e *trace.Event) { e.Member = anotherID }), nil},
		{"an id in a text", with(added, func(e *trace.Event) { e.Text = "id: " + oneID }), with(added, func(e *trace.Event) { e.Text = "id: " + anotherID }), nil},
		{"another deadline", added, with(added, func(e *trace.Event) { e.Until = at }), nil},
		{"another number in the file", added, with(added, func(e *trace.Event) { e.Cause = 3 }), nil},
		{"other settings", added, with(added, func(e *trace.Event) { e.Details = &trace.MemberDetails{SessionTimeoutMs: 1} }), nil},
		{"another timer", blocked, with(blocked, func(e *trace.Event) { e.Chain[0].Timer, e.Chain[0].Fires = trace.TimerPoll, at }), nil},
		{"another cause", blocked, with(blocked, func(e *trace.Event) { e.Chain[0].Because = trace.CauseFrozen }), []string{"chain"}},
		{"another instant", added, with(added, func(e *trace.Event) { e.At++ }), []string{"at_ms"}},
		{"another fact", added, with(added, func(e *trace.Event) { e.Reason, e.Text = trace.NewStatic, "x" }), []string{"reason", "text"}},
		{"another process", added, with(added, func(e *trace.Event) { e.Member = wire.MemberID("orders-2" + oneID[8:]) }), []string{"member"}},
	} {
		first := trace.Event{Kind: trace.ProcessStarted, Who: "orders-1"}
		a, b := []trace.Event{first, test.a}, []trace.Event{first, test.b}
		var want *Parting
		if test.want != nil {
			want = &Parting{Alike: 1, A: &a[1], B: &b[1], DifferIn: test.want}
		}
		if d := gocmp.Diff(want, parting(a, b)); d != "" {
			t.Errorf("%s (-want +got):\n%s", test.name, d)
		}
	}
}

// TestPartingAtTheEnd: one run records more than the other.
func TestPartingAtTheEnd(t *testing.T) {
	events := []trace.Event{{Kind: trace.ProcessStarted, Who: "orders-1"}, {Kind: trace.RunEnded}}
	if d := gocmp.Diff(&Parting{Alike: 1, A: &events[1], DifferIn: []string{}}, parting(events, events[:1])); d != "" {
		t.Errorf("A goes on: %s", d)
	}
	if d := gocmp.Diff(&Parting{Alike: 1, B: &events[1], DifferIn: []string{}}, parting(events[:1], events)); d != "" {
		t.Errorf("B goes on: %s", d)
	}
}

// TestPartingWithinAnInstant: another order is no parting; what only one run has at that instant is.
func TestPartingWithinAnInstant(t *testing.T) {
	started := func(at time.Duration, who string) trace.Event {
		return trace.Event{At: clock.At(at), Kind: trace.ProcessStarted, Who: who}
	}
	one, two, three, later := started(0, "a-1"), started(0, "a-2"), started(0, "a-3"), started(1, "a-4")
	for _, test := range []struct {
		name string
		a, b []trace.Event
		want *Parting
	}{
		{"another order", []trace.Event{one, two, later}, []trace.Event{two, one, later}, nil},
		{"one more", []trace.Event{one, two, later}, []trace.Event{two, later}, &Parting{1, &one, &later, []string{"at_ms", "who"}}},
		{"twice", []trace.Event{one, one}, []trace.Event{one}, &Parting{1, &one, nil, []string{}}},
		{"each its own", []trace.Event{one, two, three}, []trace.Event{three, later, later}, &Parting{1, &one, &later, []string{"at_ms", "who"}}},
		{"another one", []trace.Event{one, two}, []trace.Event{three, one}, &Parting{1, &two, &three, []string{"who"}}},
	} {
		if d := gocmp.Diff(test.want, parting(test.a, test.b)); d != "" {
			t.Errorf("%s (-want +got):\n%s", test.name, d)
		}
	}
}
