package main

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"simulate/reports"
	"simulate/sim/scenario"
)

func newSchema(t *terminal) *cobra.Command {
	names := append(reports.Schemas(), "scenario")
	return &cobra.Command{
		Use:   "schema NAME",
		Short: "Print the JSON Schema of scenario files or of a form of output",
		Long: `Schema prints a JSON Schema: that of scenario files, for editors, when NAME is
"scenario", or that of a form of output. NAME is
` + strings.Join(names, ", ") + ".",
		Example:   "  simulate schema scenario > scenario.schema.json",
		Args:      exactly(1, "schema"),
		ValidArgs: names,
		RunE: func(c *cobra.Command, args []string) error {
			text, ok := reports.Schema(args[0])
			if args[0] == "scenario" {
				text, ok = scenario.Schema(), true
			}
			if !ok {
				return fmt.Errorf("no schema %q; there is %s", args[0], strings.Join(names, ", "))
			}
			_, err := t.stdout.Write(text)
			return err
		},
	}
}
