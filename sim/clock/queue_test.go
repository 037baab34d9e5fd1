package clock

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"
)

// model is the queue without a heap, slab or free list: every event that was ever scheduled, searched
// from the front.
type model struct {
	events []modelEvent
	seq    int
	now    Time
}

type modelEvent struct {
	at      Time
	seq     int
	pending bool
}

func (m *model) schedule(at Time) {
	m.events = append(m.events, modelEvent{at: at, seq: m.seq, pending: true})
	m.seq++
}

func (m *model) reschedule(i int, at Time) bool {
	if !m.events[i].pending {
		return false
	}
	m.events[i].at, m.events[i].seq = at, m.seq
	m.seq++
	return true
}

func (m *model) cancel(i int) bool {
	was := m.events[i].pending
	m.events[i].pending = false
	return was
}

func (m *model) next(limit Time) (Time, int, bool) {
	first := -1
	for i, e := range m.events {
		if !e.pending || e.at > limit {
			continue
		}
		if first < 0 || e.at < m.events[first].at || e.at == m.events[first].at && e.seq < m.events[first].seq {
			first = i
		}
	}
	if first < 0 {
		return 0, 0, false
	}
	m.now = m.events[first].at
	m.events[first].pending = false
	return m.now, first, true
}

func (m *model) pending() int {
	n := 0
	for _, e := range m.events {
		if e.pending {
			n++
		}
	}
	return n
}

// crowded is a distance of instants of which the queue can note the end of one run alone: the Fibonacci numbers are
// where the golden ratio, which spreads them, comes near to whole numbers.
const crowded = 610

func TestCrowdedInstantsShareANote(t *testing.T) {
	var q Queue[int]
	for i := range Time(5) {
		if q.endOf(i*crowded) != q.endOf(0) {
			t.Errorf("%d and 0 do not share a note", i*crowded)
		}
	}
}

// Law: the queue is its model, whatever is asked of it. Instants are few, so that ties are many.
func TestQueueAgainstModel(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var q Queue[int]
		apart := rapid.SampledFrom([]int{1, crowded}).Draw(t, "apart")
		var m model
		var handles []Handle // of event i; most of them spent
		instant := func(t *rapid.T) Time {
			if rapid.IntRange(0, 20).Draw(t, "never") == 0 {
				return Never
			}
			return m.now.Add(time.Duration(apart * rapid.IntRange(0, 4).Draw(t, "in")))
		}
		event := func(t *rapid.T) int {
			if len(handles) == 0 {
				t.Skip("nothing was scheduled yet")
			}
			return rapid.IntRange(0, len(handles)-1).Draw(t, "event")
		}
		t.Repeat(map[string]func(*rapid.T){
			"schedule": func(t *rapid.T) {
				at := instant(t)
				handles = append(handles, q.Schedule(at, len(handles)))
				m.schedule(at)
			},
			"reschedule": func(t *rapid.T) {
				i, at := event(t), instant(t)
				if got, want := q.Reschedule(handles[i], at), m.reschedule(i, at); got != want {
					t.Fatalf("Reschedule(event %d, %d) is %v, want %v", i, at, got, want)
				}
			},
			"cancel": func(t *rapid.T) {
				i := event(t)
				if got, want := q.Cancel(handles[i]), m.cancel(i); got != want {
					t.Fatalf("Cancel(event %d) is %v, want %v", i, got, want)
				}
			},
			"next": func(t *rapid.T) {
				if m.now == Never {
					t.Skip("the run is over")
				}
				limit := instant(t)
				at, e, ok := q.Next(limit)
				wantAt, want, wantOK := m.next(limit)
				if at != wantAt || e != want || ok != wantOK {
					t.Fatalf("Next(%d) is (%d, event %d, %v), want (%d, event %d, %v)", limit, at, e, ok, wantAt, want, wantOK)
				}
			},
			"": func(t *rapid.T) {
				if q.Len() != m.pending() || q.Now() != m.now {
					t.Fatalf("%d events at %d, want %d at %d", q.Len(), q.Now(), m.pending(), m.now)
				}
				for i, h := range handles {
					if q.Pending(h) != m.events[i].pending {
						t.Fatalf("event %d: pending is %v", i, q.Pending(h))
					}
				}
			},
		})
	})
}

