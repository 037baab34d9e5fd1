package main

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"simulate/reports"
	"simulate/sim/scenario"
)

func newPresets(t *terminal) *cobra.Command {
	var format string
	c := &cobra.Command{
		Use:   "presets",
		Short: "List the names that stand for times, with their sources",
		Long: `Presets lists the names that a scenario may have in place of a time or of
pauses: what each stands for, who says so, and how far to trust it.`,
		Args: exactly(0, ""),
		RunE: func(c *cobra.Command, args []string) error {
			switch format {
			case "text":
				return reports.Presets(t.stdout, scenario.Presets())
			case "markdown":
				return reports.PresetsMarkdown(t.stdout, scenario.Presets())
			}
			return fmt.Errorf("--format %s: no such form; write text or markdown", strings.TrimSpace(format))
		},
	}
	c.Flags().StringVar(&format, "format", "text", "text or markdown")
	return c
}
