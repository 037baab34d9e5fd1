package sim

import "simulate/sim/consumers"

// brokerFor returns the broker that a process connects to. A connection to a node goes to any broker that
// listens: a real client prefers the one with the fewest requests in flight, and drops those that refuse it.
func (w *world) brokerFor(a *actor, e *consumers.Effect) *broker {
	brokers := w.cluster.brokers
	if e.Conn != consumers.NodeConn {
		return brokers[e.Broker-1]
	}
	var listening []*broker
	for _, b := range brokers {
		if b.listening {
			listening = append(listening, b)
		}
	}
	switch len(listening) {
	case 0:
		return brokers[0]
	case 1:
		return listening[0]
	}
	return listening[a.node.Below(len(listening))]
}

// hangUp closes all connections of a broker whose process ends. What it has sent arrives before the news.
func (w *world) hangUp(b *broker) {
	for _, f := range w.fleets {
		for _, a := range f.members {
			for _, c := range a.conns {
				if c == nil || c.broker != b || c.out.syn {
					continue // a SYN that was lost is refused when it is sent again
				}
				c.brokerGone, c.waiting = true, nil
				at := max(w.now(), c.link().cut[inward].until).Add(w.oneWay(a, inward))
				w.queue.Schedule(max(at, c.in.last), event{kind: hungUp, to: c})
			}
		}
	}
}

// closedByBroker tells a process that a connection was closed, or refused.
func (w *world) closedByBroker(c *connection) {
	a := c.actor
	if c.reset || a.conns[c.name] != c {
		return // it is gone already
	}
	c.reset, c.up = true, false
	a.conns[c.name] = nil
	if a.process != nil {
		a.process.Closed(c.name)
		w.wake(a)
	}
}

// noticeRestart lets a process find the only broker of its cluster back from a restart. That broker answers
// Metadata before it knows its topics; where others live, they are asked instead.
func (w *world) noticeRestart(c *connection) {
	a, b := c.actor, c.broker
	if len(w.cluster.brokers) > 1 || c.name != consumers.NodeConn || a.restarts == b.restarts {
		return
	}
	a.restarts = b.restarts
	a.process.MetadataBlinked()
}
