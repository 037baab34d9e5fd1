package consumers

import (
	"time"

	"simulate/sim/clock"
	"simulate/sim/wire"
)

// Routine counts what a process does over and over. Polls are those of Java consumers and of what is built on them: the
// machines of other libraries leave out those of which nothing comes.
type Routine struct {
	Heartbeats int64 // that were sent
	Commits    int64 // OffsetCommit requests that were sent
	Polls      int64 // calls of poll()
}

// Add adds what another one counts.
func (r *Routine) Add(o Routine) {
	r.Heartbeats += o.Heartbeats
	r.Commits += o.Commits
	r.Polls += o.Polls
}

// Calm is what is known of a process that does nothing but its routine.
type Calm struct {
	Cycle     time.Duration // the longest of the cycles that the routine consists of
	Heartbeat clock.Time    // the next one is sent by then
	Commits   time.Duration // from one to the next, 0 when there are none
}

// Forwarded is what a process did without steps.
type Forwarded struct {
	Heartbeats  int64         // how many of them there were
	LastRequest clock.Time    // when the last of its requests was sent, 0 when there was none
	Session     time.Duration // session.timeout.ms, which the coordinator counts from that one
}

// Calm reports nothing: the routine of most clients is not computed.
func (p *client) Calm() (Calm, bool) { return Calm{}, false }

// FastForward does nothing: the routine of most clients is not computed.
func (p *client) FastForward(clock.Time) (Forwarded, bool) { return Forwarded{}, false }

// Routine returns what the process has done over and over so far.
func (p *client) Routine() Routine { return p.done }

// onlyRoutineInFlight reports whether no answer is outstanding but those of heartbeats and commits, on connections that
// are ready, and everything that has arrived is such an answer.
func (p *client) onlyRoutineInFlight() bool {
	for i := range p.pending {
		r := &p.pending[i]
		if r.api != wire.Heartbeat && r.api != wire.OffsetCommit || p.conns[r.conn].state != ready {
			return false
		}
	}
	for i := range p.inbox {
		if a := &p.inbox[i]; a.kind != arrivedResponse || a.response.Err != wire.None {
			return false
		}
	}
	return true
}

// pretend is send while a process is fast-forwarded: the request is answered at once.
func (p *client) pretend(c Conn, api wire.API) {
	p.conns[c].usedAt = p.now
	p.owner.answered(pendingRequest{api: api, conn: c, member: p.member, generation: p.generation}, wire.Response{API: api})
}

// cycles moves an instant on by whole periods until it is not before to. It returns how many those are, and the last of
// the instants that were passed, 0 when there is none.
func cycles(at *clock.Time, period time.Duration, to clock.Time) (n int64, last clock.Time) {
	if *at >= to {
		return 0, 0
	}
	n = int64((to.Sub(*at) + period - 1) / period)
	*at = at.Add(time.Duration(n) * period)
	return n, at.Add(-period)
}
