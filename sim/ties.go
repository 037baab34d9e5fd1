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
	switch to := e.to.(type) {
	case *connection:
		return to.actor.owner
	case *actor:
		return to.owner
	case *brokerTimer:
		return to.shard.owner
	case *shard:
		return to.owner
	case *handover:
		return to.broker.owner
	}
	return script
}
