package reports

import (
	"fmt"

	"simulate/sim/trace"
	"simulate/sim/wire"
)

// The Java classes that log for the storage of groups and offsets.
const (
	runtimeLogger = "org.apache.kafka.coordinator.common.runtime.CoordinatorRuntime"
	serviceLogger = "org.apache.kafka.coordinator.group.GroupCoordinatorService"
	shardLogger   = "org.apache.kafka.coordinator.group.GroupCoordinatorShard"
)

// storageLines are those about loading, deleting and expiring, and about writes that fail.
func storageLines(e trace.Event) []LogLine {
	switch e.Kind {
	case trace.GroupLoaded:
		return info("Loaded classic group %s with %d members.", e.Group, e.Members)
	case trace.GroupUnloaded:
		return info("[GroupId=%s] Unloading group metadata for generation %d.", e.Group, e.Generation)
	case trace.GroupsDeleted:
		return ofShard("The following groups were deleted: %s. A total of %d offsets were removed.", e.Text, e.Members)
	case trace.DeletionRefused:
		return logged("ERROR", serviceLogger, "Error deleting share group %s due to error %v", []any{e.Group, e.Err})
	case trace.OffsetsExpired:
		return ofShard("Generated %d tombstone records while cleaning up group metadata in 0 milliseconds.", e.Members)
	case trace.TopicDeleted:
		return append(
			ofShard("Generated %d tombstone records in 0 milliseconds while deleting offsets for topics [DeletedTopic[id=%s, name=%s]].", e.Members, e.Text, e.Partitions[0].Topic),
			ofShard("Generated 0 records in 0 milliseconds while cleaning share group state for topics [%s].", e.Text)...)
	case trace.OffsetSuperseded:
		return supersededLine(e)
	case trace.SubscriptionMalformed:
		return logged("WARN", groupLogger, "Failed to parse Consumer Protocol %s:%s of group %s. Consumer group coordinator is not aware of the subscribed topics.", []any{e.Text, e.Protocol, e.Group})
	case trace.AppendRefused:
		return appendLine(e)
	case trace.GroupRecordRefused:
		return warn("Failed to write empty metadata for group %s: %s", e.Group, failure(e, e.Operation))
	case trace.ReplacementRefused:
		return warn("Failed to persist metadata for group %s static member %s with group instance id %s due to %s. Reverting to old member id %s.", e.Group, e.Member, e.Instance, failure(e, e.Operation), e.Other)
	case trace.OperationFailed:
		return operationLine(e)
	case trace.TimerFailed:
		return timerLine(e)
	}
	return nil
}

func ofShard(format string, args ...any) []LogLine { return logged("INFO", shardLogger, format, args) }

// requestDump stands for the request that Kafka prints in full.
const requestDump = "…"

// failure is the message of the exception that ended an operation.
func failure(e trace.Event, operation string) string {
	switch {
	case e.Text != "":
		return e.Text
	case e.For > 0:
		return fmt.Sprintf("CoordinatorWriteEvent(name=%s) timed out after %dms", operation, e.For.Milliseconds())
	}
	return e.Err.Message()
}

// operationLine names the class of the exception where Kafka has wrapped it.
func operationLine(e trace.Event) []LogLine {
	class := ""
	if e.Operation == "delete-share-groups" {
		class = "org.apache.kafka.common.errors.UnknownServerException: "
	}
	return logged("ERROR", serviceLogger, "Operation %s with %s hit an unexpected exception: %s%s.", []any{e.Operation, requestDump, class, failure(e, e.Operation)})
}

// appendLine is about the whole batch. A leader that finds out that it is one no more says nothing.
func appendLine(e trace.Event) []LogLine {
	switch e.Err {
	case wire.NotLeaderOrFollower:
		return nil
	case wire.MessageTooLarge, wire.RecordListTooLarge:
		return logged("ERROR", runtimeLogger, "Failed to write a batch of %d record(s) to %v because it is larger than the maximum batch size of %s bytes. This usually means that a single record is too large. Consider increasing the maximum batch size.", []any{e.Members, e.Partitions[0], e.Text})
	}
	return logged("ERROR", runtimeLogger, "Failed to write records to %v due to an unexpected error: %s.", []any{e.Partitions[0], e.Err.Message()})
}

// timerLine says what becomes of the timer. Only the retention run tries again.
func timerLine(e trace.Event) []LogLine {
	key, level, then := "", "ERROR", "Ignoring"
	switch e.Reason {
	case trace.SessionExpired:
		key = fmt.Sprintf("heartbeat-%s-%s", e.Group, e.Member)
	case trace.JoinPhaseComplete:
		key = "join-" + e.Group
	case trace.SyncExpired:
		key = "sync-" + e.Group
	default:
		key, level, then = "expire-group-metadata", "INFO", "Rescheduling"
	}
	operation := fmt.Sprintf("Timeout(key=%s)", key)
	return logged(level, runtimeLogger, "The write event %s for the timer %s failed due to %s. %s it. ", []any{operation, key, failure(e, operation), then})
}

func supersededLine(e trace.Event) []LogLine {
	o, tp := e.Offset, e.Partitions[0]
	epoch := "OptionalInt.empty"
	if o.LeaderEpoch >= 0 {
		epoch = fmt.Sprintf("OptionalInt[%d]", o.LeaderEpoch)
	}
	return logged("INFO", offsetLogger, "Skipped the materialization of transactional offset commit OffsetAndMetadata(offset=%d, leaderEpoch=%s, metadata=%s, commitTimestampMs=%d, expireTimestampMs=OptionalLong.empty, topicId=%s, recordOffset=%d) for producer id %d in group %s with topic %s, partition %d since its record offset %d is smaller than the record offset %d of the last committed offset.",
		[]any{o.Offset, epoch, o.Metadata, o.CommitTimestampMs, noTopicID, o.RecordOffset, o.ProducerID, e.Group, tp.Topic, tp.Partition, o.RecordOffset, o.LastRecordOffset})
}

// noTopicID is how Kafka prints the id of a topic that it does not know by id.
const noTopicID = "AAAAAAAAAAAAAAAAAAAAAA"
