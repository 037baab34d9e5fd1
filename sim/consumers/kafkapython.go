package consumers

import (
	"simulate/sim/clock"
	"simulate/sim/trace"
)

// kafkaPython is the consumer of kafka-python: the application's thread, which calls poll() in a loop, and the event
// loop on a thread of its own. On the loop run, one at a time, the network, the heartbeat, the join, and what poll()
// asks of it with the rebalance listener; it goes on while the application is outside poll().
// kafka-python: kafka/coordinator/base.py, kafka/coordinator/consumer.py, kafka/net.
type kafkaPython struct {
	client

	bootstrapped clock.Time // no lookup before it

	poll      pythonPoll
	loop      pythonLoop
	heartbeat pythonHeartbeat
	join      pythonJoin
	prepare   pythonPreparation
	commit    pythonCommit
	closing   pythonClosing

	rejoinNeeded bool
	rejoining    bool // prepared: that is not repeated before the join has succeeded
	lookingUp    bool // a FindCoordinator is outstanding
}

func startKafkaPython(c client) Process {
	p := &kafkaPython{client: c, rejoinNeeded: true}
	p.owner = p
	p.wait(WaitBoot, p.now.Add(p.env.Work.Draw(p.plan.Boot)))
	return p
}

// pythonLoop is what occupies the event loop.
type pythonLoop struct {
	task  pythonTask
	until clock.Time
}

// pythonTask names it.
type pythonTask uint8

const (
	pythonIdle pythonTask = iota
	pythonBuildsJoin
	pythonBuildsSync
	pythonAssigns // the leader
	pythonListens // runs the rebalance listener
)

// occupy keeps the event loop busy. Whoever waits inside poll() waits for that then.
func (p *kafkaPython) occupy(task pythonTask, until clock.Time) {
	p.loop = pythonLoop{task, until}
	if !p.outside() {
		p.waitForLoop()
	}
}

// waitForLoop makes the application wait for what occupies the event loop.
func (p *kafkaPython) waitForLoop() {
	kinds := [...]WaitKind{pythonBuildsJoin: WaitRejoin, pythonBuildsSync: WaitRejoin, pythonAssigns: WaitAssign, pythonListens: WaitListener}
	p.wait(kinds[p.loop.task], p.loop.until)
}

// Step lets the loop and the application go on as far as they can at this instant.
func (p *kafkaPython) Step(now clock.Time) []Effect {
	p.out = p.out[:0]
	p.makeUp(p, now)
	p.now = now
	for p.poll.wait.Kind != WaitExited {
		switch {
		case p.outside() && p.now >= p.poll.wait.Until:
			p.applicationWakes()
		case p.loop.task != pythonIdle && p.now < p.loop.until:
			return p.out
		case p.loop.task != pythonIdle:
			p.taskDone()
		case len(p.inbox) > 0 || p.now >= p.nextTimeout():
			p.pollNetwork()
			p.goOn()
		case p.now >= p.heartbeatDue():
			p.heartbeatRound()
		case !p.outside() && p.now >= p.poll.wait.Until:
			p.goOn()
		default:
			p.strideUntil = p.strides()
			return p.out
		}
	}
	return p.out
}

// taskDone goes on after what occupied the event loop.
func (p *kafkaPython) taskDone() {
	task := p.loop.task
	p.loop = pythonLoop{}
	switch task {
	case pythonBuildsJoin:
		p.sendJoin()
	case pythonBuildsSync, pythonAssigns:
		p.sendSync()
	case pythonListens:
		if !p.listenerReturned() {
			return
		}
	}
	p.goOn()
}

// goOn lets the application go on that waits for the loop.
func (p *kafkaPython) goOn() {
	if p.loop.task == pythonIdle && !p.outside() && p.poll.wait.Kind != WaitExited {
		p.continuePoll()
	}
}

// Wake returns the instant of the next step that is due without any arrival, clock.Never when there is none.
func (p *kafkaPython) Wake() clock.Time {
	switch {
	case p.poll.wait.Kind == WaitExited:
		return clock.Never
	case p.strideUntil != 0:
		return p.strideUntil
	case p.loop.task == pythonIdle:
		return min(p.poll.wait.Until, p.nextTimeout(), p.heartbeatDue())
	case p.outside():
		return min(p.poll.wait.Until, p.loop.until)
	}
	return p.loop.until
}

// wait blocks the application's thread. Inside close() every wait for the network is one for that.
func (p *kafkaPython) wait(kind WaitKind, until clock.Time) {
	if p.closing.stage != notClosing && kind.readsNetwork() {
		kind = WaitClose
	}
	since := p.now
	if kind == p.poll.wait.Kind && kind.readsNetwork() {
		since = p.poll.wait.Since
	}
	p.poll.wait = Wait{Kind: kind, Since: since, Until: until}
}

// outside reports whether the application is outside poll() and close().
func (p *kafkaPython) outside() bool {
	switch p.poll.wait.Kind {
	case WaitBoot, WaitProcessing, WaitStall, WaitSubscription:
		return true
	}
	return false
}

// PollWait returns what the application's thread waits for.
func (p *kafkaPython) PollWait() Wait { return p.poll.wait }

// Aware reports whether the client knows that it has to rejoin, or is on its way.
func (p *kafkaPython) Aware() bool { return p.rejoinNeeded || p.join.stage != noJoin }

// Heartbeating reports whether heartbeats are sent, for which the event loop must be free.
func (p *kafkaPython) Heartbeating() bool {
	return p.heartbeat.enabled && p.state == stable && p.loop.task == pythonIdle
}

// PollDeadline returns when max.poll.interval.ms makes the member leave: at the first heartbeat that is due after it.
func (p *kafkaPython) PollDeadline() clock.Time {
	if !p.Heartbeating() {
		return clock.Never
	}
	over := p.polledAt().Add(p.plan.Config.MaxPollInterval)
	at := max(p.heartbeat.wakeAt, p.now)
	if each := p.plan.Config.HeartbeatInterval + pythonWakeCost; at < over {
		at = at.Add((over.Sub(at) + each - 1) / each * each)
	}
	return at
}

func (p *kafkaPython) exit(reason trace.Reason) {
	p.wait(WaitExited, clock.Never)
	p.exits(reason)
}
