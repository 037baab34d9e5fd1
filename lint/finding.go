package lint

import (
	"cmp"
	"slices"

	"simulate/sim/scenario"
)

// Severity says how bad it is.
type Severity uint8

// The severities, the worst last.
const (
	Note    Severity = iota // worth knowing
	Warning                 // costs rebalances, or a consumer its membership
	Error                   // cannot work: a member is refused, or the group is blocked
)

// String returns the severity in lower case.
func (s Severity) String() string { return [...]string{"note", "warning", "error"}[s] }

// Finding is one thing that a rule has found.
type Finding struct {
	Rule         *Rule
	Line, Column int    // of the key or table concerned, counted from 1
	Text         string // what is wrong and why, with the numbers of the scenario
	Instead      string // what to write instead
	Set          string // KEY=VALUE of a --set to try, "" for none
	Ignored      string // the reason that a comment in the file gives for it; "" when it counts
}

// Check applies all rules but those that are disabled. text is what s was loaded from. Findings come in the order of
// the text, those of one place in the order of the table.
func Check(s *scenario.Scenario, text []byte, disabled ...string) []Finding {
	v := newView(s, text)
	for i := range rules {
		if v.rule = &rules[i]; v.rule.check != nil && !slices.Contains(disabled, v.rule.ID) {
			v.rule.check(v)
		}
	}
	v.suppress(disabled)
	slices.SortStableFunc(v.found, func(a, b Finding) int {
		return cmp.Or(cmp.Compare(a.Line, b.Line), cmp.Compare(a.Column, b.Column))
	})
	return v.found
}
