package logs

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// TestBackwards: a file of several chunks that has the newest first gives the same events as one that has the oldest
// first, and says where they are; so does a compressed one.
func TestBackwards(t *testing.T) {
	const n = 20_000
	var lines []string
	at := time.Date(2024, 5, 1, 9, 0, 0, 0, time.UTC)
	for i := range n {
		lines = append(lines, fmt.Sprintf("[%s] INFO [GroupCoordinator 1]: Stabilized group orders generation %d (kafka.coordinator.group.GroupCoordinator)\n",
			at.Add(time.Duration(i/3)*time.Millisecond).Format("2006-01-02 15:04:05,000"), i))
		if i%10 == 0 {
			lines[i] = strings.TrimSuffix(lines[i], "(kafka.coordinator.group.GroupCoordinator)\n") + "(kafka.coordinator.group.\nGroupCoordinator)\n"
		}
	}
	slices.Reverse(lines)
	text := strings.Join(lines, "")
	if len(text) < 2*chunkBytes {
		t.Fatal("too short for several chunks")
	}
	dir := t.TempDir()
	for name, content := range map[string][]byte{"newest.log": []byte(text), "newest.gz": gzipped(text)} {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, content, 0o600); err != nil {
			t.Fatal(err)
		}
		r := open(t, []string{path}, nil)
		generation, line := int32(0), int64(n+n/10)
		err := r.Each(context.Background(), func(e *Event) error {
			line--
			if generation%10 == 0 {
				line--
			}
			if e.Generation != generation || e.Place.Line != line+1 {
				t.Fatalf("%s: %d in line %d, want %d in line %d", name, e.Generation, e.Place.Line, generation, line+1)
			}
			generation++
			return nil
		})
		if s := r.Sources[0]; err != nil || generation != n || !s.Reversed || s.Events != n || s.Late != 0 {
			t.Errorf("%s: %d events, %+v, %v", name, generation, s, err)
		}
	}
}

// TestSpooled: nothing is left behind of a source that was read backwards from a copy.
func TestSpooled(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	if got := transcript(t, open(t, []string{Stdin}, strings.NewReader(empty+stabilized))); !strings.Contains(got, "reversed") {
		t.Error(got)
	}
	if left, err := os.ReadDir(os.TempDir()); err != nil || len(left) > 0 {
		t.Error(left, err)
	}
}
