package incident

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"simulate/sim/metrics"
	"simulate/sim/trace"
	"simulate/sim/wire"
)

// verdict lists what is likely behind the rebalances of a group: what explains most of them first, and what is normal last.
func (g *group) verdict(out *Group) []Cause {
	c := &g.causes
	g.weigh(out)
	var list []Cause
	for kind := range NumCauseKinds {
		t := &c.tallies[kind]
		if t.rebalances+t.signs+t.stays == 0 {
			continue
		}
		text, member := g.sentence(kind, out)
		if text == "" {
			continue
		}
		list = append(list, Cause{Kind: kind, Rebalances: t.rebalances, Member: member, Text: text, Lines: slices.Clone(t.lines)})
	}
	slices.SortStableFunc(list, func(a, b Cause) int {
		return cmp.Or(cmp.Compare(g.rank(&a), g.rank(&b)), cmp.Compare(g.weight(&b), g.weight(&a)))
	})
	return list
}

// rank puts what is normal behind what is not: once in a while topics change, too, and clients look for their coordinator anew.
func (g *group) rank(c *Cause) int {
	switch {
	case c.Kind == Startup, c.Kind == Shutdown:
		return 2
	case c.Kind == NewMembers, c.Kind == Departures, c.Kind == Restarts && c.Rebalances == 0, c.Kind == MetadataChanges && c.Rebalances < 2, c.Kind == CoordinatorMoved && c.Rebalances == 0 && g.stayed():
		return 1
	}
	return 0
}

// stayed reports whether the brokers that logged say nothing of another coordinator, whatever clients say.
func (g *group) stayed() bool { return g.brokered() && g.loads == 0 && g.causes.moves == 0 }

// weight is how much a cause did: the rebalances, and where others waited for somebody, that too.
func (g *group) weight(c *Cause) int {
	switch c.Kind {
	case SlowRejoin, NeverSynced:
		return c.Rebalances + g.causes.tallies[c.Kind].stays
	case CoordinatorMoved:
		return c.Rebalances + g.causes.afterLoad
	}
	return c.Rebalances
}

// weigh moves what the whole history shows to be something else.
func (g *group) weigh(out *Group) {
	c := &g.causes
	if l := c.loop.found(); l != nil {
		c.tallies[MetadataChanges].rebalances = max(0, c.tallies[MetadataChanges].rebalances-l.times)
		c.tallies[LeaderLoop] = tally{rebalances: l.times, lines: l.lines}
	}
	if migrating(out) != "" && c.tallies[Migration].signs == 0 && len(out.Epochs) > 0 {
		c.tallies[Migration].sign(out.Epochs[0].Lines[0])
	}
	for i := range out.Stuck {
		s, kind := &out.Stuck[i], NeverSynced
		if s.State == PreparingRebalance {
			kind = SlowRejoin
		}
		c.tallies[kind].stay(s.Lines)
	}
	c.tallies[SlowRejoin].signs += c.notRejoined
	c.tallies[BrokerPause].signs = c.bursts
	if c.fiveMinutes > 0 && c.tallies[PollTimeouts].signs == 0 && c.tallies[Restarts].signs > 0 && !g.saidWhy() {
		c.tallies[PollTimeouts] = tally{rebalances: c.tallies[Restarts].rebalances, signs: c.fiveMinutes, lines: c.tallies[Restarts].lines}
	}
	if (out.State == Empty || out.State == Dead) && out.LeaveCount > 0 && out.Count <= 2 && c.tallies[Restarts].rebalances > 0 {
		c.tallies[Shutdown] = c.tallies[Restarts]
		c.tallies[Restarts] = tally{}
	}
	if c.returned == 0 && c.staticReplaced == 0 {
		c.tallies[Departures], c.tallies[Restarts] = c.tallies[Restarts], tally{}
	}
}

// saidWhy reports whether some member said why it left.
func (g *group) saidWhy() bool {
	return slices.ContainsFunc(g.departures.items, func(l Leave) bool { return l.ClientReason != "" })
}

