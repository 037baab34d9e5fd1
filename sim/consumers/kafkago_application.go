package consumers

import (
	"time"

	"simulate/sim/clock"
	"simulate/sim/wire"
)

// goApp is the goroutine of the application: it reads messages, handles them, and commits.
// kafka-go: Reader.ReadMessage, CommitMessages.
type goApp struct {
	wait       Wait
	handling   int             // messages that it has got and not handled yet
	generation wire.Generation // in which it got them
}

// appGoes lets the application go on. It reports whether it went on.
func (p *kafkaGo) appGoes() bool {
	r := &p.app
	switch {
	case p.asked.commit:
		p.asked.commit = false
		if p.group.stage == goRuns && len(p.assigned) > 0 && !p.commits.busy() {
			p.commit()
		}
	case r.wait.Kind == WaitStall && p.asked.stall > 0:
		r.wait.Until = r.wait.Until.Add(p.asked.stall)
		p.asked.stall = 0
	case r.wait.Kind == WaitCommit && p.commits.busy(), p.now < r.wait.Until && r.wait.Kind != WaitCommit && !p.readable():
		return p.stalls()
	default:
		p.appWakes()
	}
	return true
}

// readable reports whether the application waits for messages and there are some.
func (p *kafkaGo) readable() bool {
	return p.app.wait.Kind == WaitRecords && p.asked.stall == 0 && p.group.stage == goRuns && p.nextRecord() <= p.now
}

// stalls begins a stall, if the application was told to and waits for messages. It reports whether it did.
func (p *kafkaGo) stalls() bool {
	d := p.asked.stall
	if d == 0 || p.app.wait.Kind != WaitRecords {
		return false
	}
	p.asked.stall = 0
	p.appWaits(WaitStall, p.now.Add(d))
	p.recordStall(d)
	return true
}

func (p *kafkaGo) appWaits(kind WaitKind, until clock.Time) {
	p.app.wait = Wait{Kind: kind, Since: p.now, Until: until}
}

// appWakes goes on after whatever the application waited for.
func (p *kafkaGo) appWakes() {
	switch p.app.wait.Kind {
	case WaitRecords:
		p.read()
		return
	case WaitProcessing:
		p.handled()
		return
	case WaitStall:
		p.recordStallEnd(p.app.wait.Since)
	}
	p.appWaits(WaitRecords, clock.Never)
}

// read takes messages from the queue, and handles them one after the other: as many as take a moment together.
func (p *kafkaGo) read() {
	most := p.fetchable(goQueueCapacity)
	n, takes := 0, time.Duration(0)
	for n < most && takes < goLump {
		n, takes = n+1, takes+p.takes(1)
	}
	p.take(n)
	p.app.handling, p.app.generation = n, p.generation
	p.appWaits(WaitProcessing, p.work(takes))
}

// handled commits what the application is done with, unless its generation has ended: then another reader gets it again.
func (p *kafkaGo) handled() {
	if p.group.stage != goRuns || p.app.generation != p.generation {
		p.appWaits(WaitRecords, clock.Never)
		return
	}
	p.handle(p.app.handling)
	if p.plan.Config.CommitInterval > 0 { // the commit loop sends it
		p.appWaits(WaitRecords, clock.Never)
		return
	}
	p.appWaits(WaitCommit, clock.Never)
	if !p.commits.busy() {
		p.commit()
	}
}
