package logs

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/cockroachdb/datadriven"
)

// TestClientMessages runs the transcripts in testdata/clients: what the records that follow say, each by itself. A line that
// begins with a bar belongs to the record before.
func TestClientMessages(t *testing.T) {
	f := newFinder(newNames())
	datadriven.Walk(t, "testdata/clients", func(t *testing.T, path string) {
		datadriven.RunTest(t, path, func(t *testing.T, d *datadriven.TestData) string {
			var out strings.Builder
			for _, r := range clientRecords(d.Input) {
				var e Event
				at, ok := f.find(&r, &e)
				text := found(at, ok, &e)
				if ok {
					text = e.Library.String() + " " + text
				}
				out.WriteString(text + "\n")
			}
			return out.String()
		})
	})
}

// TestNothingAllocated holds that a line of a client that means nothing costs nothing but the look at it.
func TestNothingAllocated(t *testing.T) {
	f := newFinder(newNames())
	for _, line := range []string{
		"2026-03-01 10:00:00,000 INFO [Consumer clientId=consumer-1, groupId=orders] Setting offset for partition orders.events-2 to the committed offset",
		"%7|1610634032.304|OFFSET|rdkafka#consumer-1| [thrd:main]: Topic orders.events [0]: stored offset 30, committed offset 29",
		`{"level":"info","msg":"joined the queue","group":"none"}`,
		"2026-03-01 10:00:00,000 app: the group is not joined; we are leaving",
	} {
		r := record{text: []byte(line), fields: []field{{"level", "info"}}}
		var e Event
		if n := testing.AllocsPerRun(100, func() { f.find(&r, &e) }); n != 0 {
			t.Errorf("%v allocations for %s", n, line)
		}
	}
}

// FuzzClientMessage holds that no text makes a template panic, and that no number is below Unknown.
func FuzzClientMessage(f *testing.F) {
	_ = filepath.WalkDir("testdata/clients", func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		text, err := os.ReadFile(path)
		for line := range strings.Lines(string(text)) {
			f.Add(line)
		}
		return err
	})
	finder := newFinder(newNames())
	f.Fuzz(func(t *testing.T, text string) {
		line, more, _ := strings.Cut(text, "\n| ")
		r := clientRecord(line)
		if more != "" {
			r.more = [][]byte{[]byte(more)}
		}
		var e Event
		at, ok := finder.find(&r, &e)
		if ok && (e.Kind == NoKind || at < 0 || at > len(r.text)) {
			t.Errorf("%v at %d of %q", e.Kind, at, r.text)
		}
		if e.Generation < Unknown || e.Members < Unknown || e.Broker < Unknown {
			t.Errorf("a number below %d from %q: %+v", Unknown, text, e)
		}
	})
}
