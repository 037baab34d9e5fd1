package consumers

import (
	"time"

	"simulate/sim/assignors"
	"simulate/sim/clock"
	"simulate/sim/random"
	"simulate/sim/trace"
	"simulate/sim/wire"
)

// Env is what a process finds in the world around it.
type Env struct {
	Sink    trace.Sink
	Topics  map[string]assignors.Topic // the cluster's metadata; a change is a new map
	Tickets wire.Ticket                // the process numbers its requests from here on
	Backoff *random.Stream             // jitter of back-offs
	Work    *random.Stream             // processing times
	Listen  *random.Stream             // callback times
	Cores   Cores                      // nil: as many as needed
}

// Cores is what a process computes on.
type Cores interface {
	// Run returns when d of work is done that is asked for now.
	Run(now clock.Time, d time.Duration) clock.Time
}

// Process is one life of a consumer process: two threads over shared membership.
type Process struct {
	plan         Plan    // constant
	cooperative  bool    // constant
	profile      Profile // constant
	env          Env     // constant
	started      clock.Time
	bootstrapped clock.Time // no lookup before it

	now clock.Time // of the step that runs
	out []Effect   // of that step so far

	poll      pollThread
	heartbeat heartbeatThread

	// The membership, which both threads share under the coordinator lock.

	state      memberState
	member     wire.MemberID
	generation wire.Generation
	protocol   string // that the group voted for
	leading    bool
	assigned   []wire.TopicPartition // held until a callback has given it up
	positions  positions
	memory     memory // of the assignors

	// The way to another one.

	subscription subscription
	metadata     metadata
	rejoinNeeded bool
	rejoinReason string // goes into the next JoinGroup (KIP-800)
	needsPrepare bool   // run the pre-join hook before the next JoinGroup
	join         joinFuture

	// The network client, which they share too.

	coordinator int32 // the broker, -1 when unknown
	lookingUp   bool  // a FindCoordinator is outstanding
	blinked     bool  // the metadata were empty for a moment
	conns       [NumConns]connection
	pending     []pendingRequest // in flight or unsent
	inbox       []arrival        // what no thread has read yet
	tickets     wire.Ticket      // the last one given to a request
}

// Start begins a process. Its first step must follow at once.
func Start(now clock.Time, plan Plan, env Env) *Process {
	p := &Process{
		plan: plan, env: env, started: now, now: now,
		generation: wire.NoGeneration, rejoinNeeded: true, needsPrepare: true,
		coordinator: -1, tickets: env.Tickets, metadata: metadata{topics: env.Topics},
		memory: newMemory(), cooperative: assignors.Cooperative(plan.Config.Assignors),
	}
	p.profile, _ = FindProfile(plan.Client)
	p.subscribe(Subscription{plan.Topics, plan.Pattern})
	c := &p.plan.Config // Java spins where these are 0; in a run no time would pass
	c.RetryBackoff = max(c.RetryBackoff, time.Millisecond)
	c.RetryBackoffMax = max(c.RetryBackoffMax, time.Millisecond)
	c.MetadataMaxAge = max(c.MetadataMaxAge, time.Millisecond)
	c.AutoCommitInterval = max(c.AutoCommitInterval, time.Millisecond)
	p.record(trace.Event{Kind: trace.ProcessStarted, Instance: p.instance()})
	p.wait(WaitBoot, now.Add(env.Work.Draw(plan.Boot)))
	return p
}

// Step lets both threads go on as far as they can at this instant. The effects are valid until the next
// step.
func (p *Process) Step(now clock.Time) []Effect {
	p.now, p.out = now, p.out[:0]
	for p.poll.wait.Kind != WaitExited {
		read := p.poll.wait.Kind.readsNetwork()
		switch {
		case !read && p.heartbeatTicks():
		case read && len(p.inbox) > 0 || p.timedOut():
			p.pollThreadWakes()
		default:
			return p.out
		}
	}
	return p.out
}

func (p *Process) timedOut() bool {
	if p.now >= p.poll.wait.Until {
		return true
	}
	if !p.poll.wait.Kind.readsNetwork() {
		return false
	}
	return p.now >= p.Wake()
}

// Wake returns the instant of the next step that is due without any arrival, clock.Never when there is none.
// After a step it is later than that step.
func (p *Process) Wake() clock.Time {
	if p.poll.wait.Kind == WaitExited {
		return clock.Never
	}
	at := p.poll.wait.Until
	if p.poll.wait.Kind.readsNetwork() {
		for i := range p.pending {
			at = min(at, p.pending[i].deadline)
		}
		for c := range p.conns {
			if p.conns[c].state == connecting {
				at = min(at, p.conns[c].giveUpAt)
			}
		}
		return at
	}
	return min(at, p.nextTick())
}

// PollWait returns what the poll thread waits for.
func (p *Process) PollWait() Wait { return p.poll.wait }

// Member returns the member id, "" when there is none.
func (p *Process) Member() wire.MemberID { return p.member }

// Aware reports whether the poll thread knows that it has to rejoin, or is on its way.
func (p *Process) Aware() bool { return p.rejoinNeeded || p.join.stage != noJoin }

// PollDeadline returns when max.poll.interval.ms makes the member leave, clock.Never while that is not
// watched.
func (p *Process) PollDeadline() clock.Time {
	if !p.Heartbeating() {
		return clock.Never
	}
	return p.heartbeat.pollUntil
}

// Heartbeating reports whether the heartbeat thread is at work.
func (p *Process) Heartbeating() bool { return p.heartbeat.enabled && !p.hasNotJoined() }

// work returns when the process will have done d of work that it begins now.
func (p *Process) work(d time.Duration) clock.Time {
	if p.env.Cores == nil {
		return p.now.Add(d)
	}
	return p.env.Cores.Run(p.now, d)
}

func (p *Process) emit(e Effect) { p.out = append(p.out, e) }

func (p *Process) record(e trace.Event) {
	e.At, e.Who, e.Group = p.now, p.plan.Name, p.plan.Group
	p.env.Sink.Record(e)
}

func (p *Process) exit(reason trace.Reason) {
	p.wait(WaitExited, clock.Never)
	p.record(trace.Event{Kind: trace.ProcessExited, Reason: reason})
	p.emit(Effect{Kind: Exit, Reason: reason})
}

func (p *Process) instance() wire.InstanceID { return wire.InstanceID(p.plan.Instance) }

func ms(d time.Duration) int32 { return int32(d / time.Millisecond) }
