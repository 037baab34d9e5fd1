package logs

import (
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
