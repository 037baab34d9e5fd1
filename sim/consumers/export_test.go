package consumers

import "time"

// ScaleCosts multiplies everything that costs.go has, and returns what undoes that.
func ScaleCosts(by time.Duration) (restore func()) {
	costs := []*time.Duration{
		&bootstrapCost, &noticeCost, &selectorCost, &joinCost, &followerCost, &firstLeadCost, &leadCost, &leaderCost,
		&pollCost, &heartbeatTick, &fetchCycle, &setupTimeout, &setupTimeoutMax, &joinGrace, &closeTimeout,
	}
	for _, c := range costs {
		*c *= by
	}
	return func() {
		for _, c := range costs {
			*c /= by
		}
	}
}

// clientOf returns what a process has in common with all others.
func clientOf(p Process) *client { return p.(interface{ itself() *client }).itself() }

func (p *client) itself() *client { return p }
