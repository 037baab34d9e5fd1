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

// input is what flags change of one scenario.
type input struct {
	seed   string
	sets   []string
	suffix string // of the names of the flags
}

func (in *input) flags(c *cobra.Command) {
	c.Flags().StringVar(&in.seed, "seed", "", "`NUMBER` to draw from instead of the scenario's own seed")
	c.Flags().StringArrayVar(&in.sets, "set", nil, "`KEY=VALUE` to replace in the scenario, such as duration=1h or\nfleet.orders.count=8; may be repeated")
}

// load reads the scenario that name says: a file, a shipped scenario, or "-" for standard input.
func (in *input) load(t *terminal, name string) (check.Loaded, error) {
	loaded, _, err := in.again(t, name)
	return loaded, err
}

// reader reads one scenario as the flags change it, with more changes on top.
type reader func(more ...scenario.Override) (check.Loaded, error)

// again is load, and returns how to read the same text again.
func (in *input) again(t *terminal, name string) (check.Loaded, reader, error) {
	read, err := in.reader(t, name)
	if err != nil {
		return check.Loaded{}, nil, err
	}
	loaded, err := read()
	return loaded, read, err
}

// reader returns how to read the scenario, with what other flags change.
func (in *input) reader(t *terminal, name string, others ...scenario.Override) (reader, error) {
	return in.readerOf(open(t, name), others...)
}

// readerOf is reader for what was read already.
func (in *input) readerOf(source check.Source, others ...scenario.Override) (reader, error) {
	overrides, err := in.overrides()
	if err != nil {
		return nil, err
	}
	overrides = append(overrides, others...)
	return func(more ...scenario.Override) (check.Loaded, error) {
		loaded, err := source.Load(slices.Concat(overrides, more)...)
		if err != nil {
			return check.Loaded{}, err
		}
		return loaded, in.reseed(loaded.Scenario)
	}, nil
}

// open reads what name says.
func open(t *terminal, name string) check.Source {
	if name == "-" {
		return check.ReadAll(t.stdin)
	}
	return check.Open(name, scenarios.Read)
}

// overrides reads --set.
func (in *input) overrides() ([]scenario.Override, error) {
	return overridesOf("--set"+in.suffix, in.sets)
}

// overridesOf reads a flag that is given once for each override.
func overridesOf(flag string, texts []string) ([]scenario.Override, error) {
	var overrides []scenario.Override
	for _, text := range texts {
		o, err := scenario.ParseOverrideOf(flag, text)
		if err != nil {
			return nil, err
		}
		overrides = append(overrides, o)
	}
	return overrides, nil
}

// reseed applies --seed.
func (in *input) reseed(s *scenario.Scenario) error {
	if in.seed == "" {
		return nil
	}
	seed, err := strconv.ParseInt(in.seed, 10, 64)
	if err != nil || seed < 0 {
		return fmt.Errorf("--seed%s %s: a seed is a whole number from 0 to %d", in.suffix, in.seed, int64(math.MaxInt64))
	}
	s.Seed = random.Seed(seed)
	return nil
}
