package consumers

import (
	"testing"
	"time"
)

// Close waits for JoinGroup and SyncGroup, with their tries, commits when it gives partitions up, and tries to leave.
func TestFranzLaws(t *testing.T) {
	checkLaws(t, franzGoProfile.Name, func(c Config) time.Duration {
		tries := 2*c.SessionTimeout + 2*franzRetryTime
		return tries + 2*c.rebalanceTimeout() + 8*c.RequestTimeout
	})
}
