package consumers

import "time"

// What sarama spends and how often it tries that no setting of a scenario says. The times were checked on live
// sarama 1.61.1 consumers (medians); what the library computes between two requests takes it less than a millisecond.
var (
	saramaBatchWait         = 100 * time.Millisecond // claims begin -> first Fetch. sarama: partitionConsumersBatchTimeout
	saramaBalanceCost       = 500 * time.Microsecond // the leader's Metadata -> SyncGroup
	saramaFetchTrip         = 2 * time.Millisecond   // a Fetch that need not wait
	saramaRedispatchBackoff = 2 * time.Second        // Consumer.Retry.Backoff: a lost connection -> a claim looks for its leader
)

const (
	saramaChannelSize   = 256                    // Config.ChannelBufferSize: records of a claim that were fetched and not handled
	saramaHandlersChunk = 100 * time.Millisecond // so long at a time do handlers work on single records, for simplicity

	saramaMetadataRetries = 3 // Metadata.Retry.Max
	saramaJoinRetries     = 4 // Consumer.Group.Rebalance.Retry.Max
	saramaCommitRetries   = 3 // Consumer.Offsets.Retry.Max
)
