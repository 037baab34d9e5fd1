package advice

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"simulate/reports"
	"simulate/sim/clock"
	"simulate/sim/consumers"
	"simulate/sim/metrics"
	"simulate/sim/random"
	"simulate/sim/scenario"
	"simulate/sim/trace"
)

// Candidate is a key of a scenario whose change may help with a stay, and the values to try, the mildest first.
type Candidate struct {
	Kind   reports.AdviceKind
	Key    string // as --set takes it
	Values []string
	Words  string // the change in words, with %s for the value
	Member string // the process that the group waited for, "" when unknown or none
}

// mostHolders is how many of those that a group waits for at once are looked at, as many as a report tells of.
const mostHolders = 3

// Propose returns what is worth trying for a stuck stay of a group, for each key once.
func Propose(s *scenario.Scenario, g *metrics.Group, stay *metrics.Stuck) []Candidate {
	p := proposer{scenario: s, group: g, stay: stay}
	for _, b := range longestFirst(stay) {
		for i := range b.Chain[:min(mostHolders, len(b.Chain))] {
			p.link(&b.Chain[i])
		}
	}
	return p.found
}

// longestFirst returns whom a group waited for, those first that held it longest.
func longestFirst(stay *metrics.Stuck) []metrics.Blocked {
	turns := slices.Clone(stay.Blocked)
	lasted := func(b metrics.Blocked) time.Duration {
		i := slices.IndexFunc(stay.Blocked, func(other metrics.Blocked) bool { return other.At == b.At })
		if i+1 < len(stay.Blocked) {
			return stay.Blocked[i+1].At.Sub(b.At)
		}
		return stay.Until.Sub(b.At)
	}
	slices.SortStableFunc(turns, func(a, b metrics.Blocked) int { return cmp.Compare(lasted(b), lasted(a)) })
	return turns
}

// proposer collects candidates for one stay.
type proposer struct {
	scenario *scenario.Scenario
	group    *metrics.Group
	stay     *metrics.Stuck
	member   string // that those which are found now are about
	found    []Candidate
}

func (p *proposer) add(kind reports.AdviceKind, key, words string, values []string) {
	known := slices.ContainsFunc(p.found, func(c Candidate) bool { return c.Kind == kind && c.Key == key })
	if len(values) > 0 && !known {
		p.found = append(p.found, Candidate{Kind: kind, Key: key, Values: values, Words: words, Member: p.member})
	}
}

// link proposes what may help with one of those that the group waits for.
func (p *proposer) link(l *trace.Link) {
	p.member = l.Who
	if l.Because == trace.CausePendingID {
		p.member = "" // whoever asked for the id may have another membership
	}
	if l.Because == trace.CauseDelay {
		now := p.scenario.Broker.InitialRebalanceDelay
		p.add(reports.EndsWait, "broker."+trace.TimerDelay, trace.TimerDelay+" = %s",
			lower(min(p.scenario.StuckAfter, now-time.Second), now))
	}
	p.event(l)
	f := p.fleetOf(l)
	if f == nil {
		return
	}
	p.work(l, f)
	p.timer(l, f)
	p.death(l, f)
	p.requests(l, f)
}

// fleetOf returns the fleet whose settings count for the member of a link. What has no process of a fleet, such as a
// member id that was handed out, is taken for one of the group's first fleet; what is from a log belongs to none.
func (p *proposer) fleetOf(l *trace.Link) *scenario.Fleet {
	of := func(f *scenario.Fleet) bool { return f.Plan.Group == p.group.Name }
	if i := strings.LastIndex(l.Who, "-"); i > 0 && l.Because != trace.CausePendingID {
		of = func(f *scenario.Fleet) bool { return f.Name == l.Who[:i] }
	} else if l.Because != trace.CausePendingID {
		return nil
	}
	i := slices.IndexFunc(p.scenario.Fleets, func(f scenario.Fleet) bool { return of(&f) })
	if i < 0 {
		return nil
	}
	return &p.scenario.Fleets[i]
}

// enough is how long something that began at an instant may take for the stay to end in time.
func (p *proposer) enough(since clock.Time) time.Duration {
	return p.stay.Since.Add(p.scenario.StuckAfter).Sub(since)
}

// work proposes shorter work of the application itself: batches, and callbacks that nobody slowed down.
func (p *proposer) work(l *trace.Link, f *scenario.Fleet) {
	switch l.Because {
	case trace.CauseProcessing:
		p.shorten("fleet."+f.Name+".processing", "batches of at most %s", f.Plan.Processing, p.enough(l.Since))
	case trace.CauseListener:
		p.shorten("fleet."+f.Name+".on-revoke", "an onPartitionsRevoked of at most %s", f.Plan.OnRevoke, p.enough(l.Since))
		p.shorten("fleet."+f.Name+".on-assign", "an onPartitionsAssigned of at most %s", f.Plan.OnAssign, p.enough(l.Since))
	}
}

