package check

import (
	"context"
	"errors"
	"fmt"
	"testing"
)

// TestAll holds that results come in the order of the sources, one at a time, and that neither a wrong
// source nor one that cannot be read stops the others. Runs of very different lengths end out of order.
func TestAll(t *testing.T) {
	var sources []Source
	for i := range 40 {
		s := Source{Name: fmt.Sprint(i), Text: []byte(expecting(busy, "members(jobs) == 3"))}
		switch i % 4 {
		case 1:
			s.Text = []byte("duration = 5")
		case 2:
			s = Source{Name: s.Name, Err: errors.New("gone")}
		case 3:
			s.Text = append([]byte("seed = 7\n"), s.Text...)
		}
		sources = append(sources, s)
	}
	want := []Verdict{Passed, Wrong, Wrong, Passed}
	n := 0
	All(context.Background(), sources, func(r Result) {
		if r.Source.Name != fmt.Sprint(n) || r.Verdict != want[n%4] {
			t.Errorf("result %d: got source %s with verdict %d, want verdict %d", n, r.Source.Name, r.Verdict, want[n%4])
		}
		if wrong := r.Verdict == Wrong; wrong != (r.Err != nil) {
			t.Errorf("result %d: got the error %v", n, r.Err)
		}
		n++
	})
	if n != len(sources) {
		t.Errorf("got %d results, want %d", n, len(sources))
	}
}

// TestAllInterrupted holds that after an interrupt every source still has a result, and that what was wrong
// before stays wrong.
func TestAllInterrupted(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	var tally Tally
	sources := []Source{{Name: "a", Text: []byte(busy)}, {Name: "b"}, {Name: "c", Text: []byte(busy)}}
	All(ctx, sources, tally.Add)
	if got := tally.Tally(); got != "2 interrupted, 0 passed, 1 failed" || tally.Worst != Wrong {
		t.Errorf("got %s, and %d as the worst", got, tally.Worst)
	}
}
