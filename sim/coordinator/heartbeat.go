package coordinator

import "simulate/sim/wire"

// heartbeat handles a Heartbeat. A member learns of a rebalance from the answer; the coordinator never
// calls a consumer. In CompletingRebalance the answer is NONE, whatever Kafka's state comments say.
//
// Kafka: GroupMetadataManager.classicGroupHeartbeatToClassicGroup.
func (s *Shard) heartbeat(r *wire.Request) {
	s.event.name = "classic-group-heartbeat"
	g, m, err := s.validateHeartbeat(r)
	if err != wire.None {
		s.reply(wire.Response{Ticket: r.Ticket, API: wire.Heartbeat, Err: err})
		return
	}
	g.touch(m)
	if g.state == wire.PreparingRebalance {
		err = wire.RebalanceInProgress
	}
	s.replyAfterWrites(wire.Response{Ticket: r.Ticket, API: wire.Heartbeat, Err: err})
}

// validateHeartbeat checks membership before the generation.
//
// Kafka: GroupMetadataManager.validateClassicGroupHeartbeat.
func (s *Shard) validateHeartbeat(r *wire.Request) (*group, *member, wire.Err) {
	if r.Group == "" {
		return nil, nil, wire.InvalidGroupID
	}
	g, ok := s.groups.get(r.Group)
	if !ok {
		return nil, nil, wire.UnknownMemberID
	}
	m, err := g.validate(r.Member, r.Instance, "heartbeat")
	if err == wire.None && r.Generation != g.generation {
		err = wire.IllegalGeneration
	}
	return g, m, err
}
