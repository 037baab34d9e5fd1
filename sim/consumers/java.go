package consumers

import (
	"fmt"

	"simulate/sim/clock"
	"simulate/sim/trace"
)

// java is the Java consumer: two threads over shared membership.
type java struct {
	client

	bootstrapped clock.Time // no lookup before it
	due          clock.Time // of the next step, as the last one left it

	poll      pollThread
	heartbeat heartbeatThread

	rejoinNeeded bool
	needsPrepare bool // run the pre-join hook before the next JoinGroup
	join         joinFuture
	lookingUp    bool // a FindCoordinator is outstanding
}

func startJava(c client) Process {
	p := &java{client: c, rejoinNeeded: true, needsPrepare: true}
	p.owner = p
	p.wait(WaitBoot, p.now.Add(p.env.Work.Draw(p.plan.Boot)))
	return p
}

// Step lets both threads go on as far as they can at this instant. The effects are valid until the next
// step.
func (p *java) Step(now clock.Time) []Effect {
	p.out = p.out[:0]
	if now < p.now {
		panic(fmt.Sprintf("consumers: %s is stepped at %v, and has gone on to %v by itself", p.who.Name, now, p.now))
	}
	p.catchUp(now)
	p.now = now
	for p.poll.wait.Kind != WaitExited {
		if read := p.poll.wait.Kind.readsNetwork(); read && len(p.inbox) > 0 {
			p.pollThreadWakes()
			continue
		} else if !read && p.heartbeatTicks() {
			continue
		}
		if p.due = p.nextStep(); p.now < p.due {
			p.strideUntil = p.stride()
			break
		}
		p.pollThreadWakes()
	}
	return p.out
}

// nextStep returns when either thread goes on by itself: the poll thread, which looks for time-outs while it sits in the
// selector, and else the heartbeat thread.
func (p *java) nextStep() clock.Time {
	if p.poll.wait.Kind.readsNetwork() {
		return min(p.poll.wait.Until, p.nextTimeout())
	}
	return min(p.poll.wait.Until, p.nextTick())
}

// Wake returns the instant of the next step that is due without any arrival, clock.Never when there is none.
// After a step it is later than that step.
func (p *java) Wake() clock.Time {
	if p.poll.wait.Kind == WaitExited {
		return clock.Never
	}
	if p.strideUntil != 0 {
		return p.strideUntil
	}
	return p.due
}

// PollWait returns what the poll thread waits for.
func (p *java) PollWait() Wait { return p.poll.wait }

// Aware reports whether the poll thread knows that it has to rejoin, or is on its way.
func (p *java) Aware() bool { return p.rejoinNeeded || p.join.stage != noJoin }

// PollDeadline returns when max.poll.interval.ms makes the member leave, clock.Never while that is not
// watched, or not in danger.
func (p *java) PollDeadline() clock.Time {
	if !p.Heartbeating() || p.strideUntil != 0 {
		return clock.Never
	}
	return p.heartbeat.pollUntil
}

// Heartbeating reports whether the heartbeat thread is at work.
func (p *java) Heartbeating() bool { return p.heartbeat.enabled && !p.hasNotJoined() }

func (p *java) exit(reason trace.Reason) {
	p.wait(WaitExited, clock.Never)
	p.exits(reason)
}
