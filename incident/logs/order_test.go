package logs

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"
)

// TestWindow: what is out of order by less than the window is put in order, and what is by more is counted.
func TestWindow(t *testing.T) {
	start := time.Date(2024, 5, 1, 9, 0, 0, 0, time.UTC)
	line := func(second int) string {
		return fmt.Sprintf("[%s] INFO [GroupCoordinator 1]: Stabilized group orders generation %d (kafka.coordinator.group.GroupCoordinator)\n",
			start.Add(time.Duration(second)*time.Second).Format("2006-01-02 15:04:05,000"), second)
	}
	for _, c := range []struct {
		name        string
		n, from, to int // of so many lines, which one is moved where
		late        int64
	}{
		{"in order", 5000, 0, 0, 0},
		{"a little, seen at first", 5000, 100, 900, 0},
		{"a little, not seen at first", 5000, 4000, 4050, 0},
		{"much", 5000, 100, 4000, 1},
	} {
		lines := make([]string, 0, c.n)
		for i := range c.n {
			if i != c.from {
				lines = append(lines, line(i))
			}
			if i == c.to {
				lines = append(lines, line(c.from))
			}
		}
		r := open(t, []string{Stdin}, strings.NewReader(strings.Join(lines, "")))
		last, back := int32(-1), int64(0)
		err := r.Each(context.Background(), func(e *Event) error {
			if e.Generation < last {
				back++
			}
			last = e.Generation
			return nil
		})
		if s := r.Sources[0]; err != nil || s.Events != int64(c.n) || s.Late != c.late || back != c.late || s.Reversed {
			t.Errorf("%s: %d times back, %+v, %v", c.name, back, s, err)
		}
	}
}
