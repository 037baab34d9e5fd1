package reports

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"

	"simulate/incident"
	"simulate/incident/logs"
	"simulate/sim/metrics"
)

const dayLayout = "2006-01-02 15:04:05.000"

// notes tells what a reader has to know before the numbers.
func (a *Analysis) notes(p *page) {
	if a.Cut {
		p.para("", "", p.bad("INTERRUPTED")+": what follows is true of what was read.")
	}
	if text := thresholdsWords(a.Thresholds); text != "" {
		p.para("", "", text)
	}
	if len(a.Groups) == 0 {
		p.para("", "  ", a.nothing())
	}
}

// nothing says why an analysis has no groups.
func (a *Analysis) nothing() string {
	unwanted, others := logs.PassedOver(a.Sources)
	if unwanted == 0 {
		return nothingFound
	}
	text := "Nothing is left: " + metrics.Plural(int(unwanted), "record") + " about groups are "
	if len(others) == 0 {
		return text + "before --since."
	}
	for i, name := range others {
		others[i] = clean(name)
	}
	return text + "of others than --group names, or before --since. The logs have " + listedTo(mostOthers, others) + "."
}

// mostOthers is how many groups are named that were not asked for.
const mostOthers = 10

const nothingFound = "No line says anything of a consumer group. The coordinator's lines are in the server.log of the broker that leads the group's partition of " +
	"__consumer_offsets; clients log theirs at INFO."

// headline says what was read and of which time.
func (a *Analysis) headline() string {
	text := "Logs"
	if len(a.Sources) > 0 {
		text = a.sourceNames()
	}
	text += "  " + metrics.Plural(len(a.Groups), "group")
	if a.From == logs.NoTime {
		return text + "  without times"
	}
	text += "  " + a.time(a.From).Format(dayLayout) + " to " + a.time(a.To).Format(dayLayout) + " (" + timed(a.To.Sub(a.From)) + ")"
	if a.Location != nil {
		text += "  " + a.Location.String()
	}
	return text
}

// groupName names a group; what clients log without saying of which group is put together.
func groupName(g *incident.Group) string { return cmp.Or(short(g.Name), "(not named)") }

// verdict says how a group is at the end of the logs.
func (a *Analysis) verdict(g *incident.Group) string {
	text := "Group " + groupName(g)
	if onlySampled(g) {
		return text + a.lastSeen(g.Samples)
	}
	switch g.State {
	case incident.Unknown:
		text += " is in a state that these logs do not tell"
	case incident.Elsewhere:
		text += " has its coordinator at none of the brokers that logged"
	case incident.Dead:
		text += " is dead: deleted, or expired"
	case incident.Reconciling:
		text += " is still reconciling" + afterLast(g)
	case incident.PreparingRebalance, incident.CompletingRebalance:
		text += " is still in " + g.State.String() + afterLast(g)
	default:
		text += " is " + g.State.String()
	}
	if g.Generation != logs.Unknown {
		text += ", " + generationNoun(g) + " " + strconv.Itoa(int(g.Generation))
	}
	if g.Members != logs.Unknown {
		text += ", " + metrics.Plural(g.Members, "member")
	}
	return text
}

// afterLast says for how long a group has been in its last state, when that is known.
func afterLast(g *incident.Group) string {
	if len(g.Spans) == 0 {
		return ""
	}
	last := &g.Spans[len(g.Spans)-1]
	switch {
	case last.For() == 0:
		return ""
	case last.Lost:
		return ", as far as the logs tell"
	}
	return " after " + timed(last.For())
}

func generationNoun(g *incident.Group) string {
	if g.Consumer {
		return "epoch"
	}
	return "generation"
}

