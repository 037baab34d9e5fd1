package main

import (
	"io"

	"github.com/spf13/cobra"
)

func newShow(t *terminal) *cobra.Command {
	var in input
	c := &cobra.Command{
		Use:   "show FILE|NAME|-",
		Short: "Print a scenario with every default filled in",
		Args:  exactly(1, "scenario"),
		RunE: func(c *cobra.Command, args []string) error {
			loaded, err := in.load(t, args[0])
			if err != nil {
				return err
			}
			warn(t, loaded.Name, loaded.Warnings)
			_, err = io.WriteString(t.stdout, loaded.Scenario.TOML())
			return err
		},
	}
	in.flags(c)
	return c
}
