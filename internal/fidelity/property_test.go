package fidelity

import (
	"cmp"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"simulate/internal/align"
)

// events draws a timeline in order; few different keys, so that equal ones are common.
func events(t *rapid.T) []Event {
	kinds := rapid.SampledFrom([]string{memberAdded, completing, stable, left})
	n := rapid.IntRange(0, 25).Draw(t, "events")
	all := make([]Event, n)
	var at time.Duration
	for i := range all {
		at += time.Duration(rapid.IntRange(0, 400).Draw(t, "ms")) * time.Millisecond
		all[i] = Event{At: at, Key: Key{Kind: kinds.Draw(t, "kind"), Generation: rapid.IntRange(0, 2).Draw(t, "generation")}}
	}
	return all
}

func figuresOf(observed, simulated []Event) Figures {
	return Comparison{Lines: compareEvents(observed, simulated, tolerance, nil)}.Figures()
}

func TestSameRunAgrees(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		all := events(t)
		got := figuresOf(all, all)
		if want := perfect(Figures{Events: len(all)}); got != want {
			t.Errorf("got %+v, want %+v", got, want)
		}
	})
}

// Each event of either side is on exactly one line, and each line is of one key.
func TestEveryEventOnce(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		observed, simulated := events(t), events(t)
		var seen, made []Event
		for _, l := range compareEvents(observed, simulated, tolerance, nil) {
			if l.Observed != nil {
				seen = append(seen, l.Observed.Event)
			}
			if l.Simulated != nil {
				made = append(made, l.Simulated.Event)
			}
			if l.Matched() && l.Observed.Key != l.Simulated.Key {
				t.Errorf("%v is matched with %v", l.Observed, l.Simulated)
			}
			if l.InTime && !l.Matched() {
				t.Errorf("%v is in time but not matched", l)
			}
		}
		if !slices.Equal(seen, observed) {
			t.Errorf("observed: got %v, want %v", seen, observed)
		}
		slices.SortFunc(made, byContent)
		slices.SortFunc(simulated, byContent)
		if !slices.Equal(made, simulated) {
			t.Errorf("simulated: got %v, want %v", made, simulated)
		}
	})
}

// byContent orders drawn events by all that is drawn of them.
func byContent(a, b Event) int {
	return cmp.Or(cmp.Compare(a.At, b.At), cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.Generation, b.Generation))
}

// Dropped events are missed and nothing else changes; the other way round they are surplus.
func TestDroppedAreMissed(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		all := events(t)
		var rest []Event
		for _, e := range all {
			if rapid.Bool().Draw(t, "kept") {
				rest = append(rest, e)
			}
		}
		dropped := len(all) - len(rest)
		if f := figuresOf(all, rest); f.Events != len(all) || f.Missed != dropped || f.Surplus != 0 {
			t.Errorf("dropped %d: got %+v", dropped, f)
		}
		if f := figuresOf(rest, all); f.Events != len(all) || f.Surplus != dropped || f.Missed != 0 {
			t.Errorf("added %d: got %+v", dropped, f)
		}
	})
}

// The alignment is as long as the one that a plain recursion finds, before leftovers change places.
func TestLongestAlignment(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		letters := rapid.StringOfN(rapid.SampledFrom([]rune("abc")), 0, 8, -1)
		left, right := letters.Draw(t, "left"), letters.Draw(t, "right")
		lines := align.Align(align.Sides{
			Left: len(left), Right: len(right),
			Same:  func(l, r int) bool { return left[l] == right[r] },
			Apart: func(int, int) time.Duration { return time.Hour },
		})
		pairs := 0
		for _, p := range lines {
			if p.Left >= 0 && p.Right >= 0 {
				pairs++
			}
		}
		if want := longest(left, right); pairs != want {
			t.Errorf("got %d pairs, want %d", pairs, want)
		}
	})
}

// longest is the length of the longest common subsequence, found the dumb way.
func longest(a, b string) int {
	if a == "" || b == "" {
		return 0
	}
	if a[0] == b[0] {
		return 1 + longest(a[1:], b[1:])
	}
	return max(longest(a[1:], b), longest(a, b[1:]))
}
