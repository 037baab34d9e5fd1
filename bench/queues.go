package bench

import (
	"cmp"
	"container/heap"

	"github.com/emirpasic/gods/v2/queues/priorityqueue"
	"github.com/google/btree"
	tidwall "github.com/tidwall/btree"
	generic "github.com/zyedidia/generic/heap"

	"simulate/sim/clock"
)

// queue holds the future events of a simulation. Events are numbered from 0, each is pending at most once, and those of
// one instant come out in the order in which they were last scheduled: that is what a simulator needs to give the same
// result each time.
type queue interface {
	// Schedule adds event id, which is not pending.
	Schedule(id int32, at int64)
	// Next takes the first event at limit or before. It reports false when there is none.
	Next(limit int64) (id int32, at int64, ok bool)
}

// timers is a queue whose events can be moved while they are pending.
type timers interface {
	queue
	// Rearm moves event id, which is pending, behind everything that is scheduled for that instant.
	Rearm(id int32, at int64)
	// Cancel removes event id, which is pending.
	Cancel(id int32)
}

// structure is a priority queue to compare, for events numbered below n.
type structure struct {
	name string
	make func(n int) queue
}

// structures lists what is compared; the first is ours. All of them find the first event by comparing instants, and
// events of one instant by their sequence. Timing wheels and calendar queues of Go libraries are left out: they do
// not order the events of a slot.
var structures = []structure{
	{"sim/clock.Queue", func(n int) queue { return &ours{handles: make([]clock.Handle, n)} }},
	{"container/heap, pointers with index", func(n int) queue { return &indexed{byID: make([]node, n)} }},
	{"container/heap, values", func(int) queue { return &boxed{} }},
	{"4-ary heap of values, by hand", func(int) queue { return &quaternary{} }},
	{"zyedidia/generic heap", func(int) queue { return &binary{heap: generic.New(item.before)} }},
	{"emirpasic/gods priorityqueue", func(int) queue { return &gods{queue: priorityqueue.NewWith(compare)} }},
	{"tidwall/btree", func(n int) queue {
		options := tidwall.Options{NoLocks: true}
		return &tree{byID: make([]item, n), items: tidwallTree{tidwall.NewBTreeGOptions(item.before, options)}}
	}},
	{"google/btree", func(n int) queue { return &tree{byID: make([]item, n), items: googleTree{btree.NewG(32, item.before)}} }},
}

// item is an event as the other structures keep it.
type item struct {
	at  int64
	seq uint64
	id  int32
}

func (a item) before(b item) bool { return a.at < b.at || a.at == b.at && a.seq < b.seq }

func compare(a, b item) int { return cmp.Or(cmp.Compare(a.at, b.at), cmp.Compare(a.seq, b.seq)) }

// sequence numbers what is scheduled.
type sequence uint64

func (s *sequence) item(id int32, at int64) item {
	*s++
	return item{at, uint64(*s), id}
}

type ours struct {
	q       clock.Queue[int32]
	handles []clock.Handle
}

func (o *ours) Schedule(id int32, at int64) { o.handles[id] = o.q.Schedule(clock.Time(at), id) }
func (o *ours) Rearm(id int32, at int64)    { o.q.Reschedule(o.handles[id], clock.Time(at)) }
func (o *ours) Cancel(id int32)             { o.q.Cancel(o.handles[id]) }
func (o *ours) Next(limit int64) (int32, int64, bool) {
	at, id, ok := o.q.Next(clock.Time(limit))
	return id, int64(at), ok
}

// indexed is what the documentation of container/heap shows: pointers that know where they are.
type indexed struct {
	seq  sequence
	heap nodes
	byID []node
}

type node struct {
	item
	index int
}

type nodes []*node

func (n nodes) Len() int           { return len(n) }
func (n nodes) Less(i, j int) bool { return n[i].before(n[j].item) }
func (n nodes) Swap(i, j int) {
	n[i], n[j] = n[j], n[i]
	n[i].index, n[j].index = i, j
}
func (n *nodes) Push(x any) {
	added := x.(*node)
	added.index = len(*n)
	*n = append(*n, added)
}
func (n *nodes) Pop() any {
	last := len(*n) - 1
	x := (*n)[last]
	*n = (*n)[:last]
	return x
}

func (q *indexed) Schedule(id int32, at int64) {
	q.byID[id].item = q.seq.item(id, at)
	heap.Push(&q.heap, &q.byID[id])
}
func (q *indexed) Rearm(id int32, at int64) {
	q.byID[id].item = q.seq.item(id, at)
	heap.Fix(&q.heap, q.byID[id].index)
}
func (q *indexed) Cancel(id int32) { heap.Remove(&q.heap, q.byID[id].index) }
func (q *indexed) Next(limit int64) (int32, int64, bool) {
	if len(q.heap) == 0 || q.heap[0].at > limit {
		return 0, 0, false
	}
	first := heap.Pop(&q.heap).(*node)
	return first.id, first.at, true
}

