package consumers

import (
	"time"

	"simulate/sim/clock"
	"simulate/sim/trace"
	"simulate/sim/wire"
)

// What applications do that others wait for, as events.

// recordStall tells that the application begins a stall of d.
func (p *client) recordStall(d time.Duration) {
	p.record(trace.Event{Kind: trace.StallBegan, Member: p.member, For: d, Until: p.now.Add(d)})
}

// recordStallEnd tells that a stall is over that began at since.
func (p *client) recordStallEnd(since clock.Time) {
	p.record(trace.Event{Kind: trace.StallEnded, Member: p.member, Since: since})
}

// recordProcessing tells that the application handles records for d. It does so only when that is longer than
// heartbeat.interval.ms: what is shorter delays nothing that matters.
func (p *client) recordProcessing(records int, d time.Duration) {
	if d > p.plan.Config.HeartbeatInterval {
		p.recordBatch(records, d)
	}
}

// recordBatch is recordProcessing however short d is.
func (p *client) recordBatch(records int, d time.Duration) {
	p.record(trace.Event{
		Kind: trace.ProcessingBegan, Member: p.member, Members: int32(records), For: d, Until: p.now.Add(d),
	})
}

// recordPollTimeout tells that the application has not polled for max.poll.interval.ms.
func (p *client) recordPollTimeout(polled clock.Time) {
	p.record(trace.Event{Kind: trace.PollTimeout, Member: p.member, Since: polled, For: p.plan.Config.MaxPollInterval})
}

// isEndedBy reports whether an exception, or an error in Go, ends the application. Else it goes on after Plan.PollAgain:
// it does so only after those that may pass.
func (p *client) isEndedBy(err wire.Err, exception string) bool {
	e := trace.Event{Kind: trace.PollThrew, Member: p.member, Err: err, Text: exception, For: p.plan.PollAgain}
	ends := p.plan.PollAgain == 0 || neverPasses(err)
	if ends {
		e.Kind, e.For = trace.ConsumerFailed, 0
	}
	p.record(e)
	return ends
}

// neverPasses reports whether no application goes on after an error: it must not, or it would be in vain.
func neverPasses(err wire.Err) bool {
	switch err {
	case wire.FencedInstanceID, wire.InconsistentGroupProtocol, wire.InvalidSessionTimeout, wire.InvalidGroupID,
		wire.UnsupportedVersion:
		return true
	}
	return false
}
