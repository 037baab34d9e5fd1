package sim

import (
	"simulate/sim/assignors"
	"simulate/sim/clock"
	"simulate/sim/consumers"
	"simulate/sim/offsetslog"
	"simulate/sim/random"
	"simulate/sim/scenario"
	"simulate/sim/trace"
	"simulate/sim/wire"
)

// world is everything that exists in one run.
type world struct {
	scenario *scenario.Scenario
	queue    clock.Queue[event]
	end      clock.Time
	most     int // events at one instant
	sink     trace.Sink
	topics   map[string]assignors.Topic
	records  recordLogs

	cores         cores
	cluster       cluster
	conns         []*connection     // by serial number; a connection's number is also the ticket of its request
	admin         *actor            // whoever administers the cluster; it has a place in the network and no process
	topicsDeleted bool              // at least one
	syncHolds     []syncHold        // that wait for the SyncGroup of a leader
	byName        map[string]*actor // client.id, of a member its name -> actor; for look-up only
	fleets        []*fleet
	given         map[wire.MemberID]handout    // who was handed which member id; for look-up only
	groups        []*groupWatch                // in the order of their first appearance
	eventStreams  map[streamKey]*random.Stream // for look-up only

	commits func(offsetslog.Entry) // gets the records of the offsets topic, unless nil
	logged  map[wire.MemberID]bool // ids in the log that the run starts from; for look-up only

	taking *connection // whose request is being handled, nil when none is

	cause   int32 // number of the scenario's event that is being carried out
	tickets wire.Ticket
	owners  uint32 // how many there are, for ownerOf
}

// handout is a member id that the coordinator gave away.
type handout struct {
	to   *actor
	life uint32 // which process of the actor asked
	at   clock.Time
}

// event is one thing that will happen. It is a value: what, and to whom, and for which life.
type event struct {
	kind     eventKind
	life     uint32 // of the actor it was meant for, for boot its orders, for appended the shard's term; connections never come back and need none
	index    int32  // boot, thaw: the scenario's event behind it; pauseDue: the kind; probed: failures so far; scalerDue: the fleet; closedByPeer: the name of the connection
	actor    *actor
	conn     *connection
	timer    *brokerTimer
	fault    *fault
	handover *handover
	watch    *groupWatch
}

type eventKind uint8

const (
	atBroker      eventKind = iota // the next request of conn arrives
	atClient                       // the next response of conn arrives
	established                    // conn is connected
	closedByPeer                   // actor learns that its connection number index was reset
	retransmit                     // a segment that was lost is sent again
	alarm                          // actor asked to be woken
	thaw                           // actor's pause may be over
	pauseDue                       // a pause of kind index befalls actor
	graceOver                      // actor has had the time to close that its pod gives it
	probed                         // the liveness probe of actor
	scalerDue                      // the autoscaler of fleet index looks at the demand
	boot                           // actor starts
	brokerTimed                    // a timer of the coordinator
	fetchAnswered                  // the broker answers the Fetch of conn, and that is lost
	appended                       // a batch of the coordinator's log is committed
	faulted                        // a step of a scenario's event
	handedOver                     // a step of a fail-over
	hungUp                         // conn is closed by the broker, or was refused
	stuckCheck                     // a stay of watch has lasted stuck-after
)

func newWorld(s *scenario.Scenario, sink trace.Sink) *world { return newShuffled(s, sink, 0) }

// newShuffled is newWorld for Options.ShuffleTies.
func newShuffled(s *scenario.Scenario, sink trace.Sink, ties uint64) *world {
	w := &world{
		topics:   make(map[string]assignors.Topic),
		scenario: s, end: clock.At(s.Duration), most: mostAtOneInstant, sink: sink,
		byName: make(map[string]*actor), given: make(map[wire.MemberID]handout),
		eventStreams: make(map[streamKey]*random.Stream),
		cores:        make(cores, s.Cores),
	}
	if ties != 0 {
		w.queue.ShuffleTies(ties, ownerOf)
	}
	for _, t := range s.Topics {
		w.topics[t.Name] = assignors.Topic{Partitions: t.Partitions}
	}
	w.records = newRecordLogs(s)
	w.admin = &actor{name: "admin", owner: w.newOwner(), latency: w.stream("network/admin", "latency"), links: w.links()}
	w.addBrokers()
	for i := range s.Fleets {
		w.addFleet(&s.Fleets[i])
	}
	for i := range s.Events {
		w.scheduleEvent(i)
	}
	return w
}

func (w *world) links() []link { return make([]link, w.scenario.Brokers) }

func (w *world) stream(actor, purpose string) *random.Stream {
	return w.scenario.Seed.Stream(actor, purpose)
}

func (w *world) now() clock.Time { return w.queue.Now() }

// Record passes an event on, after adding what only the world knows: whose member it is about, and which
// of the scenario's events is behind it.
func (w *world) Record(e trace.Event) {
	if e.Who == "" && e.Member != "" {
		if a := w.given[e.Member].to; a != nil {
			e.Who = a.name
		}
	}
	if e.Cause == 0 {
		e.Cause = w.cause
	}
	w.sink.Record(e)
	w.watch(e)
}

// dispatch carries out one event.
func (w *world) dispatch(e event) {
	w.cause = 0
	switch e.kind {
	case atBroker:
		w.arriveAtBroker(e.conn)
	case atClient:
		w.arriveAtClient(e.conn)
	case established:
		w.establish(e.conn)
	case closedByPeer:
		w.closeAtClient(e.actor, e.life, consumers.Conn(e.index))
	case fetchAnswered:
		w.sendResponse(e.conn, wire.Response{API: wire.Fetch, Ticket: e.conn.fetch})
	case retransmit:
		w.retransmit(e.conn)
	case alarm:
		e.actor.alarm = clock.Handle{}
		w.wake(e.actor)
	case thaw:
		w.cause = e.index
		w.thaw(e.actor)
	case pauseDue, graceOver, probed:
		if e.actor.life == e.life && e.actor.process != nil {
			w.befall(e)
		}
	case scalerDue:
		w.autoscale(int(e.index))
	case boot:
		if e.actor.orders == e.life {
			w.cause = e.index
			w.boot(e.actor)
		}
	case brokerTimed:
		w.brokerTimerFired(e.timer)
	case appended:
		w.commit(e.timer.shard, e.life)
	case faulted:
		w.stepFault(e.fault)
	case handedOver:
		w.handOver(e.handover)
	case hungUp:
		w.closedByBroker(e.conn)
	case stuckCheck:
		w.checkStuck(e.watch)
	}
}
