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

// Ablate runs a scenario without each of its events and sources in turn, all else and all random numbers equal, and says which
// rebalances of each group need it. The result goes by group, as base does, and by event. Runs that ctx cuts short
// are left out, and reported by its error.
func Ablate(ctx context.Context, l Loaded, base []explain.Group) ([][]explain.Ablation, error) {
	runs := l.without()
	without := make([][]explain.Group, len(runs))
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(runtime.GOMAXPROCS(0))
	for i := range runs {
		group.Go(func() error {
			e, err := Explain(ctx, runs[i].Loaded)
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
		for j := range runs {
			a := runs[j].Ablation
			a.Difference = explain.Compare(g.Chains, chainsOf(without[j], g.Name))
			all[i] = append(all[i], a)
		}
	}
	return all, nil
}

// ablated is a scenario without something.
type ablated struct {
	Loaded
	explain.Ablation
}

// without lists the runs of Ablate, numbered as the trace numbers what each is without.
func (l Loaded) without() []ablated {
	var all []ablated
	for i, e := range l.Scenario.Events {
		all = append(all, ablated{l.withoutEvent(i), explain.Ablation{Event: int32(i + 1), At: clock.At(e.At), Verb: string(e.Do)}})
	}
	for i, x := range l.Scenario.Sources() {
		other := l
		other.Scenario, other.Commits = l.Scenario.Without(x), nil
		of := x.Name + " of " + l.Scenario.Fleets[x.Fleet].Name
		all = append(all, ablated{other, explain.Ablation{Event: int32(-1 - i), Source: of}})
	}
	return all
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
