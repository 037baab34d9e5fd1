package coordinator

import (
	"simulate/sim/trace"
	"simulate/sim/wire"
)

// unavailable answers a request while the shard loads or after it resigned. It reports false for a
// request that is refused before it matters where its group is.
//
// Kafka: GroupCoordinatorService.handleOperationException.
func (s *Shard) unavailable(r *wire.Request) bool {
	err := wire.NotCoordinator
	if s.serving == loading {
		err = wire.CoordinatorLoadInProgress
	}
	switch r.API {
	case wire.JoinGroup:
		body := r.Body.(*wire.JoinGroupRequest)
		if _, refused := s.invalidJoin(r, body); refused {
			return false
		}
		s.refuse(newRequest(r), err, s.echoed(r.Member))
	case wire.SyncGroup:
		if r.Group == "" {
			return false
		}
		if s.serving == loading && s.old[SyncToldToRejoin] {
			err = wire.RebalanceInProgress
		}
		s.refuse(newRequest(r), err, "")
	case wire.Heartbeat, wire.LeaveGroup:
		if r.Group == "" {
			return false
		}
		s.reply(failedResponse(emptyResponse(r), err))
	case wire.ListGroups:
		if err == wire.NotCoordinator {
			err = wire.None // the groups that are elsewhere are listed elsewhere
		}
		body := &wire.ListGroupsResponse{}
		if s.old[ListWhileLoading] {
			body = s.list(r.Body.(*wire.ListGroupsRequest))
		}
		s.reply(wire.Response{Ticket: r.Ticket, API: r.API, Err: err, Body: body})
	case wire.DeleteGroups:
		s.refuseDeletion(r.Ticket, r.Body.(*wire.DeleteGroupsRequest).Groups, err)
	default:
		s.reply(failedResponse(emptyResponse(r), err))
	}
	return true
}

// echoed is the member id in an error that says where the group is not.
func (s *Shard) echoed(id wire.MemberID) wire.MemberID {
	if s.old[JoinKeepsID] {
		return id
	}
	return ""
}

// emptyResponse is the form in which an API reports an error for each thing that was asked for.
func emptyResponse(r *wire.Request) wire.Response {
	response := wire.Response{Ticket: r.Ticket, API: r.API}
	switch body := r.Body.(type) {
	case *wire.LeaveGroupRequest:
		response.Body = &wire.LeaveGroupResponse{}
	case *wire.OffsetCommitRequest:
		response.Body = &wire.OffsetCommitResponse{Partitions: partitionErrors(body, wire.None)}
	case *wire.TxnOffsetCommitRequest:
		response.Body = &wire.OffsetCommitResponse{Partitions: partitionErrors(&body.OffsetCommitRequest, wire.None)}
	case *wire.OffsetDeleteRequest:
		response.Body = &wire.OffsetDeleteResponse{}
	case *wire.OffsetFetchRequest:
		response.Body = &wire.OffsetFetchResponse{}
	case *wire.DescribeGroupsRequest:
		described := &wire.DescribeGroupsResponse{}
		for _, g := range body.Groups {
			described.Groups = append(described.Groups, wire.DescribedGroup{Group: g})
		}
		response.Body = described
	}
	return response
}

func partitionErrors(body *wire.OffsetCommitRequest, err wire.Err) []wire.PartitionError {
	results := make([]wire.PartitionError, len(body.Offsets))
	for i, o := range body.Offsets {
		results[i] = wire.PartitionError{TopicPartition: o.TopicPartition, Err: err}
	}
	return results
}

// refuseDeletion answers a DeleteGroups that did not get as far as looking at the groups.
func (s *Shard) refuseDeletion(ticket wire.Ticket, groups []string, err wire.Err) {
	body := &wire.DeleteGroupsResponse{}
	for _, g := range inHashOrder(groups) {
		s.sink.Record(trace.Event{At: s.now, Kind: trace.DeletionRefused, Group: g, Err: err})
		body.Groups = append(body.Groups, wire.GroupError{Group: g, Err: err})
	}
	s.reply(wire.Response{Ticket: ticket, API: wire.DeleteGroups, Body: body})
}
