package clock

// Queue holds the future events of a run, ordered by (instant, sequence).
//
// Every Schedule and Reschedule takes a fresh sequence number, so events of one instant come out in the
// order in which they were last scheduled. That is a promise, and there is no other priority, unless
// ShuffleTies asks for another order.
//
// It is a 4-ary heap of small items over a slab of payloads: payloads never move, and a handle finds its
// item in constant time. The zero Queue is empty and at instant 0.
type Queue[E any] struct {
	heap []item
	slab []slot[E]
	free []int32
	seq  uint64
	now  Time

	owner func(E) uint32 // nil: ties are not shuffled
	seed  uint64
}

type item struct {
	at   Time
	seq  uint64 // place among the events of its instant
	slot int32
}

type slot[E any] struct {
	event E
	index int32  // of the item in the heap; -1 when the slot is free
	uses  uint32 // how often the slot was taken, so that an old handle is recognised
}

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
func (q *Queue[E]) Len() int { return len(q.heap) }

// Schedule adds e at the given instant. An instant before Now is a mistake of the caller and panics.
func (q *Queue[E]) Schedule(at Time, e E) Handle {
	q.check(at)
	var s int32
	if n := len(q.free); n > 0 {
		s = q.free[n-1]
		q.free = q.free[:n-1]
	} else {
		s = int32(len(q.slab))
		q.slab = append(q.slab, slot[E]{})
	}
	q.slab[s].event = e
	q.slab[s].uses++
	q.heap = append(q.heap, item{})
	q.up(len(q.heap)-1, item{at: at, seq: q.place(at, s), slot: s})
	return Handle{slot: s, uses: q.slab[s].uses}
}

// Reschedule moves the event to another instant, behind everything already scheduled for that instant.
// It reports false, and does nothing, when the handle is spent.
func (q *Queue[E]) Reschedule(h Handle, at Time) bool {
	if !q.Pending(h) {
		return false
	}
	q.check(at)
	i := int(q.slab[h.slot].index)
	q.fix(i, item{at: at, seq: q.place(at, h.slot), slot: h.slot})
	return true
}

// Cancel removes the event. It reports false when the handle is spent.
func (q *Queue[E]) Cancel(h Handle) bool {
	if !q.Pending(h) {
		return false
	}
	q.remove(int(q.slab[h.slot].index))
	return true
}

// Pending reports whether the handle names an event that is still scheduled.
func (q *Queue[E]) Pending(h Handle) bool {
	return h.uses != 0 && int(h.slot) < len(q.slab) && q.slab[h.slot].uses == h.uses && q.slab[h.slot].index >= 0
}

// Next takes the first event whose instant is at most limit, and moves Now to it. When there is none it
// reports false and leaves Now alone: bounds are arguments, inclusive, never events.
func (q *Queue[E]) Next(limit Time) (Time, E, bool) {
	if len(q.heap) == 0 || q.heap[0].at > limit {
		var none E
		return 0, none, false
	}
	first := q.heap[0]
	e := q.slab[first.slot].event
	q.now = first.at
	q.remove(0)
	return first.at, e, true
}

// place returns the place of the event in a slot among those of its instant, behind all that were scheduled before.
func (q *Queue[E]) place(at Time, s int32) uint64 {
	q.seq++
	if q.owner == nil {
		return q.seq
	}
	return q.placeOfOwner(at, s)
}

// placeOfOwner is place where ties are shuffled: the upper bits are the owner's, drawn for that instant. Two owners that
// draw the same keep their order.
func (q *Queue[E]) placeOfOwner(at Time, s int32) uint64 {
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

func (q *Queue[E]) remove(i int) {
	s := q.heap[i].slot
	var none E
	q.slab[s].event = none
	q.slab[s].index = -1
	q.free = append(q.free, s)
	n := len(q.heap) - 1
	last := q.heap[n]
	q.heap = q.heap[:n]
	if i < n {
		q.fix(i, last)
	}
}

// fix puts it into position i of the heap or, from there, where it belongs.
func (q *Queue[E]) fix(i int, it item) {
	if i > 0 && before(it, q.heap[(i-1)/4]) {
		q.up(i, it)
	} else {
		q.down(i, it)
	}
}

func (q *Queue[E]) up(i int, it item) {
	for i > 0 {
		parent := (i - 1) / 4
		if !before(it, q.heap[parent]) {
			break
		}
		q.put(i, q.heap[parent])
		i = parent
	}
	q.put(i, it)
}

func (q *Queue[E]) down(i int, it item) {
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
		if !before(q.heap[least], it) {
			break
		}
		q.put(i, q.heap[least])
		i = least
	}
	q.put(i, it)
}

func (q *Queue[E]) put(i int, it item) {
	q.heap[i] = it
	q.slab[it.slot].index = int32(i)
}

func before(a, b item) bool {
	return a.at < b.at || a.at == b.at && a.seq < b.seq
}
