package sim

import (
	"time"

	"simulate/sim/clock"
	"simulate/sim/consumers"
	"simulate/sim/random"
	"simulate/sim/scenario"
	"simulate/sim/trace"
)

// fleet is a fleet of the scenario with all members that it has had so far.
type fleet struct {
	*scenario.Fleet
	plan    *consumers.Plan // what further members are started from; never changed, as all plans
	members []*actor        // by number - 1
	sources []source        // in the order of the scenario
	rollout *rollout        // that replaces its pods, nil when none does
	scaler  *scaler         // nil when the scenario has none
}

// actor is one member of a fleet over all the lives of its process.
type actor struct {
	name     string
	owner    uint32          // of its events
	fleet    *fleet          // nil: it is no member of one, and has no process
	plan     *consumers.Plan // what the next process is started from
	instance string          // and its group.instance.id, "" when it is dynamic

	process  consumers.Process // nil while none runs
	life     uint32            // counts the processes; what was meant for an earlier one is dropped
	orders   uint32            // counts what it was told to do; a later order cancels what an earlier one planned
	exited   clock.Time        // when the last process ended
	done     consumers.Routine // by the processes before this one
	alarm    clock.Handle
	conns    [consumers.NumConns]*connection
	links    []link // by broker number - 1
	delays   [2][]delay
	restarts int // of a single broker, that its process has seen

	frozen   clock.Time // until when the process is paused; zero when it is not
	frozenAt clock.Time
	frozenBy scenario.Verb
	wokenAt  clock.Time      // when a freeze in the next assignment ends, if not 0
	prepared []scenario.Verb // what is to happen once in a later callback
	comeback *comeback       // what follows the end of the process, nil when nothing does

	pauses  []pauses   // that befall it, by kind
	started clock.Time // when the last process started
	crashes int        // how often its liveness probe ended it lately

	ids, latency, backoff, work, listen, node, probes *random.Stream

	pinned []string // member ids that the coordinator hands out, in order
	issued int
}

// comeback is the second half of a restart.
type comeback struct {
	down     time.Duration
	plan     *consumers.Plan // nil: as before
	instance *string         // nil: as the plan and the fleet say
	step     *fault          // goes on when the process has started again, or another order cancels that
	cause    int32           // number of the scenario's event behind it
}

func (w *world) addFleet(sf *scenario.Fleet) {
	f := &fleet{Fleet: sf, plan: &sf.Plan, sources: w.sourcesOf(sf)}
	w.fleets = append(w.fleets, f)
	w.grow(f, sf.Count)
	for n, a := range f.members {
		w.startAt(a, clock.At(sf.StartAt+time.Duration(n)*sf.StartEvery), 0)
	}
	w.startScaler(f)
}

// grow makes members until there are n.
func (w *world) grow(f *fleet, n int) {
	for len(f.members) < n {
		name := f.Member(len(f.members) + 1)
		a := &actor{
			name: name, owner: w.newOwner(), fleet: f, pinned: f.MemberIDs[name], links: w.links(),
			ids:     w.stream("coordinator/"+name, "member-id"),
			latency: w.stream("network/"+name, "latency"),
			backoff: w.stream("consumer/"+name, "backoff"),
			work:    w.stream("consumer/"+name, "processing"),
			listen:  w.stream("consumer/"+name, "listener"),
			node:    w.stream("consumer/"+name, "node"),
			probes:  w.stream("pod/"+name, "probes"),
		}
		a.pauses = w.pausesOf(f, name)
		a.adopt(f.plan)
		f.members = append(f.members, a)
		w.byName[name] = a
	}
}

// adopt makes plan the one that the next process is started from.
func (a *actor) adopt(plan *consumers.Plan) {
	a.plan, a.instance = plan, a.fleet.Instance
	if a.fleet.Static {
		a.instance = a.name
	}
}

// configure changes the settings of a's next processes. The one that runs has a plan of its own, and what was to
// come back with other settings comes back with these.
func (a *actor) configure(to *consumers.Plan) {
	a.plan = configured(a.plan, to)
	if a.comeback != nil {
		a.comeback.plan = nil
	}
}

// configured returns a plan with the settings of another one.
func configured(plan, to *consumers.Plan) *consumers.Plan {
	changed := *plan
	changed.Config = to.Config
	return &changed
}

// configureLater changes the settings of the members that fleets get later, where an event names a whole fleet.
func (w *world) configureLater(e *scenario.Event) {
	for _, s := range e.Who {
		if s.Kind == scenario.ByFleet {
			f := w.fleetNamed(s.Name)
			f.plan = configured(f.plan, e.Plan)
		}
	}
}

// startAt starts a's process at an instant, unless a gets another order before; cause is the event behind it.
func (w *world) startAt(a *actor, at clock.Time, cause int32) {
	w.queue.Schedule(at, event{kind: boot, to: a, life: a.orders, index: cause})
}

