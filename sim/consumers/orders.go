package consumers

import "time"

// orders are what was asked from outside and is not done yet.
type orders struct {
	stop       bool
	stall      time.Duration
	slowAssign time.Duration // added to the next assignment
	commit     bool          // before the next poll()
}

// Stall keeps the application from polling for d, beginning when the running poll() returns or what it
// returned last is processed; it adds to a stall that has begun. With atOnce it begins now even inside
// poll().
func (p *Process) Stall(d time.Duration, atOnce bool) {
	p.poll.asked.stall += d
	switch kind := p.poll.wait.Kind; {
	case kind == WaitStall:
		p.poll.wait.Until = p.poll.wait.Until.Add(p.poll.asked.stall)
		p.poll.asked.stall = 0
	case atOnce && kind.readsNetwork() && !p.closing():
		p.poll.ends = p.now
		p.poll.wait.Until = p.now
	}
}

// SlowAssign makes the next assignment that this process computes as leader take d longer.
func (p *Process) SlowAssign(d time.Duration) { p.poll.asked.slowAssign += d }

// Commit makes the application call commitAsync() before it calls poll() again: at once when it sits in
// poll(), which returns then. A member that is not in its group at that moment commits nothing.
func (p *Process) Commit() {
	p.poll.asked.commit = true
	if k := p.poll.wait.Kind; k.readsNetwork() && !p.closing() {
		p.poll.ends = p.now
		p.poll.wait.Until = p.now
	}
}

// Stop asks the application to end: it wakes poll() up and calls close(). An application that is between
// two polls, or in a callback, notices when it calls poll() again.
func (p *Process) Stop() {
	p.poll.asked.stop = true
	if !p.closing() && p.poll.wait.Kind.readsNetwork() || p.poll.wait.Kind == WaitBackoff {
		p.poll.wait.Until = p.now
	}
}
