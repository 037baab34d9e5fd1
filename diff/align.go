package diff

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"simulate/sim/clock"
)

// Pair is one line of an alignment: the same thing in both runs, or what only one of them has.
type Pair[T any] struct{ A, B *T } // nil where the run has none

// item is what an alignment needs to know of an element of a list.
type item struct {
	at  clock.Time
	key string // what equal elements have in common
}

// compare orders items by time; of one instant, by key.
func (x item) compare(y item) int {
	return cmp.Or(cmp.Compare(x.at, y.at), strings.Compare(x.key, y.key))
}

// align pairs as many equal elements of two lists as possible without changing an order; among equally many it takes
// those that lie closest together. The lines are in order of the lists; what only one run has is ordered by time
// between two pairs.
func align[T any](a, b []T, of func(*T) (clock.Time, string)) []Pair[T] {
	left, right := items(a, of), items(b, of)
	m := matcher{left, right, make([]int, len(left))}
	// Several alignments may be equally good. Both directions of a comparison have to take the same one.
	exchanged := slices.CompareFunc(left, right, item.compare) > 0
	if exchanged {
		m = matcher{right, left, make([]int, len(right))}
	}
	m.match()
	lines := []Pair[T]{}
	l, r := 0, 0
	add := func(matchL, matchR int) {
		for l < matchL || r < matchR {
			if r == matchR || l < matchL && left[l].compare(right[r]) < 0 {
				lines = append(lines, Pair[T]{A: &a[l]})
				l++
			} else {
				lines = append(lines, Pair[T]{B: &b[r]})
				r++
			}
		}
	}
	for _, p := range m.pairs(exchanged) {
		add(p[0], p[1])
		lines = append(lines, Pair[T]{&a[l], &b[r]})
		l, r = l+1, r+1
	}
	add(len(a), len(b))
	return lines
}

func items[T any](list []T, of func(*T) (clock.Time, string)) []item {
	all := make([]item, len(list))
	for i := range list {
		all[i].at, all[i].key = of(&list[i])
	}
	return all
}

// matcher finds a longest common subsequence, in linear space as Hirschberg does.
type matcher struct {
	left, right []item
	partner     []int // of each left item: its right one, plus one; 0 for none
}

// pairs lists what was matched, in order.
func (m *matcher) pairs(exchanged bool) [][2]int {
	var list [][2]int
	for l, r := range m.partner {
		switch {
		case r == 0:
		case exchanged:
			list = append(list, [2]int{r - 1, l})
		default:
			list = append(list, [2]int{l, r - 1})
		}
	}
	return list
}

// match pairs what is equal and at one instant at both ends, which no other alignment can better, and searches
// between.
func (m *matcher) match() {
	from, toL, toR := 0, len(m.left), len(m.right)
	for from < min(toL, toR) && m.left[from] == m.right[from] {
		m.partner[from] = from + 1
		from++
	}
	for from < min(toL, toR) && m.left[toL-1] == m.right[toR-1] {
		toL, toR = toL-1, toR-1
		m.partner[toL] = toR + 1
	}
	m.between(from, toL, from, toR)
}

func (m *matcher) between(fromL, toL, fromR, toR int) {
	switch {
	case fromL == toL || fromR == toR:
		return
	case toL-fromL == 1:
		m.one(fromL, fromR, toR)
		return
	}
	middle := (fromL + toL) / 2
	before := m.forward(fromL, middle, fromR, toR)
	after := m.backward(middle, toL, fromR, toR)
	cut, best := 0, before[0].plus(after[0])
	for i := range before {
		if s := before[i].plus(after[i]); s.better(best) {
			cut, best = i, s
		}
	}
	m.between(fromL, middle, fromR, fromR+cut)
	m.between(middle, toL, fromR+cut, toR)
}

// one pairs a single left item with the closest of its equals.
func (m *matcher) one(l, fromR, toR int) {
	var best score
	for r := fromR; r < toR; r++ {
		if s, ok := m.pair(l, r); ok && s.better(best) {
			best, m.partner[l] = s, r+1
		}
	}
}

// score says how good an alignment is: more pairs are better, then less distance.
type score struct {
	pairs int
	apart time.Duration
}

func (s score) better(than score) bool {
	return s.pairs > than.pairs || s.pairs == than.pairs && s.apart < than.apart
}

func (s score) plus(t score) score { return score{s.pairs + t.pairs, s.apart + t.apart} }

// pair is the score of one pair; it reports false for items that are not equal.
func (m *matcher) pair(l, r int) (score, bool) {
	x, y := &m.left[l], &m.right[r]
	return score{1, max(x.at, y.at).Sub(min(x.at, y.at))}, x.key == y.key
}

// forward returns, for each i, the best score of the left items with the first i right ones.
func (m *matcher) forward(fromL, toL, fromR, toR int) []score {
	row := make([]score, toR-fromR+1)
	for l := fromL; l < toL; l++ {
		corner := score{} // of one left and one right item less
		for r := fromR; r < toR; r++ {
			i := r - fromR + 1
			corner, row[i] = row[i], m.best(l, r, corner, row[i], row[i-1])
		}
	}
	return row
}

// backward returns, for each i, the best score of the left items with all right ones but the first i.
func (m *matcher) backward(fromL, toL, fromR, toR int) []score {
	row := make([]score, toR-fromR+1)
	for l := toL - 1; l >= fromL; l-- {
		corner := score{}
		for r := toR - 1; r >= fromR; r-- {
			i := r - fromR
			corner, row[i] = row[i], m.best(l, r, corner, row[i], row[i+1])
		}
	}
	return row
}

// best takes the best of leaving out the left item, leaving out the right one, and pairing both.
func (m *matcher) best(l, r int, corner, withoutLeft, withoutRight score) score {
	best := withoutLeft
	if withoutRight.better(best) {
		best = withoutRight
	}
	if s, ok := m.pair(l, r); ok && s.plus(corner).better(best) {
		best = s.plus(corner)
	}
	return best
}
