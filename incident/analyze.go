package incident

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"time"

	"simulate/incident/logs"
	"simulate/sim/metrics"
	"simulate/sim/trace"
	"simulate/sim/wire"
)

// Source hands out events in the order of time; logs.Reader is one. An event is only valid during the call.
type Source interface {
	Each(ctx context.Context, each func(*logs.Event) error) error
}

// Analyze reads a source to its end. When it is interrupted, or the source fails, what was read until then is returned
// beside the error.
func Analyze(ctx context.Context, source Source, o Options) (*Analysis, error) {
	f := NewFold(o)
	err := source.Each(ctx, func(e *logs.Event) error {
		f.Add(e)
		return nil
	})
	if r, ok := source.(*logs.Reader); ok {
		f.Read(r)
	}
	return f.Analysis(), err
}

// Read takes what a reader knows once it has read all: which times no source covers, and until when each goes.
func (f *Fold) Read(r *logs.Reader) {
	f.Uncovered(r.Gaps)
	for i, s := range r.Sources {
		of := f.source(int32(i))
		of.written = max(of.written, s.Until)
	}
}

// Uncovered takes the times that no source covers. What lasted through one of them may have ended in it, and is not called
// too long.
func (f *Fold) Uncovered(gaps []logs.Gap) { f.uncovered = gaps }

// Analysis returns what the events come to that were added. It ends the fold: no event may be added after it.
func (f *Fold) Analysis() *Analysis {
	a := &Analysis{
		From: f.from, To: f.to, LeftOut: f.others.count(), Records: f.records,
		Moves: f.moves.list(), MoveCount: f.moves.count, Groups: make([]Group, 0, len(f.order)),
	}
	for _, g := range f.order {
		if g == f.beginnings() {
			a.Warnings = append(a.Warnings, fmt.Sprintf("%s before a client's log first names its group were left out", metrics.Plural(g.records, "record")))
			continue
		}
		a.Groups = append(a.Groups, g.history(f))
		a.To = max(a.To, a.Groups[len(a.Groups)-1].until())
	}
	slices.SortFunc(a.Groups, func(a, b Group) int { return cmp.Compare(a.Name, b.Name) })
	a.Warnings = append(a.Warnings, f.warnings(a)...)
	return a
}

// history returns the group as it ended up.
func (g *group) history(f *Fold) Group {
	c := &g.course
	if !g.brokered() && g.view != nil {
		c = &g.view.course
		g.view.wants()
	}
	g.asked(c)
	c.unstored(f.to)
	c.finish(g.watched(f, c))
	out := Group{
		Name: g.name, Consumer: g.epochs.consumer, ClientView: !g.brokered(), Partition: g.partition,
		From: g.from, To: g.to, Records: g.records, First: g.past.first, Replayed: g.past.replayed,
		State: c.state, Generation: c.generation, Members: g.members, Known: len(g.live), TimeIn: c.timeIn, Longest: c.longest,
		Spans: c.spans.list(), SpanCount: c.spans.count,
		Count: c.count, ByReason: map[trace.Reason]int{}, Joined: c.joined, Completed: c.completed,
		Unseen: c.gaps.list(), UnseenCount: c.unseen,
		Epochs: g.epochs.kept.list(), EpochCount: g.epochs.kept.count,
		Evictions: g.evictions.list(), Evicted: map[trace.Reason]int{}, PendingExpired: g.pending,
		Leaves: g.departures.list(), LeaveCount: g.departures.count,
		Stuck: c.stuck.found.list(), StuckCount: c.stuck.count,
		Anomalies: c.watch.found.list(), AnomalyCount: c.watch.counts, Samples: g.samples.result(),
	}
	byReason(out.ByReason, c.byReason[:])
	byReason(out.Evicted, g.evicted[:])
	for _, w := range g.writers {
		if b := f.writers.list[w].broker; b != logs.Unknown {
			out.Brokers = append(out.Brokers, b)
		}
	}
	out.covered(f.uncovered)
	g.rebalances(c, &out)
	g.epoch(&out)
	if out.Consumer {
		out.Members = len(g.live)
	}
	g.everybody(&out)
	slices.SortStableFunc(out.Anomalies, func(a, b Anomaly) int { return cmp.Compare(a.Since, b.Since) })
	g.judge(&out)
	return out
}

