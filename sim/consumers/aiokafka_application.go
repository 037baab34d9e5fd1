package consumers

import (
	"time"

	"simulate/sim/assignors"
	"simulate/sim/clock"
	"simulate/sim/wire"
)

// aioApplication is the application's coroutine: it calls getmany() in a loop. aiokafka: AIOKafkaConsumer.getmany.
type aioApplication struct {
	wait      Wait
	fetching  bool       // it is inside getmany()
	ends      clock.Time // when that returns at the latest
	fetchedAt clock.Time // when the last one returned; aiokafka: SubscriptionState.fetcher_idle_time
	returned  int        // records that it returned, and that are not handled yet
	fetchAt   clock.Time // when the first Fetch of the assignment was sent

	raises    wire.Err // what the next getmany() raises
	exception string   // "" for nothing
	failed    bool     // it stops because of that
}

// await makes the application wait.
func (p *aiokafka) await(kind WaitKind, until clock.Time) {
	p.application.wait = Wait{Kind: kind, Since: p.now, Until: until}
}

// applicationWakes goes on with the application.
func (p *aiokafka) applicationWakes() {
	a := &p.application
	returned := a.fetching
	switch a.wait.Kind {
	case WaitBoot:
		p.connect(NodeConn)
		p.refreshBehind(0)
		p.coordination.autoCommitAt = p.now.Add(p.plan.Config.AutoCommitInterval)
	case WaitStall:
		p.recordStallEnd(a.wait.Since)
	case WaitClose:
		return
	case WaitRecords:
		if a.returned = p.fetchable(p.plan.Config.MaxPollRecords); a.returned > 0 {
			p.take(a.returned)
		}
	}
	if a.fetching {
		a.fetching, a.fetchedAt = false, p.now
	}
	if !p.asked.stop && (p.stalls() || !p.obey() || returned && p.processes()) {
		return
	}
	p.fetch()
}

// stalls lets the application await something else if it was told to.
func (p *aiokafka) stalls() bool {
	d := p.asked.stall
	if d <= 0 {
		return false
	}
	p.asked.stall = 0
	p.await(WaitStall, p.now.Add(d))
	p.recordStall(d)
	return true
}

// processes lets the application handle what getmany() returned, which blocks the loop. It reports whether that takes
// time.
func (p *aiokafka) processes() bool {
	d := p.takes(p.application.returned)
	if d <= 0 {
		return false
	}
	p.application.wait = Wait{Kind: WaitProcessing, Since: p.now, Until: p.work(d)}
	p.recordProcessing(p.application.returned, d)
	return true
}

// fetch calls getmany(), or stop() when the application was asked to end; it raises what the coordination could not
// deal with.
func (p *aiokafka) fetch() {
	a := &p.application
	p.handleAll()
	a.returned = 0
	switch {
	case p.asked.stop:
		p.stops()
		return
	case p.subscription.none():
		p.await(WaitSubscription, clock.Never)
		return
	case a.exception != "":
		p.raise()
		return
	}
	a.fetching, a.ends = true, p.now.Add(p.plan.PollTimeout+pollCost)
	p.await(WaitRecords, min(a.ends, max(p.nextRecord(), p.now.Add(pollCost))))
	if p.coordination.idle {
		p.fetchedAgain()
	}
}

// strides returns the instant until which what the application does with records needs no steps of its own; 0 when it
// does. Where processes share cores it matters to the others when that is.
func (p *aiokafka) strides() clock.Time {
	a, c := &p.application, &p.coordination
	quiet := c.stage == aioRests && !c.runs && !p.rejoinNeeded && p.hasPositions() && len(p.pending) == 0 && len(p.inbox) == 0
	if !quiet || p.env.Cores != nil || a.exception != "" || a.wait.Kind == WaitRecords && !a.fetching {
		return 0
	}
	until := min(p.nextTimeout(), p.heartbeat.due(), c.wait.Until)
	if a.wait.Until >= until || !p.mayStride(a.wait.Kind, until, p.plan.Config.MaxPollRecords) {
		return 0
	}
	return until
}

func (p *aiokafka) readsAt() clock.Time { return p.application.wait.Until }
func (p *aiokafka) readOn()             { p.applicationWakes() }

