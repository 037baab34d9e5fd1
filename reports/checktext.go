package reports

import (
	"bytes"
	"fmt"
	"io"
	"regexp"

	"simulate/sim/clock"
)

// CheckTextOptions says how CheckText writes.
type CheckTextOptions struct {
	TextOptions
	Quiet bool // nothing about files that passed
}

// CheckText writes what a check came to for people, at 80 columns: first the files that failed, each expectation with
// its value, what it failed by and the command that shows more; then those that passed; at last the tally. Places and
// commands stay in one line, whatever its width, so that editors find them and shells take them. No line begins with what
// a CI system would obey in its log: "::" of GitHub, nor is there a "##" of GitHub, Azure or TeamCity.
func CheckText(w io.Writer, c Checked, o CheckTextOptions) error {
	p := page{color: o.Color}
	for _, f := range c.bad() {
		p.failedFile(f)
	}
	for i := range c.Files {
		f := &c.Files[i]
		if f.Verdict == FilePassed && !o.Quiet {
			p.passedFile(f)
		}
	}
	p.line(c.Tally())
	_, err := w.Write(unheeded(p.Bytes()))
	return err
}

var (
	commandLine = regexp.MustCompile(`(?m)^(\s*):(:+)`)
	hashes      = regexp.MustCompile(`##+`)
)

// unheeded breaks what the log of a CI system would take for a command.
func unheeded(text []byte) []byte {
	return escapedHashes(commandLine.ReplaceAll(text, []byte("$1: $2")), "# ")
}

// escapedHashes writes each of several hashes in a row as an escape.
func escapedHashes(text []byte, escape string) []byte {
	return hashes.ReplaceAllFunc(text, func(b []byte) []byte { return bytes.Repeat([]byte(escape), len(b)) })
}

func (p *page) failedFile(f *CheckedFile) {
	word := p.bad("FAIL")
	if f.Verdict == FileInterrupted {
		word = p.bad("CUT") + " "
	}
	p.line(word + "  " + clean(f.Name) + ": " + f.words())
	told := shown{}
	for i := range f.Report.Expectations {
		if e := &f.Report.Expectations[i]; !e.Pass {
			p.failedExpectation(f, e, told)
		}
	}
	p.races(f)
	if f.worthReplay() {
		p.line("  " + f.replay())
	}
	p.blank()
}

func (p *page) passedFile(f *CheckedFile) {
	p.line(p.good("ok") + "    " + clean(f.Name) + ": " + f.words())
	p.races(f)
}

func (p *page) races(f *CheckedFile) {
	for i := range f.Report.Races {
		r := &f.Report.Races[i]
		p.line("  " + f.place(r.Line) + ": " + r.words())
		p.line("    " + f.replayRace(r))
	}
}

// failedExpectation tells of one. What several expectations failed by is told once.
func (p *page) failedExpectation(f *CheckedFile, e *Expectation, told shown) {
	p.line(fmt.Sprintf("  %s: %s: %s", f.place(e.Line), clean(e.That), gotWords(e)))
	if words := f.updateWords(e); words != "" {
		p.para("    ", "    ", words)
	}
	above := told.take(e.Responsible)
	for _, t := range e.because(above) {
		p.told(t)
	}
	for _, command := range f.replays(e) {
		if !above.chain && command != f.replay() { // that one comes at the end
			p.line("    " + command)
		}
	}
}

// shown is what was told of a file: chains of rebalances, the last steps to what happened to members, stuck stays.
type shown map[any]bool

// take notes what is about to be told, and returns what of it was told before.
func (s shown) take(r *Responsible) known {
	var above known
	if r == nil {
		return above
	}
	above.chain = r.Cause.Chain != nil && s.add(r.Cause.Chain)
	if n := len(r.Cause.Steps); n > 0 {
		above.steps = s.add(r.Cause.Steps[n-1])
	}
	if m := &r.Moment; m.Stuck != nil {
		above.stay = s.add(stay{m.Group, m.At})
	}
	return above
}

// stay is a stuck stay, which each expectation has a copy of.
type stay struct {
	group string
	since clock.Time
}

func (s shown) add(key any) bool {
	before := s[key]
	s[key] = true
	return before
}

// told writes a line with its instant in a column of its own.
func (p *page) told(t told) {
	const column = 17
	if t.when == "" {
		p.para("    ", "      ", t.what)
		return
	}
	p.para(fmt.Sprintf("      %-10s ", t.when), indent(column), t.what)
}
