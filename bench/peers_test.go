package bench

import (
	"flag"
	"fmt"
	"runtime"
	"slices"
	"testing"
	"time"

	"simulate/sim"
)

var (
	full     = flag.Bool("full", false, "measure as the tables of docs/performance.md were measured, for minutes")
	python   = flag.String("python", "python3", "a Python that has SimPy")
	markdown = flag.Bool("markdown", false, "print tables for a page")
)

// TestPeers prints what the simulator is compared with. Without -full it is short: all sides have to do the same work,
// and how long they take says little. Everything gets one processor, so that nobody pays for threads that wake each
// other.
func TestPeers(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	t.Run("group", compareGroups)
	t.Run("hold", compareHold)
	for _, m := range models {
		t.Run("queue/"+m.name, func(*testing.T) { compareQueues(m) })
	}
}

// shorter returns what is measured in full, or else what shows only that it works.
func shorter[T any](whole, short T) T {
	if *full {
		return whole
	}
	return short
}

// compareGroups runs a group on both sides, with the same client library: ours modelled, theirs the real one. A second
// table says what they did.
func compareGroups(t *testing.T) {
	hour := shorter(time.Hour, 10*time.Minute)
	took := table{
		title: "A consumer group on a virtual clock: simulate, and kfake with kgo clients",
		head:  []string{"members x time", "simulate", "kfake", "ratio", "kfake, bare", "ratio"},
		notes: []string{
			"kfake: franz-go's fake broker and real clients under testing/synctest.",
			"bare: clients that ask for records once and send no metrics.",
			"Time of one processor, without fast-forward, medians of runs in turns.",
		},
	}
	did := table{
		title: "What they did: heartbeats, and rebalances after the first minute",
		head:  []string{"members x time", "simulate", "kfake", "kfake, bare"},
	}
	for _, c := range []struct {
		group  group
		rounds int
	}{
		{group{members: 10, client: "franz-go", duration: hour}, 3},
		{group{members: 10, client: "franz-go", duration: max(hour, 25*time.Minute), restart: time.Hour}, 3},
		{group{members: 100, client: "franz-go", duration: shorter(10*time.Minute, 5*time.Minute)}, 3},
	} {
		var done [3]work
		m := turns(shorter(c.rounds, 1), timed(func() { done[0] = c.group.run(t, stepByStep) }),
			timed(func() { done[1] = c.group.fake(t) }),
			timed(func() { done[2] = c.group.fake(t, membershipOnly()...) }))
		took.rows = append(took.rows, []string{c.group.String(), span(m[0]), span(m[1]), times(m[1], m[0]), span(m[2]), times(m[2], m[0])})
		row := []string{c.group.String()}
		for _, w := range done {
			sameWork(t, c.group, done[0], w)
			row = append(row, fmt.Sprintf("%s, %d", count(w.heartbeats), w.rebalances))
		}
		did.rows = append(did.rows, row)
	}
	java := group{members: 10, client: "java", duration: hour}
	alone := turns(shorter(7, 1), timed(func() { java.run(t, stepByStep) }))
	took.rows = append(took.rows, []string{java.String() + ", Java", span(alone[0]), "-", "-", "-", "-"})
	took.show()
	did.show()
}

// stepByStep leaves nothing out, as kfake cannot.
var stepByStep = sim.Options{NoFastForward: true}

// run is simulate where nothing may go wrong.
func (g group) run(t *testing.T, o sim.Options) work {
	done, err := g.simulate(o)
	if err != nil {
		t.Fatal(err)
	}
	return done
}

// sameWork holds that both sides handled as many heartbeats, but for one a member and 2 %, and that the group has
// rebalanced about as often: which members share a rebalance hangs on milliseconds.
func sameWork(t *testing.T, g group, ours, theirs work) {
	t.Helper()
	if apart := theirs.heartbeats - ours.heartbeats; max(apart, -apart) > int64(g.members)+ours.heartbeats/50 {
		t.Errorf("%s: %d heartbeats and %d", g, ours.heartbeats, theirs.heartbeats)
	}
	if apart := theirs.rebalances - ours.rebalances; max(apart, -apart) > ours.rebalances/5 {
		t.Errorf("%s: %d rebalances and %d", g, ours.rebalances, theirs.rebalances)
	}
}

// pendings are how many events are pending at once.
var pendings = []int{10, 100, 1000, 10_000, 100_000}

// compareHold compares simulation libraries by the loop that each of them has.
func compareHold(t *testing.T) {
	result := table{title: "The hold model: time an event, of what a simulation can be built on", head: []string{"events pending"}}
	names := []string{"sim/clock.Queue", "container/heap, pointers with index"}
	var makers []func(int) queue
	for _, s := range structures {
		if slices.Contains(names, s.name) {
			makers = append(makers, s.make)
		}
	}
	result.head = append(result.head, "sim/clock", "container/heap", "ratio")
	library, err := findSimPy(*python)
	if err == nil {
		result.head = append(result.head, "SimPy "+library.version, "ratio")
	} else {
		result.notes = append(result.notes, "SimPy is left out: "+err.Error()+".")
	}
	for _, n := range pendings {
		works := []func() time.Duration{stepping(models[0], makers[0], n), stepping(models[0], makers[1], n)}
		if library.python != "" {
			works = append(works, func() time.Duration {
				took, err := library.hold(n, shorter(100_000, 1000))
				if err != nil {
					t.Fatal(err)
				}
				return took
			})
		}
		took := turns(shorter(7, 1), works...)
		row := []string{count(n), nanos(took[0])}
		for _, theirs := range took[1:] {
			row = append(row, nanos(theirs), times(theirs, took[0]))
		}
		result.rows = append(result.rows, row)
	}
	result.show()
}

// compareQueues compares priority queues in a model.
func compareQueues(m model) {
	result := table{
		title: fmt.Sprintf("Queues, %s: %s", m.name, m.about),
		head:  []string{"ns an event, by events pending"},
	}
	var fit []structure
	for _, s := range structures {
		if _, ok := s.make(0).(timers); ok || !m.moves {
			fit = append(fit, s)
			result.rows = append(result.rows, []string{s.name})
		}
	}
	ratios := []string{"ours / best of the others"}
	for _, n := range pendings {
		var works []func() time.Duration
		for _, s := range fit {
			works = append(works, stepping(m, s.make, n))
		}
		took := turns(shorter(11, 1), works...)
		for i := range fit {
			result.rows[i] = append(result.rows[i], fmt.Sprint(took[i].Nanoseconds()))
		}
		result.head = append(result.head, count(n))
		ratios = append(ratios, times(took[0], slices.Min(took[1:])))
	}
	result.rows = append(result.rows, ratios)
	result.show()
}

// stepping makes a work of a model's steps on a queue that keeps what it has grown to. It takes a step's time.
func stepping(m model, make func(int) queue, pending int) func() time.Duration {
	steps := shorter(50_000, 1000)
	step := m.start(make(pending), pending)
	for range 2 * min(pending, steps) {
		step()
	}
	all := timed(func() {
		for range steps {
			step()
		}
	})
	return func() time.Duration { return all() / time.Duration(steps) }
}

func nanos(d time.Duration) string { return fmt.Sprintf("%d ns", d.Nanoseconds()) }
