package scenario

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// Mistake is one thing that is wrong with a scenario, and where.
type Mistake struct {
	Line, Column int    // counted from 1, columns in characters; 0 when the whole file is meant
	File         string // the other file that is wrong, with its Line; "" when it is the scenario
	Flag         string // the --set flag that is wrong; "" when it is the file
	Text         string // one line: what is wrong and what would be right
}

// Errors holds all mistakes of one scenario: those of the file by position, then those of the offsets
// log that it names, then those of flags.
type Errors struct {
	Name     string // of the file
	Mistakes []Mistake
}

// Warning is something that has no effect and that its author should know about.
type Warning string

// mostShown bounds how many mistakes are printed.
const mostShown = 100

// Error prints the mistakes as a compiler does, one a line, and last how many there are.
func (e *Errors) Error() string {
	var b strings.Builder
	for _, m := range e.Mistakes[:min(mostShown, len(e.Mistakes))] {
		fmt.Fprintf(&b, "%s: %s\n", m.place(e.Name), m.Text)
	}
	noun := "problems"
	if len(e.Mistakes) == 1 {
		noun = "problem"
	}
	fmt.Fprintf(&b, "%s: %d %s", e.Name, len(e.Mistakes), noun)
	if n := len(e.Mistakes) - mostShown; n > 0 {
		fmt.Fprintf(&b, "; %d are not shown", n)
	}
	return b.String()
}

func (m Mistake) place(name string) string {
	switch {
	case m.Flag != "":
		return m.Flag
	case m.File != "":
		return fmt.Sprintf("%s:%d", m.File, m.Line)
	case m.Line == 0:
		return name
	}
	return fmt.Sprintf("%s:%d:%d", name, m.Line, m.Column)
}

func sortMistakes(all []Mistake) {
	slices.SortStableFunc(all, func(a, b Mistake) int {
		return cmp.Or(
			cmp.Compare(a.Flag, b.Flag),
			cmp.Compare(a.File, b.File),
			cmp.Compare(a.Line, b.Line),
			cmp.Compare(a.Column, b.Column),
		)
	})
}

// NewErrors returns the error of a file with these mistakes, of which there is at least one.
func NewErrors(name string, mistakes []Mistake) *Errors {
	sortMistakes(mistakes)
	return &Errors{Name: name, Mistakes: mistakes}
}
