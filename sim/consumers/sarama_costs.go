package consumers

import "time"

// What sarama spends and waits for that no setting of a scenario says. The costs are medians of the recordings of sarama
// 1.61.1; what it computes between two requests takes it less than a millisecond.
const (
	saramaBatchWait         = 100 * time.Millisecond // claims begin -> first Fetch. sarama: partitionConsumersBatchTimeout
	saramaBalanceCost       = 500 * time.Microsecond // the leader's Metadata -> SyncGroup
	saramaFetchTrip         = 2 * time.Millisecond   // a Fetch that need not wait
	saramaRedispatchBackoff = 2 * time.Second        // Consumer.Retry.Backoff: a lost connection -> a claim looks for its leader

	saramaChannelSize   = 256                    // Config.ChannelBufferSize: records of a claim that were fetched and not handled
	saramaHandlersChunk = 100 * time.Millisecond // so long at a time do handlers work on single records, for simplicity

	saramaMetadataRetries = 3 // Metadata.Retry.Max
	saramaJoinRetries     = 4 // Consumer.Group.Rebalance.Retry.Max
	saramaCommitRetries   = 3 // Consumer.Offsets.Retry.Max
)
