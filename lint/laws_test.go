package lint

import (
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"simulate/internal/drawn"
	"simulate/sim/scenario"
)

// TestLaws: whatever the scenario, no rule panics, two looks find the same, every finding stands inside the text, and what
// it says to try reads as a --set; the command keeps those to itself that do not load.
func TestLaws(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := drawn.Scenario(t, rapid.IntRange(0, 8).Draw(t, "events"))
		s, _, err := scenario.Load("scenario", []byte(text))
		if err != nil {
			t.Fatal(err)
		}
		found := Check(s, []byte(text))
		if !slices.Equal(found, Check(s, []byte(text))) {
			t.Fatal("two looks at one scenario differ")
		}
		lines := strings.Split(text, "\n")
		for _, f := range found {
			if f.Line < 1 || f.Line > len(lines) || f.Column < 1 || f.Column > len(lines[f.Line-1])+1 {
				t.Fatalf("%s is at %d:%d, outside of the text", f.Rule.ID, f.Line, f.Column)
			}
			if f.Text == "" || f.Instead == "" || strings.Contains(f.Text, "%!") {
				t.Fatalf("%s: %q, instead %q", f.Rule.ID, f.Text, f.Instead)
			}
			if _, err := scenario.ParseOverride(f.Set); f.Set != "" && err != nil {
				t.Fatalf("%s says --set %s: %v", f.Rule.ID, f.Set, err)
			}
		}
	})
}
