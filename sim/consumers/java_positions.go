package consumers

import "simulate/sim/wire"

// positionsAnswered handles an OffsetFetch response. Kafka: OffsetFetchResponseHandler.
func (p *java) positionsAnswered(sent pendingRequest, r wire.Response) {
	if p.positions.ticket != sent.ticket {
		return
	}
	p.positions.ticket = 0
	switch r.Err {
	case wire.None:
		if !p.hasPositions() {
			p.fetchBegins()
		}
		p.poll.noOffset = !p.takeOffsets(r)
		return
	case wire.NotCoordinator, wire.CoordinatorNotAvailable:
		p.coordinatorErred(r.Err)
	default:
		if !mayPass(r.Err) {
			p.poll.fatal = r.Err
		}
	}
	p.positions.retryAt = p.now.Add(p.retryBackoff(p.positions.failed))
	p.positions.failed++
}

// fetchBegins notes the first Fetch of an assignment. A member that subscribes by pattern has asked for metadata
// once more when it had joined, and gets them behind that Fetch (recorded).
func (p *java) fetchBegins() {
	p.poll.fetchAt = p.now
	if p.subscription.pattern != nil && !p.profile.matchesLate {
		p.metadata.refreshed = p.now.Add(fetchCycle)
	}
}
