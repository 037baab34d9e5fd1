package coordinator

import (
	"strings"

	"simulate/sim/trace"
	"simulate/sim/wire"
)

// deleteOffsets handles an OffsetDelete. Offsets that the group's members may be using stay.
//
// Kafka: OffsetMetadataManager.deleteOffsets.
func (s *Shard) deleteOffsets(r *wire.Request, body *wire.OffsetDeleteRequest) {
	s.event.name = "delete-offsets"
	response := wire.Response{Ticket: r.Ticket, API: wire.OffsetDelete, Body: &wire.OffsetDeleteResponse{}}
	g, ok := s.groups.get(r.Group)
	switch {
	case r.Group == "":
		response.Err = wire.InvalidGroupID
	case !ok:
		response.Err = wire.GroupIDNotFound
	case g.state != wire.Empty && g.protocolType != consumerProtocol:
		response.Err = wire.NonEmptyGroup
	}
	if response.Err != wire.None {
		s.reply(response)
		return
	}
	results := make([]wire.PartitionError, len(body.Partitions))
	for i, tp := range body.Partitions {
		results[i] = wire.PartitionError{TopicPartition: tp, Err: s.deleteOffset(g, tp)}
	}
	response.Body = &wire.OffsetDeleteResponse{Partitions: results}
	s.replyAfterWrites(response)
}

func (s *Shard) deleteOffset(g *group, tp wire.TopicPartition) wire.Err {
	if g.subscribesTo(tp.Topic) {
		return wire.GroupSubscribedToTopic
	}
	if _, stored := s.offsets.stored.get(g.id, tp); stored || s.offsets.open.of(g.id, tp) {
		s.appendTombstone(g.id, tp)
	}
	return wire.None
}

// deleteGroups handles a DeleteGroups in two events: Kafka first deletes share groups of these names. That
// writes nothing, but it waits like a write, so that the groups are looked at when nothing is in flight.
//
// Kafka: GroupCoordinatorService.deleteGroups.
func (s *Shard) deleteGroups(r *wire.Request, body *wire.DeleteGroupsRequest) {
	if s.old[DeletedGroupDies] {
		s.deleteClassicGroups(r.Ticket, body.Groups)
		return
	}
	s.event.name = "delete-share-groups"
	s.event.after = shareGroupsDeleted{r.Ticket, body.Groups}
}

type shareGroupsDeleted struct {
	ticket wire.Ticket
	groups []string
}

func (a shareGroupsDeleted) committed(s *Shard) {
	s.next = append(s.next, func() { s.deleteClassicGroups(a.ticket, a.groups) })
}

func (a shareGroupsDeleted) refused(s *Shard, why failure) {
	if why.err == wire.UnknownServerError {
		s.sink.Record(trace.Event{At: s.now, Kind: trace.OperationFailed, Operation: why.event, Err: why.err})
	}
	s.refuseDeletion(a.ticket, a.groups, operationError(why.err))
}

// deleteClassicGroups deletes the groups that are Empty, with all their offsets.
//
// Kafka: GroupCoordinatorShard.deleteGroups.
func (s *Shard) deleteClassicGroups(ticket wire.Ticket, ids []string) {
	s.event.name = "delete-groups"
	body := &wire.DeleteGroupsResponse{}
	var deleted []string
	removed := 0
	for _, id := range inHashOrder(ids) {
		g, ok := s.groups.get(id)
		result := wire.GroupError{Group: id}
		switch {
		case !ok:
			result.Err = wire.GroupIDNotFound
		case g.state != wire.Empty:
			result.Err = wire.NonEmptyGroup
		default:
			removed += s.deleteAllOffsets(id)
			s.removeGroup(g, trace.Deleted)
			deleted = append(deleted, id)
		}
		body.Groups = append(body.Groups, result)
	}
	s.sink.Record(trace.Event{At: s.now, Kind: trace.GroupsDeleted, Text: strings.Join(deleted, ", "), Members: int32(removed)})
	s.replyAfterWrites(wire.Response{Ticket: ticket, API: wire.DeleteGroups, Body: body})
}

// inHashOrder returns the different ids in the order in which Kafka handles those of one request.
func inHashOrder(ids []string) []string {
	asked := newJavaMap[string, struct{}]()
	for _, id := range ids {
		asked.put(id, struct{}{})
	}
	return asked.keys()
}

// deleteAllOffsets removes what a group has stored, and then what transactions have pending for it.
//
// Kafka: OffsetMetadataManager.deleteAllOffsets.
func (s *Shard) deleteAllOffsets(group string) int {
	var doomed []wire.TopicPartition
	s.offsets.stored.each(group, func(o OffsetCommitRecord) { doomed = append(doomed, o.TopicPartition) })
	for tp := range s.offsets.open.partitions(group) {
		if _, stored := s.offsets.stored.get(group, tp); !stored {
			doomed = append(doomed, tp)
		}
	}
	for _, tp := range doomed {
		s.appendTombstone(group, tp)
	}
	return len(doomed)
}

// removeGroup writes the tombstone of a group, which takes it out of memory.
func (s *Shard) removeGroup(g *group, why trace.Reason) {
	if s.old[DeletedGroupDies] {
		s.killGroup(g, why)
		return
	}
	s.append(GroupMetadataRecord{Group: g.id, Tombstone: true})
	s.groups.remove(g.id)
	g.vanish(why, wire.None)
}

// killGroup takes a group out of memory whatever becomes of its tombstone. One that never completed a join
// phase was never written.
func (s *Shard) killGroup(g *group, why trace.Reason) {
	if g.generation > 0 {
		s.append(GroupMetadataRecord{Group: g.id, Tombstone: true})
	}
	g.become(wire.Dead, trace.Event{Reason: why})
	g.gone = true
	s.history.atOnce(func() { s.groups.remove(g.id) })
}
