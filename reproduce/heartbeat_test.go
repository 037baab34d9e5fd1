package reproduce

import (
	"fmt"
	"strings"
	"testing"
	"time"
)

// TestHeartbeats holds that the interval of heartbeats is found from the ends of join phases, and that nothing is said of the
// usual one.
func TestHeartbeats(t *testing.T) {
	const usual = 3 * time.Second
	for _, c := range []struct {
		interval time.Duration
		events   int
		want     time.Duration
	}{
		{2 * time.Second, 6, 2 * time.Second},
		{5 * time.Second, 6, 5 * time.Second},
		{usual, 6, usual},
		{2 * time.Second, 1, usual}, // one may be chance
	} {
		var text strings.Builder
		fmt.Fprintf(&text, `
duration = "5m"
[[topic]]
name       = "invoices"
partitions = 12
[[fleet]]
name   = "orders"
topics = ["invoices"]
count  = 8
start  = { at = "0s", every = "1h" }
config = { heartbeat.interval.ms = %d }
`, c.interval.Milliseconds())
		for n := range c.events {
			fmt.Fprintf(&text, "[[event]]\nat  = \"%dms\"\ndo  = \"start\"\nwho = \"orders-%d\"\n", 20_000+31_170*n, n+2)
		}
		log := logOf(t, text.String())
		story := tell("orders", log.of(&log.Analysis.Groups[0]))
		if got := story.heartbeat(usual); got.duration() != c.want {
			t.Errorf("heartbeats each %v, %d members come: %s ms, %s", c.interval, c.events, got.value, got.why)
		}
	}
}
