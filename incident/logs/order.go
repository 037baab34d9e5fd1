package logs

import (
	"slices"
	"sort"
	"unsafe"
)

// Limits of what is held back to put it in order.
const (
	windowSize   = 1024     // events
	smallWindow  = 64       // of these while nothing is out of order
	burst        = 192      // events are given out at once: to read and to use them by turns, one by one, is slower
	windowWeight = 16 << 20 // bytes, about
	maxRecent    = 64       // events of an instant, among which duplicates are looked for
	maxIdle      = 256      // of the names of a list, whose room is kept for the next event
)

// entry is an event on its way through the window.
type entry struct {
	Event
	key  Instant // by which it is sorted: its instant, or that of the event before it in its source
	step int64   // among those of the same instant, where that has to be found out
	size int     // in bytes, about
}

// window puts events in order that are out of it by less than it holds back, smallWindow of them or windowSize, and at times
// by some more; and it drops those that were logged twice.
type window struct {
	room   [4 * windowSize]*entry
	events []*entry // in room: sorted by key, equal ones as they came
	weight int
	out    Instant  // the key that was given out last
	recent []*entry // given out at that key
	free   []*entry
	mixed  bool // something is out of order, so that what is of the same millisecond may be so, too
}

func newWindow() *window { return &window{out: NoTime} }

// over reports whether there are so many more events than are to be held back.
func (w *window) over(more int) bool {
	n, hold := len(w.events), windowSize
	if !w.mixed {
		hold = smallWindow
	}
	return n >= hold+more || n > 0 && w.weight > windowWeight
}

// fresh returns an entry to fill in.
func (w *window) fresh() *entry {
	if n := len(w.free); n > 0 {
		e := w.free[n-1]
		w.free = w.free[:n-1]
		return e
	}
	return new(entry)
}

// push puts an event at its place; there is room for it. It reports whether the event comes too late: what is after
// it was given out already.
func (w *window) push(e *entry) (late bool) {
	n := len(w.events)
	if n == cap(w.events) {
		w.events = w.room[:copy(w.room[:], w.events)]
	}
	w.events = append(w.events, e)
	if n > 0 && w.events[n-1].key > e.key {
		i := sort.Search(n, func(i int) bool { return w.events[i].key > e.key })
		copy(w.events[i+1:], w.events[i:n])
		w.events[i] = e
		w.mixed = true
	}
	e.weigh()
	w.weight += e.size
	return e.key < w.out
}

// pop takes out the first event. It is valid until the next pop. Of an event that is there already it returns nil.
func (w *window) pop() *entry {
	e := w.events[0]
	if e.key != w.out {
		w.out = e.key
		for _, e := range w.recent {
			w.release(e)
		}
		w.recent = w.recent[:0]
		if w.mixed {
			w.untie()
			e = w.events[0]
		}
	}
	w.events = w.events[1:]
	w.weight -= e.size
	if len(w.recent) > 0 && slices.ContainsFunc(w.recent, e.same) {
		w.release(e)
		return nil
	}
	if len(w.recent) == maxRecent {
		w.release(w.recent[0])
		w.recent = slices.Delete(w.recent, 0, 1)
	}
	w.recent = append(w.recent, e)
	return e
}

// release takes back an entry that nobody looks at any more.
func (w *window) release(e *entry) {
	if cap(e.List)+cap(e.Partitions) > maxIdle {
		e.List, e.Partitions = nil, nil
	}
	w.free = append(w.free, e)
}

// weigh counts the texts of an event.
func (e *entry) weigh() {
	const perName = 64
	e.size = int(unsafe.Sizeof(*e)) + len(e.Group) + len(e.Member) + len(e.Other) + len(e.Instance) + len(e.Text) + len(e.ClientReason) +
		perName*(len(e.List)+len(e.Partitions))
}

// same reports whether a broker has logged the same at the same time: its log and its standard output are often both
// there. Members that are loaded are logged once for each record of theirs, and clients may say the same in one
// millisecond without being the same.
func (e *entry) same(other *entry) bool {
	a, b := &e.Event, &other.Event
	if a.Kind != b.Kind || a.Group != b.Group || a.Member != b.Member || a.Generation != b.Generation || a.At == NoTime {
		return false
	}
	if a.Library != Broker && (a.Place.Source == b.Place.Source || a.Client == "") || a.Kind == MemberLoaded && a.Place.Source == b.Place.Source {
		return false
	}
	return a.Library == b.Library && a.Broker == b.Broker && a.Partition == b.Partition && a.Other == b.Other && a.Instance == b.Instance &&
		a.Members == b.Members && a.Reason == b.Reason && a.Text == b.Text && a.ClientReason == b.ClientReason && a.For == b.For &&
		a.State == b.State && (a.Library == Broker || a.Client == b.Client) &&
		slices.Equal(a.List, b.List) && slices.Equal(a.Partitions, b.Partitions)
}

// untie puts what is of the same instant as the first event in an order in which it can have happened.
func (w *window) untie() {
	n := 1
	for n < len(w.events) && w.events[n].key == w.events[0].key {
		n++
	}
	if n > 1 {
		untie(w.events[:n])
	}
}
