package consumers

import (
	"simulate/sim/clock"
	"simulate/sim/wire"
)

// saramaLine is the mutex of a Broker: one request is in flight on its connection, those of other goroutines wait
// in line, and one of them is the goroutine that fetches. sarama: Broker.sendAndReceive.
type saramaLine struct {
	caller  saramaCaller // of the request in flight
	waiting []saramaCall
}

type saramaCall struct {
	caller  saramaCaller
	request wire.Request
}

// call puts a request into the line of a connection, which is opened if it is not open.
// sarama: client.openCached, Broker.Open.
func (p *sarama) call(caller saramaCaller, c Conn, r wire.Request) {
	if p.conns[c].state == disconnected {
		p.connect(c)
	}
	p.lines[c].waiting = append(p.lines[c].waiting, saramaCall{caller, r})
}

// serveLines sends what is first in line on each connection that is free, and fails what waits for one that is gone.
// It reports whether a goroutine has to be looked at again.
func (p *sarama) serveLines() bool {
	failed := false
	for c := range NumConns {
		l := &p.lines[c]
		switch {
		case len(l.waiting) == 0:
		case p.conns[c].state == disconnected:
			failed = true
			p.failLine(c)
		case p.conns[c].state == ready && p.pendingOn(c) < 0 && !p.fetchHolds(c):
			next := l.waiting[0]
			l.waiting = append(l.waiting[:0], l.waiting[1:]...)
			l.caller = next.caller
			if c == CoordinatorConn {
				p.fetch.ahead--
			}
			if next.request.API == wire.JoinGroup {
				p.recordJoin()
			}
			p.send(c, next.request, p.plan.Config.RequestTimeout)
		}
	}
	return failed
}

// failLine fails all that waited when a connection was lost, or could not be opened: a Broker is opened for the next
// request only.
func (p *sarama) failLine(c Conn) {
	all := p.lines[c].waiting
	p.lines[c].waiting = nil
	for _, call := range all {
		sent := pendingRequest{api: call.request.API, conn: c, member: call.request.Member, generation: call.request.Generation}
		p.heard(call.caller, sent, sent.lost())
	}
}

// saramaInquiry is a question that any broker answers, Metadata or FindCoordinator, with what is left of its tries.
// sarama: client.tryRefreshMetadata, client.findCoordinator.
type saramaInquiry struct {
	api   wire.API
	left  int
	again clock.Time // the next try; clock.Never while one runs, or nothing is asked
}

// inquire asks any broker; informed is told what comes of it.
func (p *sarama) inquire(caller saramaCaller, api wire.API) {
	p.inquiries[caller] = saramaInquiry{api: api, left: saramaMetadataRetries, again: clock.Never}
	p.ask(caller)
}

func (p *sarama) ask(caller saramaCaller) {
	r := wire.Request{API: wire.Metadata}
	if p.inquiries[caller].api == wire.FindCoordinator {
		r = p.findRequest()
	}
	p.call(caller, p.inquiryConn(), r)
}

// inquiryConn returns the connection on which any broker is asked. Where there is one broker only it is the coordinator's,
// as soon as that is known.
func (p *sarama) inquiryConn() Conn {
	if p.env.Brokers == 1 && p.coordinator >= 0 {
		return CoordinatorConn
	}
	return NodeConn
}

// inquireAgain makes the tries that are due.
func (p *sarama) inquireAgain() bool {
	ran := false
	for caller := range saramaNumCallers {
		if q := &p.inquiries[caller]; p.now >= q.again {
			q.again, ran = clock.Never, true
			p.ask(caller)
		}
	}
	return ran
}

// inquiryAnswered takes an answer, or tries again after Metadata.Retry.Backoff.
func (p *sarama) inquiryAnswered(caller saramaCaller, api wire.API, r wire.Response) {
	q := &p.inquiries[caller]
	fails := r.Err != wire.None
	switch {
	case fails:
	case api == wire.FindCoordinator:
		p.found(r.Body.(*wire.FindCoordinatorResponse).Broker)
	default:
		p.missCoordinator(r.Body)
		p.refreshNow()
		fails = p.misses(p.metadata.topics)
	}
	if fails && q.left > 0 && (r.Err == wire.None || mayPass(r.Err)) {
		q.left--
		q.again = p.now.Add(p.plan.Config.RetryBackoff)
		return
	}
	p.informed(caller, api, !fails)
}

// informed lets a goroutine go on that has asked.
func (p *sarama) informed(caller saramaCaller, api wire.API, ok bool) {
	switch caller {
	case saramaHeartCaller:
		p.heartInformed(ok)
	case saramaOffsetsCaller:
		p.offsetsInformed(caller, ok)
	default:
		p.consumeInformed(api, ok)
	}
}
