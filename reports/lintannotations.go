package reports

import (
	"io"
	"strings"

	"simulate/lint"
)

// LintAnnotations writes the findings that count as workflow commands of GitHub Actions, one a line: errors, warnings
// and notices at their places, and an error for each mistake of a file that cannot be read.
func LintAnnotations(w io.Writer, files []Linted) error {
	var b strings.Builder
	for i := range files {
		f := &files[i]
		for _, m := range f.mistakes() {
			b.WriteString(f.annotation("error", "cannot be read", m.Text, m.Line, m.Column).String() + "\n")
		}
		for j := range f.Findings {
			if found := &f.Findings[j]; found.Ignored == "" {
				a := f.annotation(lintCommands[found.Rule.Severity], found.Rule.ID, findingWords(found), found.Line, found.Column)
				b.WriteString(a.String() + "\n")
			}
		}
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// lintCommands are GitHub's words for severities.
var lintCommands = map[lint.Severity]string{lint.Error: "error", lint.Warning: "warning", lint.Note: "notice"}

func (f *Linted) annotation(command, title, message string, line, column int) annotation {
	a := annotation{command: command, line: line, column: column, title: clean(title), message: message}
	if f.IsPath {
		a.file = clean(f.File)
	}
	return a
}