func TestTiesComeInOrderOfLastScheduling(t *testing.T) {
	var q Queue[string]
	first := q.Schedule(5, "first")
	q.Schedule(5, "second")
	q.Schedule(4, "earlier")
	q.Schedule(5, "third")
	q.Reschedule(first, 5)
	var got []string
	for {
		_, e, ok := q.Next(5)
		if !ok {
			break
		}
		got = append(got, e)
	}
	if want := []string{"earlier", "second", "third", "first"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

// owned is an event of an owner: the n-th that it scheduled.
type owned struct {
	owner uint32
	n     int
}

// takeAll takes all events, and while they come schedules more, some at the same instant, as what is there asks for.
func takeAll(t *rapid.T, q *Queue[owned], more map[owned][]time.Duration, count map[uint32]int) (all []owned, at []Time) {
	for {
		now, e, ok := q.Next(Never)
		if !ok {
			return all, at
		}
		if len(at) > 0 && now < at[len(at)-1] {
			t.Fatalf("%v comes after %v", now, at[len(at)-1])
		}
		all, at = append(all, e), append(at, now)
		for _, in := range more[e] {
			q.Schedule(now.Add(in), owned{e.owner + 1, count[e.owner+1]})
			count[e.owner+1]++
		}
	}
}

// Law: with shuffled ties instants still ascend, and the events of one owner at one instant come in the order in which
// they were scheduled, whatever other owners and the seed do.
func TestShuffledTies(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var q Queue[owned]
		q.ShuffleTies(rapid.Uint64Min(1).Draw(t, "seed"), func(e owned) uint32 { return e.owner })
		count := map[uint32]int{}
		more := map[owned][]time.Duration{}
		var handles []Handle
		for range rapid.IntRange(1, 40).Draw(t, "events") {
			e := owned{owner: rapid.Uint32Range(0, 5).Draw(t, "owner")}
			e.n = count[e.owner]
			count[e.owner]++
			if rapid.Bool().Draw(t, "schedules another") {
				more[e] = []time.Duration{time.Duration(rapid.IntRange(0, 1).Draw(t, "in"))}
			}
			handles = append(handles, q.Schedule(Time(rapid.IntRange(0, 3).Draw(t, "at")), e))
		}
		moved := rapid.IntRange(0, len(handles)-1).Draw(t, "moved")
		last := q.slab[handles[moved].slot].event
		q.Reschedule(handles[moved], 3)

		all, at := takeAll(t, &q, more, count)
		type tie struct {
			owner uint32
			at    Time
		}
		latest := map[tie]owned{}
		for i, e := range all {
			key := tie{e.owner, at[i]}
			if before, ok := latest[key]; ok && before.n > e.n && e != last && before != last {
				t.Fatalf("at %d owner %d: event %d comes after %d", at[i], e.owner, e.n, before.n)
			}
			latest[key] = e
		}
	})
}

// TestSeedsShuffleDifferently holds that seeds give different orders of different owners, and one seed different ones
// in different instants.
func TestSeedsShuffleDifferently(t *testing.T) {
	order := func(seed uint64, at Time) string {
		var q Queue[uint32]
		q.ShuffleTies(seed, func(owner uint32) uint32 { return owner })
		for owner := range uint32(8) {
			q.Schedule(at, owner)
		}
		text := ""
		for {
			_, owner, ok := q.Next(Never)
			if !ok {
				return text
			}
			text += fmt.Sprint(owner)
		}
	}
	seen := map[string]bool{"01234567": true}
	for _, text := range []string{order(1, 0), order(2, 0), order(3, 0), order(1, 1), order(1, 2)} {
		if seen[text] {
			t.Errorf("the order %s comes twice, or is that of scheduling", text)
		}
		seen[text] = true
	}
	if order(1, 0) != order(1, 0) {
		t.Error("one seed gives two orders")
	}
}

func TestHandleIsSpentWhenItsSlotIsTakenAgain(t *testing.T) {
	var q Queue[string]
	old := q.Schedule(1, "old")
	q.Next(1)
	q.Schedule(2, "new")
	if q.Pending(old) || q.Cancel(old) || q.Reschedule(old, 3) {
		t.Error("a spent handle reached the event that took its slot")
	}
	if (&Queue[string]{}).Pending(Handle{}) || q.Pending(Handle{}) {
		t.Error("the zero handle names an event")
	}
}

func TestThePastPanics(t *testing.T) {
	var q Queue[string]
	q.Schedule(Time(2*time.Second), "x")
	h := q.Schedule(Never, "y")
	q.Next(Never)
	for name, do := range map[string]func(){
		"Schedule":   func() { q.Schedule(Time(time.Second), "late") },
		"Reschedule": func() { q.Reschedule(h, Time(time.Second)) },
	} {
		func() {
			defer func() {
				if got, want := fmt.Sprint(recover()), "clock: 1.000s is before now (2.000s)"; got != want {
					t.Errorf("%s: got %q, want %q", name, got, want)
				}
			}()
			do()
		}()
	}
}

// members is the number of members of the group whose timers the benchmark keeps.
const members = 1000

// steady is a queue as a group of 1,000 members keeps it: a session timer and a next heartbeat for each.
type steady struct {
	q        Queue[int]
	sessions [members]Handle
}

func newSteady() *steady {
	s := &steady{}
	for i := range members {
		s.sessions[i] = s.q.Schedule(At(45*time.Second), -1)
		s.q.Schedule(At(time.Duration(i)*3*time.Millisecond), i)
	}
	return s
}

// heartbeat takes the next heartbeat, re-arms its session timer and schedules the heartbeat after it.
func (s *steady) heartbeat() {
	now, i, _ := s.q.Next(Never)
	s.q.Reschedule(s.sessions[i], now.Add(45*time.Second))
	s.q.Schedule(now.Add(3*time.Second), i)
}

func TestHeartbeatAllocatesNothing(t *testing.T) {
	s := newSteady()
	if n := testing.AllocsPerRun(10_000, s.heartbeat); n != 0 {
		t.Errorf("%v allocations a heartbeat, want none", n)
	}
	if got := s.q.Len(); got != 2*members {
		t.Errorf("%d events are pending, want %d", got, 2*members)
	}
}

func BenchmarkHeartbeat(b *testing.B) {
	s := newSteady()
	b.ReportAllocs()
	for b.Loop() {
		s.heartbeat()
	}
}
