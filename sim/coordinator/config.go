package coordinator

import (
	"math"
	"time"
)

// Config holds the broker's settings that the coordinator reads.
type Config struct {
	Kafka string // behaviour: "4" (Apache Kafka 4.4.0, recorded) or "3" (the older coordinator: see Switches)

	MinSessionTimeout     time.Duration // group.min.session.timeout.ms, default 6 s
	MaxSessionTimeout     time.Duration // group.max.session.timeout.ms, default 30 min
	InitialRebalanceDelay time.Duration // group.initial.rebalance.delay.ms, default 3 s
	MaxSize               int           // group.max.size, default 2147483647
	CommitTimeout         time.Duration // offsets.commit.timeout.ms, default 5 s
	MaxOffsetMetadata     int           // offset.metadata.max.bytes, counted in UTF-16 units, default 4096
	OffsetsPartitions     int           // offsets.topic.num.partitions, default 50

	OffsetsRetention       time.Duration // offsets.retention.minutes, default 7 days
	RetentionCheckInterval time.Duration // offsets.retention.check.interval.ms, default 10 min

	MaxMessageBytes  int   // max.message.bytes of the offsets topic, default 1048588; only for log lines
	OffsetsPartition int32 // which partition of the offsets topic the shard is; only for log lines
}

// Defaults returns Kafka's defaults.
func Defaults() Config {
	return Config{
		Kafka:                 "4",
		MinSessionTimeout:     6 * time.Second,
		MaxSessionTimeout:     30 * time.Minute,
		InitialRebalanceDelay: 3 * time.Second,
		MaxSize:               math.MaxInt32,
		CommitTimeout:         5 * time.Second,
		MaxOffsetMetadata:     4096,
		OffsetsPartitions:     50,

		OffsetsRetention:       7 * 24 * time.Hour,
		RetentionCheckInterval: 10 * time.Minute,

		MaxMessageBytes: 1<<20 + 12,
	}
}
