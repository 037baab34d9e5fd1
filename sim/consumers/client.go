package consumers

import (
	"time"

	"simulate/sim/assignors"
	"simulate/sim/clock"
	"simulate/sim/random"
	"simulate/sim/records"
	"simulate/sim/trace"
	"simulate/sim/wire"
)

// Process is one life of a consumer process, as the world sees it. Each client library is a machine of its own over
// what all have in common (client); Start picks it. Where topics hold records it has to be stepped at an instant before
// anything but an arrival happens to it then: it may have left out what is not seen from outside (stride.go).
type Process interface {
	// Step lets the process go on as far as it can at this instant. The effects are valid until the next step.
	Step(now clock.Time) []Effect
	// Wake returns the instant of the next step that is due without any arrival, clock.Never when there is none.
	// After a step it is later than that step.
	Wake() clock.Time

	// What reaches its sockets. It is read in the next step.

	Receive(c Conn, r wire.Response)
	Connected(c Conn) // established, and its ApiVersions are known
	Closed(c Conn)    // closed or refused by the other side

	// TopicsChanged tells that the cluster has these topics from now on; the process learns of it by a refresh of
	// its metadata.
	TopicsChanged(now clock.Time, topics map[string]assignors.Topic)
	// MetadataBlinked tells that a broker which has just started answered Metadata without any topic.
	MetadataBlinked()
	// LoseFetch makes the Fetch that is in flight a request like any other, because its answer will be lost. It
	// returns the ticket and when the broker answers; ok is false when none is in flight, or losing it has no effect.
	LoseFetch(now clock.Time) (ticket wire.Ticket, answered clock.Time, ok bool)
	// FetchConn returns the connection of that Fetch.
	FetchConn() Conn

	// Freeze tells that nobody will step the process for a while, whatever Wake says.
	Freeze()
	// CutOff tells that no record reaches the process before an instant.
	CutOff(until clock.Time)

	// What the application, or the scenario, asks for.

	Stop(o CloseOptions)
	Stall(d time.Duration, atOnce bool)
	Commit()
	Subscribe(to Subscription, atOnce bool)
	EnforceRebalance(atOnce bool)
	SlowAssign(d time.Duration)
	FreezeInAssign(d time.Duration)
	SlowRevoke(d time.Duration)
	ThrowInCallback()
	Pending() Pending

	// Fast-forward: what a process does over and over can be computed. Without a step between them, what holds at one instant
	// of it holds at all.

	// Calm reports whether nothing but its routine is to come unless something happens to the process.
	Calm() (Calm, bool)
	// FastForward does the routine before an instant, of a process that is calm. It reports false, and does nothing, while an
	// answer is in flight, or when there is nothing to do.
	FastForward(to clock.Time) (Forwarded, bool)
	// Routine returns how much of it the process has done so far.
	Routine() Routine

	// What a diagnosis asks.

	Member() wire.MemberID    // "" when there is none
	Aware() bool              // knows that it has to rejoin, or is on its way
	PollWait() Wait           // what the application's thread, or loop, waits for
	PollDeadline() clock.Time // when max.poll.interval.ms makes the member leave, clock.Never while that is not watched
	Heartbeating() bool
	// Committing reports since when a commit has been tried, before which no JoinGroup leaves.
	Committing() (since clock.Time, ok bool)
}

// Env is what a process finds in the world around it.
type Env struct {
	Sink    trace.Sink
	Topics  map[string]assignors.Topic // the cluster's metadata; a change is a new map
	Brokers int                        // of the cluster; 0: several
	Tickets wire.Ticket                // the process numbers its requests from here on
	Backoff *random.Stream             // jitter of back-offs
	Work    *random.Stream             // processing times
	Listen  *random.Stream             // callback times
	Cores   Cores                      // nil: as many as needed
	Records *records.Group             // what topics hold, as the process's group reads it; nil: no topic ever holds any
}

// Cores is what a process computes on.
type Cores interface {
	// Run returns when d of work is done that is asked for now.
	Run(now clock.Time, d time.Duration) clock.Time
}

