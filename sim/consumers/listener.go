package consumers

import (
	"time"

	"simulate/sim/wire"
)

// listenerCall is the call of the application's ConsumerRebalanceListener that runs.
type listenerCall struct {
	kind       callbackKind
	losing     bool // onPartitionsLost, not onPartitionsRevoked
	waits      bool // it takes some time
	partitions []wire.TopicPartition
}

// callbackKind names a call of the listener.
type callbackKind uint8

const (
	noCallback callbackKind = iota
	givingUp                // onPartitionsRevoked or onPartitionsLost: before joining, or for good
	revoking                // onPartitionsRevoked, of a cooperative member that has got its assignment
	taking                  // onPartitionsAssigned
)

// method returns Kafka's name of the call. Kafka: ConsumerRebalanceListener.
func (c *listenerCall) method() string {
	switch {
	case c.kind == taking:
		return "onPartitionsAssigned"
	case c.losing:
		return "onPartitionsLost"
	}
	return "onPartitionsRevoked"
}

// listenerTakes returns how long a call that begins takes.
func (p *client) listenerTakes(call listenerCall) time.Duration {
	switch {
	case call.kind == taking:
		return p.env.Listen.Draw(p.plan.OnAssign)
	case call.losing:
		return p.env.Listen.Draw(p.plan.OnLost)
	}
	d := p.env.Listen.Draw(p.plan.OnRevoke) + p.asked.slowRevoke
	p.asked.slowRevoke = 0
	return d
}
