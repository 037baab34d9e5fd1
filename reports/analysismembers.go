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
	f.past(g)
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
	a.clientFacts(&f, g)
	if g.PendingExpired > 0 {
		f.add("Unused ids", metrics.Plural(g.PendingExpired, "member id")+" handed out and not used in time")
	}
	return f
}

// muchBefore is from how many rebalances on those before the log are worth a word.
const muchBefore = 1000

// past says what the first records tell of the time before them.
func (f *facts) past(g *incident.Group) {
	if r := g.Replayed; r != nil {
		text := metrics.Plural(r.Members, "member") + ", of generation " + strconv.Itoa(int(r.Low))
		if r.High > r.Low {
			text += " to " + strconv.Itoa(int(r.High))
		}
		f.add("Loaded", text)
	}
	if g.First < muchBefore || g.Consumer {
		return
	}
	text := strconv.Itoa(int(g.First)) + " generations before these logs begin: it has rebalanced often"
	if g.Period > 0 {
		text += "; one every " + timed(g.Period) + ", as here, would be " + hoursOrDays(g.Period*time.Duration(g.First))
	}
	f.add("Before", text)
}

// hoursOrDays writes a long time roughly.
func hoursOrDays(d time.Duration) string {
	const day = 24 * time.Hour
	if d < 2*day {
		return strconv.FormatFloat(d.Hours(), 'f', 1, 64) + " hours"
	}
	return strconv.FormatFloat(float64(d)/float64(day), 'f', 1, 64) + " days"
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
			f.add(name, "when "+metrics.Plural(n[s], "stay")+" in "+s.String()+" ended was not logged: up to "+timed(sum[s])+" of it may be another state")
			name = ""
		}
	}
}

// clientFacts has a line for each client that logged, up to a number.
func (a *Analysis) clientFacts(f *facts, g *incident.Group) {
	name := "Clients"
	for i := range g.Clients {
		if i == 2*few {
			f.add(name, "... "+metrics.Plural(len(g.Clients)-i, "more client")+" left out ...")
			return
		}
		f.add(name, a.clientWords(&g.Clients[i]))
		name = ""
	}
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
		return "; its clock is at least " + timed(o.Low) + " ahead of the broker's"
	}
	return "; its clock is at least " + timed(-o.High) + " behind the broker's"
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
		name, _, _ := cutUUID(string(m.ID))
		name = cmp.Or(string(m.Instance), strings.TrimSuffix(name, "-"))
		if m.Details != nil && m.Instance == "" {
			name = cmp.Or(m.Details.ClientID, name)
		}
		names[i] = short(name)
	}
	return names
}

func (a *Analysis) memberWords(m *incident.Member) string {
	text := cmp.Or(memberName(m.ID), "one that the log does not name")
	if m.ID == logs.Masked {
		text += " (masked)"
	}
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
	text := causeWords(e.Cause)
	if e.Member == "" && !e.Seen && e.Cause == trace.SessionExpired {
		text += ", by the thread that logs the rebalance"
	}
	if e.Silent == 0 || e.Cause != trace.SessionExpired {
		return text
	}
	return text + "; " + timed(e.Silent) + " after " + sinceWords[e.After]
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
		if list[i].Stayed > 0 {
			names[i] += ", " + timed(list[i].Stayed) + " after it joined"
		}
		if list[i].PollTimeout {
			names[i] += " (max.poll.interval.ms ran out)"
		} else {
			names[i] += because(list[i].ClientReason)
		}
	}
	return strings.Join(names, ", ")
}
