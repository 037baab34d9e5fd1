package sim

import (
	"fmt"
	"slices"
	"time"

	"simulate/sim/clock"
	"simulate/sim/consumers"
	"simulate/sim/random"
	"simulate/sim/scenario"
	"simulate/sim/trace"
	"simulate/sim/wire"
)

// fault is one occurrence of a scenario's event while it is being carried out. It is stepped when it
// begins and whenever what it waits for has happened.
type fault struct {
	event  *scenario.Event
	number int // 1-based, in the scenario
	times  int // how often the event has happened, this occurrence included

	begun   bool
	targets []*actor     // rolling-restart: those still to come; crash-loop: the one that crashes
	groups  []string     // rolling-restart: which it acts on
	waiting int          // rolling-restart: how many of the batch have not started again
	up      bool         // crash-loop: it has been started and is to be killed next
	orders  uint32       // crash-loop: what the actor had been told when the loop began
	client  *connection  // raw-join: of its client
	pod     *pod         // rollout: one that it has created; then every step is about it
	ends    *trace.Event // to be recorded when the fault is over; then that is its only step
}

func (w *world) scheduleEvent(i int) {
	e := &w.scenario.Events[i]
	w.queue.Schedule(clock.At(e.At), event{kind: faulted, to: &fault{event: e, number: i + 1, times: 1}})
}

// stepFault carries out the next step of a fault.
func (w *world) stepFault(f *fault) {
	before := w.cause // an order can end what another event had planned
	w.cause = int32(f.number)
	w.step(f)
	w.cause = before
}

func (w *world) step(f *fault) {
	switch {
	case f.ends != nil:
		f.ends.At = w.now()
		w.Record(*f.ends)
	case f.pod != nil:
		w.stepPod(f)
	case !f.begun:
		f.begun = true
		w.repeat(f)
		w.begin(f)
	case f.event.Do == scenario.RollingRestart:
		w.rollingStarted(f)
	case f.event.Do == scenario.CrashLoop:
		w.crashAgain(f)
	case f.event.Do == scenario.RawJoin:
		w.rawLeaves(f.client, wire.None)
	}
}

// repeat schedules the next occurrence of an event that repeats.
func (w *world) repeat(f *fault) {
	e := f.event
	if e.Every == nil || e.Times > 0 && f.times >= e.Times {
		return
	}
	at := w.now().Add(w.eventStream(f.number, "every").Draw(*e.Every))
	if e.Until > 0 && e.Do != scenario.CrashLoop && at > clock.At(e.Until) {
		return
	}
	w.queue.Schedule(at, event{kind: faulted, to: &fault{event: e, number: f.number, times: f.times + 1}})
}

// eventStream returns the stream of an event for one purpose; repetitions go on where the last one ended.
func (w *world) eventStream(number int, purpose string) *random.Stream {
	key := streamKey{number, purpose}
	s := w.eventStreams[key]
	if s == nil {
		s = w.stream(fmt.Sprintf("event/%d", number), purpose)
		w.eventStreams[key] = s
	}
	return s
}

type streamKey struct {
	number  int
	purpose string
}

func (w *world) begin(f *fault) {
	if w.beginsBesideMembers(f) {
		return
	}
	e := f.event
	targets := w.resolve(f)
	if len(targets) == 0 {
		w.warn("%s found nobody to act on: %s", e.Do, whyNobody(e.Do))
		return
	}
	if e.Do == scenario.RollingRestart {
		f.targets = targets
		f.groups = groupsOf(targets)
		for _, group := range f.groups {
			w.Record(trace.Event{At: w.now(), Kind: trace.FaultBegan, Group: group, Text: string(e.Do), Until: clock.Never})
		}
		w.rollNext(f)
		return
	}
	for _, a := range targets {
		w.act(f, a)
	}
	if e.Do == scenario.Configure {
		w.configureLater(e)
	}
}

// beginsBesideMembers carries out an event that is not carried out member by member: on brokers, topics, a whole fleet
// or group, a client that is no consumer. It reports false for the others.
func (w *world) beginsBesideMembers(f *fault) bool {
	e := f.event
	switch {
	case e.Do == scenario.Scale:
		w.scale(f)
	case e.Do == scenario.Rollout:
		w.rollOut(f)
	case e.Do == scenario.BrokerRestart:
		w.restartBroker(f)
	case e.Do == scenario.MoveCoordinator:
		w.moveCoordinator(f)
	case e.Do == scenario.SlowAppend:
		w.slowAppend(f)
	case e.Do == scenario.FailAppend:
		w.failAppend(f)
	case changesTopics(e):
		w.changeTopic(f)
	case administers(e):
		w.administer(f)
	case e.Do == scenario.RawJoin:
		w.rawJoin(f)
	case e.Do == scenario.HoldLeaderSync && e.Group != "":
		w.holdSyncOf(f)
	default:
		return false
	}
	return true
}

// whyNobody says what an event looked for in vain.
func whyNobody(do scenario.Verb) string {
	if do == scenario.Start {
		return "all such consumers run already"
	}
	return "no such consumer runs"
}

