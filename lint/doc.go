// Package lint finds what is unwise or cannot work in a resolved scenario, without a run. What the real client
// refuses to start with is no finding: the scenario does not load.
//
//	for _, f := range lint.Check(s, text) {
//		fmt.Printf("%d:%d: %s: %s [%s]\n", f.Line, f.Column, f.Rule.Severity, f.Text, f.Rule.ID)
//	}
//
// The table of rules is in rules.go; the functions are in one file a family. Where a duration varies, a rule looks at
// what happens once in a thousand times (p99.9).
//
// Not looked at: what takes a run to tell, such as when a group comes to rest; settings that have no effect on a group;
// and how faults meet that the scenario names apart, as a pause within a restart. A rule that may be wrong is left out.
//
// A comment in the file takes a finding back: "# lint:ignore RULE reason" at the end of its line, or among the comments
// directly above it, and "# lint:ignore-file RULE reason" anywhere for all findings of a rule.
package lint
