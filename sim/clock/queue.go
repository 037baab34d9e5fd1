package clock

import (
	"cmp"
	"iter"
	"slices"
)

// Queue holds the future events of a run, ordered by (instant, sequence).
//
// Every Schedule and Reschedule takes a fresh sequence number, so events of one instant come out in the
// order in which they were last scheduled. That is a promise, and there is no other priority, unless
// ShuffleTies asks for another order.
//
// It is a 4-ary heap of runs over a slab of payloads: payloads never move, and a handle finds its event in
// constant time. A run is what was scheduled for one instant without a break, as members that started together
// do; to join one, to leave it and to take its first event costs no search. When the first run of all is over, its place
// at the root stays vacant for the next one that is scheduled, which often comes soon. The zero Queue is empty and at
// instant 0.
type Queue[E any] struct {
	heap     []run
	headless bool      // the root is vacant
	slab     []slot[E] // from 1 on
	free     []int32
	open     [1 << openBits]end
	seq      uint64
	now      Time

	owner func(E) uint32 // nil: ties are not shuffled
	seed  uint64
}

// run is a list of events of one instant. An instant may have several, one behind the other.
type run struct {
	at   Time
	seq  uint64 // place among the runs of its instant
	slot int32  // of the first event
}

type slot[E any] struct {
	event E
	at    Time
	prev  int32 // slots of the events before and behind it in its run; 0 for none
	next  int32
	index int32  // of the run in the heap, of its first event only; -1 when the slot is free
	uses  uint32 // how often the slot was taken, so that an old handle is recognised
}

// end is where the newest run of an instant ends: the slot of its last event, 0 for none. Those of the instants
// that were scheduled for last are known; who misses one begins another run.
type end struct {
	at   Time
	slot int32
}

// openBits are enough for the instants that members who do the same at once schedule for in turns.
const openBits = 6

// Handle names a scheduled event. The zero Handle names none; a handle is spent when its event was
// taken or cancelled.
type Handle struct {
	slot int32
	uses uint32
}

// ShuffleTies makes events of one instant that belong to different owners come out in an order that the seed
// decides, another one in each instant. Those of one owner keep theirs, and what an event schedules still comes
// after it. It is for a queue into which nothing was scheduled yet.
func (q *Queue[E]) ShuffleTies(seed uint64, owner func(E) uint32) { q.seed, q.owner = seed, owner }

// Now returns the instant of the event that was taken last.
func (q *Queue[E]) Now() Time { return q.now }

// Len returns the number of scheduled events.
func (q *Queue[E]) Len() int { return max(len(q.slab)-1, 0) - len(q.free) }

// Schedule adds e at the given instant. An instant before Now is a mistake of the caller and panics.
func (q *Queue[E]) Schedule(at Time, e E) Handle {
	q.check(at)
	s := q.takeSlot()
	q.slab[s].event = e
	q.add(s, at, -1)
	return Handle{slot: s, uses: q.slab[s].uses}
}

// Reschedule moves the event to another instant, behind everything already scheduled for that instant.
// It reports false, and does nothing, when the handle is spent.
func (q *Queue[E]) Reschedule(h Handle, at Time) bool {
	if !q.Pending(h) {
		return false
	}
	q.check(at)
	q.settle()
	q.add(h.slot, at, q.detach(h.slot))
	return true
}

// Cancel removes the event. It reports false when the handle is spent.
func (q *Queue[E]) Cancel(h Handle) bool {
	if !q.Pending(h) {
		return false
	}
	q.settle()
	q.remove(h.slot)
	return true
}

// Pending reports whether the handle names an event that is still scheduled.
func (q *Queue[E]) Pending(h Handle) bool {
	return h.uses != 0 && int(h.slot) < len(q.slab) && q.slab[h.slot].uses == h.uses && q.slab[h.slot].index >= 0
}

// All yields every scheduled event with its instant, in the order in which Next takes them. The queue must not change
// meanwhile.
func (q *Queue[E]) All() iter.Seq2[Time, E] {
	q.settle()
	runs := slices.Clone(q.heap)
	slices.SortFunc(runs, func(a, b run) int {
		return cmp.Or(cmp.Compare(a.at, b.at), cmp.Compare(a.seq, b.seq))
	})
	return func(yield func(Time, E) bool) {
		for _, r := range runs {
			for s := r.slot; s != 0; s = q.slab[s].next {
				if !yield(r.at, q.slab[s].event) {
					return
				}
			}
		}
	}
}

// At returns the instant of a scheduled event, Never when the handle is spent.
func (q *Queue[E]) At(h Handle) Time {
	if !q.Pending(h) {
		return Never
	}
	return q.slab[h.slot].at
}

// NextAt returns the instant of the first event, Never when there is none.
func (q *Queue[E]) NextAt() Time {
	if q.settle(); len(q.heap) == 0 {
		return Never
	}
	return q.heap[0].at
}

// Next takes the first event whose instant is at most limit, and moves Now to it. When there is none it
// reports false and leaves Now alone: bounds are arguments, inclusive, never events.
func (q *Queue[E]) Next(limit Time) (Time, E, bool) {
	q.settle()
	if len(q.heap) == 0 || q.heap[0].at > limit {
		var none E
		return 0, none, false
	}
	first := q.heap[0]
	e := q.slab[first.slot].event
	q.now = first.at
	q.remove(first.slot)
	return first.at, e, true
}

