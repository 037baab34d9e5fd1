package incident

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"simulate/incident/logs"
	"simulate/sim/metrics"
)

// newcomers follows new members with ids that nobody had, for as long as all are of one client id.
type newcomers struct {
	name        string
	others      bool
	times       int
	first, last logs.Instant
}

func (n *newcomers) came(r *round) *newcomers {
	name := ClientOf(r.Member)
	if n == nil {
		n = &newcomers{name: name, first: r.At}
	}
	n.others = n.others || name == "" || name != n.name
	n.times++
	n.last = r.At
	return n
}

// newSentence says who came with ids that nobody had. One client id again and again may be one process that loses its id each
// time.
func (c *causes) newSentence(t *tally, out *Group) string {
	n := c.newcomers
	if n == nil || n.times < 2 || n.others || n.last == n.first {
		return fmt.Sprintf("a new member joined %s with an id that nobody had: scaling, or clients that lose theirs", metrics.Times(t.rebalances))
	}
	every := metrics.Duration((n.last.Sub(n.first) / time.Duration(n.times-1)).Round(time.Millisecond))
	text := fmt.Sprintf("%s joined %s, every %s, each time with an id that nobody had", n.name, metrics.Times(n.times), every)
	if n.times == 2 {
		text = fmt.Sprintf("%s joined twice, %s apart, each time with an id that nobody had", n.name, every)
	}
	if out.LeaveCount == 0 && len(out.Evictions) == 0 {
		text += ", and nobody left or was evicted"
	}
	return text + ": scaling, or a client that loses its id"
}

// initialDelay is the default of group.initial.rebalance.delay.ms, for which a coordinator waits for others when the first member
// joins an empty group; it begins anew while members come.
const initialDelay = 3 * time.Second

// startSentence says what is normal about the first rebalance of a group, and what it waited for.
func startSentence(out *Group) string {
	const normal = "the first members joined: a normal start"
	waited := firstWait(out)
	times := waited / initialDelay
	if times == 0 || waited%initialDelay > 2*slack { // for something else
		return normal
	}
	anew := ""
	if times > 1 {
		anew = ", and anew as others come"
	}
	return fmt.Sprintf("%s, which waited %s for group.initial.rebalance.delay.ms (%s by default%s)", normal, metrics.Duration(waited),
		metrics.Duration(initialDelay), anew)
}

// firstWait returns how long the first join phase of an empty group took that was as long as the initial delay; 0 when none was.
func firstWait(out *Group) time.Duration {
	for i := range out.Rebalances {
		r := &out.Rebalances[i]
		if join, ok := r.Join(); ok && (r.Old == 0 || r.From == Empty) && join >= initialDelay {
			return join
		}
	}
	return 0
}

// unsyncedSentence says how many members joined and did not go on, and after what time they were removed.
func (c *causes) unsyncedSentence(t *tally, out *Group) string {
	if c.noSync == 0 && t.stays > 0 {
		return fmt.Sprintf("the group waited %s for the assignment of its leader", metrics.Duration(out.Longest[CompletingRebalance]))
	}
	text := fmt.Sprintf("%s joined and never sent SyncGroup", metrics.Plural(max(c.noSync, t.signs), "member"))
	for i := range out.Evictions {
		if e := &out.Evictions[i]; e.After == logs.Completing && e.Silent > 0 {
			return text + fmt.Sprintf("; the session ran out %s after the join phase ended, which is session.timeout.ms", metrics.Duration(e.Silent))
		}
	}
	return text
}

// handover is what shows that a group has another coordinator, where no broker says that it moved.
type handover struct {
	from, to int32         // the brokers of which another one tells of the group; logs.Unknown
	after    time.Duration // since the last record of the former
	lookups  int           // of clients that had given up their partitions and log nothing of a coordinator that is lost
}

// hands returns what shows a handover, with room for it.
func (c *causes) hands() *handover {
	if c.handover == nil {
		c.handover = &handover{from: logs.Unknown, to: logs.Unknown}
	}
	return c.handover
}

// movedSentence says what tells of another coordinator.
func (c *causes) movedSentence(g *group, out *Group) string {
	t, text := &c.tallies[CoordinatorMoved], "its broker gave the group up, or stopped"
	switch h := c.hands(); {
	case g.loads > 0:
		text = "a coordinator loaded the group " + metrics.Times(g.loads)
	case h.lookups > 0 && h.lookups == t.signs && t.rebalances == 0:
		text = fmt.Sprintf("clients looked their coordinator up again after they had given up their partitions (%s)", metrics.Plural(t.signs, "record"))
	case !g.brokered(), t.rebalances == 0 && g.stayed():
		text = fmt.Sprintf("clients lost their coordinator (%s)", metrics.Plural(max(t.signs, t.rebalances), "record"))
	case g.stayed():
		text = "reasons of rebalances say so" + errorsOf(out)
	case h.from != logs.Unknown && h.to != logs.Unknown && h.from != h.to:
		text = fmt.Sprintf("broker %d tells of the group %s after the last record of broker %d, and nobody logged the move", h.to, metrics.Duration(h.after), h.from)
	}
	if c.afterLoad == 0 {
		return text
	}
	text += fmt.Sprintf("; %s did not come back to it", metrics.Plural(c.afterLoad, "member"))
	if d := silentAfterLoad(out); d > 0 {
		text += fmt.Sprintf(" within %s, the longest that session.timeout.ms can be", metrics.Duration(d))
	}
	return text
}

// errorsOf lists why assignments were not stored before rebalances.
func errorsOf(out *Group) string {
	var list []string
	for i := range out.Rebalances {
		if e := out.Rebalances[i].Rarely().Error; e != "" && !slices.Contains(list, e) {
			list = append(list, e)
		}
	}
	if len(list) == 0 {
		return ""
	}
	return " (" + strings.Join(list, ", ") + ")"
}

// silentAfterLoad is the shortest time after a load in which a member was not heard that was gone then; 0 when there is none.
func silentAfterLoad(out *Group) time.Duration {
	shortest := time.Duration(0)
	for i := range out.Evictions {
		if e := &out.Evictions[i]; e.After == logs.GroupLoaded && e.Silent > 0 && (shortest == 0 || e.Silent < shortest) {
			shortest = e.Silent
		}
	}
	return shortest
}

// migrating says that members of both protocols are in a group; "" when it is not so.
func migrating(out *Group) string {
	classic := 0
	for i := range out.Fleet {
		if id := out.Fleet[i].ID; ClientOf(id) != string(id) {
			classic++
		}
	}
	if consumers := len(out.Fleet) - classic; out.Consumer && classic > 0 && consumers > 0 {
		return fmt.Sprintf("by their ids %s of the classic protocol and %s of the consumer protocol were in the group: it is being migrated while it runs",
			metrics.Plural(classic, "member"), metrics.Plural(consumers, "member"))
	}
	return ""
}
