package sim

import (
	"fmt"

	"simulate/sim/clock"
	"simulate/sim/coordinator"
	"simulate/sim/wire"
)

// broker is one broker: it answers FindCoordinator itself, OffsetFetch too where it does not matter what is committed,
// and everything else with its shard of the offsets partition that the group hashes to.
type broker struct {
	w          *world
	id         int32
	owner      uint32     // of what happens to it as a whole
	listening  bool       // its port is open
	restarting bool       // from the order to stop until it is back
	stopped    clock.Time // when that order came
	restarts   int        // how often it came back
}

// cluster is all brokers and the partitions of the offsets topic that groups hash to.
type cluster struct {
	brokers    []*broker // by number - 1
	partitions []*partition
	byNumber   map[int32]*partition // for look-up only
	heartbeats int64
}

func (w *world) addBrokers() {
	w.cluster.byNumber = make(map[int32]*partition)
	for i := range w.scenario.Brokers {
		w.cluster.brokers = append(w.cluster.brokers, &broker{w: w, id: int32(i) + 1, owner: w.newOwner(), listening: true})
	}
	for i := range w.scenario.Fleets { // now, so that each knows its leader
		w.partitionOf(w.scenario.Fleets[i].Plan.Group)
	}
}

// partitionOf returns the partition of the offsets topic that a group hashes to.
func (w *world) partitionOf(group string) *partition {
	return w.partition(coordinator.PartitionOf(group, w.scenario.Broker.OffsetsPartitions))
}

func (w *world) partition(number int32) *partition {
	p := w.cluster.byNumber[number]
	if p == nil {
		p = newPartition(w, number)
		w.cluster.byNumber[number] = p
		w.cluster.partitions = append(w.cluster.partitions, p)
	}
	return p
}

// partitions returns the partition of a group; for "" all that groups hash to.
func (w *world) partitions(group string) []*partition {
	if group == "" {
		return w.cluster.partitions
	}
	return []*partition{w.partitionOf(group)}
}

// leaderOf returns the broker that leads a group's partition, as far as the cluster's metadata know.
func (w *world) leaderOf(group string) *broker {
	return w.cluster.brokers[w.partitionOf(group).leader-1]
}

// metadata is the answer to Metadata. A broker that was killed is registered until others lead what it led.
func (w *world) metadata() *wire.MetadataResponse {
	body := &wire.MetadataResponse{}
	for _, b := range w.cluster.brokers {
		if b.listening || len(w.ledBy(b)) > 0 {
			body.Brokers = append(body.Brokers, b.id)
		}
	}
	return body
}

// shardOf returns the shard that coordinates a group, nil while none does.
func (w *world) shardOf(group string) *shard { return w.partitionOf(group).serving }

// take lets a broker begin to handle a request. The next one of this connection is taken only after it was
// answered.
func (w *world) take(c *connection, r *wire.Request) {
	c.busy, c.asked = true, r.Ticket
	r.Ticket = c.serial + 1 // a connection has one request in process: its number names that request
	w.cores.Run(w.now(), requestWork)
	if c.partition == nil || c.group != r.Group {
		c.group, c.partition = r.Group, w.partitionOf(r.Group)
	}
	p := c.partition
	switch r.API {
	case wire.FindCoordinator:
		w.answer(c, wire.Response{API: r.API, Body: p.found})
		return
	case wire.Metadata:
		w.answer(c, wire.Response{API: r.API, Body: w.metadata()})
		return
	case wire.Heartbeat:
		w.cluster.heartbeats++
	}
	s := p.refusing(c.broker)
	if r.API == wire.OffsetFetch && (r.Body == nil || s.role != coordinates) {
		w.answer(c, wire.Response{API: r.API, Err: s.role.refusal()})
		return
	}
	if w.refuseMissing(c, r) {
		w.answer(c, wire.Response{API: r.API})
		return
	}
	w.taking = c
	w.apply(s, s.Handle(w.now(), r))
	w.taking = nil
}

// answer sends a response to whoever is still there.
func (w *world) answer(c *connection, r wire.Response) {
	r.Ticket, c.busy = c.asked, false
	c.addRefused(&r)
	if !c.reset && !c.clientGone && !c.brokerGone {
		w.sendResponse(c, &r)
	}
}

// takeWaiting goes on with the connections whose request was answered.
func (w *world) takeWaiting(effects []coordinator.Effect) {
	// Handling a request reuses the effects, so the connections are noted first.
	var answered []*connection
	for i := range effects {
		if effects[i].Kind == coordinator.Reply {
			if c := w.conns[effects[i].Response.Ticket-1]; len(c.waiting) > 0 {
				answered = append(answered, c)
			}
		}
	}
	for _, c := range answered {
		if c.busy || len(c.waiting) == 0 {
			continue
		}
		if c.clientGone || c.reset || c.brokerGone {
			continue // what stood behind a parked request is lost with the connection
		}
		r := c.waiting[0]
		c.waiting = append(c.waiting[:0], c.waiting[1:]...)
		w.take(c, &r)
	}
}

// memberIDs hands out member ids: those that the scenario pins, in order, else from a stream of the
// member's own; never one that the log has on which the run started. Where the log is from a run with the
// same seed, it has those that come first in the stream.
type memberIDs struct{ w *world }

func (m memberIDs) NewMemberID(r wire.Request) wire.MemberID {
	prefix := string(r.Instance)
	if prefix == "" {
		prefix = r.ClientID
	}
	a := m.w.byName[r.ClientID]
	if a == nil {
		panic(fmt.Sprintf("sim: a request from %q, which nobody is called", r.ClientID))
	}
	id := a.nextID(prefix)
	for m.w.logged[id] {
		id = a.nextID(prefix)
	}
	m.w.given[id] = handout{to: a, life: a.life, at: m.w.now()}
	return id
}

func (a *actor) nextID(prefix string) wire.MemberID {
	id := wire.MemberID(prefix + "-" + a.ids.UUID())
	if n := a.issued; n < len(a.pinned) {
		id = wire.MemberID(a.pinned[n])
	}
	a.issued++
	return id
}
