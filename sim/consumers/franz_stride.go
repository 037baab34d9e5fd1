package consumers

import "simulate/sim/clock"

// mayStride reports whether what the application does until an instant needs no steps of its own.
func (p *franz) mayStride(until clock.Time) bool {
	k := p.app.wait.Kind
	return strides && p.loaded() && (k == WaitRecords || k == WaitProcessing) && until != clock.Never &&
		!p.plan.Config.BlockRebalance && !p.asked.any() && !p.redelivers() && !p.mayWorkLong(until, 0)
}

// makeUp lets the application do what it has left out before an instant.
func (p *franz) makeUp(to clock.Time) {
	for p.app.strides && p.app.wait.Until < to {
		p.now = p.app.wait.Until
		p.appGoesOn()
	}
	p.app.strides = false
}

// Freeze ends a stride: what comes later than now does not happen at its instant.
func (p *franz) Freeze() { p.app.strides = false }