// wrongWords says in a line what is wrong with a group, "" when nothing is.
func wrongWords(g *incident.Group) string {
	var words []string
	if g.StuckCount > 0 {
		words = append(words, stuckSummary(g))
	}
	for kind, n := range g.AnomalyCount {
		if n > 0 {
			words = append(words, strings.ReplaceAll(metrics.AnomalyKind(kind).String(), "-", " "))
		}
	}
	if n := evictedCount(g); n > 0 {
		words = append(words, metrics.Plural(n, "eviction"))
	}
	if g.StuckCount == 0 && len(g.Stuck) > 0 {
		words = append(words, "waited in vain for a member")
	}
	for _, c := range g.Causes {
		if alarming[c.Kind] {
			words = append(words, causeTitles[c.Kind])
		}
	}
	return strings.Join(words, "; ")
}

// alarming are the causes that are wrong in themselves, however few rebalances they explain and whether or not anybody was
// evicted.
var alarming = [incident.NumCauseKinds]bool{
	incident.PollTimeouts: true, incident.LeaderLoop: true, incident.StoreErrors: true, incident.DuplicateInstance: true,
	incident.BrokerPause: true, incident.OverCapacity: true, incident.NoCommonAssignor: true,
}

// stuckSummary says how often a group was stuck, and whether it is.
func stuckSummary(g *incident.Group) string {
	longest, last := &g.Stuck[0], &g.Stuck[len(g.Stuck)-1]
	for i := range g.Stuck {
		if g.Stuck[i].For() > longest.For() {
			longest = &g.Stuck[i]
		}
	}
	text := "stuck for " + timed(longest.For()) + " in " + longest.State.String()
	if g.StuckCount > 1 {
		text = "stuck " + metrics.Plural(g.StuckCount, "time") + ", up to " + timed(longest.For()) + " in " + longest.State.String()
	}
	if last.Open {
		text += ", and still at the end"
	}
	return text
}

// leadingCause is the kind of the likeliest cause, "" when there is none.
func leadingCause(g *incident.Group) string {
	if len(g.Causes) == 0 {
		return ""
	}
	return g.Causes[0].Kind.String()
}

// causeTitles name the kinds of causes.
var causeTitles = [incident.NumCauseKinds]string{
	incident.SessionTimeouts:   "session timeouts",
	incident.PollTimeouts:      "poll timeouts",
	incident.Restarts:          "restarts",
	incident.Departures:        "members left",
	incident.NewMembers:        "new members",
	incident.LeaderLoop:        "one member rejoins again and again",
	incident.MetadataChanges:   "changed topics or subscriptions",
	incident.CoordinatorMoved:  "the coordinator moved or was lost",
	incident.StoreErrors:       "assignments could not be stored",
	incident.DuplicateInstance: "two processes with one group.instance.id",
	incident.SlowRejoin:        "a member rejoins late",
	incident.NoCommonAssignor:  "no common assignor",
	incident.NeverSynced:       "no SyncGroup after the join",
	incident.BrokerPause:       "many failed at once",
	incident.Enforced:          "rejoins that were asked for",
	incident.OverCapacity:      "more members than group.max.size",
	incident.Startup:           "start-up",
	incident.Shutdown:          "everybody left",
	incident.Admin:             "an administrator",
	incident.Migration:         "migration between the protocols",
}

// causeSentence says what may be behind rebalances, and behind how many.
func causeSentence(c *incident.Cause, all int) string {
	text := causeTitles[c.Kind]
	if c.Text != "" {
		text += ": " + anyUUID.ReplaceAllString(clean(c.Text), "$1")
	}
	if c.Rebalances > 0 {
		text += fmt.Sprintf(" (explains %d of %s)", c.Rebalances, metrics.Plural(all, "rebalance"))
	}
	return text
}

// epochSaid says who computed an epoch's assignment, how long members took to reach it, and how it ended.
func epochSaid(e *incident.Epoch) string {
	text := "epoch " + strconv.Itoa(int(e.Epoch)) + ": "
	if e.Assignor != "" {
		text += "assigned by " + short(e.Assignor)
		if e.ComputedIn > 0 {
			text += " in " + timed(e.ComputedIn)
		}
		text += "; "
	}
	text += metrics.Plural(e.Members, "member") + " reached it"
	if len(e.Reached) == e.Members && e.Members > 0 && e.At != logs.NoTime {
		times := make([]string, e.Members)
		for i := range times {
			times[i] = timed(e.Reached[i].At.Sub(e.At))
		}
		text += " after " + listed(times)
	} else if e.Members > 0 {
		text += after(" in ", e.At, e.Until)
	}
	switch {
	case e.Superseded:
		text += "; the next one began" + after(" after ", e.At, e.Until) + ", before all had"
	case e.Open:
		text += "; not over at the end"
	}
	return text
}

