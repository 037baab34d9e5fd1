package consumers

import (
	"testing"
	"time"
)

// A consumer that is to stop waits for what it awaits: at most a JoinGroup, a SyncGroup, a Fetch, a leave, and back-offs.
func TestKafkaJSLaws(t *testing.T) {
	checkLaws(t, "kafkajs", func(c Config) time.Duration {
		return c.rebalanceTimeout() + 4*max(c.RequestTimeout, closeTimeout) + 2*c.FetchMaxWait + 2*time.Minute
	})
}
