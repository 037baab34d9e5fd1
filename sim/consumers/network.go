package consumers

import (
	"slices"
	"time"

	"simulate/sim/clock"
	"simulate/sim/wire"
)

// connState is the state of a connection as the network client knows it. Kafka: ConnectionState.
type connState uint8

const (
	disconnected connState = iota
	connecting
	ready
)

// connection is the network client's view of one connection. Kafka: ClusterConnectionStates, NetworkClient.
type connection struct {
	state    connState
	broker   int32      // of all but NodeConn: whom it is, or was, to
	failed   bool       // was lost or refused; only then the reconnect back-off counts
	refused  bool       // it was lost before it was ready
	failures int        // in a row, since it was ready
	retryAt  clock.Time // end of the reconnect back-off
	giveUpAt clock.Time // while connecting: connection set-up time-out
	usedAt   clock.Time // when something was sent or received last
	unsent   []wire.Request
}

// unavailable reports whether the connection failed and must not be tried yet.
// Kafka: ConsumerNetworkClient.isUnavailable.
func (c *connection) unavailable(now clock.Time) bool {
	return c.state == disconnected && c.failed && now < c.retryAt
}

// arrival is something that reached a socket and that no thread has read yet.
type arrival struct {
	kind     arrivalKind
	conn     Conn
	response wire.Response
}

// arrivalKind says what reached a socket.
type arrivalKind uint8

const (
	arrivedResponse arrivalKind = iota
	arrivedConnected
	arrivedClosed
)

// pendingRequest is a request in flight. Member and generation are those it was sent under.
type pendingRequest struct {
	ticket     wire.Ticket
	api        wire.API
	conn       Conn
	deadline   clock.Time
	member     wire.MemberID
	generation wire.Generation
}

// lost stands for the answer to a request that got none.
func (r *pendingRequest) lost() wire.Response {
	return wire.Response{Ticket: r.ticket, API: r.api, Err: wire.NetworkException}
}

// Receive puts a response into the socket buffer. It is read when a thread polls the network.
func (p *client) Receive(c Conn, r wire.Response) {
	p.inbox = append(p.inbox, arrival{kind: arrivedResponse, conn: c, response: r})
}

// Connected tells that a connection is established and its ApiVersions are known.
func (p *client) Connected(c Conn) {
	p.inbox = append(p.inbox, arrival{kind: arrivedConnected, conn: c})
}

// Closed tells that a connection was closed or refused by the other side.
func (p *client) Closed(c Conn) {
	p.inbox = append(p.inbox, arrival{kind: arrivedClosed, conn: c})
}

// pollNetwork reads what has arrived, then looks for time-outs, as NetworkClient.poll does: a response
// that waited in the socket buffer counts even if its deadline has passed meanwhile.
func (p *client) pollNetwork() {
	for i := 0; i < len(p.inbox); i++ { // handlers may add to it
		a := p.inbox[i]
		p.conns[a.conn].usedAt = p.now
		switch a.kind {
		case arrivedResponse:
			p.handleResponse(a.response)
		case arrivedConnected:
			p.connected(a.conn)
		case arrivedClosed:
			p.connectionLost(a.conn)
		}
	}
	p.inbox = p.inbox[:0]
	if p.connecting > 0 {
		p.giveUpConnecting()
	}
	for i := 0; i < len(p.pending); i++ {
		r := p.pending[i]
		if p.now < r.deadline {
			continue
		}
		if p.conns[r.conn].state == ready {
			p.disconnect(r.conn) // one late request costs the whole connection
		} else {
			p.expireUnsent(i)
		}
		i = -1 // others may have gone with it, or come
	}
	// A connection that carries nothing but a parked JoinGroup grows too old; the one for Fetch never does.
	idle := p.plan.Config.IdleTimeout
	if c := &p.conns[CoordinatorConn]; c.state == ready && idle > 0 && p.now >= c.usedAt.Add(idle) {
		p.disconnect(CoordinatorConn)
	}
}

// giveUpConnecting closes the connections whose set-up has taken too long.
func (p *client) giveUpConnecting() {
	for c := range NumConns {
		if conn := &p.conns[c]; conn.state == connecting && p.now >= conn.giveUpAt {
			p.disconnect(c)
		}
	}
}

// expireUnsent fails a request that its connection never sent. That goes on being set up, and says nothing about the
// coordinator. Kafka: ConsumerNetworkClient.failExpiredRequests.
func (p *client) expireUnsent(i int) {
	r := p.takePending(i)
	conn := &p.conns[r.conn]
	conn.unsent = slices.DeleteFunc(conn.unsent, func(u wire.Request) bool { return u.Ticket == r.ticket })
	p.owner.answered(r, r.lost())
}