// sentence says what speaks for a cause, "" when too little does.
func (g *group) sentence(kind CauseKind, out *Group) (string, wire.MemberID) {
	c := &g.causes
	t := &c.tallies[kind]
	switch kind {
	case SessionTimeouts:
		return g.silentSentence(out)
	case PollTimeouts:
		return g.pollSentence(t)
	case LeaderLoop:
		return c.loopSentence(out)
	case Restarts:
		return restartSentence(c, out), ""
	case SlowRejoin:
		return slowSentence(out), ""
	case BrokerPause:
		text := fmt.Sprintf("%d members failed within a second", c.largest)
		if c.groupsAtOnce > 1 {
			text += fmt.Sprintf(", of %d groups", c.groupsAtOnce)
		}
		return text + ": a host, the network or the broker stood still, or all were killed at once", ""
	case CoordinatorMoved:
		return c.movedSentence(g, out), ""
	case StoreErrors:
		text := fmt.Sprintf("the coordinator could not store the group, %s", metrics.Times(max(t.signs, t.rebalances)))
		if len(c.errors) > 0 {
			text += " (" + strings.Join(c.errors, ", ") + ")"
		}
		return text + ": the offsets topic takes no records", ""
	}
	return g.plainSentence(kind, t, out), ""
}

// plainSentence says what speaks for a cause of which a number is all there is to say.
func (g *group) plainSentence(kind CauseKind, t *tally, out *Group) string {
	c, n := &g.causes, metrics.Times(t.rebalances)
	switch kind {
	case Departures:
		return fmt.Sprintf("members left %s, and none with the same client id came within a minute", metrics.Times(max(t.signs, t.rebalances)))
	case NewMembers:
		return c.newSentence(t, out)
	case MetadataChanges:
		if c.unsaid >= t.rebalances {
			return fmt.Sprintf("members joined again %s and do not say why: topics, partitions or a subscription may have changed", n)
		}
		return fmt.Sprintf("members joined again %s because topics, partitions, a subscription or a configuration changed, as far as they say", n)
	case DuplicateInstance:
		return fmt.Sprintf("members were fenced %s: two processes have one group.instance.id%s", metrics.Times(t.signs), instances(c.fencedIDs))
	case NeverSynced:
		return c.unsyncedSentence(t, out)
	case NoCommonAssignor:
		return fmt.Sprintf("%s refused: no assignor in common with the members (INCONSISTENT_GROUP_PROTOCOL)", were(t.signs, "client"))
	case Enforced:
		return fmt.Sprintf("the application asked for a rebalance, %s", n)
	case OverCapacity:
		return fmt.Sprintf("the group has more members than group.max.size, %s", n)
	case Admin:
		return fmt.Sprintf("an administrator removed members or deleted the group, %s", metrics.Times(max(t.signs, t.rebalances)))
	case Migration:
		return cmp.Or(migrating(out), "the group was moved between the protocols")
	case Startup:
		return startSentence(out)
	case Shutdown:
		return fmt.Sprintf("every member left, %d of them by closing: a normal end", out.LeaveCount)
	}
	return ""
}

// silentSentence names who was not heard most often, and for how long.
func (g *group) silentSentence(out *Group) (string, wire.MemberID) {
	var who string
	var worst *silence
	byClient := g.causes.silent
	for _, name := range slices.Sorted(maps.Keys(byClient)) {
		if s := byClient[name]; worst == nil || s.times > worst.times {
			who, worst = name, s
		}
	}
	if worst == nil {
		lost := g.lostSessions()
		if lost == 0 {
			return "", ""
		}
		return fmt.Sprintf("clients gave their sessions up %s, as no answer of the coordinator came in time", metrics.Times(lost)), ""
	}
	text := fmt.Sprintf("%s was not heard for session.timeout.ms %s", who, metrics.Times(worst.times))
	switch {
	case worst.session > 0:
		text = fmt.Sprintf("%s was not heard for %s (session.timeout.ms) %s", who, metrics.Duration(worst.session), metrics.Times(worst.times))
	case worst.shortest > 0:
		text += fmt.Sprintf(" (at most %s since its last sign in the log)", metrics.Duration(worst.shortest))
	}
	text += likewise(len(byClient) - 1)
	if len(out.Evictions) > 0 && out.Evictions[0].Seen {
		text = fmt.Sprintf("%s was told %s that the coordinator does not know it any more: its session had ended", who, metrics.Times(worst.times))
	}
	return text, wire.MemberID(who)
}

