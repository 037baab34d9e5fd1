package consumers

import (
	"testing"
	"time"
)

// Close waits for a JoinGroup that is parked, a SyncGroup, OffsetFetch, the Fetches, and connections on the way to leave.
func TestKafkaGoLaws(t *testing.T) {
	checkLaws(t, "kafka-go", func(c Config) time.Duration {
		return c.rebalanceTimeout() + c.SessionTimeout + 8*c.RequestTimeout + 4*kafkaGoProfile.dialTimeout + fetchWait(c.FetchMaxWait)
	})
}

func TestQuietKafkaGo(t *testing.T) { checkDoesNotAllocate(t, "kafka-go", 1190) }
