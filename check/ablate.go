package check

import (
	"context"
	"runtime"
	"slices"
	"time"

	"golang.org/x/sync/errgroup"

	"simulate/explain"
	"simulate/sim/clock"
)

// Ablate runs a scenario without each of its events in turn, all else and all random numbers equal, and says which
// rebalances of each group need it. The result goes by group, as base does, and by event. Runs that ctx cuts short
// are left out, and reported by its error.
func Ablate(ctx context.Context, l Loaded, base []explain.Group) ([][]explain.Ablation, error) {
	events := l.Scenario.Events
	without := make([][]explain.Group, len(events))
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(runtime.GOMAXPROCS(0))
	for i := range events {
		group.Go(func() error {
			e, err := Explain(ctx, l.withoutEvent(i))
			without[i] = e.Chains
			if err == nil {
				err = ctx.Err()
			}
			return err
		})
	}
	if err := group.Wait(); err != nil {
		return nil, err
	}
	all := make([][]explain.Ablation, len(base))
	for i, g := range base {
		for j := range events {
			a := explain.Ablation{Event: int32(j + 1), At: clock.At(events[j].At), Verb: string(events[j].Do)}
			a.Difference = explain.Compare(g.Chains, chainsOf(without[j], g.Name))
			all[i] = append(all[i], a)
		}
	}
	return all, nil
}

// withoutEvent returns the scenario with one event put off until after its end, so that the others keep their numbers
// and with them their random streams.
func (l Loaded) withoutEvent(i int) Loaded {
	s := *l.Scenario
	s.Events = slices.Clone(s.Events)
	s.Events[i].At = s.Duration + time.Second
	l.Scenario = &s
	l.Commits = nil
	return l
}

func chainsOf(groups []explain.Group, name string) []explain.Chain {
	for _, g := range groups {
		if g.Name == name {
			return g.Chains
		}
	}
	return nil
}
