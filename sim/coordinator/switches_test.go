package coordinator

import (
	"os"
	"strings"
	"testing"

	"github.com/cockroachdb/datadriven"
)

// TestSwitches checks that Kafka 3 behaves as its transcripts say because of all switches: each of them,
// turned off alone, changes the transcript that is named after it.
func TestSwitches(t *testing.T) {
	for _, w := range Switches("3") {
		file := "testdata/kafka3_" + strings.ReplaceAll(w.String(), "-", "_") + ".txt"
		if got := differing(t, file, numSwitches); got != "" {
			t.Errorf("%s differs as it is, in %q", file, got)
		}
		if differing(t, file, w) == "" {
			t.Errorf("%s says the same without %v (%s)", file, w, w.Rule())
		}
	}
	if got := Switches("4"); got != nil {
		t.Errorf("Kafka 4 has the switches %v on", got)
	}
}

// differing runs a transcript without a switch and returns the first command that says something else.
func differing(t *testing.T, file string, without Switch) string {
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var s *script
	for _, block := range strings.Split(string(text), "\n\n") {
		command, want, ok := strings.Cut(block, "\n----\n")
		if !ok {
			continue // prose
		}
		d := &datadriven.TestData{}
		if d.Cmd, d.CmdArgs, err = datadriven.ParseLine(command); err != nil {
			t.Fatal(err)
		}
		if d.Cmd == "broker" {
			s = newScript(brokerConfig(t, d))
			s.without = without
			s.start()
		}
		if strings.TrimSpace(s.run(t, d)) != strings.TrimSpace(want) {
			return command
		}
	}
	return ""
}
