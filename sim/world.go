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

	forward       fastForward
	cores         cores
	cluster       cluster
	conns         []*connection     // by serial number; a connection's number is also the ticket of its request
	admin         *actor            // whoever administers the cluster; it has a place in the network and no process
	cuts          bool              // at least one, of any link
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
	kind  eventKind
	life  uint32 // of the actor it was meant for, for boot its orders, for appended the shard's term; connections never come back and need none
	index int32  // boot, thaw: the scenario's event behind it; pauseDue: the kind; probed: failures so far; closedByPeer: the name of the connection
	to    any    // a pointer to what the kind is about
}

type eventKind uint8

const (
	// To a connection.

	atBroker      eventKind = iota // its next request arrives
	atClient                       // its next response arrives
	established                    // it is connected
	retransmit                     // a segment that was lost is sent again
	fetchAnswered                  // the broker answers its Fetch, and that is lost
	hungUp                         // it is closed by the broker, or was refused

	// To an actor.

	alarm        // it asked to be woken
	boot         // it starts
	closedByPeer // it learns that its connection number index was reset
	thaw         // its pause may be over
	pauseDue     // a pause of kind index befalls it
	graceOver    // it has had the time to close that its pod gives it
	probed       // its liveness probe

	// To others.

	brokerTimed // a timer of the coordinator
	appended    // a batch of the log of a shard is committed
	faulted     // a step of a fault
	handedOver  // a step of a handover
	stuckCheck  // a stay that a groupWatch looks at has lasted stuck-after
	scalerDue   // the autoscaler of a fleet looks at the demand
)

func newWorld(s *scenario.Scenario, sink trace.Sink) *world { return newWorldWith(s, sink, Options{}) }

func newWorldWith(s *scenario.Scenario, sink trace.Sink, o Options) *world {
	w := &world{
		topics:   make(map[string]assignors.Topic),
		scenario: s, end: clock.At(s.Duration), most: mostAtOneInstant, sink: sink,
		byName: make(map[string]*actor), given: make(map[wire.MemberID]handout),
		eventStreams: make(map[streamKey]*random.Stream),
		cores:        make(cores, s.Cores),
		commits:      o.Commits,
	}
	if o.ShuffleTies != 0 {
		w.queue.ShuffleTies(o.ShuffleTies, ownerOf)
	}
	for _, t := range s.Topics {
		w.topics[t.Name] = assignors.Topic{Partitions: t.Partitions}
	}
	w.records = newRecordLogs(s)
	w.forward = newFastForward(w, o)
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

// IgnoresRoutine reports whether whoever takes the world's events does nothing with routine ones.
func (w *world) IgnoresRoutine() bool { return trace.IgnoresRoutine(w.sink) }

// dispatch carries out one event.
func (w *world) dispatch(e event) {
	w.cause = 0
	switch to := e.to.(type) {
	case *connection:
		w.happenTo(to, e.kind)
	case *actor:
		w.reach(to, e)
	case *brokerTimer:
		w.brokerTimerFired(to)
	case *shard:
		w.commit(to, e.life)
	case *fault:
		w.stepFault(to)
	case *handover:
		w.handOver(to)
	case *groupWatch:
		w.checkStuck(to)
	case *fleet:
		w.autoscale(to)
	}
}

// happenTo carries out an event of a connection.
func (w *world) happenTo(c *connection, what eventKind) {
	switch what {
	case atBroker:
		w.arriveAtBroker(c)
	case atClient:
		w.arriveAtClient(c)
	case established:
		w.establish(c)
	case retransmit:
		w.retransmit(c)
	case fetchAnswered:
		w.sendResponse(c, &wire.Response{API: wire.Fetch, Ticket: c.fetch})
	case hungUp:
		w.closedByBroker(c)
	}
}

// reach carries out an event of an actor.
func (w *world) reach(a *actor, e event) {
	switch e.kind {
	case alarm:
		a.alarm = clock.Handle{}
		w.wake(a)
	case boot:
		if a.orders == e.life {
			w.cause = e.index
			w.boot(a)
		}
	case closedByPeer:
		w.closeAtClient(a, e.life, consumers.Conn(e.index))
	case thaw:
		w.cause = e.index
		w.thaw(a)
	case pauseDue, graceOver, probed:
		if a.life == e.life && a.process != nil {
			w.befall(a, e)
		}
	}
}
