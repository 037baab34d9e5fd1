package reports

import (
	"fmt"
	"io"
	"simulate/sim/metrics"
	"strings"
)

// mostSummary is how many bytes tell of files that failed: GitHub shows no summary of more than 1 MiB.
const mostSummary = 512 << 10

// CheckSummary writes what a check came to as Markdown for the summary page of a job of GitHub Actions: the files that
// failed with what there is to know, then the others by name. Names and sentences are inert: what means something in
// Markdown or HTML is written as a character reference, which is always text.
func CheckSummary(w io.Writer, c Checked) error {
	m := markdown{}
	m.line("## simulate check: " + c.Tally())
	bad := c.bad()
	for len(bad) > 0 && m.Len() < mostSummary {
		m.file(bad[0])
		bad = bad[1:]
	}
	if len(bad) > 0 {
		m.line("")
		m.line("### " + metrics.Plural(len(bad), "more file") + " failed: the log of the job has them")
	}
	m.others(c.Files)
	_, err := io.WriteString(w, m.String())
	return err
}

type markdown struct{ strings.Builder }

func (m *markdown) line(s string) { m.WriteString(s + "\n") }

func (m *markdown) file(f *CheckedFile) {
	m.line("")
	m.line("### " + code(f.Name) + ": " + inert(f.words()))
	m.line("")
	for i := range f.Report.Expectations {
		if e := &f.Report.Expectations[i]; !e.Pass {
			m.expectation(f, e)
		}
	}
	m.races(f)
	if f.Problem == "" {
		m.line("- " + code(f.replay()))
		return
	}
	for _, problem := range f.problems() {
		m.line("- " + code(problem))
	}
}

func (m *markdown) expectation(f *CheckedFile, e *Expectation) {
	m.line(fmt.Sprintf("- line %d: %s: **%s**", e.Line, code(e.That), inert(gotWords(e))))
	if words := f.updateWords(e); words != "" {
		m.line("  - " + inert(words))
	}
	for _, t := range e.because(known{}) {
		m.line("  - " + inert(t.String()))
	}
	for _, command := range f.replays(e) {
		m.line("  - " + code(command))
	}
}

func (m *markdown) races(f *CheckedFile) {
	for i := range f.Report.Races {
		r := &f.Report.Races[i]
		m.line(fmt.Sprintf("- line %d: %s", r.Line, inert(r.words())))
		m.line("  - " + code(f.replayRace(r)))
	}
}

// others lists what passed, folded away; races stay in sight.
func (m *markdown) others(files []CheckedFile) {
	var passed []string
	for i := range files {
		f := &files[i]
		if f.Verdict != FilePassed {
			continue
		}
		passed = append(passed, "- "+code(f.Name)+": "+inert(f.words()))
		if len(f.Report.Races) > 0 {
			m.line("")
			m.line("### " + code(f.Name) + ": " + inert(f.words()))
			m.line("")
			m.races(f)
		}
	}
	if len(passed) == 0 {
		return
	}
	m.line("")
	m.line("<details><summary>" + metrics.Plural(len(passed), "file") + " passed</summary>")
	m.line("")
	m.line(strings.Join(passed, "\n"))
	m.line("")
	m.line("</details>")
}

// code sets a text in the type of code. It is no code span of Markdown, which a backquote would end.
func code(s string) string { return "<code>" + references(s, "") + "</code>" }

// inert writes a text so that nobody finds anything in it: no tag, link or emphasis, and no mention, which GitHub looks
// for after all that.
func inert(s string) string { return references(s, "&#8203;") }

// references writes what may mean something in Markdown or HTML as character references, and something that has no width
// after what begins a mention.
func references(s, after string) string {
	var b strings.Builder
	before := ' '
	for _, r := range clean(s) {
		link := r == '.' && (before == 'w' || before == 'W') // "www."
		before = r
		if !link && (r > '~' || strings.ContainsRune(harmless, r)) {
			b.WriteRune(r)
			continue
		}
		fmt.Fprintf(&b, "&#%d;", r)
		if r == '@' || r == '#' {
			b.WriteString(after)
		}
	}
	return b.String()
}

const harmless = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789 -.,;()=/'\""
