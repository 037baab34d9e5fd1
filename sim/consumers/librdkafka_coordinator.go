package consumers

import (
	"simulate/sim/clock"
	"simulate/sim/trace"
	"simulate/sim/wire"
)

// keepConnected opens the connections that are missing: to some broker, and to the coordinator while it is known. When
// all are lost everything begins anew. librdkafka: rd_kafka_broker_thread_main, rd_kafka_rebootstrap.
func (p *librdkafka) keepConnected() {
	node, coordinator := &p.conns[NodeConn], &p.conns[CoordinatorConn]
	if p.coordinator >= 0 && node.state == disconnected && coordinator.state == disconnected {
		p.coordinatorDead("all brokers are down")
	}
	if node.state == disconnected && p.coordinator < 0 && p.bootstrapAgain(node) {
		return
	}
	for c := range JoinConn {
		if p.wantsConnection(c) && !p.conns[c].unavailable(p.now) {
			p.main.dialed = true
			p.connect(c)
		}
	}
}

// bootstrapAgain makes the next connection to any broker wait a moment, after one that was lost or refused. It reports
// whether that lasts.
func (p *librdkafka) bootstrapAgain(node *connection) bool {
	if !p.main.dialed {
		return false
	}
	node.failed, node.retryAt = true, node.usedAt.Add(rdBootstrapPause)
	return p.now < node.retryAt
}

// wantsConnection reports whether a connection is to be opened as soon as that may be.
func (p *librdkafka) wantsConnection(c Conn) bool {
	return p.conns[c].state == disconnected && (c == NodeConn || p.coordinator >= 0)
}

// nextConnect returns when a connection may be opened again.
func (p *librdkafka) nextConnect() clock.Time {
	at := clock.Never
	for c := range JoinConn {
		if p.wantsConnection(c) {
			at = min(at, max(p.conns[c].retryAt, p.main.servedAt.Add(1)))
		}
	}
	return at
}

// serveCoordinator advances the coordinator's state machine, and in its last state the membership's.
// librdkafka: rd_kafka_cgrp_serve.
func (p *librdkafka) serveCoordinator() {
	m := &p.main
	connected := p.conns[CoordinatorConn].state == ready
	if m.coordinator == rdCoordinatorUp && !connected {
		p.record(trace.Event{Kind: trace.CoordinatorLost, Member: p.member, Text: "the connection to the coordinator is lost"})
		m.coordinator = rdQueryCoordinator
		if m.join == rdWaitMetadata {
			p.rejoin(rdRefusal(wire.JoinGroup, wire.NetworkException)) // with the metadata for the assignor
		}
	}
	if m.coordinator == rdWaitTransport && connected {
		m.coordinator, m.reconnected = rdCoordinatorUp, true
	}
	switch m.coordinator {
	case rdQueryCoordinator, rdWaitTransport:
		if p.now >= p.queryDue() {
			p.queryForCoordinator()
		}
	case rdCoordinatorUp:
		p.commitDeferred()
		p.serveJoin()
	}
	p.expireDeferred()
}

// queryDue returns when the coordinator is asked for again.
func (p *librdkafka) queryDue() clock.Time {
	m := &p.main
	switch {
	case p.anyUsable() == NumConns:
		return clock.Never
	case m.coordinator == rdQueryCoordinator && !m.queried:
		return m.servedAt
	case m.coordinator == rdQueryCoordinator:
		return m.queriedAt.Add(rdQueryInterval)
	case m.coordinator == rdWaitTransport:
		return m.queriedAt.Add(rdTransportInterval)
	}
	return clock.Never
}

// anyUsable returns a connection that is established, NumConns when there is none.
// librdkafka: rd_kafka_broker_any_usable.
func (p *librdkafka) anyUsable() Conn {
	for c := range JoinConn {
		if p.conns[c].state == ready {
			return c
		}
	}
	return NumConns
}

// queryForCoordinator asks a broker who coordinates the group. librdkafka: rd_kafka_cgrp_coord_query.
func (p *librdkafka) queryForCoordinator() {
	c := p.anyUsable()
	if c == NumConns {
		p.main.queried = false
		return
	}
	p.send(c, p.findRequest(), p.plan.Config.RequestTimeout)
	p.main.queried, p.main.queriedAt = true, p.now
	if p.main.coordinator == rdQueryCoordinator {
		p.main.coordinator = rdWaitCoordinator
	}
}

// coordinatorFound handles the answer. An error is not answered at once: the next query comes after its interval.
// librdkafka: rd_kafka_cgrp_handle_FindCoordinator, rd_kafka_cgrp_coord_update.
func (p *librdkafka) coordinatorFound(r wire.Response) {
	m := &p.main
	if r.Err != wire.None {
		if m.coordinator == rdWaitCoordinator {
			m.coordinator = rdQueryCoordinator
		}
		return
	}
	found := r.Body.(*wire.FindCoordinatorResponse).Broker
	if found == p.coordinator && m.coordinator >= rdWaitTransport {
		return
	}
	if found != p.coordinator {
		p.disconnect(CoordinatorConn)
		p.conns[CoordinatorConn].failed, p.conns[CoordinatorConn].failures = false, 0
	}
	m.coordinator = rdWaitTransport
	p.takeCoordinator(found)
}

// coordinatorDead forgets the coordinator and asks for another one. librdkafka: rd_kafka_cgrp_coord_dead.
func (p *librdkafka) coordinatorDead(why string) {
	p.forgetCoordinator(why)
	p.disconnect(CoordinatorConn)
	p.main.coordinator = rdQueryCoordinator
	p.queryForCoordinator()
}

// answered handles the answer to a request.
func (p *librdkafka) answered(sent pendingRequest, r wire.Response) {
	switch sent.api {
	case wire.JoinGroup:
		p.joinAnswered(sent, r)
	case wire.SyncGroup:
		p.syncAnswered(sent, r)
	case wire.Heartbeat:
		p.heartbeatAnswered(sent, r.Err)
	case wire.OffsetCommit:
		p.commitAnswered(sent, commitError(r))
	case wire.OffsetFetch:
		p.positionsAnswered(sent, r)
	case wire.FindCoordinator:
		p.coordinatorFound(r)
	case wire.LeaveGroup:
		if p.main.leaving == sent.ticket {
			p.main.leaving = 0
		}
	}
}
