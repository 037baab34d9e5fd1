package consumers

import (
	"simulate/sim/clock"
	"simulate/sim/wire"
)

// aiokafka is the consumer of aiokafka: three coroutines on one event loop. The application's fetches in a loop, and
// blocks all of them while it processes; another one coordinates, which needs no call of the application; the third one
// sends heartbeats while the group is joined.
// aiokafka: aiokafka/consumer/group_coordinator.py.
type aiokafka struct {
	client

	application  aioApplication
	coordination aioCoordination
	heartbeat    aioHeartbeat
	lookup       aioLookup

	rejoinNeeded bool
	blockedUntil clock.Time // the assignor computes
}

func startAiokafka(c client) Process {
	p := &aiokafka{client: c, rejoinNeeded: true}
	p.owner = p
	p.application.wait = Wait{Kind: WaitBoot, Since: p.now, Until: p.now.Add(p.env.Work.Draw(p.plan.Boot))}
	return p
}

// blocked returns until when the event loop does nothing else than to compute.
func (p *aiokafka) blocked() clock.Time {
	switch w := p.application.wait; w.Kind {
	case WaitBoot, WaitProcessing:
		return max(w.Until, p.blockedUntil)
	}
	return p.blockedUntil
}

// Step lets the coroutines go on as far as they can at this instant.
func (p *aiokafka) Step(now clock.Time) []Effect {
	p.out = p.out[:0]
	p.makeUp(p, now)
	p.now = now
	for p.application.wait.Kind != WaitExited {
		switch {
		case now < p.blocked():
			p.strideUntil = p.strides()
			return p.out
		case now >= p.application.wait.Until:
			p.applicationWakes()
		case len(p.inbox) > 0 || now >= p.nextTimeout():
			p.pollNetwork()
		case now >= p.heartbeat.due():
			p.heartbeatWakes()
		case p.coordination.runs || now >= p.coordination.wait.Until:
			p.coordinate()
		default:
			p.strideUntil = p.strides()
			return p.out
		}
	}
	return p.out
}

// Wake returns the instant of the next step that is due without any arrival, clock.Never when there is none.
func (p *aiokafka) Wake() clock.Time {
	if p.application.wait.Kind == WaitExited {
		return clock.Never
	}
	if p.strideUntil != 0 {
		return p.strideUntil
	}
	if b := p.blocked(); b > p.now {
		return b
	}
	return min(p.application.wait.Until, p.nextTimeout(), p.heartbeat.due(), p.coordination.wait.Until)
}

// PollWait returns what keeps the loop from going on with the group: a handler that blocks it, what the coordination
// waits for, or if that is nothing what the application does.
func (p *aiokafka) PollWait() Wait {
	a, c := p.application.wait, p.coordination.wait
	switch {
	case a.Kind == WaitBoot || a.Kind == WaitProcessing || a.Kind == WaitExited:
		return a
	case c.Kind == WaitRecords || c.Kind == WaitSubscription:
		return a
	case p.coordination.idle: // it waits for the application to fetch again
		return a
	}
	return c
}

// Aware reports whether the client knows that it has to rejoin, or is on its way.
func (p *aiokafka) Aware() bool { return p.rejoinNeeded || p.coordination.stage >= aioPrepares }

// Heartbeating reports whether heartbeats are sent.
func (p *aiokafka) Heartbeating() bool { return p.heartbeat.runs && p.now >= p.blocked() }

// PollDeadline returns when max.poll.interval.ms makes the member leave, clock.Never while it fetches.
func (p *aiokafka) PollDeadline() clock.Time {
	if !p.heartbeat.runs || p.application.fetching {
		return clock.Never
	}
	return p.application.fetchedAt.Add(p.plan.Config.MaxPollInterval)
}

// requestRejoin wakes the coordination up to rejoin. aiokafka: GroupCoordinator.request_rejoin.
func (p *aiokafka) requestRejoin(reason string) {
	p.coordination.runs = true
	if p.rejoinNeeded {
		return
	}
	p.rejoinNeeded = true
	p.client.requestRejoin(reason)
}

// reset forgets the generation and the member id, without which no heartbeat makes sense.
// aiokafka: GroupCoordinator.reset_generation.
func (p *aiokafka) reset(where wire.API, err wire.Err) {
	p.recordReset(where.String(), err, "")
	p.heartbeat.runs = false
	p.requestRejoin(reasonOfReset(where, err))
}
