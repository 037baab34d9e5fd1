package coordinator

import (
	"cmp"
	"iter"
	"maps"
	"math/bits"
	"slices"
)

// history lets the groups and offsets of a shard be read as they are at the committed offset, and takes
// back what a refused batch changed.
//
// Kafka: SnapshotRegistry; CoordinatorRuntime takes a snapshot at every batch it writes.
type history struct {
	batch   AppendID // that the next change belongs to
	changes []change // oldest first; those before first are settled
	first   int
	settled bool // a change is part of the committed state at once
}

type change struct {
	batch AppendID
	cell  changed
}

// changed is a cell of some timelineMap.
type changed interface {
	settle()
	revert(AppendID)
	renew()
}

func (h *history) note(c changed) {
	h.changes = append(h.changes, change{h.batch, c})
}

// atOnce makes changes that are committed, such as those that are read from the log.
func (h *history) atOnce(do func()) {
	h.settled = true
	do()
	h.settled = false
}

// settle makes the changes up to a batch part of the committed state.
func (h *history) settle(upTo AppendID) {
	for h.first < len(h.changes) && h.changes[h.first].batch <= upTo {
		h.changes[h.first].cell.settle()
		h.changes[h.first].cell = nil
		h.first++
	}
	if h.first == len(h.changes) {
		h.changes, h.first = h.changes[:0], 0
	}
}

// revert takes back, last one first, what one batch changed. In their slots, the keys that are there again
// are the newest then, in the order in which the batch came by them.
//
// Kafka: SnapshottableHashTable.executeRevert.
func (h *history) revert(batch AppendID) {
	seen := map[changed]bool{}
	var cells []changed
	for _, c := range h.changes[h.first:] {
		if c.batch == batch && !seen[c.cell] {
			seen[c.cell] = true
			cells = append(cells, c.cell)
		}
	}
	for i := len(h.changes) - 1; i >= h.first && len(cells) > 0; i-- {
		if h.changes[i].batch == batch {
			h.changes[i].cell.revert(batch)
			h.changes = slices.Delete(h.changes, i, i+1)
		}
	}
	for _, c := range cells {
		c.renew()
	}
}

// timelineMap is a map that is walked in the order of Kafka's TimelineHashMap with the same history, and
// that still knows what its history has not settled.
//
// The order decides in which order groups are loaded and unloaded, and in which order tombstones are
// written (rule A-9): slots ascending, the newest key of a slot first.
//
// Kafka: TimelineHashMap, BaseHashTable.
type timelineMap[K cmp.Ordered, V any] struct {
	history *history
	hash    func(K) int32
	cells   map[K]*cell[K, V] // those with a value now, or at the committed offset
	last    *cell[K, V]       // that was looked up last; nil: it was not there, or is gone
	slots   []*cell[K, V]
	live    int
}

// cell holds one key. It is in its slot while it has a value now.
type cell[K cmp.Ordered, V any] struct {
	table *timelineMap[K, V]
	key   K
	now   version[V]
	past  []version[V] // what each unsettled change replaced, oldest first
	next  *cell[K, V]
}

// version is a value, or the absence of one.
type version[V any] struct {
	value  V
	exists bool
	batch  AppendID // in past: that of the change which replaced it
}

func newTimelineMap[K cmp.Ordered, V any](h *history, hash func(K) int32) *timelineMap[K, V] {
	return &timelineMap[K, V]{history: h, hash: hash, cells: map[K]*cell[K, V]{}, slots: make([]*cell[K, V], 2)}
}

// cell returns the cell of a key, nil when there is none. Most look-ups are for the key of the one before.
func (m *timelineMap[K, V]) cell(k K) *cell[K, V] {
	if m.last == nil || m.last.key != k {
		m.last = m.cells[k]
	}
	return m.last
}

// get returns the latest value.
func (m *timelineMap[K, V]) get(k K) (V, bool) {
	if c := m.cell(k); c != nil {
		return c.now.value, c.now.exists
	}
	var none V
	return none, false
}

// committed returns the value at the committed offset.
func (m *timelineMap[K, V]) committed(k K) (V, bool) {
	if c := m.cells[k]; c != nil {
		v := c.settled()
		return v.value, v.exists
	}
	var none V
	return none, false
}

