package main

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"simulate/reports"
)

func newSchema(t *terminal) *cobra.Command {
	return &cobra.Command{
		Use:       "schema NAME",
		Short:     "Print the JSON Schema of a form of output",
		Long:      "Schema prints the JSON Schema of a form of output. NAME is " + strings.Join(reports.Schemas(), ", ") + ".",
		Args:      exactly(1, "schema"),
		ValidArgs: reports.Schemas(),
		RunE: func(c *cobra.Command, args []string) error {
			text, ok := reports.Schema(args[0])
			if !ok {
				return fmt.Errorf("no schema %q; there is %s", args[0], strings.Join(reports.Schemas(), ", "))
			}
			_, err := t.stdout.Write(text)
			return err
		},
	}
}
