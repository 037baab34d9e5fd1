package reports

import (
	"errors"
	"fmt"
	"io"
	"strings"

	"simulate/lint"
	"simulate/sim/metrics"
	"simulate/sim/scenario"
)

// Linted is what lint found in one file, or why the file could not be read.
type Linted struct {
	File     string
	IsPath   bool // File is a path, and no shipped scenario
	Findings []lint.Finding
	Err      error
}

// mistakes returns why the file could not be read, each mistake with its place if it has one.
func (f *Linted) mistakes() []scenario.Mistake {
	var all *scenario.Errors
	switch {
	case f.Err == nil:
		return nil
	case errors.As(f.Err, &all):
		return all.Mistakes
	}
	return []scenario.Mistake{{Text: f.Err.Error()}}
}

// LintTotals counts findings: by severity, and those that files take back.
type LintTotals struct {
	Errors, Warnings, Notes int
	Ignored                 int
	Wrong                   int // files that could not be read
}

// TotalLint counts what was found in all files.
func TotalLint(files []Linted) LintTotals {
	var t LintTotals
	for _, f := range files {
		if f.Err != nil {
			t.Wrong++
		}
		for _, found := range f.Findings {
			switch {
			case found.Ignored != "":
				t.Ignored++
			case found.Rule.Severity == lint.Error:
				t.Errors++
			case found.Rule.Severity == lint.Warning:
				t.Warnings++
			default:
				t.Notes++
			}
		}
	}
	return t
}

// Lint writes the findings that count, one paragraph each, and last how many there are. Places stay in one line,
// whatever its width, so that editors find them. Files that could not be read are counted only.
func Lint(w io.Writer, files []Linted, o TextOptions) error {
	p := page{color: o.Color}
	for _, f := range files {
		for _, found := range f.Findings {
			if found.Ignored == "" {
				p.finding(f.File, &found)
			}
		}
	}
	p.para("", indent(2), lintTally(files))
	_, err := w.Write(unheeded(p.Bytes()))
	return err
}

func (p *page) finding(file string, f *lint.Finding) {
	severity := f.Rule.Severity.String()
	if f.Rule.Severity == lint.Error {
		severity = p.bad(severity)
	}
	p.line(fmt.Sprintf("%s:%d:%d: %s: %s", clean(file), f.Line, f.Column, severity, f.Rule.ID))
	p.para(indent(4), indent(4), clean(f.Text))
	p.para(indent(4)+"instead: ", indent(6), clean(f.Instead))
	if f.Set != "" {
		p.line(indent(6) + "--set " + clean(f.Set))
	}
}

// lintTally writes "1 error, 2 warnings, 0 notes in 3 files", and after it what does not count.
func lintTally(files []Linted) string {
	t := TotalLint(files)
	text := fmt.Sprintf("%s, %s, %s in %s", metrics.Plural(t.Errors, "error"), metrics.Plural(t.Warnings, "warning"), metrics.Plural(t.Notes, "note"), metrics.Plural(len(files), "file"))
	if t.Ignored > 0 {
		text += fmt.Sprintf("; %d ignored by comments", t.Ignored)
	}
	if t.Wrong > 0 {
		text += fmt.Sprintf("; %s could not be read", metrics.Plural(t.Wrong, "file"))
	}
	return text
}

// LintRules writes the table of rules: each with its severity, what it finds, and the first of its sources.
func LintRules(w io.Writer, rules []lint.Rule) error {
	var p page
	for _, r := range rules {
		p.line(fmt.Sprintf("%-38s %s", r.ID, r.Severity))
		p.para(indent(4), indent(4), r.Summary)
		p.line(indent(4) + r.Sources[0])
	}
	_, err := w.Write(p.Bytes())
	return err
}

// LintRule writes all that there is to say about one rule.
func LintRule(w io.Writer, r *lint.Rule) error {
	var p page
	p.line(r.ID + ": " + r.Severity.String())
	p.para(indent(2), indent(2), "finds: "+r.Summary)
	p.blank()
	p.para(indent(2), indent(2), r.Why)
	p.blank()
	p.para(indent(2)+"instead: ", indent(4), r.Instead)
	for _, source := range r.Sources {
		p.line(indent(2) + "source: " + source)
	}
	_, err := w.Write(p.Bytes())
	return err
}

// LintMarkdown writes the documentation of all rules.
func LintMarkdown(w io.Writer, rules []lint.Rule) error {
	var b strings.Builder
	b.WriteString(lintPreface)
	for _, r := range rules {
		fmt.Fprintf(&b, "| [`%s`](#%s) | %s | %s |\n", r.ID, r.ID, r.Severity, r.Summary)
	}
	for _, r := range rules {
		fmt.Fprintf(&b, "\n## %s\n\n%s: %s.\n\n%s\n\nInstead: %s\n\n", r.ID, capital(r.Severity.String()), r.Summary, r.Why, r.Instead)
		for _, source := range r.Sources {
			if strings.HasPrefix(source, "https://") {
				source = "<" + source + ">"
			}
			fmt.Fprintf(&b, "- %s\n", source)
		}
	}
	_, err := io.WriteString(w, b.String())
	return err
}

func capital(s string) string { return strings.ToUpper(s[:1]) + s[1:] }

const lintPreface = `# Lint

<!-- Written by make docs from the table in lint/rules.go. -->

` + "`simulate lint PATH…`" + ` looks for settings that are unwise, or that cannot work, without a run. Every finding has its place in
the file, the reason with the scenario's own numbers, and what to write instead, where possible as a ` + "`--set`" + ` that
` + "`simulate run`" + ` takes. Where a duration varies, what happens once in a thousand times counts (p99.9).

An **error** cannot work: a member is refused, or the group is blocked. A **warning** costs rebalances, or a consumer its
membership. A **note** is worth knowing. The exit code is 1 when there is an error, with ` + "`--strict`" + ` also when there is a
warning, and 2 when a file cannot be read.

A comment takes a finding back, and has to give the reason:

` + "```toml" + `
heartbeat.interval.ms = 4000  # lint:ignore heartbeat-near-session a client that nobody can change
# lint:ignore-file no-expectation it only shows something
` + "```" + `

` + "`lint:ignore`" + ` stands at the end of the finding's line or among the comments directly above it, ` + "`lint:ignore-file`" + ` anywhere.
` + "`--disable RULE`" + ` leaves a rule out, ` + "`--list`" + ` lists the rules and ` + "`--explain RULE`" + ` prints what is below about one.
` + "`--format json`" + ` is described by ` + "`simulate schema lint`" + `; ` + "`--format sarif`" + ` is SARIF 2.1.0, which code scanning reads.

| rule | severity | finds |
|---|---|---|
`