// judge adds what only the whole history tells: what is behind it, and what would have to be logged to be sure.
func (g *group) judge(out *Group) {
	out.Period = out.period()
	g.explained(out)
	out.Causes = g.verdict(out)
	out.Missing = g.lacking(out)
}

// byReason copies the counts that are not 0.
func byReason[N int | int32](to map[trace.Reason]int, counts []N) {
	for reason, n := range counts {
		if n > 0 {
			to[trace.Reason(reason)] = int(n)
		}
	}
}

// covered leaves out what was too long only if nothing happened while nobody logged.
func (g *Group) covered(gaps []logs.Gap) {
	in := func(since, until logs.Instant) bool {
		return slices.ContainsFunc(gaps, func(gap logs.Gap) bool { return since < gap.To && until > gap.From })
	}
	g.Stuck = slices.DeleteFunc(g.Stuck, func(s Stuck) bool {
		gone := in(s.Since, s.Until)
		if gone && !s.Evident {
			g.StuckCount--
		}
		return gone
	})
	g.Anomalies = slices.DeleteFunc(g.Anomalies, func(a Anomaly) bool {
		gone := a.Kind <= metrics.LongEmpty && in(a.Since, a.Until)
		if gone {
			g.AnomalyCount[a.Kind]--
		}
		return gone
	})
}

// beginnings returns the records that name no group when they are only what stands in logs of clients before these name it:
// nil when there is a client that never does.
func (f *Fold) beginnings() *group {
	for i := range f.sources {
		if s := &f.sources[i]; s.nameless && s.group == nil {
			return nil
		}
	}
	return f.groups[""]
}

// until is the end of the last state.
func (g *Group) until() logs.Instant {
	if len(g.Spans) == 0 {
		return logs.NoTime
	}
	return g.Spans[len(g.Spans)-1].Until
}

// watched returns until when the end of what is going on in the group would have been logged: its coordinator, or where no
// broker logged its clients, went on to log whatever else happened. It is NoTime when such ends are not logged at all, and for
// a group that rests: of that nobody says that it goes on.
func (g *group) watched(f *Fold, c *course) logs.Instant {
	until := logs.NoTime
	switch {
	case !c.rebalancing() && !(c.state == Reconciling && g.epochs.told):
	case g.brokered():
		for i := range f.sources {
			if s := &f.sources[i]; s.writer == g.owner && c.showsEnds() {
				until = max(until, s.written)
			}
		}
	case c.completed > 0: // of some clients no assignment is ever logged
		for key := range g.view.clients {
			until = max(until, f.source(key.source).written)
		}
	}
	return until
}

// showsEnds reports whether the log tells when join phases end: where it did not once, and never did, it cannot be known.
func (c *course) showsEnds() bool { return c.joined > 0 || c.blind == 0 }

// finish ends what is still going on, which lasts as long as is said, if that is longer than to the last record.
func (c *course) finish(watched logs.Instant) {
	c.last = max(c.last, watched)
	if c.state != Unknown || c.last > c.since {
		s := c.stayed(c.last)
		s.Open, s.Lost = true, c.rebalancing() && !c.showsEnds()
		c.watch.left(s)
		if c.showsEnds() {
			c.stuck.left(s, c.rounds.last())
		}
	}
	c.watch.finish()
}

// rebalances copies the rebalances, the one that is going on last.
func (g *group) rebalances(c *course, out *Group) {
	if c.now != nil {
		c.now.Until = max(c.last, c.now.At)
	}
	rounds := c.rounds.list()
	for i := range rounds {
		r := &rounds[i]
		r.Lines = slices.Clone(r.lines[:r.n])
		out.Rebalances = append(out.Rebalances, r.Rebalance)
	}
}

