package reports

import (
	"cmp"
	"strconv"
	"strings"
	"time"

	"simulate/incident"
	"simulate/incident/logs"
	"simulate/sim/metrics"
	"simulate/sim/trace"
	"simulate/sim/wire"
)

// memberFacts says who was in the group and how members ended.
func (a *Analysis) memberFacts(g *incident.Group) facts {
	var f facts
	if g.Samples != nil {
		f.add("Seen", a.sampleWords(g))
	}
	if onlySampled(g) {
		return f
	}
	f.lost(g)
	switch {
	case g.ClientView:
		f.add("Brokers", "none logged: this is what the clients saw")
	case len(g.Brokers) > 0:
		f.add("Brokers", brokerList(g.Brokers))
	}
	if len(g.Fleet) > 0 {
		f.add("Members", a.fleetWords(g))
	}
	f.add("Evicted", a.evictedWords(g))
	if g.LeaveCount > 0 {
		f.add("Left", a.leavesWords(g))
	}
	f.clients(g)
	if g.PendingExpired > 0 {
		f.add("Unused ids", metrics.Plural(g.PendingExpired, "member id")+" handed out and not used in time")
	}
	return f
}

// lost says which times may be shorter than they seem, since nobody logged when they ended.
func (f *facts) lost(g *incident.Group) {
	var n [incident.NumStates]int
	var sum [incident.NumStates]time.Duration
	for i := range g.Spans {
		if s := &g.Spans[i]; s.Lost && s.State != incident.Unknown && s.For() > 0 {
			n[s.State]++
			sum[s.State] += s.For()
		}
	}
	name := "Uncertain"
	for s := range incident.NumStates {
		if n[s] > 0 {
			f.add(name, "when "+metrics.Plural(n[s], "stay")+" in "+s.String()+" ended was not logged: up to "+metrics.Brief(sum[s])+" of it may be another state")
			name = ""
		}
	}
}

// clients has a line for each client that logged, up to a number.
func (f *facts) clients(g *incident.Group) {
	name := "Clients"
	for i := range g.Clients {
		if i == 2*few {
			f.add(name, "... "+metrics.Plural(len(g.Clients)-i, "more client")+" left out ...")
			return
		}
		f.add(name, clientWords(&g.Clients[i]))
		name = ""
	}
}

// clientWords says what a client logged.
func clientWords(c *incident.Client) string {
	text := cmp.Or(short(c.Name), "one without a name")
	if c.Member != "" {
		text = memberName(c.Member)
	}
	if c.Library != logs.NoLibrary {
		text += " (" + c.Library.String() + ")"
	}
	text += ": " + metrics.Plural(c.JoinCount, "join")
	for _, part := range []struct {
		n    int
		noun string
	}{{c.PollTimeouts, "poll timeout"}, {c.SessionsLost, "lost session"}, {c.Evicted, "eviction"}, {c.Fenced, "fencing"}} {
		if part.n > 0 {
			text += ", " + metrics.Plural(part.n, part.noun)
		}
	}
	if c.Exceeded > 0 {
		text += ", max.poll.interval.ms exceeded by up to " + metrics.Brief(c.Exceeded)
	}
	if c.JoinCount == 0 && c.GaveUp > 0 { // all that is known of a library that logs no JoinGroup
		text += ", gave up its partitions " + metrics.Times(c.GaveUp)
	}
	if len(c.Coordinators) > 1 || c.JoinCount == 0 && len(c.Coordinators) > 0 {
		text += ", coordinator at broker " + brokerList(c.Coordinators)
	}
	return text + offsetWords(c.Offset)
}

// offsetWords says how far a client's clock is from the broker's, where that is worth a word.
func offsetWords(o *incident.Offset) string {
	switch {
	case o == nil || o.Low <= 0 && o.High >= 0 && !o.Broken:
		return ""
	case o.Broken:
		return "; its clock and the broker's drift apart"
	case o.Zone != 0:
		return "; its clock is " + signed(o.Zone) + " from the broker's: another time zone"
	case o.Low > 0:
		return "; its clock is at least " + metrics.Brief(o.Low) + " ahead of the broker's"
	}
	return "; its clock is at least " + metrics.Brief(-o.High) + " behind the broker's"
}

func signed(d time.Duration) string {
	if d < 0 {
		return "-" + metrics.Duration(-d)
	}
	return "+" + metrics.Duration(d)
}

