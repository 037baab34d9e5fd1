package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"simulate/scenarios"
	"simulate/sim/scenario"
)

func newScenarios(t *terminal) *cobra.Command {
	return family("scenarios", "List and print the scenarios that are shipped", newScenariosList(t), newScenariosShow(t))
}

func newScenariosList(t *terminal) *cobra.Command {
	return &cobra.Command{
		Use:   "list",
		Short: "List the shipped scenarios",
		Args:  exactly(0, ""),
		RunE: func(c *cobra.Command, args []string) error {
			for _, name := range scenarios.Names() {
				text, _ := scenarios.Read(name)
				s, _, err := scenario.Load(name, text)
				if err != nil {
					return err
				}
				if _, err := fmt.Fprintf(t.stdout, "%-28s  %s\n", name, s.Description); err != nil {
					return err
				}
			}
			return nil
		},
	}
}

func newScenariosShow(t *terminal) *cobra.Command {
	return &cobra.Command{
		Use:   "show NAME",
		Short: "Print a shipped scenario as it is written",
		Args:  exactly(1, "shipped scenario"),
		RunE: func(c *cobra.Command, args []string) error {
			text, ok := scenarios.Read(args[0])
			if !ok {
				return fmt.Errorf("no scenario %q is shipped; \"simulate scenarios list\" shows those that are", args[0])
			}
			_, err := t.stdout.Write(text)
			return err
		},
	}
}
