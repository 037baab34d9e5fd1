package fidelity

import "time"

// pair is one line of an alignment: indices into two lists, -1 where one side has nothing.
type pair struct {
	left, right int
	swapped     bool // the two stand in another order than their neighbours
}

// sides is what an alignment needs to know of two lists.
type sides struct {
	left, right int                          // their lengths
	same        func(l, r int) bool          // whether the two are the same event
	apart       func(l, r int) time.Duration // how far they lie apart, not negative
}

// mayChange is how far two equal events that the alignment left over may lie apart and still be the same
// one: independent events within a few milliseconds come in arbitrary order.
const mayChange = 50 * time.Millisecond

// align pairs as many events as possible without changing an order; among equally long alignments it
// takes the one whose pairs lie closest together. Of what is left over, equal events within mayChange
// are paired too. The lines come in order of the left side, its leftovers before those of the right.
func align(s sides) []pair {
	lines := s.common()
	s.pairLeftovers(lines)
	var kept []pair
	for _, p := range lines {
		if p.left >= 0 || p.right >= 0 {
			kept = append(kept, p)
		}
	}
	return kept
}

// common returns a longest common subsequence and what it leaves over.
func (s sides) common() []pair {
	best := s.scores()
	var lines []pair
	l, r := 0, 0
	for l < s.left || r < s.right {
		switch {
		case l == s.left:
			lines = append(lines, pair{left: -1, right: r})
			r++
		case r == s.right || best[l][r] == best[l+1][r]:
			lines = append(lines, pair{left: l, right: -1})
			l++
		case best[l][r] == best[l][r+1]:
			lines = append(lines, pair{left: -1, right: r})
			r++
		default:
			lines = append(lines, pair{left: l, right: r})
			l, r = l+1, r+1
		}
	}
	return lines
}

// score says how good an alignment is: more pairs are better, then less distance.
type score struct {
	pairs int
	apart time.Duration
}

func (a score) better(b score) bool {
	return a.pairs > b.pairs || a.pairs == b.pairs && a.apart < b.apart
}

// scores returns, for each l and r, the best score of the lists from there on.
func (s sides) scores() [][]score {
	best := make([][]score, s.left+1)
	for l := range best {
		best[l] = make([]score, s.right+1)
	}
	for l := s.left - 1; l >= 0; l-- {
		for r := s.right - 1; r >= 0; r-- {
			top := best[l+1][r]
			if other := best[l][r+1]; other.better(top) {
				top = other
			}
			if s.same(l, r) {
				rest := best[l+1][r+1]
				if with := (score{rest.pairs + 1, rest.apart + s.apart(l, r)}); with.better(top) {
					top = with
				}
			}
			best[l][r] = top
		}
	}
	return best
}

// pairLeftovers moves right leftovers to their left counterparts; a line that loses its event is empty.
func (s sides) pairLeftovers(lines []pair) {
	for i := range lines {
		if lines[i].left < 0 || lines[i].right >= 0 {
			continue
		}
		if j := s.counterpart(lines, lines[i].left); j >= 0 {
			lines[i] = pair{lines[i].left, lines[j].right, true}
			lines[j] = pair{left: -1, right: -1}
		}
	}
}

// counterpart returns the line of the closest right leftover that may be paired with l, or -1.
func (s sides) counterpart(lines []pair, l int) int {
	found, distance := -1, mayChange+1
	for j, p := range lines {
		if p.left < 0 && p.right >= 0 && s.same(l, p.right) && s.apart(l, p.right) < distance {
			found, distance = j, s.apart(l, p.right)
		}
	}
	return found
}
