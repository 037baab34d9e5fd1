package consumers

import (
	"testing"
	"time"
)

// Close waits for what is outstanding: commits, each of which may be deferred for a session, and LeaveGroup.
func TestLibrdkafkaLaws(t *testing.T) {
	checkLaws(t, "librdkafka", func(c Config) time.Duration {
		return 2*c.RequestTimeout + c.SessionTimeout + rdLeaveTimeout + 2*rdMainSleep
	})
}
