package explain

import (
	"slices"

	"simulate/sim/clock"
	"simulate/sim/metrics"
	"simulate/sim/wire"
)

// Cause is what is behind a moment of a run.
type Cause struct {
	Chain    *Chain    // of the rebalance that the moment belongs to; nil when there is none
	Steps    []*Step   // to what happened to a member in the moment, or at its end; nil when the Chain says it all
	Settings []Setting // those of the last cause first
}

// Behind returns what is behind a moment of the group: the chain of the rebalance that it is, or belongs to, and how a
// member came to be removed or failed then. A time without a coordinator belongs to no rebalance.
func (g *Group) Behind(m *metrics.Moment) Cause {
	var c Cause
	if i := slices.IndexFunc(g.unserved, func(s *Step) bool { return s.At == m.At }); i >= 0 && m.State == wire.Dead {
		return Cause{Steps: chainTo(g.unserved[i])}
	}
	if i := g.chainAt(m); i >= 0 {
		c.Chain = &g.Chains[i]
	}
	s := g.toMember(m)
	if s == nil && c.Chain != nil && m.Kind == metrics.Stay && m.State == wire.PreparingRebalance {
		s = c.Chain.LastJoin
	}
	if s != nil && (c.Chain == nil || !slices.Contains(c.Chain.Steps, s)) {
		c.Steps = sinceRebalance(chainTo(s))
	}
	c.Settings = c.settings(m)
	return c
}

// chainAt returns the index of the rebalance that a moment belongs to, -1 when there is none: the one that an instant
// is in or ends, or the one that takes most of what lasts; else the last one before.
func (g *Group) chainAt(m *metrics.Moment) int {
	at := m.At
	if m.Kind == metrics.AnomalyFound { // what made it one comes at its end
		at = m.Until
	}
	if m.Kind != metrics.Stay && m.Kind != metrics.NobodyHeld && m.Kind != metrics.NobodyRan && m.Kind != metrics.LagGrew {
		return g.lastBy(at)
	}
	best, most := -1, clock.Time(0)
	for i := range g.Chains {
		r := &g.Chains[i].Rebalance
		if shared := min(r.Until, m.Until) - max(r.At, m.At); shared > most {
			best, most = i, shared
		}
	}
	if best < 0 {
		return g.lastBy(at)
	}
	return best
}

// lastBy returns the index of the last rebalance that began by an instant, -1 when there was none.
func (g *Group) lastBy(at clock.Time) int {
	last := -1
	for i := range g.Chains {
		if g.Chains[i].Rebalance.At <= at {
			last = i
		}
	}
	return last
}

// toMember returns what happened to a member in a moment: its removal or its failure; of what lasts, the removal that
// ended it, as that of the last member that a rebalance waited for.
func (g *Group) toMember(m *metrics.Moment) *Step {
	steps := g.removed
	switch {
	case m.Kind == metrics.PollFailed:
		steps = g.failed
	case m.Kind == metrics.NobodyHeld || m.Kind == metrics.NobodyRan || m.Kind == metrics.RebalanceBegan:
		return nil // the rebalance says it
	case m.Kind == metrics.Stay && m.State != wire.PreparingRebalance && m.State != wire.CompletingRebalance:
		return nil
	}
	for _, s := range slices.Backward(steps) {
		if s.At == m.Until && (m.Member == "" || m.Member == s.Member) && (m.Kind != metrics.PollFailed || s.Who == m.Who) {
			return s
		}
	}
	return nil
}
