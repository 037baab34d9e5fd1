package consumers

import (
	"simulate/sim/clock"
	"simulate/sim/trace"
	"simulate/sim/wire"
)

// saramaHeartbeatLoop is the heartbeat goroutine of a session. sarama: consumerGroupSession.heartbeatLoop.
type saramaHeartbeatLoop struct {
	running bool
	dying   bool       // it is to end as soon as it waits for nothing but time
	calls   bool       // it waits for an answer
	tick    clock.Time // the next tick of its ticker; a tick that nobody takes waits, one at most
	wakes   clock.Time // when it goes on, unless it waits for an answer
	retries int        // Metadata.Retry.Max, of what fails in a row
	pauses  bool       // when an answer comes, it waits for Metadata.Retry.Backoff
}

func (p *sarama) heartBegins() {
	p.heart = saramaHeartbeatLoop{
		running: true, retries: saramaMetadataRetries, wakes: p.now, tick: p.now.Add(p.plan.Config.HeartbeatInterval),
	}
}

// heartDue returns when the goroutine goes on although nothing arrives. While Consume() joins again it has the
// generation locked.
func (p *sarama) heartDue() clock.Time {
	if p.heart.calls || p.session.rejoining {
		return clock.Never
	}
	return p.heart.wakes
}

// heartWakes lets the goroutine go on if its time has come. It reports whether it did.
func (p *sarama) heartWakes() bool {
	h := &p.heart
	switch {
	case !h.running || h.calls:
		return false
	case h.dying:
		p.heartStops("the heartbeat goroutine has stopped")
		return true
	case p.now < p.heartDue():
		return false
	}
	for h.tick <= p.now {
		h.tick = h.tick.Add(p.plan.Config.HeartbeatInterval)
	}
	p.beat()
	return true
}

// beat sends a heartbeat, after looking for an unknown coordinator.
func (p *sarama) beat() {
	h := &p.heart
	h.calls = true
	if p.coordinator < 0 {
		p.inquire(saramaHeartCaller, wire.FindCoordinator)
		return
	}
	p.call(saramaHeartCaller, CoordinatorConn, p.heartbeatRequest())
}

// heartInformed goes on when it has looked for the coordinator. What it does after an error that the coordinator
// answered with does not depend on that.
func (p *sarama) heartInformed(ok bool) {
	h := &p.heart
	h.calls = false
	switch {
	case h.pauses || !ok && h.retries > 0:
		h.pauses = false
		h.retries--
		h.wakes = p.now.Add(p.plan.Config.RetryBackoff)
	case ok:
		h.wakes = p.now
	default:
		p.heartStops("rebalance failed due to " + saramaOutOfBrokers.exception)
	}
}

// heartbeatAnswered handles a heartbeat's answer. A lost connection is opened again at once, three times.
func (p *sarama) heartbeatAnswered(sent pendingRequest, err wire.Err) {
	h := &p.heart
	h.calls, h.wakes = false, h.tick
	p.recordAnswer(trace.HeartbeatAnswered, sent.member, err)
	switch err {
	case wire.None:
		h.retries = saramaMetadataRetries
	case wire.RebalanceInProgress:
		h.retries = saramaMetadataRetries
		p.triggerRebalance("group is rebalancing")
	case wire.NetworkException, wire.NotCoordinator, wire.CoordinatorNotAvailable:
		p.heartbeatFailed(sent, err)
	case wire.UnknownMemberID:
		p.heartStops("member id is not known by the group coordinator")
	case wire.IllegalGeneration:
		p.heartStops("generation id is not current")
	case wire.FencedInstanceID:
		p.heartStops("group instance id has been fenced")
	default:
		p.heartStops(err.String())
	}
}

func (p *sarama) heartbeatFailed(sent pendingRequest, err wire.Err) {
	h := &p.heart
	lost := err == wire.NetworkException
	if lost {
		p.disconnect(sent.conn)
	}
	switch {
	case h.retries <= 0:
		p.heartStops("rebalance failed due to " + saramaError(err).exception)
	case lost:
		h.retries--
		h.wakes = p.now
	default:
		h.calls, h.pauses = true, true
		p.forgetCoordinator("error response " + err.String())
		p.inquire(saramaHeartCaller, wire.FindCoordinator)
	}
}

// heartStops ends the goroutine, and with it the session.
func (p *sarama) heartStops(reason string) {
	p.heart = saramaHeartbeatLoop{wakes: clock.Never}
	if p.consume.stage != saramaQuiets {
		p.cancel(reason)
	}
}
