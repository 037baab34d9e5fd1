package main

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
)

// tiesFlag adds --shuffle-ties for one run.
func tiesFlag(c *cobra.Command, ties *string) {
	c.Flags().StringVar(ties, "shuffle-ties", "", "`SEED` of another order of what happens in one instant to different\nprocesses, brokers and events; each keeps its own order")
}

// tie reads --shuffle-ties; 0 when it is not given.
func (f *runFlags) tie() (uint64, error) {
	if f.shuffleTies == "" {
		return 0, nil
	}
	return parseTie(f.shuffleTies)
}

func parseTie(text string) (uint64, error) {
	seed, err := strconv.ParseUint(text, 10, 63)
	if err != nil || seed == 0 {
		return 0, fmt.Errorf("--shuffle-ties %s: a seed is a whole number from 1 on", text)
	}
	return seed, nil
}

// parseTies reads the list of check: "1,2,3", or "none".
func parseTies(text string) ([]uint64, error) {
	if text == "none" {
		return nil, nil
	}
	var seeds []uint64
	for _, word := range strings.Split(text, ",") {
		seed, err := parseTie(strings.TrimSpace(word))
		if err != nil {
			return nil, fmt.Errorf("%w; separate several by commas, or write none", err)
		}
		seeds = append(seeds, seed)
	}
	return seeds, nil
}