// nextTimeout returns when a request, or the set-up of a connection, times out; clock.Never when nothing can.
func (p *client) nextTimeout() clock.Time {
	at := clock.Never
	for i := range p.pending {
		at = min(at, p.pending[i].deadline)
	}
	if p.connecting == 0 {
		return at
	}
	for c := range p.conns {
		if p.conns[c].state == connecting {
			at = min(at, p.conns[c].giveUpAt)
		}
	}
	return at
}

// connect opens a connection if it is neither open nor in its back-off.
func (p *client) connect(c Conn) {
	conn := &p.conns[c]
	if conn.state != disconnected || conn.unavailable(p.now) {
		return
	}
	conn.broker = p.coordinator
	conn.state = connecting
	p.connecting++
	conn.giveUpAt = p.now.Add(p.setupTime(conn.failures))
	p.emit(Effect{Kind: Connect, Conn: c, Broker: p.coordinator})
}

// setupTime returns how long a connection may take to be established after so many failures in a row.
func (p *client) setupTime(failures int) time.Duration {
	if t := p.profile.dialTimeout; t > 0 {
		return t
	}
	return p.jittered(setupTimeout, setupTimeoutMax, failures)
}

func (p *client) connected(c Conn) {
	conn := &p.conns[c]
	if conn.state != connecting {
		return
	}
	conn.state, conn.failed, conn.failures = ready, false, 0
	p.connecting--
	for _, r := range conn.unsent {
		p.emit(Effect{Kind: Send, Conn: c, Request: r})
	}
	conn.unsent = conn.unsent[:0]
}

// disconnect closes a connection from our side; everything in flight on it fails.
func (p *client) disconnect(c Conn) {
	if p.conns[c].state == disconnected {
		return
	}
	p.emit(Effect{Kind: Disconnect, Conn: c})
	p.connectionLost(c)
}

// connectionLost starts the reconnect back-off and fails what was in flight or waiting to be sent.
func (p *client) connectionLost(c Conn) {
	conn := &p.conns[c]
	if conn.state == disconnected {
		return
	}
	if conn.refused = conn.state == connecting; conn.refused {
		p.connecting--
	}
	conn.state, conn.failed = disconnected, conn.refused || !p.profile.reconnectsAtOnce
	if conn.failed {
		conn.retryAt = p.now.Add(p.jittered(p.plan.Config.ReconnectBackoff, p.plan.Config.ReconnectMax, conn.failures))
		conn.failures++
	}
	conn.unsent = conn.unsent[:0]
	for {
		i := p.pendingOn(c)
		if i < 0 {
			return
		}
		r := p.takePending(i)
		p.owner.failed(r)
	}
}

// send sends a request on a connection, or keeps it until the connection is ready. It returns the ticket by which the
// answer is known.
func (p *client) send(c Conn, r wire.Request, timeout time.Duration) wire.Ticket {
	p.tickets++
	switch r.API {
	case wire.Heartbeat:
		p.done.Heartbeats++
	case wire.OffsetCommit:
		p.done.Commits++
	}
	if p.forwarding {
		p.pretend(c, r.API)
		return p.tickets
	}
	r.Ticket = p.tickets
	r.ClientID = p.who.Name
	r.Group = p.plan.Group
	p.pending = append(p.pending, pendingRequest{
		ticket: r.Ticket, api: r.API, conn: c, deadline: p.now.Add(timeout),
		member: p.member, generation: p.generation,
	})
	conn := &p.conns[c]
	if conn.state == ready {
		conn.usedAt = p.now
		p.emit(Effect{Kind: Send, Conn: c, Request: r})
		return r.Ticket
	}
	conn.unsent = append(conn.unsent, r)
	p.connect(c)
	return r.Ticket
}

// loseFetch makes the Fetch that was sent on a connection at an instant a request like any other.
func (p *client) loseFetch(c Conn, sent clock.Time) wire.Ticket {
	p.tickets++
	p.pending = append(p.pending, pendingRequest{
		ticket: p.tickets, api: wire.Fetch, conn: c, deadline: sent.Add(p.plan.Config.RequestTimeout),
		member: p.member, generation: p.generation,
	})
	return p.tickets
}

// handleResponse hands a response to whoever sent the request. One that nobody waits for any more is
// dropped.
func (p *client) handleResponse(r wire.Response) {
	for i := range p.pending {
		if p.pending[i].ticket == r.Ticket {
			p.owner.answered(p.takePending(i), r)
			return
		}
	}
}

func (p *client) pendingOn(c Conn) int {
	for i := range p.pending {
		if p.pending[i].conn == c {
			return i
		}
	}
	return -1
}

func (p *client) takePending(i int) pendingRequest {
	r := p.pending[i]
	p.pending = append(p.pending[:i], p.pending[i+1:]...)
	return r
}
