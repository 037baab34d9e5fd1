package coordinator

import (
	"math"
	"time"
)

// Config holds the broker's settings that the coordinator reads.
type Config struct {
	Kafka string // behaviour: "4" (Apache Kafka 4.4.0, recorded) or "3"

	MinSessionTimeout     time.Duration // group.min.session.timeout.ms, default 6 s
	MaxSessionTimeout     time.Duration // group.max.session.timeout.ms, default 30 min
	InitialRebalanceDelay time.Duration // group.initial.rebalance.delay.ms, default 3 s
	MaxSize               int           // group.max.size, default 2147483647
	CommitTimeout         time.Duration // offsets.commit.timeout.ms, default 5 s
	MaxOffsetMetadata     int           // offset.metadata.max.bytes, counted in UTF-16 units, default 4096
	OffsetsPartitions     int           // offsets.topic.num.partitions, default 50
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
	}
}