func brokerList(list []int32) string {
	words := make([]string, len(list))
	for i, b := range list {
		words[i] = brokerName(b)
	}
	return strings.Join(words, ", then ")
}

func brokerName(b int32) string {
	if b == logs.Unknown {
		return "one that does not print its id"
	}
	return strconv.Itoa(int(b))
}

// fleetWords names the members while there are few of them, and otherwise counts them by client.
func (a *Analysis) fleetWords(g *incident.Group) string {
	fleet := g.Fleet
	if g.FleetCount > 2*few {
		return metrics.Plural(g.FleetCount, "member id") + " in all, of " + tally(owners(fleet))
	}
	names := make([]string, len(fleet))
	for i := range fleet {
		names[i] = a.memberWords(&fleet[i])
	}
	return strings.Join(names, "; ")
}

// owners names whose each member id is: its instance id, its client id, or else what the id begins with.
func owners(fleet []incident.Member) []string {
	names := make([]string, len(fleet))
	for i := range fleet {
		m := &fleet[i]
		name := cmp.Or(string(m.Instance), strings.TrimSuffix(idTail.ReplaceAllString(string(m.ID), ""), "-"))
		if m.Details != nil && m.Instance == "" {
			name = cmp.Or(m.Details.ClientID, name)
		}
		names[i] = short(name)
	}
	return names
}

func (a *Analysis) memberWords(m *incident.Member) string {
	text := memberName(m.ID)
	if m.Instance != "" {
		text += " (static, " + short(string(m.Instance)) + ")"
	}
	if m.Joined != logs.NoTime {
		text += " from " + a.when(m.Joined)
	}
	if m.Left != logs.NoTime {
		text += " to " + a.when(m.Left)
	}
	if m.Evicted {
		text += " (evicted)"
	}
	return text
}

// evictedWords names those that were removed while they are few.
func (a *Analysis) evictedWords(g *incident.Group) string {
	list, all := g.Evictions, evictedCount(g)
	if all == 0 {
		return "nobody"
	}
	names := make([]string, len(list))
	if all <= few {
		for i := range list {
			names[i] = someMember(list[i].Member) + a.at(list[i].At) + " (" + evictedFor(&list[i]) + ")"
		}
		return strings.Join(names, ", ")
	}
	for i := range list {
		names[i] = someMember(list[i].Member)
	}
	var causes []string
	for _, cause := range metrics.EvictionCauses() {
		if n := g.Evicted[cause]; n > 0 {
			causes = append(causes, strconv.Itoa(n)+" by "+causeNoun(cause))
		}
	}
	return metrics.Plural(all, "member") + ", " + strings.Join(causes, ", ") + ": " + tally(names)
}

// evictedFor says by what a member was evicted, and how long it had been silent at most.
func evictedFor(e *incident.Eviction) string {
	if e.Silent == 0 || e.Cause != trace.SessionExpired {
		return causeWords(e.Cause)
	}
	return causeWords(e.Cause) + "; " + metrics.Brief(e.Silent) + " after " + sinceWords[e.After]
}

// sinceWords are what a session may have begun anew with.
var sinceWords = map[logs.Kind]string{
	logs.GroupLoaded: "the group was loaded", logs.Completing: "the join phase ended", logs.MemberAdded: "it joined",
	logs.AssignmentReceived: "the assignment came",
}

func someMember(id wire.MemberID) string {
	if id == "" {
		return "a member that the log does not name"
	}
	return memberName(id)
}

func (a *Analysis) at(t logs.Instant) string {
	if t == logs.NoTime {
		return ""
	}
	return " at " + a.when(t)
}

// leavesWords names those that left while they are few.
func (a *Analysis) leavesWords(g *incident.Group) string {
	list := g.Leaves
	names, late := make([]string, len(list)), 0
	for i := range list {
		names[i] = someMember(list[i].Member)
		if list[i].PollTimeout {
			late++
		}
	}
	if g.LeaveCount > few {
		text := metrics.Plural(g.LeaveCount, "member")
		if late > 0 {
			text += ", " + strconv.Itoa(late) + " because max.poll.interval.ms ran out"
		}
		return text + ": " + tally(names)
	}
	for i := range list {
		names[i] += a.at(list[i].At)
		if list[i].PollTimeout {
			names[i] += " (max.poll.interval.ms ran out)"
		} else {
			names[i] += because(list[i].ClientReason)
		}
	}
	return strings.Join(names, ", ")
}
