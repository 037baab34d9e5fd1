package reports

import (
	"fmt"
	"io"
	"strings"

	"simulate/sim/metrics"
	"simulate/sim/scenario"
)

// Update is what changed in a scenario file.
type Update struct {
	File  string
	Lines []scenario.Rewritten // none when nothing did
}

// Updates writes for people which lines of which files changed, as a diff without context.
func Updates(w io.Writer, list []Update) error {
	var b strings.Builder
	n := 0
	for _, u := range list {
		if len(u.Lines) == 0 {
			continue
		}
		n++
		fmt.Fprintf(&b, "--- %s\n+++ %s\n", clean(u.File), clean(u.File))
		for _, l := range u.Lines {
			fmt.Fprintf(&b, "@@ -%d +%d @@\n-%s\n+%s\n", l.Line, l.Line, cleanLine(l.Before), cleanLine(l.After))
		}
	}
	if n == 0 {
		b.WriteString("no snapshot changed\n")
	} else {
		b.WriteString(metrics.Plural(n, "file") + " changed\n")
	}
	_, err := w.Write(unheeded([]byte(b.String())))
	return err
}

// cleanLine is clean that keeps the width of tabs.
func cleanLine(s string) string { return clean(strings.ReplaceAll(s, "\t", "    ")) }