// client is what the processes of all libraries have: the membership as the client knows it, connections, and the
// requests on them. A machine embeds it and says in owner what follows from an answer.
type client struct {
	who         Identity // constant
	plan        *Plan    // constant
	cooperative bool     // constant; in franz-go as the group has voted
	profile     *Profile // constant
	env         Env      // constant
	routine     bool     // constant: its sink takes routine events
	owner       owner    // constant
	started     clock.Time

	now     clock.Time // of the step that runs, or of an earlier one that it makes up for
	stepped clock.Time // of the step that makes up for earlier ones, else 0
	out     []Effect   // of that step so far

	done       Routine // in steps or otherwise
	forwarding bool    // requests are answered at once

	strideUntil clock.Time // until when what it does with records needs no steps, 0 while it does

	// The membership.

	state      memberState
	member     wire.MemberID
	generation wire.Generation
	protocol   string // that the group voted for
	leading    bool
	assigned   []wire.TopicPartition // held until a callback has given it up
	positions  positions
	cutUntil   clock.Time // no record arrives before it
	memory     memory     // of the assignors

	subscription subscription
	metadata     metadata
	rejoinReason string // goes into the next JoinGroup (KIP-800)

	// The network client.

	coordinator int32 // the broker, -1 when unknown
	blinked     bool  // the metadata were empty for a moment
	conns       [NumConns]connection
	connecting  int              // how many of them are being set up
	pending     []pendingRequest // in flight or unsent
	inbox       []arrival        // what nobody has read yet
	tickets     wire.Ticket      // the last one given to a request

	asked orders
}

// owner is the machine around a client.
type owner interface {
	// answered handles the answer to a request.
	answered(sent pendingRequest, r wire.Response)
	// failed handles the loss of the connection, or the time-out, of a request.
	failed(sent pendingRequest)
}

// Start begins a process. Its first step must follow at once, and nobody may change its plan from now on.
func Start(now clock.Time, who Identity, plan *Plan, env Env) Process {
	c := client{
		who: who, plan: plan.ticking(), profile: profileOf(plan.Client), env: env, started: now, now: now,
		generation: wire.NoGeneration, coordinator: -1, tickets: env.Tickets, metadata: metadata{topics: env.Topics},
		routine: !trace.IgnoresRoutine(env.Sink), memory: newMemory(), cooperative: assignors.Cooperative(plan.Config.Assignors),
	}
	c.subscribe(Subscription{plan.Topics, plan.Pattern})
	started := trace.Event{Kind: trace.ProcessStarted, Instance: c.instance()}
	if !c.profile.OnJava() {
		started.Text, started.For = c.profile.Name, c.plan.RebalanceTimeout()
	}
	c.record(started)
	return c.profile.start(c)
}

// Member returns the member id, "" when there is none.
func (p *client) Member() wire.MemberID { return p.member }

// work returns when the process will have done d of work that it begins now.
func (p *client) work(d time.Duration) clock.Time {
	if p.env.Cores == nil {
		return p.now.Add(d)
	}
	return p.env.Cores.Run(p.now, d)
}

func (p *client) emit(e Effect) { p.out = append(p.out, e) }

func (p *client) record(e trace.Event) {
	e.At, e.Who, e.Group = max(p.now, p.stepped), p.who.Name, p.plan.Group
	p.env.Sink.Record(e)
}

// recordAnswer records an answer that comes all the time, where anybody wants to have it.
func (p *client) recordAnswer(kind trace.Kind, member wire.MemberID, err wire.Err) {
	if p.routine {
		p.record(trace.Event{Kind: kind, Member: member, Err: err})
	}
}

func (p *client) instance() wire.InstanceID { return wire.InstanceID(p.who.Instance) }

func (p *client) exits(reason trace.Reason) {
	p.record(trace.Event{Kind: trace.ProcessExited, Reason: reason})
	p.emit(Effect{Kind: Exit, Reason: reason})
}

// failed hands the loss of its connection, or the time-out, to whoever sent the request.
func (p *client) failed(sent pendingRequest) { p.owner.answered(sent, sent.lost()) }

// Committing reports nothing: most clients send JoinGroup whatever has become of their commits.
func (p *client) Committing() (since clock.Time, ok bool) { return 0, false }

// PollDeadline returns clock.Never: most clients do not watch how often they are polled.
func (p *client) PollDeadline() clock.Time { return clock.Never }

// LoseFetch reports that nothing comes of a lost Fetch.
func (p *client) LoseFetch(clock.Time) (ticket wire.Ticket, answered clock.Time, ok bool) {
	return 0, 0, false
}

// FetchConn returns the connection to any broker: most clients keep what they fetch off the one to the coordinator.
func (p *client) FetchConn() Conn { return NodeConn }

// CutOff notes until when no record reaches the process.
func (p *client) CutOff(until clock.Time) { p.cutUntil = max(p.cutUntil, until) }

// MetadataBlinked notes that the metadata were empty for a moment.
func (p *client) MetadataBlinked() { p.blinked = true }

func ms(d time.Duration) int32 { return int32(d / time.Millisecond) }
