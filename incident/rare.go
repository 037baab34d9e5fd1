package incident

import (
	"time"

	"simulate/incident/logs"
	"simulate/sim/trace"
	"simulate/sim/wire"
)

// Rare is what is logged of few rebalances.
type Rare struct {
	Unstored         string        // why its assignment could not be stored, and the group did not become Stable; "": not logged
	Error            string        // of the assignment that could not be stored, which began it
	Requested        bool          // by a request of a member: the log names its threads, and nothing else of it
	LeftBefore       wire.MemberID // who left shortly before the first record about it, where its begin was not logged; ""
	LeftAgo          time.Duration // how long before
	ToldFrom, ToldTo time.Duration // after what time clients were told of it, the first and the last; 0: none logged it
}

// Rarely returns what is logged of few rebalances.
func (r *Rebalance) Rarely() Rare {
	if r.Rare == nil {
		return Rare{}
	}
	return *r.Rare
}

// rare makes room for it.
func (r *Rebalance) rare() *Rare {
	if r.Rare == nil {
		r.Rare = &Rare{}
	}
	return r.Rare
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

// leftBefore finds who left between the rebalance before and the first record of one of which the begin was not logged: since
// 3.2 brokers log a member that leaves behind the rebalance that this begins.
func (r *Rebalance) leftBefore(leaves []Leave, since logs.Instant) {
	const shortly = time.Minute // who left longer before has little to do with it
	for i := range leaves {
		l := &leaves[i]
		if l.At != logs.NoTime && l.At <= r.At && (since == logs.NoTime || l.At >= since) && r.At.Sub(l.At) <= shortly {
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