// takeSlot returns a free slot.
func (q *Queue[E]) takeSlot() int32 {
	var s int32
	if n := len(q.free); n > 0 {
		s = q.free[n-1]
		q.free = q.free[:n-1]
	} else {
		s = int32(max(len(q.slab), 1))
		q.slab = append(q.slab, make([]slot[E], int(s)+1-len(q.slab))...)
	}
	q.slab[s].uses++
	return s
}

// add puts the event in a slot behind all that are scheduled for an instant. At vacant in the heap stands a run of
// which nothing is left, unless it is negative.
func (q *Queue[E]) add(s int32, at Time, vacant int) {
	q.seq++
	q.slab[s].at = at
	last := q.endOf(at)
	switch {
	case last.at == at && last.slot != s && q.isEnd(last):
		q.slab[last.slot].next, q.slab[s].prev = s, last.slot
		q.slab[s].index = 0
		q.drop(vacant)
	case vacant >= 0:
		q.fix(vacant, run{at: at, seq: q.place(at, s), slot: s})
	case q.headless:
		q.headless = false
		q.down(0, run{at: at, seq: q.place(at, s), slot: s})
	default:
		q.heap = append(q.heap, run{})
		q.up(len(q.heap)-1, run{at: at, seq: q.place(at, s), slot: s})
	}
	if q.owner == nil {
		*last = end{at: at, slot: s}
	}
}

// isEnd reports whether a noted end is one still: its event may have gone, and its slot may have been taken since.
func (q *Queue[E]) isEnd(last *end) bool {
	if last.slot == 0 {
		return false
	}
	e := &q.slab[last.slot]
	return e.index >= 0 && e.at == last.at && e.next == 0
}

// endOf returns where the end of the newest run of an instant is noted, if it is.
func (q *Queue[E]) endOf(at Time) *end {
	return &q.open[uint64(at)*0x9e3779b97f4a7c15>>(64-openBits)]
}

// place returns the place of a run that begins with the event in a slot among those of its instant, behind all that were
// scheduled before. Where ties are shuffled each event is a run, and the upper bits are its owner's, drawn for that
// instant. Two owners that draw the same keep their order.
func (q *Queue[E]) place(at Time, s int32) uint64 {
	if q.owner == nil {
		return q.seq
	}
	return mixed(q.seed, uint64(at), uint64(q.owner(q.slab[s].event)))<<placeBits | q.seq
}

// placeBits are enough for more events than any run has.
const placeBits = 40

// mixed spreads its arguments over 64 bits, with the finalizer of SplitMix64.
func mixed(all ...uint64) uint64 {
	var z uint64
	for _, x := range all {
		z += x + 0x9e3779b97f4a7c15
		z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
		z = (z ^ z>>27) * 0x94d049bb133111eb
		z ^= z >> 31
	}
	return z
}

func (q *Queue[E]) check(at Time) {
	if at < q.now {
		panic("clock: " + at.String() + " is before now (" + q.now.String() + ")")
	}
}

// remove takes an event out and frees its slot.
func (q *Queue[E]) remove(s int32) {
	q.drop(q.detach(s))
	var none E
	q.slab[s].event = none
	q.slab[s].index = -1
	q.free = append(q.free, s)
}

// detach takes an event out of its run. It returns where in the heap the run stands when nothing is left of it, else a
// negative number.
func (q *Queue[E]) detach(s int32) (vacant int) {
	d := &q.slab[s]
	prev, next := d.prev, d.next
	if prev == 0 && next == 0 {
		return int(d.index)
	}
	d.prev, d.next = 0, 0
	if next != 0 {
		q.slab[next].prev = prev
	}
	if prev != 0 {
		q.slab[prev].next = next
	} else {
		q.heap[d.index].slot = next
		q.slab[next].index = d.index
	}
	return -1
}

// drop closes the gap that a run left in the heap; a negative one is none. The root may stay vacant.
func (q *Queue[E]) drop(vacant int) {
	switch {
	case vacant == 0:
		q.headless = true
	case vacant > 0:
		if last := q.shorten(); vacant < len(q.heap) {
			q.fix(vacant, last)
		}
	}
}

// settle fills a vacant root.
func (q *Queue[E]) settle() {
	if !q.headless {
		return
	}
	q.headless = false
	if last := q.shorten(); len(q.heap) > 0 {
		q.down(0, last)
	}
}

// shorten takes the last run off the heap.
func (q *Queue[E]) shorten() run {
	n := len(q.heap) - 1
	last := q.heap[n]
	q.heap = q.heap[:n]
	return last
}

// fix puts r into position i of the heap or, from there, where it belongs.
func (q *Queue[E]) fix(i int, r run) {
	if i > 0 && before(r, q.heap[(i-1)/4]) {
		q.up(i, r)
	} else {
		q.down(i, r)
	}
}

func (q *Queue[E]) up(i int, r run) {
	for i > 0 {
		parent := (i - 1) / 4
		if !before(r, q.heap[parent]) {
			break
		}
		q.put(i, q.heap[parent])
		i = parent
	}
	q.put(i, r)
}

func (q *Queue[E]) down(i int, r run) {
	for {
		child := 4*i + 1
		if child >= len(q.heap) {
			break
		}
		least := child
		for c := child + 1; c < min(child+4, len(q.heap)); c++ {
			if before(q.heap[c], q.heap[least]) {
				least = c
			}
		}
		if !before(q.heap[least], r) {
			break
		}
		q.put(i, q.heap[least])
		i = least
	}
	q.put(i, r)
}

func (q *Queue[E]) put(i int, r run) {
	q.heap[i] = r
	q.slab[r.slot].index = int32(i)
}

func before(a, b run) bool {
	return a.at < b.at || a.at == b.at && a.seq < b.seq
}