// shorten bounds what takes a while. The draws stay those that they are.
func (p *proposer) shorten(key, words string, d random.Distribution, most time.Duration) {
	longest := d.Cap
	if d.IsConstant() {
		longest = d.A
	} else {
		key += ".cap"
	}
	if longest == 0 && !d.IsConstant() {
		longest = time.Duration(clock.Never)
	}
	p.add(reports.EndsWait, key, words, lower(most, longest))
}

// timer proposes the setting behind the timer that ends the wait: a lower one to end it, a higher one to keep the
// member. The session of a member that is silent could end the wait before its rebalance timeout does.
func (p *proposer) timer(l *trace.Link, f *scenario.Fleet) {
	c := &f.Plan.Config
	switch l.Timer {
	case trace.TimerSession:
		p.limit(l, f, trace.TimerSession, c.SessionTimeout)
	case trace.TimerPoll, trace.TimerRebalance:
		if l.Timer == trace.TimerRebalance {
			longest := p.longest(f)
			profile, _ := consumers.FindProfile(longest.Plan.Client)
			p.limit(l, longest, profile.RebalanceTimeoutKey(), longest.Plan.RebalanceTimeout())
		} else {
			p.limit(l, f, trace.TimerPoll, c.MaxPollInterval)
		}
		if l.Because == trace.CauseDead || l.Because == trace.CauseFrozen || l.Because == trace.CauseUnreachable {
			p.add(reports.EndsWait, setting(f, trace.TimerSession), trace.TimerSession+" = %s",
				lower(p.enough(l.Since), c.SessionTimeout))
		}
	}
}

// longest returns the fleet whose rebalance timeout counts for the group: the longest, f's own where that is as long.
func (p *proposer) longest(f *scenario.Fleet) *scenario.Fleet {
	longest := f
	for i := range p.scenario.Fleets {
		g := &p.scenario.Fleets[i]
		if g.Plan.Group == p.group.Name && g.Plan.RebalanceTimeout() > longest.Plan.RebalanceTimeout() {
			longest = g
		}
	}
	return longest
}

// limit proposes other values of a setting that is now the length of the link's timer.
func (p *proposer) limit(l *trace.Link, f *scenario.Fleet, key string, now time.Duration) {
	armed := l.Fires.Add(-now)
	if l.Timer == trace.TimerRebalance && armed < p.stay.Since {
		return // the join phase is in the initial delay, which this setting does not bound
	}
	path, words := setting(f, key), key+" = %s"
	p.add(reports.EndsWait, path, words, lower(p.enough(armed), now))
	mine := func(who string) bool { return who == l.Who }
	if l.Until != clock.Never && l.Because != trace.CauseDead && removals(p.group, mine) > 0 {
		p.add(reports.SparesMember, path, words, higher(l.Until.Sub(armed), now))
	}
}

func setting(f *scenario.Fleet, key string) string { return "fleet." + f.Name + ".config." + key }

// death proposes what makes a process that ends leave the group, or what keeps its place.
func (p *proposer) death(l *trace.Link, f *scenario.Fleet) {
	if l.Because != trace.CauseDead {
		return
	}
	n, e := p.cause(l, scenario.Kill, scenario.Restart, scenario.RollingRestart, scenario.CrashLoop, scenario.Stop)
	if e == nil {
		return
	}
	switch {
	case e.Do == scenario.Kill:
		p.add(reports.EndsWait, eventKey(n, "do"), "a graceful stop instead of the kill", []string{string(scenario.Stop)})
	case e.Do == scenario.CrashLoop:
	case !e.Graceful && e.Do != scenario.Stop:
		p.add(reports.EndsWait, eventKey(n, "graceful"), "a graceful stop", []string{"true"})
	case !f.Plan.Config.LeaveOnClose:
		p.add(reports.EndsWait, setting(f, "internal.leave.group.on.close"), "leaving the group on close", []string{"true"})
	}
	if !f.Static && e.Do != scenario.Kill && e.Do != scenario.Stop {
		p.add(reports.EndsWait, "fleet."+f.Name+".static", "static membership", []string{"true"})
	}
}

// requests proposes an earlier end of requests that nobody answers, and an earlier heartbeat.
func (p *proposer) requests(l *trace.Link, f *scenario.Fleet) {
	c := &f.Plan.Config
	switch l.Because {
	case trace.CauseUnaware:
		p.add(reports.EndsWait, setting(f, "heartbeat.interval.ms"), "heartbeat.interval.ms = %s",
			lower(p.scenario.StuckAfter, c.HeartbeatInterval))
	case trace.CauseUnreachable, trace.CauseConnecting, trace.CauseQueued, trace.CauseCommitting:
		p.sooner(f, c)
	default:
		if strings.Contains(p.stay.Freed.ClientReason, "DisconnectException") {
			p.sooner(f, c) // somebody's request had run out of time
		}
	}
}

func (p *proposer) sooner(f *scenario.Fleet, c *consumers.Config) {
	p.add(reports.EndsWait, setting(f, "request.timeout.ms"), "request.timeout.ms = %s",
		lower(min(p.scenario.StuckAfter, c.RequestTimeout-time.Second), c.RequestTimeout))
}
