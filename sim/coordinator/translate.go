package coordinator

import (
	"slices"

	"simulate/sim/wire"
)

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
	default:
		if r.API == wire.Heartbeat && err == wire.CoordinatorLoadInProgress {
			failed.Err = wire.None // a heartbeat is answered blindly while the group may still load
		}
	}
	return failed
}
