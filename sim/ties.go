package sim

// script owns what the scenario's events do, and the look-out for stuck stays, which acts on nobody.
const script uint32 = 0

// newOwner numbers a new owner of events.
func (w *world) newOwner() uint32 {
	w.owners++
	return w.owners
}

// ownerOf returns whose an event is: only those of different owners may change places when ties are shuffled. What
// travels on a connection is its process's in both directions, so that nothing overtakes it.
func ownerOf(e event) uint32 {
	switch e.kind {
	case atBroker, atClient, established, retransmit, fetchAnswered, hungUp:
		return e.conn.actor.owner
	case closedByPeer, alarm, thaw, pauseDue, graceOver, probed, boot:
		return e.actor.owner
	case brokerTimed, appended:
		return e.timer.shard.owner
	case handedOver:
		return e.handover.broker.owner
	}
	return script
}
