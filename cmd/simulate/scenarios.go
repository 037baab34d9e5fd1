package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"simulate/scenarios"
	"simulate/sim/scenario"
)

func newScenarios(t *terminal) *cobra.Command {
	return family("scenarios", "List and print the scenarios that are shipped", newScenariosList(t), newScenariosShow(t))
}

func newScenariosList(t *terminal) *cobra.Command {
	folders := scenarios.Folders()
	return &cobra.Command{
		Use:   "list [FOLDER]",
		Short: "List the shipped scenarios",
		Long: "List shows the scenarios to start from, or those of a FOLDER of the library:\n" +
			strings.Join(folders, ", ") + ".",
		Args: func(c *cobra.Command, args []string) error {
			if len(args) == 0 {
				return nil
			}
			return exactly(1, "folder")(c, args)
		},
		ValidArgs: folders,
		RunE: func(c *cobra.Command, args []string) error {
			if len(args) == 0 {
				if err := t.list(scenarios.In(".")); err != nil {
					return err
				}
				for _, folder := range folders {
					fmt.Fprintf(t.stdout, "and %d in %s: simulate scenarios list %s\n", len(scenarios.In(folder)), folder, folder)
				}
				return nil
			}
			if !slices.Contains(folders, args[0]) {
				return fmt.Errorf("the library has no folder %q; there is %s", args[0], strings.Join(folders, ", "))
			}
			return t.list(scenarios.In(args[0]))
		},
	}
}

// list writes a line a scenario.
func (t *terminal) list(names []string) error {
	wide := 28
	for _, name := range names {
		wide = max(wide, len(name))
	}
	for _, name := range names {
		text, _ := scenarios.Read(name)
		s, _, err := scenario.Load(name, text)
		if err != nil {
			return err
		}
		if _, err := fmt.Fprintf(t.stdout, "%-*s  %s\n", wide, name, s.Description); err != nil {
			return err
		}
	}
	return nil
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
