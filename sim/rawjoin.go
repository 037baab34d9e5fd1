package sim

import (
	"fmt"
	"slices"

	"simulate/sim/clock"
	"simulate/sim/consumers"
	"simulate/sim/scenario"
	"simulate/sim/trace"
	"simulate/sim/wire"
)

// asksForID is the version of JoinGroup from which on a client without a member id only gets one (KIP-394).
const asksForID = 4

// rawClient is a client that is no consumer: it sends JoinGroups by hand, and nothing else.
type rawClient struct {
	fault *fault
	began clock.Time
	next  wire.Request // the JoinGroup that it sends next
}

// rawJoin lets such a client appear, which is connected to the coordinator.
func (w *world) rawJoin(f *fault) {
	e := f.event
	a := w.rawActor(f)
	w.began(f, a, clock.Never)
	raw := &rawClient{fault: f, began: w.now(), next: consumers.FirstJoin(consumers.Identity{Name: a.name}, a.plan)}
	raw.next.Version = e.Version
	c := &connection{serial: wire.Ticket(len(w.conns)), actor: a, broker: w.leaderOf(e.Group), up: true, raw: raw}
	if !c.broker.listening {
		w.warn("%s of %s was not possible: its coordinator, broker %d, is down", e.Do, e.Group, c.broker.id)
		w.rawLeaves(c, wire.CoordinatorNotAvailable)
		return
	}
	w.conns = append(w.conns, c)
	f.client = c
	w.sendRaw(c)
}

// rawActor makes the place that the client has in the network. It joins as the first fleet of the group does, but
// dynamically and under a name that no member can have.
func (w *world) rawActor(f *fault) *actor {
	i := slices.IndexFunc(w.fleets, func(fl *fleet) bool { return fl.Plan.Group == f.event.Group })
	name := fmt.Sprintf("raw/%d", f.number)
	if f.times > 1 {
		name = fmt.Sprintf("raw/%d/%d", f.number, f.times)
	}
	a := &actor{
		name: name, owner: w.newOwner(), plan: w.fleets[i].plan, links: w.links(), pinned: f.event.MemberIDs,
		ids:     w.stream("coordinator/"+name, "member-id"),
		latency: w.stream("network/"+name, "latency"),
	}
	w.byName[a.name] = a
	return a
}

// sendRaw sends the next JoinGroup. A client that vanishes now is never answered, but the coordinator does not
// learn of it.
func (w *world) sendRaw(c *connection) {
	r, mode := c.raw.next, c.raw.fault.event.Mode
	w.sendRequest(c, &r)
	joins := r.Member != "" || r.Version < asksForID
	if mode == scenario.VanishAfterID || mode == scenario.SendAndVanish && joins {
		w.rawLeaves(c, wire.None)
	}
}

// rawAnswered goes on when a JoinGroup was answered. A client that has joined keeps still from then on, as a process
// that is frozen does.
func (w *world) rawAnswered(c *connection, r wire.Response) {
	raw, a := c.raw, c.actor
	w.cause = int32(raw.fault.number)
	switch r.Err {
	case wire.MemberIDRequired:
		raw.next.Member = r.Member
		w.sendRaw(c)
	case wire.None:
		hold := w.eventStream(raw.fault.number, "hold").Draw(raw.fault.event.Hold)
		a.frozenAt, a.frozen = w.now(), w.now().Add(hold)
		w.queue.Schedule(a.frozen, event{kind: faulted, to: raw.fault})
	default:
		w.warn("%s of %s was refused: %v", raw.fault.event.Do, raw.fault.event.Group, r.Err)
		w.rawLeaves(c, r.Err)
	}
}

// rawLeaves closes the client's connection, without a LeaveGroup.
func (w *world) rawLeaves(c *connection, err wire.Err) {
	a := c.actor
	c.clientGone, c.up = true, false
	a.frozen, a.exited = 0, w.now()
	w.Record(trace.Event{
		At: w.now(), Kind: trace.FaultEnded, Who: a.name, Group: a.plan.Group, Text: string(c.raw.fault.event.Do), Err: err,
		Since: c.raw.began,
	})
	w.watchActor(a)
}
