package consumers

import (
	"simulate/sim/clock"
	"simulate/sim/trace"
	"simulate/sim/wire"
)

// sarama is a consumer on sarama: the application calls Consume() in a loop, a session has goroutines of its own
// for heartbeats, commits and every claim, and all of them share the mutex of the connection to their broker.
type sarama struct {
	client

	consume   saramaConsumeLoop
	handlers  Wait // of ConsumeClaim(): WaitRecords while they have nothing to do
	session   saramaSession
	heart     saramaHeartbeatLoop
	offsets   saramaOffsetManager
	fetch     saramaBrokerConsumer
	lines     [NumConns]saramaLine
	inquiries [saramaNumCallers]saramaInquiry
}

// saramaCaller is the goroutine that a request is for.
type saramaCaller uint8

const (
	saramaConsumeCaller saramaCaller = iota // the application's, inside Consume() or Close()
	saramaHeartCaller
	saramaOffsetsCaller
	saramaFetchCaller
	saramaNumCallers
)

func startSarama(c client) Process {
	p := &sarama{client: c}
	p.owner = p
	p.heart.wakes, p.offsets.wakes, p.session.watch = clock.Never, clock.Never, clock.Never
	p.fetchEnds()
	for i := range p.inquiries {
		p.inquiries[i].again = clock.Never
	}
	p.wait(WaitBoot, p.now.Add(p.env.Work.Draw(p.plan.Boot)))
	return p
}

// Step lets all goroutines go on as far as they can at this instant. The effects are valid until the next step.
func (p *sarama) Step(now clock.Time) []Effect {
	p.out = p.out[:0]
	p.makeUp(p, now)
	p.now = now
	for p.consume.wait.Kind != WaitExited {
		p.pollNetwork()
		p.fetchGoesOn()
		if !p.inquireAgain() && !p.heartWakes() && !p.offsetsWake() && !p.handlersWake() && !p.consumeWakes() && !p.serveLines() {
			p.strideUntil = p.strides()
			break
		}
	}
	return p.out
}

// Wake returns the instant of the next step that is due without any arrival, clock.Never when there is none.
// After a step it is later than that step.
func (p *sarama) Wake() clock.Time {
	if p.consume.wait.Kind == WaitExited {
		return clock.Never
	}
	if p.strideUntil != 0 {
		return p.strideUntil
	}
	return min(p.nextDue(), p.handlersDue())
}

// nextDue returns when something is due that has nothing to do with the handlers.
func (p *sarama) nextDue() clock.Time {
	at := min(p.consumeDue(), p.heartDue(), p.offsetsDue(), p.fetch.yields, p.nextTimeout())
	for i := range p.inquiries {
		at = min(at, p.inquiries[i].again)
	}
	return at
}

// PollWait returns what the application waits for: its handlers, as long as Consume() waits for them.
func (p *sarama) PollWait() Wait {
	if p.handlersBusy() && (p.consume.stage == saramaInSession || p.consume.stage == saramaReleases) {
		return p.handlers
	}
	return p.consume.wait
}

// Aware reports whether the member knows that it has to rejoin, or is on its way.
func (p *sarama) Aware() bool { return p.state != stable || p.session.over }

// Heartbeating reports whether the heartbeat goroutine is at work. A cooperative member that joins again keeps it from
// that.
func (p *sarama) Heartbeating() bool { return p.heart.running && !p.session.rejoining }

// FetchConn returns the connection to the coordinator, which leads some of what the member consumes.
func (p *sarama) FetchConn() Conn { return CoordinatorConn }

func (p *sarama) exit(reason trace.Reason) {
	p.consume.wait = Wait{Kind: WaitExited, Since: p.now, Until: clock.Never}
	p.exits(reason)
}

// answered hands an answer to the goroutine that waits for it.
func (p *sarama) answered(sent pendingRequest, r wire.Response) {
	p.heard(p.lines[sent.conn].caller, sent, r)
}

func (p *sarama) heard(caller saramaCaller, sent pendingRequest, r wire.Response) {
	switch {
	case sent.api == wire.Fetch:
		p.fetchReturned()
	case sent.api == wire.Metadata || sent.api == wire.FindCoordinator:
		p.inquiryAnswered(caller, sent.api, r)
	case caller == saramaHeartCaller:
		p.heartbeatAnswered(sent, r.Err)
	case sent.api == wire.OffsetCommit:
		p.commitAnswered(caller, sent, commitError(r))
	case caller == saramaConsumeCaller:
		p.consumeAnswered(sent, r)
	}
}