// likewise says how many clients there are beside the one that is named.
func likewise(more int) string {
	if more <= 0 {
		return ""
	}
	return fmt.Sprintf("; %s likewise", metrics.Plural(more, "other client id"))
}

func (g *group) lostSessions() int {
	n := 0
	if g.view != nil {
		for _, c := range g.view.order {
			n += c.SessionsLost
		}
	}
	return n
}

// pollSentence names whose application polled too late.
func (g *group) pollSentence(t *tally) (string, wire.MemberID) {
	byName := map[string]int{}
	for _, l := range g.departures.list() {
		if l.PollTimeout {
			byName[cmp.Or(ClientOf(l.Member), "a member")]++
		}
	}
	left := len(byName) // the log of a client may have another name for it than its member id
	var exceeded time.Duration
	if g.view != nil {
		for _, c := range g.view.order {
			exceeded = max(exceeded, c.Exceeded)
			if name := cmp.Or(c.Name, "a member"); c.PollTimeouts > 0 && byName[name] == 0 {
				byName[name] = c.PollTimeouts
			}
		}
	}
	who := ""
	for _, name := range slices.Sorted(maps.Keys(byName)) {
		if byName[name] > byName[who] {
			who = name
		}
	}
	if who == "" {
		return fmt.Sprintf("members of one client id come some 5 minutes one after the other, %s, and leave without a reason: "+
			"the default of max.poll.interval.ms", metrics.Times(t.signs)), ""
	}
	text := fmt.Sprintf("the application of %s did not poll for max.poll.interval.ms, %s", who, metrics.Times(byName[who]))
	if exceeded > 0 {
		text += fmt.Sprintf(" (longer by %s)", metrics.Duration(exceeded))
	}
	return text + likewise(cmp.Or(left, len(byName))-1), wire.MemberID(who)
}

func (c *causes) loopSentence(out *Group) (string, wire.MemberID) {
	l := c.loop.found()
	text := fmt.Sprintf("%s joined again %s, every %s", l.member, metrics.Times(l.times), metrics.Duration(l.period.Round(time.Millisecond)))
	if out.UnseenCount > 0 {
		text += fmt.Sprintf("; %s more were not logged", metrics.Plural(out.UnseenCount, "rebalance"))
	}
	return text, l.member
}

func restartSentence(c *causes, out *Group) string {
	var parts []string
	if c.returned > 0 {
		parts = append(parts, fmt.Sprintf("members left %s, and %s a new one with the same client id came within a minute", metrics.Times(out.LeaveCount), metrics.Times(c.returned)))
	}
	if c.staticReplaced > 0 {
		parts = append(parts, "static members came back with new ids "+metrics.Times(c.staticReplaced))
	}
	return strings.Join(parts, "; ") + ": restarts"
}

func slowSentence(out *Group) string {
	var longest *Stuck
	for i := range out.Stuck {
		if s := &out.Stuck[i]; s.State == PreparingRebalance && (longest == nil || s.For() > longest.For()) {
			longest = s
		}
	}
	if longest == nil {
		return fmt.Sprintf("%s did not rejoin within the rebalance timeout", metrics.Plural(out.Evicted[trace.NotRejoinedInTime], "member"))
	}
	text := fmt.Sprintf("the group waited %s for members to rejoin", metrics.Duration(longest.For()))
	if longest.Open {
		text = fmt.Sprintf("the group has waited %s for members to rejoin, and still did when the log ended", metrics.Duration(longest.For()))
	}
	if len(longest.Missing) > 0 {
		text += ": " + names(longest.Missing)
	}
	return text
}

