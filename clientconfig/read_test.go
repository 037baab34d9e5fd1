package clientconfig

import (
	"fmt"
	"strings"
	"testing"

	"github.com/cockroachdb/datadriven"
)

// TestRead runs the transcripts in testdata/read:
//
//	read NAME [format=FORMAT]    reads the text of a file and prints what it says, or its mistakes
func TestRead(t *testing.T) {
	datadriven.Walk(t, "testdata/read", func(t *testing.T, path string) {
		datadriven.RunTest(t, path, func(t *testing.T, d *datadriven.TestData) string {
			if d.Cmd != "read" || len(d.CmdArgs) == 0 {
				return "unknown command " + d.Cmd
			}
			name, text := d.CmdArgs[0].Key, []byte(d.Input+"\n")
			format := Detect(name, text)
			if d.HasArg("format") {
				var given string
				d.ScanArgs(t, "format", &given)
				format = Format(given)
			}
			c, err := Read(name, text, format, "")
			if err != nil {
				return err.Error() + "\n"
			}
			return printed(c)
		})
	})
}

// reasons are the words for why something is left.
var reasons = [...]string{"no effect", "placeholder", "overridden", "not modelled", "of a broker", "of a producer", "unknown"}

func printed(c *Config) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s for %s\n", c.Format, c.Client)
	show := func(name string, s *Setting) {
		if s == nil {
			return
		}
		fmt.Fprintf(&b, "%s = %v, line %d", name, s.Value, s.Line)
		if s.Note != "" {
			fmt.Fprintf(&b, " (%s)", s.Note)
		}
		b.WriteByte('\n')
	}
	show("group", c.Group)
	show("static", c.Static)
	for i := range c.Settings {
		show(c.Settings[i].Key, &c.Settings[i])
	}
	show("concurrency", c.Concurrency)
	show("poll timeout", c.PollTimeout)
	show("idle", c.Idle)
	for _, l := range c.Left {
		fmt.Fprintf(&b, "left %q, line %d: %s %s\n", l.Key, l.Line, reasons[l.Reason], l.Why)
	}
	for _, n := range c.Notes {
		fmt.Fprintf(&b, "note: %s\n", n)
	}
	return strings.ReplaceAll(b.String(), " \n", "\n")
}
