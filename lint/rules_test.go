package lint

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/cockroachdb/datadriven"

	"simulate/sim/scenario"
)

// TestRules runs each rule on its own file in testdata/rules, in which "bad" holds scenarios that it finds something
// in and "good" those of the same kind that it does not. What a finding says to try makes it go.
func TestRules(t *testing.T) {
	for _, r := range rules {
		t.Run(r.ID, func(t *testing.T) {
			seen := map[string]bool{}
			datadriven.RunTest(t, filepath.Join("testdata", "rules", r.ID+".txt"), func(t *testing.T, d *datadriven.TestData) string {
				found := only(r.ID, check(t, d.Input))
				if fires := len(found) > 0; fires != (d.Cmd == "bad") {
					d.Fatalf(t, "%s: %d findings", d.Cmd, len(found))
				}
				seen[d.Cmd] = true
				for _, f := range found {
					tryIt(t, d, f, len(found))
				}
				return printed(found)
			})
			if !seen["bad"] || !seen["good"] {
				t.Error("the file needs a bad and a good example")
			}
		})
	}
}

// TestFilesHaveRules: there is no example of a rule that is gone.
func TestFilesHaveRules(t *testing.T) {
	paths, err := filepath.Glob("testdata/rules/*.txt")
	if err != nil || len(paths) != len(rules) {
		t.Errorf("%d files for %d rules (%v)", len(paths), len(rules), err)
	}
}

// tryIt applies the --set of a finding: there is less to find then.
func tryIt(t *testing.T, d *datadriven.TestData, f Finding, before int) {
	t.Helper()
	if f.Set == "" {
		return
	}
	override, err := scenario.ParseOverride(f.Set)
	if err != nil {
		d.Fatalf(t, "%v", err)
	}
	if after := only(f.Rule.ID, check(t, d.Input, override)); len(after) >= before {
		d.Fatalf(t, "--set %s changes nothing: %s", f.Set, printed(after))
	}
}

func check(t *testing.T, text string, overrides ...scenario.Override) []Finding {
	t.Helper()
	s, _, err := scenario.Load("file.toml", []byte(text), overrides...)
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	return Check(s, []byte(text))
}

func only(rule string, all []Finding) []Finding {
	var some []Finding
	for _, f := range all {
		if f.Rule.ID == rule {
			some = append(some, f)
		}
	}
	return some
}

func printed(all []Finding) string {
	var b strings.Builder
	for _, f := range all {
		fmt.Fprintf(&b, "%d:%d: %v: %s\n", f.Line, f.Column, f.Rule.Severity, f.Text)
		fmt.Fprintf(&b, "  instead: %s\n", f.Instead)
		if f.Set != "" {
			fmt.Fprintf(&b, "  --set %s\n", f.Set)
		}
		if f.Ignored != "" {
			fmt.Fprintf(&b, "  ignored: %s\n", f.Ignored)
		}
	}
	return b.String()
}
