package consumers

import (
	"time"

	"simulate/sim/clock"
	"simulate/sim/trace"
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

// recordAssigned tells that the member holds partitions from now on.
func (p *client) recordAssigned(partitions []wire.TopicPartition) {
	p.record(trace.Event{Kind: trace.PartitionsAssigned, Member: p.member, Generation: p.generation, Partitions: partitions})
}

// recordGivenUp tells that the member holds partitions no more: they are lost, or else revoked.
func (p *client) recordGivenUp(partitions []wire.TopicPartition, lost bool) {
	kind := trace.PartitionsRevoked
	if lost {
		kind = trace.PartitionsLost
	}
	p.record(trace.Event{Kind: kind, Member: p.member, Generation: p.generation, Partitions: partitions})
}

// letGo gives up what a call of the listener was about.
func (p *client) letGo(call listenerCall) {
	p.recordGivenUp(call.partitions, call.losing)
	p.hold(without(p.assigned, call.partitions))
}

// recordCallback tells that the application is called back, and how long that will take.
func (p *client) recordCallback(method string, partitions []wire.TopicPartition, takes time.Duration) {
	p.record(trace.Event{
		Kind: trace.CallbackBegan, Member: p.member, Generation: p.generation, Partitions: partitions, For: takes, Text: method,
	})
}

// recordReturned tells that the application has come back from such a call, which began at since.
func (p *client) recordReturned(method string, since clock.Time) {
	p.record(trace.Event{Kind: trace.CallbackEnded, Member: p.member, Since: since, Text: method})
}

// beginCall calls the listener, and returns how long that takes. Clients also call it with empty sets; such calls take
// no time here.
func (p *client) beginCall(call *listenerCall) time.Duration {
	if call.kind == taking {
		p.recordAssigned(call.partitions)
	}
	if len(call.partitions) == 0 {
		return 0
	}
	takes := p.listenerTakes(*call)
	if call.waits = takes > 0; call.waits {
		p.recordCallback(call.method(), call.partitions, takes)
	}
	return takes
}

// endCall notes that the listener has returned from a call that began at since.
func (p *client) endCall(call listenerCall, since clock.Time) {
	if call.waits {
		p.recordReturned(call.method(), since)
	}
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
