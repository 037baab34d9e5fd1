package lint_test

import (
	"testing"

	"simulate/lint"
	"simulate/scenarios"
	"simulate/sim/scenario"
)

// TestShipped: no shipped scenario has a finding of severity error that counts, and none a comment that takes nothing
// back. What a scenario shows on purpose is taken back with the reason.
func TestShipped(t *testing.T) {
	for _, name := range scenarios.Names() {
		text, _ := scenarios.Read(name)
		s, _, err := scenario.Load(name, text)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range lint.Check(s, text) {
			if f.Ignored == "" && (f.Rule.Severity == lint.Error || f.Rule.ID == "unused-suppression") {
				t.Errorf("%s.toml:%d:%d: %s: %s", name, f.Line, f.Column, f.Rule.ID, f.Text)
			}
		}
	}
}
