package main

import (
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"simulate/check"
	"simulate/lint"
	"simulate/reports"
	"simulate/scenarios"
	"simulate/sim/scenario"
)

// lintFlags are those of lint.
type lintFlags struct {
	format   string
	disabled []string
	strict   bool
	list     bool
	explain  string
}

func newLint(t *terminal) *cobra.Command {
	var f lintFlags
	c := &cobra.Command{
		Use:   "lint PATH...",
		Short: "Find settings that are unwise or cannot work, without a run",
		Long: `Lint looks for settings that are unwise or that cannot work, without a run. A
PATH is a file, a directory (every *.toml below it) or one of those that
"simulate scenarios list" shows. It ends with exit code 1 when there is an
error. A comment "# lint:ignore RULE reason" at the end of a line, or above it,
takes a finding in that line back.

With GITHUB_ACTIONS=true in the environment, findings also go to standard error
as annotations, which GitHub shows at their lines of the files.`,
		Example: `  simulate lint ops/scenarios
  simulate lint --explain heartbeat-near-session`,
		Args: func(c *cobra.Command, args []string) error {
			switch about := f.list || f.explain != ""; {
			case f.list && f.explain != "":
				return wrongUse(c, "--list and --explain are two things; give one")
			case about && len(args) > 0:
				return wrongUse(c, "--list and --explain are about rules and take no path")
			case !about && len(args) == 0:
				return wrongUse(c, "name at least one path")
			}
			return nil
		},
		RunE: func(c *cobra.Command, args []string) error { return runLint(t, args, &f) },
	}
	c.Flags().StringVar(&f.format, "format", "text", "`FORM` of the result: text, json (see \"simulate schema lint\")\nor sarif; of --list: text or markdown")
	c.Flags().StringArrayVar(&f.disabled, "disable", nil, "`RULE` to leave out; may be repeated")
	c.Flags().BoolVar(&f.strict, "strict", false, "warnings count as errors do")
	c.Flags().BoolVar(&f.list, "list", false, "print all rules")
	c.Flags().StringVar(&f.explain, "explain", "", "print all that there is to say about a `RULE`")
	return c
}

func runLint(t *terminal, paths []string, f *lintFlags) error {
	for _, id := range f.disabled {
		if _, err := ruleNamed("--disable", id); err != nil {
			return err
		}
	}
	switch {
	case f.list:
		return listRules(t, f.format)
	case f.explain != "":
		rule, err := ruleNamed("--explain", f.explain)
		if err != nil {
			return err
		}
		return reports.LintRule(t.stdout, rule)
	}
	write, err := lintFormatOf(t, f.format)
	if err != nil {
		return err
	}
	var files []reports.Linted
	for _, source := range check.Find(paths, scenarios.Read) {
		files = append(files, t.lint(source, f.disabled))
	}
	err = write(t.stdout, files)
	if err == nil && os.Getenv("GITHUB_ACTIONS") == "true" {
		err = reports.LintAnnotations(t.stderr, files)
	}
	if err != nil {
		return err
	}
	return ended(lintVerdict(reports.TotalLint(files), f.strict))
}

// lint looks at one source, and says at once what keeps it from being read.
func (t *terminal) lint(source check.Source, disabled []string) reports.Linted {
	loaded, err := source.Load()
	if err != nil {
		fmt.Fprintln(t.stderr, err)
		return reports.Linted{File: source.Name, IsPath: source.File, Err: err}
	}
	warn(t, source.Name, loaded.Warnings)
	findings := lint.Check(loaded.Scenario, source.Text, disabled...)
	for i := range findings {
		if f := &findings[i]; !loadsWith(source, f.Set) {
			f.Set = ""
		}
	}
	return reports.Linted{File: source.Name, IsPath: source.File, Findings: findings}
}

// loadsWith reports whether the scenario still makes sense with a change: rules look at what they are about, and another
// line of the file may need it as it is.
func loadsWith(source check.Source, set string) bool {
	override, err := scenario.ParseOverride(set)
	if err == nil {
		_, err = source.Load(override)
	}
	return err == nil
}

func lintVerdict(total reports.LintTotals, strict bool) check.Verdict {
	switch {
	case total.Wrong > 0:
		return check.Wrong
	case total.Errors > 0, strict && total.Warnings > 0:
		return check.Failed
	}
	return check.Passed
}

func listRules(t *terminal, format string) error {
	switch format {
	case "text":
		return reports.LintRules(t.stdout, lint.Rules())
	case "markdown":
		return reports.LintMarkdown(t.stdout, lint.Rules())
	}
	return fmt.Errorf("--format %s: no such form of a list; write text or markdown", strings.TrimSpace(format))
}

func lintFormatOf(t *terminal, name string) (func(io.Writer, []reports.Linted) error, error) {
	switch name {
	case "text":
		return func(w io.Writer, files []reports.Linted) error {
			return reports.Lint(w, files, reports.TextOptions{Color: t.color()})
		}, nil
	case "json":
		return reports.LintJSON, nil
	case "sarif":
		return reports.LintSARIF, nil
	}
	return nil, fmt.Errorf("--format %s: no such form; write text, json or sarif", strings.TrimSpace(name))
}

// ruleNamed finds the rule that a flag names.
func ruleNamed(flag, id string) (*lint.Rule, error) {
	if rule, ok := lint.Find(id); ok {
		return rule, nil
	}
	hint := scenario.DidYouMean(id, lint.IDs())
	if hint == "" {
		hint = "; \"simulate lint --list\" shows all"
	}
	return nil, fmt.Errorf("%s %s: there is no such rule%s", flag, id, hint)
}
