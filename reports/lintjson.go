package reports

import (
	"io"

	"simulate/lint"
)

// LintSchema is the id of the form that LintJSON writes; Schema("lint") describes it.
const LintSchema = "simulate.lint/1"

type lintJSON struct {
	Schema   string         `json:"schema"`
	Errors   int            `json:"errors"`
	Warnings int            `json:"warnings"`
	Notes    int            `json:"notes"`
	Ignored  int            `json:"ignored"`
	Wrong    int            `json:"wrong"`
	Files    []lintFileJSON `json:"files"`
}

type lintFileJSON struct {
	File     string        `json:"file"`
	Problem  *string       `json:"problem"`
	Findings []findingJSON `json:"findings"`
}

type findingJSON struct {
	Rule     string  `json:"rule"`
	Severity string  `json:"severity"`
	Line     int     `json:"line"`
	Column   int     `json:"column"`
	Text     string  `json:"text"`
	Instead  string  `json:"instead"`
	Set      *string `json:"set"`
	Ignored  *string `json:"ignored"`
}

// LintJSON writes the findings for programs, in the form of LintSchema, followed by a line break.
func LintJSON(w io.Writer, files []Linted) error {
	t := TotalLint(files)
	all := lintJSON{LintSchema, t.Errors, t.Warnings, t.Notes, t.Ignored, t.Wrong, each(files, newLintFileJSON)}
	return encode(w, all)
}

func newLintFileJSON(f *Linted) lintFileJSON {
	file := lintFileJSON{File: f.File, Findings: each(f.Findings, newFindingJSON)}
	if f.Err != nil {
		file.Problem = given(f.Err.Error())
	}
	return file
}

func newFindingJSON(f *lint.Finding) findingJSON {
	return findingJSON{
		f.Rule.ID, f.Rule.Severity.String(), f.Line, f.Column, f.Text, f.Instead, given(f.Set), given(f.Ignored),
	}
}
