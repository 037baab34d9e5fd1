package consumers

import (
	"testing"
	"time"
)

// TestLawsOfPython holds the two Python clients to the laws. When they close they wait request.timeout.ms for each
// thing: a join or a commit that is under way, the last commit, LeaveGroup.
func TestLawsOfPython(t *testing.T) {
	closes := func(c Config) time.Duration { return 4 * c.RequestTimeout }
	for _, client := range []string{"kafka-python", "aiokafka"} {
		t.Run(client, func(t *testing.T) { checkLaws(t, client, closes) })
	}
}
