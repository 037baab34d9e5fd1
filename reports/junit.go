package reports

import (
	"encoding/xml"
	"io"
	"strconv"
	"strings"
)

// CheckJUnit writes what a check came to as JUnit XML, in the form that Jenkins reads (its schema is in testdata): a file
// is a suite, an expectation a case. A scenario that did not run to its end is a suite with an error. There are no
// times: those of a run are virtual, and its own would differ each time.
func CheckJUnit(w io.Writer, c Checked) error {
	suites := junitSuites{Name: "simulate check"}
	for i := range c.Files {
		s := newJUnitSuite(&c.Files[i])
		suites.Suites = append(suites.Suites, s)
		suites.Tests += s.Tests
		suites.Failures += s.Failures
		suites.Errors += s.Errors
	}
	text, err := xml.MarshalIndent(suites, "", "  ")
	if err == nil {
		_, err = w.Write([]byte(xml.Header + string(text) + "\n"))
	}
	return err
}

type junitSuites struct {
	XMLName  xml.Name     `xml:"testsuites"`
	Name     string       `xml:"name,attr"`
	Tests    int          `xml:"tests,attr"`
	Failures int          `xml:"failures,attr"`
	Errors   int          `xml:"errors,attr"`
	Suites   []junitSuite `xml:"testsuite"`
}

type junitSuite struct {
	Name       string           `xml:"name,attr"`
	Tests      int              `xml:"tests,attr"`
	Failures   int              `xml:"failures,attr"`
	Errors     int              `xml:"errors,attr"`
	File       string           `xml:"file,attr"`
	Properties *junitProperties `xml:"properties"`
	Cases      []junitCase      `xml:"testcase"`
	Out        string           `xml:"system-out,omitempty"`
}

type junitProperties struct {
	List []junitProperty `xml:"property"`
}

type junitProperty struct {
	Name  string `xml:"name,attr"`
	Value string `xml:"value,attr"`
}

type junitCase struct {
	Name    string      `xml:"name,attr"`
	Class   string      `xml:"classname,attr"`
	Failure *junitFault `xml:"failure"`
	Error   *junitFault `xml:"error"`
}

type junitFault struct {
	Type    string `xml:"type,attr"`
	Message string `xml:"message,attr"`
	Text    string `xml:",chardata"`
}

func newJUnitSuite(f *CheckedFile) junitSuite {
	name := clean(f.Name)
	s := junitSuite{Name: name, File: name}
	if f.Problem == "" {
		s.Properties = &junitProperties{[]junitProperty{
			{"seed", strconv.FormatUint(f.Report.Scenario.Seed, 10)}, {"replay", f.replay()},
		}}
	}
	for i := range f.Report.Expectations {
		e := &f.Report.Expectations[i]
		c := junitCase{Name: clean(e.That), Class: name}
		if !e.Pass {
			s.Failures++
			c.Failure = &junitFault{"expectation", gotWords(e), f.detail(e)}
		}
		s.Cases = append(s.Cases, c)
	}
	if ended := f.Verdict; ended == FileWrong || ended == FileBroken || ended == FileInterrupted {
		s.Errors++
		s.Cases = append(s.Cases, junitCase{Name: "the run", Class: name, Error: &junitFault{
			string(ended), f.words(), strings.Join(each(f.problems(), func(p *string) string { return clean(*p) }), "\n"),
		}})
	}
	s.Tests = len(s.Cases)
	var races []string
	for i := range f.Report.Races {
		r := &f.Report.Races[i]
		races = append(races, f.place(r.Line)+": "+r.words()+"; "+f.replayRace(r))
	}
	s.Out = strings.Join(races, "\n")
	return s
}

// detail says in lines what there is to say about a failed expectation beside its value.
func (f *CheckedFile) detail(e *Expectation) string {
	lines := []string{f.place(e.Line)}
	if words := f.updateWords(e); words != "" {
		lines = append(lines, words)
	}
	for _, t := range e.because(known{}) {
		lines = append(lines, t.String())
	}
	return strings.Join(append(lines, f.replays(e)...), "\n")
}
