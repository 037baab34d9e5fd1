package scenario

import (
	"fmt"
	"strings"
	"testing"

	"github.com/cockroachdb/datadriven"
)

// TestOverrides runs testdata/overrides.txt:
//
//	file            the text of the scenario that the commands after it use
//	set             one KEY=VALUE a line; prints the lines of the resolved scenario that differ, or the error
//	texts KEY       values of --KEY, one a line, in the place of the list at sweep.KEY; prints the same
//	paths           one parameter of a study a line; prints what it sets
func TestOverrides(t *testing.T) {
	var text string
	datadriven.RunTest(t, "testdata/overrides.txt", func(t *testing.T, d *datadriven.TestData) string {
		switch d.Cmd {
		case "file":
			text = d.Input
			return "ok\n"
		case "set":
			return set(t, text, strings.Split(d.Input, "\n"))
		case "texts":
			flag := d.CmdArgs[0].Key
			return loaded(t, text, OverrideTexts("--"+flag, "sweep."+flag, strings.Split(d.Input, "\n")))
		case "paths":
			return pathsOf(load(t, "a.toml", []byte(text)), strings.Split(d.Input, "\n"))
		}
		return "unknown command " + d.Cmd
	})
}

func set(t *testing.T, text string, flags []string) string {
	t.Helper()
	var all []Override
	for _, flag := range flags {
		o, err := ParseOverride(flag)
		if err != nil {
			return err.Error() + "\n"
		}
		all = append(all, o)
	}
	return loaded(t, text, all...)
}

func pathsOf(s *Scenario, params []string) string {
	var b strings.Builder
	for _, key := range params {
		paths, problem := s.Paths(key)
		fmt.Fprintf(&b, "%s: %s%s\n", key, strings.Join(paths, " "), problem)
	}
	return b.String()
}

func loaded(t *testing.T, text string, all ...Override) string {
	t.Helper()
	s, _, err := Load("a.toml", []byte(text), all...)
	if err != nil {
		return err.Error() + "\n"
	}
	return changed(load(t, "a.toml", []byte(text)).TOML(), s.TOML())
}

// changed returns the lines of two texts that differ, taken from as many lines.
func changed(before, after string) string {
	var b strings.Builder
	old, lines := strings.Split(before, "\n"), strings.Split(after, "\n")
	for i, line := range lines {
		switch {
		case i >= len(old):
			fmt.Fprintf(&b, "+ %s\n", line)
		case line != old[i]:
			fmt.Fprintf(&b, "- %s\n+ %s\n", old[i], line)
		}
	}
	if b.Len() == 0 {
		return "nothing changed\n"
	}
	return b.String()
}