func (w *world) boot(a *actor) {
	if a.process != nil {
		return
	}
	back := a.comeback
	a.comeback = nil
	if back != nil && back.plan != nil {
		a.adopt(back.plan)
	}
	if back != nil && back.instance != nil {
		a.instance = *back.instance
	}
	a.life++
	w.tickets += 1 << 32
	a.restarts = w.cluster.brokers[0].restarts
	a.process = consumers.Start(w.now(), consumers.Identity{Name: a.name, Instance: a.instance}, a.plan, consumers.Env{
		Sink: w, Topics: w.topics, Tickets: w.tickets, Backoff: a.backoff, Work: a.work, Listen: a.listen, Cores: w.cores,
		Records: w.records.of(a.plan.Group), Brokers: len(w.cluster.brokers),
	})
	a.started = w.now()
	w.planPauses(a)
	w.firstProbe(a)
	w.wake(a)
	if back != nil && back.step != nil {
		w.stepFault(back.step)
	}
}

// wake steps a process, unless it is paused: then the step waits for the thaw. A paused process keeps its
// kernel, so what arrives meanwhile is in its socket buffers by then.
func (w *world) wake(a *actor) {
	if a.process == nil || a.frozen != 0 {
		return
	}
	p := a.process
	effects := p.Step(w.now())
	for i := range effects {
		e := &effects[i]
		switch e.Kind {
		case consumers.Connect:
			w.connect(a, e.Conn, w.brokerFor(a, e))
		case consumers.Send:
			if c := a.conns[e.Conn]; c != nil { // else it was reset, and the news are on their way
				w.sendRequest(c, &e.Request)
			}
		case consumers.Disconnect:
			w.closeByClient(a, e.Conn)
		case consumers.Exit:
			w.ended(a)
			return
		case consumers.Freeze:
			until := w.now().Add(e.For)
			if a.wokenAt > 0 {
				until, a.wokenAt = max(a.wokenAt, w.now()), 0
			}
			w.Record(trace.Event{
				At: w.now(), Kind: trace.FaultBegan, Who: a.name, Group: a.plan.Group,
				Text: string(scenario.FreezeInAssign), Until: until,
			})
			w.freeze(a, until, scenario.FreezeInAssign)
		}
	}
	w.setAlarm(a, p.Wake())
	w.watchActor(a)
	if w.now() < w.forward.to {
		w.leap(a)
	}
}

// settle lets a process do what it has left out so far, because nothing of that is seen from outside, before something
// happens to it that it is not told with the time of day. Only with records is there any such thing.
func (w *world) settle(a *actor) {
	if w.records.logs != nil {
		w.wake(a)
	}
}

func (w *world) setAlarm(a *actor, at clock.Time) {
	if at == clock.Never {
		w.queue.Cancel(a.alarm)
		return
	}
	at = max(at, w.now())
	if !w.queue.Reschedule(a.alarm, at) {
		a.alarm = w.queue.Schedule(at, event{kind: alarm, to: a})
	}
}

// ended forgets a process that is gone, and plans its restart if there is one.
func (w *world) ended(a *actor) {
	w.queue.Cancel(a.alarm)
	for c := range consumers.NumConns {
		w.closeByClient(a, c)
	}
	w.warnOfPending(a)
	a.done.Add(a.process.Routine())
	a.process, a.exited = nil, w.now()
	w.watchActor(a)
	if a.comeback != nil {
		w.startAt(a, w.now().Add(a.comeback.down), a.comeback.cause)
	}
}

// kill ends a process as SIGKILL does: its sockets are closed by the kernel, nobody is told.
func (w *world) kill(a *actor) {
	w.settle(a)
	w.unfreeze(a)
	member := a.process.Member()
	w.Record(trace.Event{
		At: w.now(), Kind: trace.ProcessExited, Who: a.name, Group: a.plan.Group, Member: member, Reason: trace.Killed,
	})
	w.ended(a)
}

func (w *world) freeze(a *actor, until clock.Time, by scenario.Verb) {
	if a.frozen == 0 {
		a.frozenAt, a.frozenBy = w.now(), by
	}
	if a.process != nil {
		a.process.Freeze()
	}
	a.frozen = max(a.frozen, until, clock.Time(1)) // a pause of no length at the start of the run ends too
	w.queue.Schedule(a.frozen, event{kind: thaw, to: a, life: a.life, index: w.cause})
}

func (w *world) thaw(a *actor) {
	if a.frozen == 0 || w.now() < a.frozen {
		return // it was killed, or a longer pause took over
	}
	idle := w.now().Sub(a.frozenAt)
	w.unfreeze(a)
	for _, c := range a.conns {
		if c != nil && idle >= brokerIdle {
			w.closedByBroker(c)
		}
	}
	w.wake(a)
}

// brokerIdle is how long a broker keeps a connection on which nothing arrives. Kafka: connections.max.idle.ms.
const brokerIdle = 10 * time.Minute

func (w *world) unfreeze(a *actor) {
	if a.frozen == 0 {
		return
	}
	a.frozen = 0
	w.Record(trace.Event{
		At: w.now(), Kind: trace.FaultEnded, Who: a.name, Group: a.plan.Group,
		Text: string(a.frozenBy), Since: a.frozenAt,
	})
}
