package reports

import (
	"fmt"
	"io"
	"strconv"
	"strings"
)

// CheckAnnotations writes what a check came to as workflow commands of GitHub Actions, one a line: an error for each
// expectation that failed and each scenario that did not run to its end, a warning for each race where those are no
// failures. GitHub shows them at their lines of the file. It lists ten of each kind for a step; the others stand in the
// log.
//
// GitHub: "Workflow commands for GitHub Actions", Setting an error message; escaping as in actions/toolkit, command.ts.
func CheckAnnotations(w io.Writer, c Checked) error {
	var b strings.Builder
	for i := range c.Files {
		f := &c.Files[i]
		for _, a := range f.annotations() {
			b.WriteString(a.String() + "\n")
		}
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// annotation is one workflow command.
type annotation struct {
	command string // "error" or "warning"
	file    string // "" when there is no such file
	line    int    // 0 when unknown
	column  int    // 0 when unknown
	title   string
	message string
}

// String writes the command with its properties in one line.
func (a annotation) String() string {
	var properties []string
	add := func(key, value string) {
		properties = append(properties, key+"="+propertyEscapes.Replace(value))
	}
	if a.file != "" {
		add("file", a.file)
	}
	if a.line > 0 && a.file != "" {
		add("line", strconv.Itoa(a.line))
	}
	if a.column > 0 && a.file != "" {
		add("col", strconv.Itoa(a.column))
	}
	add("title", a.title)
	return fmt.Sprintf("::%s %s::%s", a.command, strings.Join(properties, ","), dataEscapes.Replace(a.message))
}

var (
	dataEscapes     = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A")
	propertyEscapes = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A", ":", "%3A", ",", "%2C")
)

func (f *CheckedFile) annotations() []annotation {
	var list []annotation
	add := func(a annotation) {
		if f.IsPath {
			a.file = clean(f.Name)
		}
		list = append(list, a)
	}
	for i := range f.Report.Expectations {
		if e := &f.Report.Expectations[i]; !e.Pass {
			add(annotation{command: "error", line: e.Line, title: clean(e.That) + ": " + gotWords(e), message: f.detail(e)})
		}
	}
	race := "warning"
	if f.Report.RacesFail {
		race = "error"
	}
	for i := range f.Report.Races {
		r := &f.Report.Races[i]
		add(annotation{command: race, line: r.Line, title: clean(r.That), message: r.words() + "\n" + f.replayRace(r)})
	}
	switch {
	case f.Problem != "":
		for _, a := range f.mistakes() {
			add(a)
		}
	case f.Report.Outcome != Finished:
		add(annotation{command: "error", title: clean(f.Name) + ": " + f.words(), message: f.replay()})
	}
	return list
}

// mistakes returns one annotation for each mistake that has a place in the file, or one for all.
func (f *CheckedFile) mistakes() []annotation {
	var list []annotation
	for _, problem := range f.problems() {
		a := annotation{command: "error", title: f.words()}
		rest, ok := strings.CutPrefix(problem, f.Name+":")
		if n, _ := fmt.Sscanf(rest, "%d:%d:", &a.line, &a.column); ok && n == 2 {
			a.message = clean(problem)
			list = append(list, a)
		}
	}
	if len(list) == 0 {
		list = append(list, annotation{command: "error", title: f.words(), message: clean(f.Problem)})
	}
	return list
}