// boxed is a container/heap of values; each Push and Pop puts one into an interface.
type boxed struct {
	seq   sequence
	items items
}

type items []item

func (s items) Len() int           { return len(s) }
func (s items) Less(i, j int) bool { return s[i].before(s[j]) }
func (s items) Swap(i, j int)      { s[i], s[j] = s[j], s[i] }
func (s *items) Push(x any)        { *s = append(*s, x.(item)) }
func (s *items) Pop() any {
	last := len(*s) - 1
	x := (*s)[last]
	*s = (*s)[:last]
	return x
}

func (q *boxed) Schedule(id int32, at int64) { heap.Push(&q.items, q.seq.item(id, at)) }
func (q *boxed) Next(limit int64) (int32, int64, bool) {
	if len(q.items) == 0 || q.items[0].at > limit {
		return 0, 0, false
	}
	first := heap.Pop(&q.items).(item)
	return first.id, first.at, true
}

// quaternary is the least that a heap does: values, four children each, no way to reach an event that is pending.
type quaternary struct {
	seq  sequence
	heap []item
}

func (q *quaternary) Schedule(id int32, at int64) {
	added := q.seq.item(id, at)
	q.heap = append(q.heap, added)
	i := len(q.heap) - 1
	for i > 0 && added.before(q.heap[(i-1)/4]) {
		q.heap[i] = q.heap[(i-1)/4]
		i = (i - 1) / 4
	}
	q.heap[i] = added
}

func (q *quaternary) Next(limit int64) (int32, int64, bool) {
	if len(q.heap) == 0 || q.heap[0].at > limit {
		return 0, 0, false
	}
	first := q.heap[0]
	n := len(q.heap) - 1
	last := q.heap[n]
	q.heap = q.heap[:n]
	if n > 0 {
		q.heap[q.sink(last)] = last
	}
	return first.id, first.at, true
}

// sink makes room for an item below the root and returns where.
func (q *quaternary) sink(it item) int {
	i := 0
	for 4*i+1 < len(q.heap) {
		least := 4*i + 1
		for c := least + 1; c < min(4*i+5, len(q.heap)); c++ {
			if q.heap[c].before(q.heap[least]) {
				least = c
			}
		}
		if !q.heap[least].before(it) {
			break
		}
		q.heap[i] = q.heap[least]
		i = least
	}
	return i
}

type binary struct {
	seq  sequence
	heap *generic.Heap[item]
}

func (q *binary) Schedule(id int32, at int64) { q.heap.Push(q.seq.item(id, at)) }
func (q *binary) Next(limit int64) (int32, int64, bool) {
	if first, ok := q.heap.Peek(); !ok || first.at > limit {
		return 0, 0, false
	}
	first, _ := q.heap.Pop()
	return first.id, first.at, true
}

type gods struct {
	seq   sequence
	queue *priorityqueue.Queue[item]
}

func (q *gods) Schedule(id int32, at int64) { q.queue.Enqueue(q.seq.item(id, at)) }
func (q *gods) Next(limit int64) (int32, int64, bool) {
	if first, ok := q.queue.Peek(); !ok || first.at > limit {
		return 0, 0, false
	}
	first, _ := q.queue.Dequeue()
	return first.id, first.at, true
}

// tree is a queue in an ordered set, where an event is found by its instant and sequence.
type tree struct {
	seq   sequence
	byID  []item
	items interface {
		set(item)
		delete(item)
		first() (item, bool)
		takeFirst()
	}
}

func (q *tree) Schedule(id int32, at int64) {
	q.byID[id] = q.seq.item(id, at)
	q.items.set(q.byID[id])
}
func (q *tree) Rearm(id int32, at int64) {
	q.Cancel(id)
	q.Schedule(id, at)
}
func (q *tree) Cancel(id int32) { q.items.delete(q.byID[id]) }
func (q *tree) Next(limit int64) (int32, int64, bool) {
	first, ok := q.items.first()
	if !ok || first.at > limit {
		return 0, 0, false
	}
	q.items.takeFirst()
	return first.id, first.at, true
}

type tidwallTree struct{ *tidwall.BTreeG[item] }

func (t tidwallTree) set(it item)         { t.Set(it) }
func (t tidwallTree) delete(it item)      { t.Delete(it) }
func (t tidwallTree) first() (item, bool) { return t.Min() }
func (t tidwallTree) takeFirst()          { t.PopMin() }

type googleTree struct{ *btree.BTreeG[item] }

func (t googleTree) set(it item)         { t.ReplaceOrInsert(it) }
func (t googleTree) delete(it item)      { t.Delete(it) }
func (t googleTree) first() (item, bool) { return t.Min() }
func (t googleTree) takeFirst()          { t.DeleteMin() }
