package main

import (
	"fmt"
	"math"
	"slices"
	"strconv"

	"github.com/spf13/cobra"

	"simulate/check"
	"simulate/scenarios"
	"simulate/sim/random"
	"simulate/sim/scenario"
)

// input is one scenario and what flags change of it.
type input struct {
	seed string
	sets []string
}

func (in *input) flags(c *cobra.Command) {
	c.Flags().StringVar(&in.seed, "seed", "", "`NUMBER` to draw from instead of the scenario's own seed")
	c.Flags().StringArrayVar(&in.sets, "set", nil, "`KEY=VALUE` to replace in the scenario, such as duration=1h or\nfleet.orders.config.session.timeout.ms=30s; may be repeated")
}

// load reads the scenario that name says: a file, a shipped scenario, or "-" for standard input.
func (in *input) load(t *terminal, name string) (check.Loaded, error) {
	loaded, _, err := in.open(t, name)
	return loaded, err
}

// reader reads one scenario as the flags change it, with more changes on top.
type reader func(more ...scenario.Override) (check.Loaded, error)

// open is load, and returns how to read the same text again.
func (in *input) open(t *terminal, name string) (check.Loaded, reader, error) {
	var overrides []scenario.Override
	for _, text := range in.sets {
		o, err := scenario.ParseOverride(text)
		if err != nil {
			return check.Loaded{}, nil, err
		}
		overrides = append(overrides, o)
	}
	source := check.Open(name, scenarios.Read)
	if name == "-" {
		source = check.ReadAll(t.stdin)
	}
	read := func(more ...scenario.Override) (check.Loaded, error) {
		loaded, err := source.Load(slices.Concat(overrides, more)...)
		if err != nil {
			return check.Loaded{}, err
		}
		return loaded, in.reseed(loaded.Scenario)
	}
	loaded, err := read()
	return loaded, read, err
}

// reseed applies --seed.
func (in *input) reseed(s *scenario.Scenario) error {
	if in.seed == "" {
		return nil
	}
	seed, err := strconv.ParseInt(in.seed, 10, 64)
	if err != nil || seed < 0 {
		return fmt.Errorf("--seed %s: a seed is a whole number from 0 to %d", in.seed, int64(math.MaxInt64))
	}
	s.Seed = random.Seed(seed)
	return nil
}
