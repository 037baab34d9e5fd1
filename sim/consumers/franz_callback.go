package consumers

import (
	"simulate/sim/clock"
	"simulate/sim/trace"
)

// franzCall is the call of the application that runs, or that the application blocks: one at a time.
type franzCall struct {
	listenerCall
	stage franzCallStage
	since clock.Time
	until clock.Time // of franzCallRuns
}

// franzCallStage is how far a call has come.
type franzCallStage uint8

const (
	franzCallNone    franzCallStage = iota
	franzCallBlocked                // by an application that handles records (BlockRebalanceOnPoll)
	franzCallCommits                // OnPartitionsRevoked as it is by default
	franzCallRuns
)

// callBack calls the application, as soon as it may.
func (p *franz) callBack(call listenerCall) {
	p.call = franzCall{listenerCall: call, since: p.now, stage: franzCallBlocked}
	if !p.blocks() {
		p.allowCall()
	}
}

// allowCall begins a call that nothing blocks any more. A process that stops gives up what it would lose otherwise.
// Without a callback of its own the application commits when partitions are revoked, and waits for the answer.
// kgo: groupConsumer.defaultRevoke.
func (p *franz) allowCall() {
	c := &p.call
	c.losing = c.losing && !p.stopping
	if c.kind != taking && !c.losing && p.plan.Config.AutoCommit && p.canCommit() {
		c.stage = franzCallCommits
		p.queueCommit()
		return
	}
	p.runCall()
}

// runCall runs the callback.
func (p *franz) runCall() {
	c := &p.call
	c.stage, c.since, c.until = franzCallRuns, p.now, p.now.Add(p.beginCall(&c.listenerCall))
	if !c.waits {
		p.callReturned()
	}
}

// callReturned does what follows the callback. What was revoked counts as held until it returns. A callback that
// panics ends the process.
func (p *franz) callReturned() {
	c := p.call
	p.call.stage = franzCallNone
	p.endCall(c.listenerCall, c.since)
	if p.throwsNow(c.partitions) {
		p.record(trace.Event{Kind: trace.ConsumerFailed, Member: p.member, Text: "panic"})
		p.exit(trace.Failed)
		return
	}
	if c.kind != taking && len(c.partitions) > 0 {
		p.letGo(c.listenerCall)
	}
	switch {
	case p.manage.stage == franzLoses:
		p.lost()
	case c.kind == revoking:
		p.prerevoked()
	case c.kind == taking:
		p.assignReturned()
	default:
		p.session.revoked = true
		p.endSession()
	}
}
