package incident

import (
	"cmp"
	"strings"
	"time"

	"simulate/incident/logs"
	"simulate/sim/metrics"
)

// appendFailed takes an append to the group's partition that failed. What comes right behind the leader's assignment is of
// that: the group does not become Stable, and soon begins the next rebalance.
func (g *group) appendFailed(e *logs.Event) {
	g.causes.storeFailed(e)
	c := &g.course
	r := c.rounds.last()
	if r == nil || c.state != Stable || r.Assigned != c.since || e.At == logs.NoTime || e.At < c.since ||
		e.At.Sub(c.since) > slack {
		return
	}
	r.rare().Unstored = cmp.Or(storeError(e.Text), "an error")
}

// storeError names what kept an assignment from being stored, in the text of the failed append or, since 3.4, of the rebalance
// that it begins; "" when that does not say.
func storeError(text string) string {
	if before, _, ok := strings.Cut(text, " when storing group assignment"); ok {
		_, name, _ := strings.Cut(before, "Error ")
		return name
	}
	return errorName(text)
}

// unstored takes back that the group became Stable at the end of the log, where the assignment could not be stored. A later
// line shows that the group went on, and that the error was of something else.
func (c *course) unstored(until logs.Instant) {
	r := c.rounds.last()
	if r == nil || r.Rarely().Unstored == "" || c.now != nil || c.state != Stable || r.Assigned != c.since ||
		until.Sub(c.since) > time.Second {
		return
	}
	ended := r.Until
	c.refused(max(c.last, c.since))
	c.state, r.Ended, r.Until = CompletingRebalance, metrics.Open, ended
}
