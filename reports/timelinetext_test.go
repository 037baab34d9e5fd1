package reports

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
)

func TestTimelineText(t *testing.T) { golden(t, "timeline", TimelineText) }

// However many members there are, and whatever they are called, no line is wider than a terminal.
func TestTimelineTextIsNarrow(t *testing.T) {
	crowd := begin("crowd", "orders", "orders").create()
	for i := range 1000 {
		crowd.join(fmt.Sprintf("orders-%d", i+1))
	}
	row := begin("row", "orders", "orders").create()
	for i := range mostMembers + 1 {
		row.join(fmt.Sprintf("orders-%d", i+1))
	}
	runs := append(handMadeRuns(), crowd.stabilize("orders-1"), row.stabilize("orders-1"))
	for _, run := range runs {
		var b bytes.Buffer
		if err := TimelineText(&b, run.report()); err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(b.String()) {
			if columns(strings.TrimSuffix(line, "\n")) > width {
				t.Errorf("%s: %q", run.name, line)
			}
		}
		if run == crowd && !strings.Contains(b.String(), "Completing 1    1000 parked") {
			t.Errorf("members are not counted:\n%s", b.String())
		}
	}
}