// epoch adds the epoch that is going on, and takes back what nobody can know: where brokers do not log which epoch a member
// is at, the end of none is known.
func (g *group) epoch(out *Group) {
	k := &g.epochs
	if k.now != nil {
		k.now.Open = true
		k.now.Until = max(k.now.Until, g.course.last)
		out.Epochs = append(out.Epochs, *k.now)
		out.EpochCount++
	}
	if !k.consumer || k.told {
		return
	}
	for i := range out.Spans {
		if out.Spans[i].State == Reconciling {
			out.Spans[i].State = Unknown
		}
	}
	out.TimeIn[Unknown] += out.TimeIn[Reconciling]
	out.Longest[Unknown] = max(out.Longest[Unknown], out.Longest[Reconciling])
	out.TimeIn[Reconciling], out.Longest[Reconciling] = 0, 0
	if out.State == Reconciling {
		out.State = Unknown
	}
}

// everybody lists the members and the clients.
func (g *group) everybody(out *Group) {
	out.FleetCount = g.fleetCount
	out.Fleet = g.gone.list()
	for _, m := range g.live {
		out.Fleet = append(out.Fleet, m.Member)
	}
	slices.SortFunc(out.Fleet, func(a, b Member) int {
		return cmp.Or(cmp.Compare(a.Joined, b.Joined), cmp.Compare(a.Left, b.Left), cmp.Compare(a.ID, b.ID))
	})
	if g.view == nil {
		return
	}
	for _, c := range g.view.order {
		g.view.finish(g, c)
		c.Joins, c.JoinCount, c.Moves, c.Generation = c.joins.list(), c.joins.count, c.parts.moves.list(), c.generation
		if g.brokered() {
			c.Offset = g.offset(c)
		}
		out.Clients = append(out.Clients, c.Client)
	}
	slices.SortStableFunc(out.Clients, func(a, b Client) int { return cmp.Compare(a.Name, b.Name) })
}

// asked finds what a client alone can show of a stay in PreparingRebalance: it hears of the rebalance again and again, and
// does not join.
func (g *group) asked(c *course) {
	const leastAsked = 2 * time.Second // a client that polls joins at once
	if g.view == nil || c.state != PreparingRebalance {
		return
	}
	for _, client := range g.view.order {
		if client.Asked > 1 && client.askedTo > c.since && client.askedTo.Sub(client.askedFrom) >= leastAsked {
			c.stuck.waitedFor([]wire.MemberID{cmp.Or(client.Member, wire.MemberID(client.Name))}, client.asked)
		}
	}
}

// warnings says what the reader should know of the input.
func (f *Fold) warnings(a *Analysis) []string {
	var list []string
	say := func(format string, args ...any) { list = append(list, fmt.Sprintf(format, args...)) }
	if a.LeftOut > 0 {
		say("about %d groups beyond the first %d were not followed; they have %d records", a.LeftOut, f.options.MaxGroups, f.others.records)
	}
	if f.noStamps > 0 {
		say("%d of %d records have no time: they count, and last as long as nothing", f.noStamps, f.records)
	}
	for _, gap := range f.uncovered {
		say("nobody logged for %s between two files; what lasted through that may have ended in it", metrics.Duration(gap.To.Sub(gap.From)))
	}
	if f.homeless > 0 {
		say("%d records of brokers name no group, and nothing tells of which they are", f.homeless)
	}
	for _, g := range slices.SortedFunc(maps.Values(f.groups), func(a, b *group) int { return cmp.Compare(a.name, b.name) }) {
		if len(list) >= maxWarnings {
			say("there is more of this kind")
			break
		}
		g.warnings(say)
	}
	return list
}

// maxWarnings is how many warnings are given.
const maxWarnings = 50

func (g *group) warnings(say func(string, ...any)) {
	if g.zombies > 0 {
		say("%s: %s of brokers that were not its coordinator then, or whose clocks differ, left out", g.name, metrics.Plural(g.zombies, "record"))
	}
	if g.partitions > 0 || g.fell > 1 {
		say("%s: its partition of the offsets topic changes, or its generation falls: the name may stand for several groups, or was masked", g.name)
	}
	if g.course.rounds.count > len(g.course.rounds.items) {
		say("%s: of %d rebalances the last %d are listed", g.name, g.course.rounds.count, len(g.course.rounds.items))
	}
	if g.view == nil {
		return
	}
	for _, c := range g.view.order {
		if o := c.Offset; o != nil {
			o.warn(g.name, c.Name, say)
		}
	}
}
