package reports

import (
	"fmt"
	"io"
	"strconv"
	"strings"
)

// CheckTAP writes what a check came to as TAP 14 (https://testanything.org/tap-version-14-specification.html): a file is
// a subtest, an expectation a test point. What is not ok has its diagnostics in a YAML block. The order is that of the
// command line, which the numbers of the test points follow.
func CheckTAP(w io.Writer, c Checked) error {
	var t tap
	t.line("TAP version 14")
	t.line("1.." + strconv.Itoa(len(c.Files)))
	for i := range c.Files {
		t.file(i+1, &c.Files[i])
	}
	t.line("# " + c.Tally())
	_, err := io.WriteString(w, t.String())
	return err
}

type tap struct{ strings.Builder }

func (t *tap) line(s string) { t.WriteString(s + "\n") }

func (t *tap) file(number int, f *CheckedFile) {
	if f.Problem == "" {
		t.subtest(f)
	}
	t.point("", number, f.Verdict == FilePassed, f.Name)
	if f.Verdict == FilePassed {
		return
	}
	t.line("  ---")
	t.line("  message: " + yamlString(f.words()))
	if f.Problem != "" {
		t.list("  ", "problems", f.problems())
	} else {
		t.line("  replay: " + yamlString(f.replay()))
	}
	t.line("  ...")
}

func (t *tap) subtest(f *CheckedFile) {
	t.line("# Subtest: " + tapDescription(f.Name))
	expectations := f.Report.Expectations
	plan := "    1.." + strconv.Itoa(len(expectations))
	if len(expectations) == 0 {
		plan += " # SKIP nothing is expected"
	}
	t.line(plan)
	for i := range expectations {
		e := &expectations[i]
		t.point("    ", i+1, e.Pass, e.That)
		if !e.Pass {
			t.diagnostics(f, e)
		}
	}
	for i := range f.Report.Races {
		r := &f.Report.Races[i]
		t.line("    # " + r.words() + "; " + f.replayRace(r))
	}
}

func (t *tap) point(indent string, number int, ok bool, description string) {
	word := "ok"
	if !ok {
		word = "not ok"
	}
	t.line(fmt.Sprintf("%s%s %d - %s", indent, word, number, tapDescription(description)))
}

// diagnostics says of a failed expectation what text says of it.
func (t *tap) diagnostics(f *CheckedFile, e *Expectation) {
	const in = "      "
	t.line(in + "---")
	t.line(in + "message: " + yamlString(gotWords(e)))
	t.line(in + "at:")
	t.line(in + "  file: " + yamlString(f.Name))
	t.line(in + "  line: " + strconv.Itoa(e.Line))
	if words := f.updateWords(e); words != "" {
		t.line(in + "update: " + yamlString(words))
	}
	var because []string
	for _, line := range e.because(known{}) {
		because = append(because, line.String())
	}
	if because != nil {
		t.list(in, "because", because)
	}
	t.list(in, "replay", f.replays(e))
	t.line(in + "...")
}

func (t *tap) list(indent, key string, items []string) {
	t.line(indent + key + ":")
	for _, item := range items {
		t.line(indent + "  - " + yamlString(item))
	}
}

// tapDescription keeps a text from ending its line, from being a directive, and from escaping what follows.
func tapDescription(s string) string {
	return strings.NewReplacer(`\`, `\\`, "#", `\#`).Replace(clean(s))
}

// yamlString writes a scalar in double quotes. What is not printable is gone by then; of several hashes the log of a CI
// system would make a command.
func yamlString(s string) string {
	escaped := strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(clean(s))
	return `"` + string(escapedHashes([]byte(escaped), `\x23`)) + `"`
}