// act does to one member what the event says.
func (w *world) act(f *fault, a *actor) {
	w.settle(a)
	switch f.event.Do {
	case scenario.Kill, scenario.Stop, scenario.Start, scenario.Restart, scenario.CrashLoop:
		w.actOnLife(f, a)
	case scenario.Pause, scenario.Configure, scenario.HoldLeaderSync, scenario.Drop, scenario.Delay, scenario.Reset,
		scenario.AbandonMemberID:
		w.actFromOutside(f, a)
	case scenario.SlowAssign, scenario.SlowRevoke, scenario.ThrowInCallback, scenario.FreezeInAssign:
		w.began(f, a, w.now())
		w.prepareCallback(f, a)
	default:
		w.began(f, a, w.now())
		w.tell(f, a)
		w.wake(a)
	}
	w.watchActor(a)
}

// actOnLife starts and ends the process of a member.
func (w *world) actOnLife(f *fault, a *actor) {
	e, until := f.event, w.now()
	switch e.Do {
	case scenario.Restart:
		w.began(f, a, clock.Never)
		w.restart(f, a, w.endOf(f, a))
		return
	case scenario.CrashLoop:
		until = untilOf(e.Until, w.end)
	}
	w.order(a)
	w.began(f, a, until)
	switch e.Do {
	case scenario.Kill:
		w.kill(a)
	case scenario.Stop:
		w.close(a, e.Close)
	case scenario.Start:
		a.comeback = &comeback{plan: e.Plan, instance: e.Instance}
		w.boot(a)
	case scenario.CrashLoop:
		w.crash(&fault{event: e, number: f.number, begun: true, targets: []*actor{a}, orders: a.orders})
	}
}

// actFromOutside acts on a member without its application: on its machine, its network, its settings, its name.
func (w *world) actFromOutside(f *fault, a *actor) {
	e, now := f.event, w.now()
	switch e.Do {
	case scenario.Pause:
		until := now.Add(w.lasting(f))
		w.began(f, a, until)
		w.freeze(a, until, e.Do)
		return
	case scenario.Drop:
		w.drop(f, a, now.Add(w.lasting(f)))
		return
	case scenario.Delay:
		w.delay(f, a, now.Add(w.lasting(f)))
		return
	}
	w.began(f, a, now)
	switch e.Do {
	case scenario.Configure:
		a.configure(e.Plan)
	case scenario.HoldLeaderSync:
		w.holdSync(syncHold{of: a, lasting: w.lasting(f)})
	case scenario.Reset:
		w.resetConnections(a)
	case scenario.AbandonMemberID:
		w.abandonMemberID(a)
	}
}

// tell makes the application of a member do what the event says.
func (w *world) tell(f *fault, a *actor) {
	e, p := f.event, a.process
	switch e.Do {
	case scenario.Stall:
		p.Stall(w.lasting(f), e.AtOnce)
	case scenario.Commit:
		p.Commit()
	case scenario.Subscribe, scenario.Unsubscribe:
		p.Subscribe(consumers.Subscription{Topics: e.Topics, Pattern: e.Pattern}, e.AtOnce)
	case scenario.EnforceRebalance:
		p.EnforceRebalance(e.AtOnce)
	}
}

// order notes that a member was told something new: what an earlier order still had planned is off.
func (w *world) order(a *actor) {
	a.orders++
	back := a.comeback
	a.comeback = nil
	if back != nil && back.step != nil {
		w.stepFault(back.step)
	}
}

func (w *world) lasting(f *fault) time.Duration {
	return w.eventStream(f.number, "for").Draw(f.event.For)
}

// abandonMemberID lets somebody like a, but dynamic, ask for a member id and vanish. (A static member is
// added, or replaces the one before it, without being asked to come back.)
func (w *world) abandonMemberID(a *actor) {
	c := &connection{serial: wire.Ticket(len(w.conns)), actor: a, broker: w.leaderOf(a.plan.Group), clientGone: true}
	w.conns = append(w.conns, c)
	join := consumers.FirstJoin(consumers.Identity{Name: a.name}, a.plan)
	w.sendRequest(c, &join)
}

// began records the beginning of a fault, so that a report can shade it.
func (w *world) began(f *fault, a *actor, until clock.Time) {
	w.Record(trace.Event{
		At: w.now(), Kind: trace.FaultBegan, Who: a.name, Group: a.plan.Group, Text: string(f.event.Do), Until: until,
	})
}

// groupsOf returns the groups that actors belong to, each once, in the order of the actors.
func groupsOf(actors []*actor) []string {
	var groups []string
	for _, a := range actors {
		if !slices.Contains(groups, a.plan.Group) {
			groups = append(groups, a.plan.Group)
		}
	}
	return groups
}

// endOf returns the step that records the end of a fault that begins now.
func (w *world) endOf(f *fault, a *actor) *fault {
	e := trace.Event{Kind: trace.FaultEnded, Who: a.name, Group: a.plan.Group, Text: string(f.event.Do), Since: w.now()}
	return &fault{event: f.event, number: f.number, ends: &e}
}

// endsAt records the end of a fault at an instant.
func (w *world) endsAt(f *fault, a *actor, until clock.Time) {
	w.queue.Schedule(until, event{kind: faulted, to: w.endOf(f, a)})
}

func (w *world) warn(format string, args ...any) {
	w.Record(trace.Event{At: w.now(), Kind: trace.RunWarning, Text: fmt.Sprintf(format, args...)})
}
