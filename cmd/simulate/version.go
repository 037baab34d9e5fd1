package main

import (
	"fmt"
	"runtime/debug"

	"github.com/spf13/cobra"
)

func newVersion(t *terminal) *cobra.Command {
	return &cobra.Command{
		Use:   "version",
		Short: "Print what this program was built from",
		Args:  exactly(0, ""),
		RunE: func(c *cobra.Command, args []string) error {
			_, err := fmt.Fprintln(t.stdout, version())
			return err
		},
	}
}

// version names the program's version, its commit where the build knows it, and Go's version.
func version() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "simulate, of an unknown version"
	}
	text := "simulate " + info.Main.Version
	for _, s := range info.Settings {
		if s.Key == "vcs.revision" {
			text += " " + s.Value
		}
	}
	return text + " (" + info.GoVersion + "), coordinator of Apache Kafka 4.4.0"
}
