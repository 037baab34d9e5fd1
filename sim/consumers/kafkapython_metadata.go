package consumers

import (
	"simulate/sim/assignors"
	"simulate/sim/clock"
)

// bootstraps begins the life of the client: it learns of the brokers on a connection of its own, then asks for the
// topics on the one that it will fetch on.
func (p *kafkaPython) bootstraps() {
	p.bootstrapped = p.now.Add(pythonBootstrapCost)
	p.connect(NodeConn)
	p.asksForMetadata()
}

// asksForMetadata lets the process learn now of topics that are newer than the last refresh.
func (p *kafkaPython) asksForMetadata() { p.refreshBehind(p.poll.fetchAt) }

// TopicsChanged tells that the cluster has these topics from now on. The process learns of it by its next refresh.
func (p *kafkaPython) TopicsChanged(now clock.Time, topics map[string]assignors.Topic) {
	p.now = now
	p.learnsLater(topics, p.poll.fetchAt)
	if p.poll.fetching {
		p.poll.wait.Until = min(p.poll.wait.Until, max(p.nextMetadata(), p.now))
	}
}

// noticeChanges lets a member rejoin because of what has changed. kafka-python: ConsumerCoordinator.need_rejoin.
func (p *kafkaPython) noticeChanges() {
	if p.refresh(); p.rejoinNeeded {
		return
	}
	if reason := p.takeNews(); reason != "" {
		p.requestRejoin(reason)
	}
}
