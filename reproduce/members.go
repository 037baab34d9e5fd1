package reproduce

import (
	"cmp"
	"slices"

	"simulate/incident"
	"simulate/incident/logs"
	"simulate/sim/metrics"
	"simulate/sim/trace"
	"simulate/sim/wire"
)

// imagined makes, of what clients saw of a group, the events that its coordinator may have logged: the rebalances with their
// generations, each client when it joined first and when it was in no later generation, and as the reason of what neither
// explains that somebody rejoined.
func imagined(g *incident.Group) []logs.Event {
	var all []logs.Event
	add := func(kind logs.Kind, at logs.Instant, e logs.Event) {
		if at == logs.NoTime {
			return
		}
		e.Kind, e.At, e.Group, e.Broker, e.Partition, e.Static = kind, at, g.Name, logs.Unknown, logs.Unknown, logs.Unknown
		all = append(all, e)
	}
	for i := range g.Rebalances {
		r := &g.Rebalances[i]
		reason, who := g.Rebalances[i].Reason, r.Member
		joined, left := joiners(g, r), leavers(g, r)
		for _, c := range joined {
			add(logs.MemberAdded, r.At, logs.Event{Member: idOf(c), Instance: c.Instance, Generation: logs.Unknown, Members: logs.Unknown})
		}
		for _, c := range left {
			add(logs.MemberLeft, r.At, logs.Event{Member: idOf(c), Generation: logs.Unknown, Members: logs.Unknown})
		}
		switch stayed := stayers(g, r); {
		case reason != trace.NoReason:
		case len(joined) > 0:
			reason, who = trace.MemberJoined, idOf(joined[0])
		case len(left) > 0:
			reason, who = trace.Left, idOf(left[0])
		case len(stayed) > 0:
			reason, who = trace.LeaderRejoined, idOf(stayed[0])
		}
		old := r.Old
		if old == logs.Unknown {
			old = r.Generation - 1
		}
		add(logs.Preparing, r.At, logs.Event{Generation: old, Members: logs.Unknown, Reason: reason, Member: who, ClientReason: r.ClientReason})
		add(logs.Completing, r.Prepared, logs.Event{Generation: r.Generation, Members: int32(r.Members)})
		if r.Ended == metrics.Completed {
			add(logs.AssignmentReceived, r.Until, logs.Event{Generation: r.Generation, Members: int32(r.Members)})
		}
	}
	slices.SortStableFunc(all, func(a, b logs.Event) int { return cmp.Compare(a.At, b.At) })
	return all
}

// idOf returns a member id of a client, or what stands for one.
func idOf(c *incident.Client) wire.MemberID { return cmp.Or(c.Member, wire.MemberID(c.Name)) }

// generations returns the first and the last generation that a client was in; false when it does not say one.
func generations(c *incident.Client) (first, last int32, ok bool) {
	for _, j := range c.Joins {
		if j.Generation == logs.Unknown {
			continue
		}
		if !ok {
			first = j.Generation
		}
		last, ok = j.Generation, true
	}
	return first, last, ok
}

func clientsIf(g *incident.Group, is func(first, last int32) bool) []*incident.Client {
	var all []*incident.Client
	for i := range g.Clients {
		if first, last, ok := generations(&g.Clients[i]); ok && is(first, last) {
			all = append(all, &g.Clients[i])
		}
	}
	return all
}

// joiners are the clients of which a rebalance is the first, leavers those that were in the generation before and in none
// after, stayers those that were in both.
func joiners(g *incident.Group, r *incident.Rebalance) []*incident.Client {
	return clientsIf(g, func(first, _ int32) bool { return first == r.Generation })
}

func leavers(g *incident.Group, r *incident.Rebalance) []*incident.Client {
	return clientsIf(g, func(first, last int32) bool { return first < r.Generation && last == r.Generation-1 })
}

func stayers(g *incident.Group, r *incident.Rebalance) []*incident.Client {
	return clientsIf(g, func(first, last int32) bool { return first < r.Generation && last >= r.Generation })
}
