package incident

import (
	"cmp"
	"strings"
	"time"

	"simulate/incident/logs"
	"simulate/sim/metrics"
	"simulate/sim/trace"
	"simulate/sim/wire"
)

// past is what the first records tell of the time before them, and what a coordinator found when it loaded the group.
type past struct {
	first    int32     // the generation that the group had when the log began; logs.Unknown
	replayed *Replayed // nil: no member was dumped
}

// Replayed are the members that a coordinator read from the offsets topic when it loaded the group: what it dumps of each record
// is history.
type Replayed struct {
	Members   int
	Low, High int32 // their generations
}

func newPast() past {
	return past{first: logs.Unknown}
}

// began takes the generation of the first record that has one.
func (p *past) began(e *logs.Event) {
	if p.first != logs.Unknown || e.Generation < 0 {
		return
	}
	p.first = e.Generation
	switch e.Kind {
	case logs.Completing, logs.AssignmentReceived, logs.EmptyGroup, logs.JoinAnswered, logs.LeaderElected, logs.Synced:
		p.first = max(0, e.Generation-1) // it is new
	}
}

// loaded takes a member that was read from the offsets topic, which may be known already.
func (p *past) loaded(e *logs.Event, known bool) {
	if e.Kind != logs.MemberLoaded || e.Generation < 0 {
		return
	}
	if p.replayed == nil {
		p.replayed = &Replayed{Low: e.Generation, High: e.Generation}
	}
	r := p.replayed
	if !known {
		r.Members++
	}
	r.Low, r.High = min(r.Low, e.Generation), max(r.High, e.Generation)
}

// period returns the mean time from one rebalance to the next, from the first to the last that was logged from its begin on, those
// that only generations tell included; 0 when there are no two.
func (g *Group) period() time.Duration {
	var first, last *Rebalance
	for i := range g.Rebalances {
		if r := &g.Rebalances[i]; !r.Headless && r.Old != logs.Unknown && r.At != logs.NoTime {
			if first == nil {
				first = r
			}
			last = r
		}
	}
	if first == nil || last.Old <= first.Old {
		return 0
	}
	return last.At.Sub(first.At) / time.Duration(last.Old-first.Old)
}

// appendFailed takes an append to the group's partition that failed. What comes right behind the leader's assignment is of that: the
// group does not become Stable, and soon begins the next rebalance.
func (g *group) appendFailed(e *logs.Event) {
	g.causes.storeFailed(e)
	c := &g.course
	r := c.rounds.last()
	if r == nil || c.state != Stable || r.Assigned != c.since || e.At == logs.NoTime || e.At < c.since || e.At.Sub(c.since) > slack {
		return
	}
	r.rare().Unstored = cmp.Or(storeError(e.Text), "an error")
}

// storeError names what kept an assignment from being stored, in the text of the failed append or, since 3.4, of the rebalance that it
// begins; "" when that does not say.
func storeError(text string) string {
	if before, _, ok := strings.Cut(text, " when storing group assignment"); ok {
		_, name, _ := strings.Cut(before, "Error ")
		return name
	}
	return errorName(text)
}

// unstored takes back that the group became Stable at the end of the log, where the assignment could not be stored.
func (c *course) unstored(until logs.Instant) {
	r := c.rounds.last()
	if r == nil || r.Rarely().Unstored == "" || c.now != nil || c.state != Stable || r.Assigned != c.since || until.Sub(c.since) > time.Second {
		return
	}
	ended := r.Until
	c.refused(max(c.last, c.since))
	c.state, r.Ended, r.Until = CompletingRebalance, metrics.Open, ended
}

// explained adds to rebalances what only the whole history tells of them.
func (g *group) explained(out *Group) {
	threads := false // the log has the threads, by which alone some versions tell a session that ran out
	for i := range out.Evictions {
		threads = threads || out.Evictions[i].Member == "" && !out.Evictions[i].Seen
	}
	until := logs.NoTime
	for i := range out.Rebalances {
		r := &out.Rebalances[i]
		if threads && r.Reason == trace.NoReason && !r.Headless {
			r.rare().Requested = true
		}
		if r.Headless {
			r.leftBefore(out.Leaves, until)
		}
		if out.ClientView && r.Reason == trace.Left {
			r.noticed(out.Clients)
		}
		until = r.Until
	}
}

// leftBefore finds who left between the rebalance before and the first record of one of which the begin was not logged: since 3.2
// brokers log a member that leaves behind the rebalance that this begins.
func (r *Rebalance) leftBefore(leaves []Leave, since logs.Instant) {
	for i := range leaves {
		if l := &leaves[i]; l.At != logs.NoTime && l.At <= r.At && (since == logs.NoTime || l.At >= since) && r.At.Sub(l.At) <= time.Minute {
			r.rare().LeftBefore, r.rare().LeftAgo = l.Member, r.At.Sub(l.At)
		}
	}
}

// noticed finds after what time clients were told of a rebalance.
func (r *Rebalance) noticed(clients []Client) {
	for i := range clients {
		for j := range clients[i].Joins {
			of := &clients[i].Joins[j]
			if of.Generation != r.Generation || of.Failed != "" || of.Told == logs.NoTime || of.Told < r.At {
				continue
			}
			d := of.Told.Sub(r.At)
			told := r.rare()
			if told.ToldTo == 0 || d < told.ToldFrom {
				told.ToldFrom = d
			}
			told.ToldTo = max(told.ToldTo, d)
		}
	}
}

// since returns for how long a member that leaves had been in the group; 0 when that is not logged.
func (g *group) since(id wire.MemberID, at logs.Instant) time.Duration {
	if m := g.live[id]; m != nil && m.Joined != logs.NoTime {
		return at.Sub(m.Joined)
	}
	return 0
}
