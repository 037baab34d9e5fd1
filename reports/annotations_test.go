package reports

import (
	"fmt"
	"regexp"
	"strings"
	"testing"
)

// workflowCommand is a line as GitHub documents it: ::{command} {name}={value},{name}={value}::{message}.
var workflowCommand = regexp.MustCompile(`^::([a-z]+) (.*?)::(.*)$`)

// TestAnnotations holds that each line of CheckAnnotations, read back as GitHub's runner reads it, is one command with
// the file, the line and the words that it was made of.
func TestAnnotations(t *testing.T) {
	c := checkedOf(evicts(), wrong(), hostile(), passes("slow-poll"), races(FilePassed), races(FileFailed))
	lines := strings.Split(strings.TrimSuffix(rendered(t, CheckAnnotations, c), "\n"), "\n")
	var want []annotation
	for i := range c.Files {
		want = append(want, c.Files[i].annotations()...)
	}
	if len(lines) != len(want) || len(want) < 9 {
		t.Fatalf("got %d lines for %d annotations", len(lines), len(want))
	}
	for i, line := range lines {
		got, err := readCommand(line)
		if err != nil {
			t.Errorf("line %d: %v", i+1, err)
		} else if got != want[i] {
			t.Errorf("line %d: got\n%+v\nwant\n%+v", i+1, got, want[i])
		}
	}
	if first := want[0]; first.file != "ops/it's one.toml" || first.line != 10 || !strings.Contains(first.message, "\nsimulate explain ") {
		t.Errorf("the first one is %+v", first)
	}
}

// readCommand reads a line as actions/runner does (ActionCommand.cs, TryParseV2).
func readCommand(line string) (a annotation, err error) {
	parts := workflowCommand.FindStringSubmatch(line)
	if parts == nil {
		return a, fmt.Errorf("%q is no command", line)
	}
	a.command, a.message = parts[1], unescapedData(parts[3])
	for _, property := range strings.Split(parts[2], ",") {
		name, value, ok := strings.Cut(property, "=")
		value = unescapedProperty(value)
		switch {
		case !ok:
			return a, fmt.Errorf("%q is no property", property)
		case name == "file":
			a.file = value
		case name == "title":
			a.title = value
		case name == "line":
			_, err = fmt.Sscan(value, &a.line)
		case name == "col":
			_, err = fmt.Sscan(value, &a.column)
		default:
			return a, fmt.Errorf("no property %q", name)
		}
		if err != nil {
			return a, err
		}
	}
	return a, nil
}

func unescapedData(s string) string {
	return strings.NewReplacer("%0D", "\r", "%0A", "\n", "%25", "%").Replace(s)
}

func unescapedProperty(s string) string {
	return strings.NewReplacer("%0D", "\r", "%0A", "\n", "%3A", ":", "%2C", ",", "%25", "%").Replace(s)
}
