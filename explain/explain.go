package explain

import (
	"simulate/sim/metrics"
	"simulate/sim/trace"
)

// loopFrom is from how many rebalances on that came from each other the same way they are a loop.
const loopFrom = 3

// Explain returns the chains of all groups that rebalanced, sorted by name. fold has recorded the same events.
func Explain(events []trace.Event, fold *metrics.Fold) []Group {
	c := newCauses(fold)
	for _, e := range events {
		c.Record(e)
	}
	var groups []Group
	if len(events) == 0 {
		return nil
	}
	summary := fold.Summary(events[len(events)-1].At)
	for i := range summary.Groups {
		g := &summary.Groups[i]
		of := c.group(g.Name)
		if len(of.rebalances) == 0 {
			continue
		}
		groups = append(groups, Group{
			Name: g.Name, Chains: chainsOf(of.rebalances, g.Rebalances), removed: of.removed, failed: of.failed, unserved: of.unserved,
		})
		price(groups[len(groups)-1], fold)
	}
	return groups
}

// chainsOf joins the steps with the rebalances that they ended in: both are all entries to PreparingRebalance.
func chainsOf(steps []*Step, rebalances []metrics.Rebalance) []Chain {
	chains := make([]Chain, len(rebalances))
	for i := range rebalances {
		c := Chain{
			Rebalance: rebalances[i], Number: i + 1, Steps: chainTo(steps[i]),
			Protocol: steps[i].protocol, LastJoin: steps[i].joining, freed: steps[i].freed,
		}
		c.Orphan = !c.First().begins()
		for _, s := range c.Steps[:len(c.Steps)-1] {
			if n := s.rebalance(); n > 0 && n != c.Number {
				c.Parent = n
			}
		}
		if c.Parent > 0 {
			parent := &chains[c.Parent-1]
			parent.Children = append(parent.Children, c.Number)
		}
		chains[i] = c
	}
	findLoops(chains)
	return chains
}

// findLoops counts how many rebalances in a row came from each other the same way: for the same reason, by the same
// process, over the same kinds of steps.
func findLoops(chains []Chain) {
	length := make([]int, len(chains))
	for i := range chains {
		c := &chains[i]
		length[i] = 1
		if c.Parent > 0 && sameWay(c, &chains[c.Parent-1]) {
			length[i] = length[c.Parent-1] + 1
		}
		if length[i] >= loopFrom {
			c.Loop = length[i]
		}
	}
}

func sameWay(a, b *Chain) bool {
	if a.Rebalance.Reason != b.Rebalance.Reason || a.Rebalance.Who != b.Rebalance.Who || b.Parent == 0 {
		return false
	}
	as, bs := a.Since(), b.Since()
	if len(as) != len(bs) {
		return false
	}
	for i := range as {
		if as[i].Kind != bs[i].Kind || as[i].Who != bs[i].Who {
			return false
		}
	}
	return true
}

// price adds up what each rebalance cost.
func price(g Group, fold *metrics.Fold) {
	for i := range g.Chains {
		c := &g.Chains[i]
		for _, s := range c.Rebalance.Stopped {
			c.Stopped += s.For
		}
		c.Idle, c.Unassigned = fold.Unheld(g.Name, c.Rebalance.At, c.Rebalance.Until)
	}
}
