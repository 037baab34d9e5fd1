package reports

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// TestTrialWords has each clause once: what becomes of the wait and of the member, and what is better or worse.
func TestTrialWords(t *testing.T) {
	now := Measured{Stay: 2 * time.Minute, Stuck: 1, Removed: 1, Rebalances: 3, LongestStop: time.Minute}
	with := func(change func(*Measured)) Measured {
		m := now
		change(&m)
		return m
	}
	for _, test := range []struct {
		kind      AdviceKind
		now, then Measured
		want      string
	}{
		{EndsWait, now, with(func(m *Measured) { m.Stay = 20 * time.Second }),
			"end the wait after 20s (2m now), and the group would rebalance 3 times as now"},
		{EndsWait, now, with(func(m *Measured) { m.Stay, m.Removed, m.Rebalances = 0, 0, 1 }),
			"avoid the wait and keep orders-3, and the group would rebalance once (3 now)"},
		{EndsWait, now, with(func(m *Measured) { m.Stay, m.Removed, m.Left, m.Rebalances = 0, 0, 1, 4 }),
			"avoid the wait, but the group would rebalance 4 times (3 now)"},
		{EndsWait, with(func(m *Measured) { m.Stuck = 3 }), with(func(m *Measured) { m.Stay, m.Stuck = 0, 2 }),
			"avoid the wait, and the group would rebalance 3 times as now and be stuck twice (3 now)"},
		{EndsWait, with(func(m *Measured) { m.Stuck = 3 }), with(func(m *Measured) { m.Stay, m.Stuck = 0, 0 }),
			"avoid the wait, and the group would rebalance 3 times as now and not be stuck at all (3 times now)"},
		{EndsWait, now, with(func(m *Measured) { m.Stay, m.Removed, m.Others = 0, 2, 1 }),
			"avoid the wait, and the group would rebalance 3 times as now, but orders-3 would be removed twice (1 now), " +
				"and other members would be removed once (0 now)"},
		{EndsWait, now, with(func(m *Measured) { m.Stay, m.Elsewhere, m.LongestStop = 0, time.Minute, 67*time.Second }),
			"avoid the wait, and the group would rebalance 3 times as now, but another wait would take 1m (0s now), " +
				"and the longest stop of a consumer would be 1m07s (1m now)"},
		{EndsWait, now, with(func(m *Measured) { m.Stay, m.Elsewhere, m.LongestStop = 0, time.Second, 66*time.Second }),
			"avoid the wait, and the group would rebalance 3 times as now"},
		{EndsWait, now, with(func(m *Measured) { m.Stay, m.Unassigned = 0, 5*time.Minute }),
			"avoid the wait, and the group would rebalance 3 times as now, but partitions would be without a consumer, in sum, for 5m (0s now)"},
		{SparesMember, now, with(func(m *Measured) { m.Removed, m.Stay, m.Rebalances = 0, 3*time.Minute, 2 }),
			"keep orders-3, but the group would wait 3m (2m now) and rebalance twice (3 now)"},
		{SparesMember, now, with(func(m *Measured) { m.Removed, m.Stay, m.Stuck = 0, time.Minute, 2 }),
			"keep orders-3, and the group would wait 1m (2m now) and rebalance 3 times as now, but the group would be stuck twice (1 now)"},
		{SparesMember, with(func(m *Measured) { m.Removed = 4 }), with(func(m *Measured) { m.Removed, m.Stay = 2, 0 }),
			"have orders-3 removed twice (4 now) and avoid the wait, and the group would rebalance 3 times as now"},
	} {
		got := trialWords(&Trial{What: "it", Kind: test.kind, Member: "orders-3", Now: test.now, Then: test.then})
		if got != "it would "+test.want {
			t.Errorf("\ngot  %s\nwant it would %s", got, test.want)
		}
	}
}

// TestAdviceLines holds which trials are told: those that hold, or else that none does; and what was left out.
func TestAdviceLines(t *testing.T) {
	yes := Trial{Change: "event.1.for=5s", What: "a stall of at most 5s", Holds: true}
	no := Trial{Change: "broker.group.max.size=4", What: "fewer members"}
	for _, test := range []struct {
		given *StayAdvice
		want  []string
	}{
		{nil, nil},
		{&StayAdvice{Trials: []Trial{no, yes}, Untried: 2}, []string{
			"a stall of at most 5s would avoid the wait, and the group would rebalance 0 times as now",
			"--set event.1.for=5s",
			"2 more values not tried, to bound the number of runs",
		}},
		{&StayAdvice{Trials: []Trial{no, no}}, []string{"tried, and of no help: fewer members and fewer members"}},
	} {
		var got []string
		for _, line := range adviceLines(test.given) {
			got = append(got, line.words)
			if line.change != "" {
				got = append(got, line.change)
			}
		}
		if diff := cmp.Diff(test.want, got); diff != "" {
			t.Errorf("(-want +got)\n%s", diff)
		}
	}
}

// advisedRun is a run with advice on its stay, one that holds and one that does not; nobody may count on a name.
func advisedRun(interrupted bool) Report {
	r := stuckClosed().report()
	stay := r.Summary.Groups[0].Stuck[0]
	now := Measured{Stay: stay.For(), Stuck: 1, Removed: 1, Rebalances: 3}
	r.Advice = &Advice{Runs: 4, Interrupted: interrupted, Stays: []StayAdvice{{
		Group: r.Summary.Groups[0].Name, Untried: 1, Trials: []Trial{
			{Change: "fleet.orders.config.max.poll.interval.ms=1m", What: "max.poll.interval.ms = 1m", Member: "orders-3", Holds: true,
				Now: now, Then: Measured{Stay: 20 * time.Second, Removed: 1, Rebalances: 3}},
			{Change: "event.1.for=5s", What: "a stall of at most 5s", Outcome: EventLimit, Now: now, Then: now},
		},
	}}}
	return r
}

// TestAdvisedReport holds where advice stands in the text, and that the JSON keeps its schema with it.
func TestAdvisedReport(t *testing.T) {
	var b strings.Builder
	if err := Text(&b, advisedRun(true), TextOptions{}); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"\nINTERRUPTED in the search for advice: the run is whole, the advice on stuck\nstays is not.\n",
		"leave\n      max.poll.interval.ms = 1m would end the wait after 20s",
		"\n        --set fleet.orders.config.max.poll.interval.ms=1m\n      1 more value not tried, to bound the number of runs\n",
	} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("the text has no %q:\n%s", want, b.String())
		}
	}
	if strings.Contains(b.String(), "event.1.for") {
		t.Errorf("the text has a change that does not hold:\n%s", b.String())
	}
	schema := compile(t, "run")
	for _, r := range []Report{advisedRun(true), advisedRun(false), stuckClosed().report()} {
		if err := schema.Validate(decoded(t, r)); err != nil {
			t.Error(err)
		}
	}
}