// put keeps the place of a key that is already there. Even then the table may double.
func (m *timelineMap[K, V]) put(k K, v V) {
	if 3*(m.live+1) > 4*len(m.slots) {
		m.grow()
	}
	c := m.cell(k)
	if c == nil {
		c = &cell[K, V]{table: m, key: k}
		m.cells[k] = c
	}
	c.set(version[V]{value: v, exists: true})
}

func (m *timelineMap[K, V]) remove(k K) {
	if c := m.cell(k); c != nil && c.now.exists {
		c.set(version[V]{})
	}
}

// all walks the latest values. The entry that was yielded last may be removed meanwhile.
func (m *timelineMap[K, V]) all() iter.Seq2[K, V] {
	return func(yield func(K, V) bool) {
		for _, c := range m.slots {
			for c != nil {
				next := c.next
				if !yield(c.key, c.now.value) {
					return
				}
				c = next
			}
		}
	}
}

// sorted walks by key the latest values, or those at the committed offset.
func (m *timelineMap[K, V]) sorted(latest bool) iter.Seq2[K, V] {
	return func(yield func(K, V) bool) {
		for _, k := range slices.Sorted(maps.Keys(m.cells)) {
			v, ok := m.get(k)
			if !latest {
				v, ok = m.committed(k)
			}
			if ok && !yield(k, v) {
				return
			}
		}
	}
}

func (c *cell[K, V]) settled() version[V] {
	if len(c.past) > 0 {
		return c.past[0]
	}
	return c.now
}

func (c *cell[K, V]) set(v version[V]) {
	h := c.table.history
	if !h.settled {
		before := c.now
		before.batch = h.batch
		c.past = append(c.past, before)
		h.note(c)
	}
	c.become(v)
}

// become changes the latest value, and with it whether the cell is in its slot.
func (c *cell[K, V]) become(v version[V]) {
	switch {
	case v.exists && !c.now.exists:
		c.link()
		c.table.live++
	case !v.exists && c.now.exists:
		c.unlink()
		c.table.live--
	}
	c.now = v
	c.drop()
}

func (c *cell[K, V]) link() {
	at := &c.table.slots[c.table.slot(c.key)]
	c.next, *at = *at, c
}

func (c *cell[K, V]) unlink() {
	at := &c.table.slots[c.table.slot(c.key)]
	for *at != c {
		at = &(*at).next
	}
	*at, c.next = c.next, nil
}

// renew makes the key the newest of its slot.
func (c *cell[K, V]) renew() {
	if c.now.exists {
		c.unlink()
		c.link()
	}
}

// drop forgets the cell when it has no value now nor at the committed offset.
func (c *cell[K, V]) drop() {
	if !c.now.exists && len(c.past) == 0 {
		delete(c.table.cells, c.key)
		c.table.last = nil
	}
}

func (c *cell[K, V]) settle() {
	c.past = slices.Delete(c.past, 0, 1)
	c.drop()
}

// revert takes back the last change of a batch. What later batches made of the key stays.
func (c *cell[K, V]) revert(batch AppendID) {
	i := len(c.past) - 1
	for c.past[i].batch != batch {
		i--
	}
	before := c.past[i]
	c.past = slices.Delete(c.past, i, i+1)
	if i < len(c.past) {
		c.past[i].value, c.past[i].exists = before.value, before.exists
		return
	}
	c.become(version[V]{value: before.value, exists: before.exists})
}

func (m *timelineMap[K, V]) slot(k K) int {
	spread := uint64(int64(m.hash(k))) * 0x9e3779b97f4a7c15
	return int(spread >> (64 - bits.Len(uint(len(m.slots)-1))))
}

// grow doubles the table. Keys that stay together keep their order.
func (m *timelineMap[K, V]) grow() {
	old := m.slots
	m.slots = make([]*cell[K, V], 2*len(old))
	for _, c := range old {
		for c != nil {
			next := c.next
			c.next = nil
			at := &m.slots[m.slot(c.key)]
			for *at != nil {
				at = &(*at).next
			}
			*at = c
			c = next
		}
	}
}

// intHash and longHash are Integer.hashCode and Long.hashCode.
func intHash(n int32) int32 { return n }

func longHash(n int64) int32 { return int32(uint64(n) ^ uint64(n)>>32) }