// lacking lists what would have to be logged to be sure.
func (g *group) lacking(out *Group) []string {
	var list []string
	if out.ClientView {
		list = append(list, "the log of the broker that coordinates the group: reasons, and when others joined and left")
	}
	if out.headless() {
		list = append(list, "the head of the log: the group was already there when it begins")
	}
	if out.UnseenCount > 0 {
		list = append(list, unseenSentence(out))
	}
	if n := out.ByReason[trace.NoReason]; n > 0 && !out.ClientView {
		list = append(list, fmt.Sprintf("reasons of %s: brokers print them from 2.1 on", metrics.Plural(n, "rebalance")))
	}
	if n := out.TimeIn[Elsewhere]; n > 0 && len(g.writers) == 1 && g.away {
		list = append(list, fmt.Sprintf("the logs of the other brokers: the group was elsewhere for %s", metrics.Duration(n)))
	}
	if n := g.causes.tallies[SessionTimeouts].rebalances; n > 0 && len(out.Clients) == 0 {
		list = append(list, "the logs of the clients that were not heard: a pause, a crash, or the network")
	}
	if t := &g.causes.tallies[SlowRejoin]; t.signs+t.stays > 0 && len(out.Clients) == 0 {
		list = append(list, "the logs of the clients that did not rejoin: what their applications did instead of polling")
	}
	if out.Consumer && !g.epochs.told {
		list = append(list, "the broker's group coordinator at DEBUG: which epoch each member has reached")
	}
	return list
}

// unseenSentence says how often the group rebalanced while nobody logged it, by the gap with the most rebalances.
func unseenSentence(out *Group) string {
	text := fmt.Sprintf("the records of %s that the generations show and nobody logged", metrics.Plural(out.UnseenCount, "rebalance"))
	most := &out.Unseen[0]
	for i := range out.Unseen {
		if g := &out.Unseen[i]; g.Rebalances > most.Rebalances {
			most = g
		}
	}
	if d := most.Period(); most.Rebalances > 1 && d > 0 {
		text += fmt.Sprintf("; %d of them came every %s on average", most.Rebalances, metrics.Duration(d.Round(time.Millisecond)))
	}
	return text
}

// headless reports whether the group was already there when the log begins.
func (g *Group) headless() bool {
	switch {
	case g.SpanCount > len(g.Spans) || len(g.Spans) == 0:
		return false
	case len(g.Epochs) > 0 && g.Epochs[0].Epoch <= 2:
		return false
	case g.Count > 0 && !g.Rebalances[0].Headless && g.Rebalances[0].Old == 0:
		return false
	}
	first := &g.Spans[0]
	loaded := !first.Cut && (first.State == Stable || first.State == Empty || first.State == Reconciling)
	return !loaded || len(g.Rebalances) > 0 && g.Rebalances[0].Headless
}

func were(n int, what string) string {
	if n == 1 {
		return "1 " + what + " was"
	}
	return metrics.Plural(n, what) + " were"
}

// names lists members, the first of them by name.
func names(ids []wire.MemberID) string {
	const most = 3
	list := make([]string, 0, most)
	for _, id := range ids[:min(most, len(ids))] {
		list = append(list, string(id))
	}
	text := strings.Join(list, ", ")
	if more := len(ids) - most; more > 0 {
		text += fmt.Sprintf(" and %d more", more)
	}
	return text
}

func instances(ids map[wire.InstanceID]int) string {
	sorted := slices.Sorted(maps.Keys(ids))
	sorted = slices.DeleteFunc(sorted, func(id wire.InstanceID) bool { return id == "" })
	if len(sorted) == 0 {
		return ""
	}
	return fmt.Sprintf(" (%s)", sorted[0])
}