func rebalanceCounts(g *incident.Group) string {
	if g.Count == 0 {
		return "No rebalance was logged"
	}
	text := metrics.Plural(g.Count, "rebalance") + ", " + strconv.Itoa(g.Completed) + " completed"
	if reasons := reasonsWords(g.ByReason); reasons != "" {
		text += ": " + reasons
	}
	return text
}

// unseenWords counts the rebalances that only generations tell.
func unseenWords(g *incident.Group) string {
	if g.UnseenCount == 0 {
		return ""
	}
	return "; the generations tell of " + strconv.Itoa(g.UnseenCount) + " more that nobody logged"
}

// stuckStory tells of a stay: how long, who was missing, and until when.
func (a *Analysis) stuckStory(g *incident.Group, s *incident.Stuck) []string {
	was, when := " was in ", a.when(s.Since)+" to "+a.when(s.Until)
	if s.Open {
		was, when = " has been in ", "since "+a.when(s.Since)+", to the end of the logs"
	}
	lines := []string{groupName(g) + was + s.State.String() + " for " + timed(s.For()) + " (" +
		generationWords(g, s.Generation) + when + ")"}
	request := "JoinGroup"
	if s.State == incident.CompletingRebalance {
		request = "SyncGroup"
	}
	switch {
	case len(s.Missing) > 0 && s.Open:
		lines = append(lines, "waits for "+request+" from "+listed(memberNames(s.Missing)))
	case len(s.Missing) > 0:
		lines = append(lines, "waited for "+request+" from "+listed(memberNames(s.Missing))+" until "+a.when(s.Until))
	default:
		lines = append(lines, "the logs do not say whose "+request+" was missing")
	}
	return lines
}

func generationWords(g *incident.Group, n int32) string {
	if n == logs.Unknown {
		return ""
	}
	return generationNoun(g) + " " + strconv.Itoa(int(n)) + ", "
}

// anomalyLines has a line for those of one kind and one client; of many lines the first, unless all are wanted.
func (a *Analysis) anomalyLines(g *incident.Group, all bool) []string {
	type about struct {
		kind metrics.AnomalyKind
		who  string
	}
	var rows [][]*incident.Anomaly
	places := map[about]int{}
	for i := range g.Anomalies {
		n := &g.Anomalies[i]
		key := about{n.Kind, n.Who}
		row, known := places[key]
		if !known {
			row = len(rows)
			places[key] = row
			rows = append(rows, nil)
		}
		rows[row] = append(rows[row], n)
	}
	var lines []string
	for i, row := range rows {
		if i == 2*few && len(rows) > 2*few+1 && !all {
			return append(lines, "... "+metrics.Plural(len(rows)-i, "more line")+" left out ...")
		}
		lines = append(lines, a.alike(row))
	}
	return lines
}

// alike describes anomalies of one kind and one client.
func (a *Analysis) alike(row []*incident.Anomaly) string {
	n := row[0]
	text := anomalyNoun(&metrics.Anomaly{Kind: n.Kind, Count: n.Count, Who: n.Who}) + a.span(n.Since, n.Until)
	if more := len(row) - 1; more > 0 {
		text += ", and " + metrics.Plural(more, "time") + " more until " + a.when(row[more].Until)
	}
	return text
}

// moveWords says what a broker said about an offsets partition.
func moveWords(m *incident.Move) string {
	text := "broker " + brokerName(m.Broker) + ": " + strings.ReplaceAll(m.Kind.String(), "-", " ")
	if m.Partition != logs.Unknown {
		text += " " + strconv.Itoa(int(m.Partition))
	}
	if m.For > 0 {
		text += " in " + timed(m.For)
	}
	return text
}
