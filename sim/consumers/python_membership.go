package consumers

import "simulate/sim/wire"

// Why the Python clients leave their groups. They do not tell the coordinator.
const (
	leavesUnpolled     = "consumer poll timeout has expired."
	leavesUnsubscribed = "the consumer unsubscribed from all topics"
	leavesClosing      = "the consumer is being closed"
)

// reasonOfReset is why a member rejoins then.
func reasonOfReset(where wire.API, err wire.Err) string {
	if err == wire.None {
		return leavingReason
	}
	return encountered(where, err)
}
