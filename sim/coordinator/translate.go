package coordinator

import (
	"slices"

	"simulate/sim/wire"
)

// metadataError is what this shard tells a JoinGroup or SyncGroup.
func (s *Shard) metadataError(err wire.Err) wire.Err {
	if s.old[LateAssignmentRejoin] {
		switch err {
		case wire.RequestTimedOut:
			return wire.RebalanceInProgress
		case wire.NotEnoughReplicasAfter:
			return wire.CoordinatorNotAvailable
		}
	}
	return metadataError(err)
}

// metadataError is what a JoinGroup or SyncGroup is told when the log refuses its group's record.
//
// Kafka: GroupMetadataManager.appendGroupMetadataErrorToResponseError.
func metadataError(err wire.Err) wire.Err {
	switch err {
	case wire.UnknownTopicOrPartition, wire.NotEnoughReplicas, wire.RequestTimedOut:
		return wire.CoordinatorNotAvailable
	case wire.NotLeaderOrFollower, wire.KafkaStorageError:
		return wire.NotCoordinator
	case wire.MessageTooLarge, wire.RecordListTooLarge, wire.InvalidFetchSize:
		return wire.UnknownServerError
	default:
		return err
	}
}

// operationError is what any other request is told.
//
// Kafka: CoordinatorOperationExceptionHelper.handleOperationException.
func operationError(err wire.Err) wire.Err {
	if err == wire.NetworkException {
		return wire.CoordinatorLoadInProgress
	}
	return metadataError(err)
}

// fetchError is what an OffsetFetch that waits for the log is told: its client knows no
// COORDINATOR_NOT_AVAILABLE.
//
// Kafka: GroupCoordinatorService.handleOffsetFetchException.
func fetchError(err wire.Err) wire.Err {
	switch err {
	case wire.UnknownTopicOrPartition, wire.NotEnoughReplicas, wire.RequestTimedOut:
		return wire.NotCoordinator
	default:
		return operationError(err)
	}
}

func (s *Shard) commitError(err wire.Err) wire.Err {
	if s.old[CommitTooLarge] {
		switch err {
		case wire.MessageTooLarge, wire.RecordListTooLarge, wire.InvalidFetchSize:
			return wire.InvalidCommitOffsetSize
		case wire.NotEnoughReplicasAfter:
			return wire.CoordinatorNotAvailable
		case wire.RequestTimedOut:
			return err
		}
	}
	return operationError(err)
}

// answerTo is what a request of an API is told when its event fails.
func (s *Shard) answerTo(api wire.API, err wire.Err) wire.Err {
	switch api {
	case wire.OffsetCommit, wire.TxnOffsetCommit:
		return s.commitError(err)
	case wire.OffsetFetch:
		return fetchError(err)
	case wire.WriteTxnMarkers:
		return err // its sender is a broker
	default:
		return operationError(err)
	}
}

// failedResponse turns the response that a request would have got into its answer after err.
func failedResponse(r wire.Response, err wire.Err) wire.Response {
	failed := wire.Response{Ticket: r.Ticket, API: r.API, Err: err}
	switch body := r.Body.(type) {
	case *wire.LeaveGroupResponse:
		failed.Body = &wire.LeaveGroupResponse{}
	case *wire.OffsetCommitResponse:
		results := slices.Clone(body.Partitions)
		for i := range results {
			results[i].Err = err
		}
		failed.Err, failed.Body = wire.None, &wire.OffsetCommitResponse{Partitions: results}
	case *wire.OffsetDeleteResponse:
		failed.Body = &wire.OffsetDeleteResponse{}
	case *wire.OffsetFetchResponse:
		failed.Body = &wire.OffsetFetchResponse{}
	case *wire.DescribeGroupsResponse:
		described := slices.Clone(body.Groups)
		for i := range described {
			described[i] = wire.DescribedGroup{Group: described[i].Group, Err: err}
		}
		failed.Err, failed.Body = wire.None, &wire.DescribeGroupsResponse{Groups: described}
	case *wire.DeleteGroupsResponse:
		results := slices.Clone(body.Groups)
		for i := range results {
			results[i].Err = err
		}
		failed.Err, failed.Body = wire.None, &wire.DeleteGroupsResponse{Groups: results}
	default:
		if r.API == wire.Heartbeat && err == wire.CoordinatorLoadInProgress {
			failed.Err = wire.None // a heartbeat is answered blindly while the group may still load
		}
	}
	return failed
}
