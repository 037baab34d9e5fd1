package scenario

import (
	"strings"
	"testing"

	"github.com/cockroachdb/datadriven"
	"github.com/google/go-cmp/cmp"
)

// Transcripts of files that get other values. Commands:
//
//	file            the text of the scenario that the commands after it use
//	change          one KEY=VALUE a line; prints the text, or the error. What is loaded from it is what --set makes of the file
//	settings        one KEY a line; prints what the resolved scenario has there
func TestChanges(t *testing.T) {
	var text string
	datadriven.RunTest(t, "testdata/changes.txt", func(t *testing.T, d *datadriven.TestData) string {
		switch d.Cmd {
		case "file":
			text = strings.ReplaceAll(d.Input, "\\r", "\r") + "\n"
			return "ok\n"
		case "change":
			return edited(t, text, strings.Split(d.Input, "\n"))
		case "settings":
			keys := strings.Split(d.Input, "\n")
			return strings.Join(load(t, "a.toml", []byte(text)).Settings(keys), "\n") + "\n"
		}
		return "unknown command " + d.Cmd
	})
}

func edited(t *testing.T, text string, lines []string) string {
	var changes []Change
	var overrides []Override
	for _, line := range lines {
		key, value, _ := strings.Cut(line, "=")
		changes = append(changes, Change{key, value})
		o, err := ParseOverride(line)
		if err != nil {
			t.Fatal(err)
		}
		overrides = append(overrides, o)
	}
	after, err := WithChanges("a.toml", []byte(text), changes)
	if err != nil {
		return err.Error() + "\n"
	}
	want, _, err := Load("a.toml", []byte(text), overrides...)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want.TOML(), load(t, "a.toml", after).TOML()); diff != "" {
		t.Errorf("the changed file says something else (-set +file):\n%s", diff)
	}
	return strings.ReplaceAll(string(after), "\r", "\\r")
}
