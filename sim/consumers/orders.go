package consumers

import "time"

// Stall keeps the application from polling for d, beginning when the running poll() returns; while it is
// processing, it adds to that. With atOnce it begins now even inside poll().
func (p *Process) Stall(d time.Duration, atOnce bool) {
	p.poll.stall += d
	switch kind := p.poll.wait.Kind; {
	case kind == WaitProcessing || kind == WaitStall:
		p.poll.wait.Until = p.poll.wait.Until.Add(p.poll.stall)
		p.poll.stall = 0
	case atOnce && kind.readsNetwork() && p.poll.closing == notClosing:
		p.poll.ends = p.now
		p.poll.wait.Until = p.now
	}
}

// SlowAssign makes the next assignment that this process computes as leader take d longer.
func (p *Process) SlowAssign(d time.Duration) { p.poll.slowAssign += d }

// Stop asks the application to end: it wakes poll() up and calls close(). An application that is between
// two polls, or in a callback, notices when it calls poll() again.
func (p *Process) Stop() {
	p.poll.stopAsked = true
	if p.poll.closing == notClosing && p.poll.wait.Kind.readsNetwork() || p.poll.wait.Kind == WaitBackoff {
		p.poll.wait.Until = p.now
	}
}
