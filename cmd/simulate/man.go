package main

import (
	"path/filepath"
	"runtime/debug"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/cobra/doc"
)

func newMan(t *terminal) *cobra.Command {
	return &cobra.Command{
		Use:   "man DIR",
		Short: "Write a manual page for each command",
		Long: `Man writes a manual page for each command to a directory, such as
/usr/local/share/man/man1, where "man simulate-run" finds it.`,
		Args: exactly(1, "directory"),
		RunE: func(c *cobra.Command, args []string) error {
			return writePages(c.Root(), args[0], commitTime())
		},
	}
}

// writePages writes the page of a command and those of its own commands.
func writePages(c *cobra.Command, dir string, date time.Time) error {
	for _, below := range c.Commands() {
		if !below.IsAvailableCommand() || below.IsAdditionalHelpTopicCommand() {
			continue
		}
		if err := writePages(below, dir, date); err != nil {
			return err
		}
	}
	name := strings.ReplaceAll(c.CommandPath(), " ", "-")
	file, err := startOutput("man", filepath.Join(dir, name+".1"))
	if err != nil {
		return err
	}
	defer file.discard()
	c.DisableAutoGenTag = true
	c.Long = strings.NewReplacer("\n  ", "\n\t", "*", `\*`).Replace(c.Long) // a list stays one, and a pattern
	header := doc.GenManHeader{Title: strings.ToUpper(name), Section: "1", Source: "simulate", Manual: "Simulate", Date: &date}
	if err := doc.GenMan(c, &header, file.buffer); err != nil {
		return err
	}
	return file.keep()
}

// commitTime is that of the commit which the program was built from, so that pages are the same each time; where the
// build does not know, it is the beginning of 1970.
func commitTime() time.Time {
	info, _ := debug.ReadBuildInfo()
	if info != nil {
		for _, s := range info.Settings {
			if at, err := time.Parse(time.RFC3339, s.Value); err == nil && s.Key == "vcs.time" {
				return at
			}
		}
	}
	return time.Unix(0, 0).UTC()
}