// raise lets the exception of the coordination leave getmany(), which goes on then. It ends the application, unless
// that goes on after an exception that may pass.
func (p *aiokafka) raise() {
	a := &p.application
	err, exception := a.raises, a.exception
	a.raises, a.exception = wire.None, ""
	p.coordination.runs = true
	if p.isEndedBy(err, exception) {
		a.failed = true
		p.stops()
		return
	}
	p.await(WaitStall, p.now.Add(p.plan.PollAgain))
}

// stops is the application's call of stop(), which waits until the coordination has finished.
// aiokafka: GroupCoordinator.close.
func (p *aiokafka) stops() {
	p.coordination.closing, p.coordination.runs = true, true
	p.await(WaitClose, clock.Never)
}

// Stall makes the application await something else for d, from when the running getmany() returns or, with atOnce,
// from now on; it adds to a stall that has begun.
func (p *aiokafka) Stall(d time.Duration, atOnce bool) {
	if p.application.wait.Kind == WaitStall {
		p.application.wait.Until = p.application.wait.Until.Add(d)
		return
	}
	p.asked.stall += d
	p.returns(atOnce)
}

// Commit makes the application commit before it fetches again.
func (p *aiokafka) Commit() {
	p.asked.commit = true
	p.returns(true)
}

// Subscribe makes the application subscribe to something else, or with the zero Subscription to nothing, before it
// fetches again; with atOnce getmany() returns now. From topics to a pattern, or back, the way is over the zero
// Subscription; else subscribe() raises.
func (p *aiokafka) Subscribe(to Subscription, atOnce bool) {
	p.asked.subscribes = append(p.asked.subscribes, to)
	p.returns(atOnce || p.application.wait.Kind == WaitSubscription)
}

// EnforceRebalance does nothing: aiokafka has no enforceRebalance().
func (p *aiokafka) EnforceRebalance(bool) {}

// Stop asks the application to end: it calls stop() at once, unless it stalls or processes.
func (p *aiokafka) Stop(o CloseOptions) {
	p.asked.stop, p.asked.closing = true, o
	p.returns(true)
}

// returns ends the running getmany(), or the wait for a subscription, if it is to be at once.
func (p *aiokafka) returns(atOnce bool) {
	if w := &p.application.wait; atOnce && (w.Kind == WaitRecords || w.Kind == WaitSubscription) {
		w.Until = p.now
	}
}

// obey carries out what the application was asked to do before it fetches again. It reports false when subscribe()
// raises.
func (p *aiokafka) obey() bool {
	asked := &p.asked
	if asked.commit {
		asked.commit = false
		if p.state == stable && p.hasPositions() && p.coordinator >= 0 {
			p.requestCommit()
		}
	}
	for to, ok := p.nextSubscription(); ok; to, ok = p.nextSubscription() {
		if p.subscription.excludes(to) {
			p.application.exception = pythonError("IllegalStateException")
			p.raise()
			return false
		}
		p.changeSubscription(to)
		p.refreshBehind(p.application.fetchAt)
		if p.subscription.none() {
			p.unsubscribed()
			continue
		}
		p.coordination.resubscribed = true
		p.requestRejoin("subscription has changed")
	}
	return true
}

// unsubscribed gives up what is assigned without a call of the listener, and leaves the group.
// aiokafka: AIOKafkaConsumer.unsubscribe.
func (p *aiokafka) unsubscribed() {
	c := &p.coordination
	if revokes := c.stage == aioListens && c.listener.kind == givingUp; len(p.assigned) > 0 && !revokes {
		p.settle(listenerCall{kind: givingUp, partitions: p.assigned})
	}
	c.prepared, p.heartbeat.runs = false, false
	p.sendLeave(leavesUnsubscribed)
	p.reset(wire.LeaveGroup, wire.None)
}

// TopicsChanged tells that the cluster has these topics from now on. The process learns of it by its next refresh.
func (p *aiokafka) TopicsChanged(now clock.Time, topics map[string]assignors.Topic) {
	p.now = now
	p.learnsLater(topics, p.application.fetchAt)
	p.coordination.runs = true
}
