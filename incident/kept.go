package incident

// leastKept is what every list may keep, however many groups there are.
const leastKept = 8

// room is how much lists may keep: each of them, and all together.
type room struct {
	each int
	left int // of all; below 0 lists keep leastKept
}

// roomForAll is how many items the lists of all groups keep together. It bounds memory to some 20 MB.
const roomForAll = 50_000

// kept holds the last of the items that were added to it, in order, and counts all.
type kept[T any] struct {
	items []T
	next  int // the oldest, once old ones make room
	count int
}

func (k *kept[T]) add(item T, r *room) { *k.slot(r) = item }

// slot returns where to put the next item, which is valid until there is another one. An old one may stand there: every field is to
// be set.
func (k *kept[T]) slot(r *room) *T {
	k.count++
	if n := len(k.items); n < r.each && (r.left > 0 || n < leastKept) && k.next == 0 {
		r.left--
		var empty T
		k.items = append(k.items, empty)
		return &k.items[n]
	}
	item := &k.items[k.next]
	if k.next++; k.next == len(k.items) {
		k.next = 0
	}
	return item
}

// list returns the items, the oldest first.
func (k *kept[T]) list() []T {
	list := make([]T, 0, len(k.items))
	return append(append(list, k.items[k.next:]...), k.items[:k.next]...)
}

// last returns the item that was added last, nil when there is none.
func (k *kept[T]) last() *T {
	if len(k.items) == 0 {
		return nil
	}
	return &k.items[k.before(k.next)]
}

// backwards goes through the items from the last one on, as long as each wants another.
func (k *kept[T]) backwards(each func(*T) bool) {
	at := k.next
	for range k.items {
		at = k.before(at)
		if !each(&k.items[at]) {
			return
		}
	}
}

// before returns the index of the item that was added before another one.
func (k *kept[T]) before(at int) int {
	if at == 0 {
		at = len(k.items)
	}
	return at - 1
}
