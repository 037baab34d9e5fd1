package scenarios

import (
	"context"
	"fmt"
	"os"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"simulate/check"
	"simulate/reports"
	"simulate/sim/metrics"
	"simulate/tuning"
)

const (
	studiesPage = "../docs/studies.md"
	questions   = 20 // of the catalogue
)

// What docs/studies.md has of a question: a heading, the short answer as a quotation, then tables and prose.
var (
	section  = regexp.MustCompile(`(?m)^## (Q-\d\d: .+)$`)
	short    = regexp.MustCompile(`(?m)^> (.+)\n`)
	inserted = regexp.MustCompile(`(?m)^\{\{(studies/q\d\d-[a-z-]+)\}\}\n`)
	linkHere = regexp.MustCompile(`\]\(#(q-.+?)\)`)
	bold     = regexp.MustCompile(`\*\*(.+?)\*\*`)
	row      = regexp.MustCompile(`(?m)^\|.+\|$`)
)

// TestStudiesPage holds that docs/studies.md answers every question, each with the studies that the library has of it,
// and that what it says was measured: with -update all points of all studies are run, else the last point of each, and
// the others are those of the page. What an answer has in bold, one of its tables has, too.
func TestStudiesPage(t *testing.T) {
	prose, err := os.ReadFile("testdata/studies-page.md")
	if err != nil {
		t.Fatal(err)
	}
	before, err := os.ReadFile(studiesPage)
	if err != nil {
		t.Fatal(err)
	}
	var index, page strings.Builder
	index.WriteString("| | in short |\n|---|---|\n")
	head, answers := sections(string(prose))
	if len(answers) != questions {
		t.Errorf("the page answers %d questions, want %d", len(answers), questions)
	}
	unused := slices.DeleteFunc(In("studies"), func(name string) bool { return strings.HasPrefix(name, "studies/tune-") }) // docs/tune.md has those
	for i, a := range answers {
		a.fill(t, string(before), &unused)
		a.hold(t, i+1)
		fmt.Fprintf(&index, "| [%s](#%s) | %s |\n", a.title, anchor(a.title), a.short())
		page.WriteString("\n## " + a.title + "\n" + a.text)
	}
	if len(unused) > 0 {
		t.Errorf("the page has nothing of %q", unused)
	}
	holdLinks(t, page.String(), answers)
	compareGolden(t, studiesPage, strings.Replace(head, "{{index}}\n", index.String(), 1)+strings.TrimPrefix(page.String(), "\n"))
}

// holdLinks holds that links from one answer to another lead there.
func holdLinks(t *testing.T, page string, answers []*answer) {
	t.Helper()
	for _, found := range linkHere.FindAllStringSubmatch(page, -1) {
		if !slices.ContainsFunc(answers, func(a *answer) bool { return anchor(a.title) == found[1] }) {
			t.Errorf("a link leads to %q, which is no heading", found[1])
		}
	}
}

// answer is the section of one question.
type answer struct {
	title   string // "Q-01: ...?"
	text    string // what follows the heading
	studies []*study
	cells   []string // of its tables
}

// sections takes a page apart at its headings.
func sections(page string) (head string, all []*answer) {
	places := section.FindAllStringSubmatchIndex(page, -1)
	for i, at := range places {
		end := len(page)
		if i+1 < len(places) {
			end = places[i+1][0] - 1
		}
		all = append(all, &answer{title: page[at[2]:at[3]], text: page[at[1]+1 : end]})
	}
	return page[:places[0][0]], all
}

// fill puts the tables of studies into their places, and takes these off the list.
func (a *answer) fill(t *testing.T, before string, unused *[]string) {
	t.Helper()
	a.text = inserted.ReplaceAllStringFunc(a.text, func(mark string) string {
		name := strings.Trim(mark, "{}\n")
		i := slices.Index(*unused, name)
		if i < 0 {
			t.Fatalf("there is no %s, or the page has it twice", name)
		}
		*unused = slices.Delete(*unused, i, i+1)
		s := readStudy(t, name)
		a.studies = append(a.studies, s)
		text := s.table(s.values(t, before))
		for _, line := range row.FindAllString(text, -1) {
			a.cells = append(a.cells, cellsOf(line)...)
		}
		return fmt.Sprintf("`simulate sweep %s`, means of %d runs:\n\n%s", name, s.replications, text)
	})
}

// hold holds that a section has its number, a short answer, studies that ask its question, and no number of its own.
func (a *answer) hold(t *testing.T, number int) {
	t.Helper()
	if !strings.HasPrefix(a.title, fmt.Sprintf("Q-%02d: ", number)) || len(a.studies) == 0 || a.short() == "" {
		t.Errorf("section %d is %q and has %d studies; its short answer is %q", number, a.title, len(a.studies), a.short())
	}
	for _, s := range a.studies {
		asked := fmt.Sprintf("Q-%02d: %s", number, s.Base.Scenario.Sweep.Question)
		if text, _ := Read(s.name); asked != a.title || !strings.HasPrefix(string(text), "# "+asked+"\n# https://") {
			t.Errorf("%s asks %q, in its first line or in [sweep]; the page has %q", s.name, asked, a.title)
		}
	}
	for _, found := range bold.FindAllStringSubmatch(a.text, -1) {
		if !slices.Contains(a.cells, found[1]) {
			t.Errorf("%.4s: no table has the %q of the answer", a.title, found[1])
		}
	}
}

func (a *answer) short() string {
	var lines []string
	for _, line := range short.FindAllStringSubmatch(a.text, -1) {
		lines = append(lines, line[1])
	}
	return strings.Join(lines, " ")
}

// cellsOf returns what stands in a row of a table, each also without its interval.
func cellsOf(line string) []string {
	var all []string
	for cell := range strings.SplitSeq(strings.Trim(line, "| "), " | ") {
		value, _, _ := strings.Cut(cell, " ± ")
		all = append(all, strings.Trim(value, "`"))
	}
	return all
}

// study is a scenario with what is varied, at all its points.
type study struct {
	*tuning.Study
	name         string
	points       []tuning.Point
	replications int
}

func readStudy(t *testing.T, name string) *study {
	t.Helper()
	text, _ := Read(name)
	source := check.Source{Name: name, Text: text}
	base, err := source.Load()
	if err != nil {
		t.Fatal(err)
	}
	if base.Scenario.Sweep == nil {
		t.Fatalf("%s has no [sweep]", name)
	}
	s := &study{Study: &tuning.Study{Base: base, Load: source.Load, Metrics: tuning.Metrics(base.Scenario)}, name: name}
	s.replications = base.Scenario.Sweep.Replications
	if s.Params, err = tuning.ParseParams(base, base.Scenario.Sweep.Params); err == nil {
		s.points, err = tuning.Grid(s.Params)
	}
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// values returns what the metrics came to at each point: measured at all of them, or at the last one and else those of
// a page that was written before.
func (s *study) values(t *testing.T, before string) [][]string {
	t.Helper()
	if *update {
		return s.measure(t)
	}
	values := s.read(before)
	if len(values) != len(s.points) || len(values[0]) != len(s.Metrics) {
		t.Fatalf("%s has %d points and %d metrics, its table on the page others; make docs writes it anew", s.name, len(s.points), len(s.Metrics))
	}
	last := *s.Study
	last.Params = slices.Clone(s.Params)
	for i, p := range s.Params {
		last.Params[i].Values = p.Values[len(p.Values)-1:]
	}
	values[len(values)-1] = (&study{Study: &last, replications: s.replications}).measure(t)[0]
	return values
}

// measure sweeps a study, and returns what the metrics came to at each point as tables have it.
func (s *study) measure(t *testing.T) [][]string {
	t.Helper()
	sweep, err := s.New(tuning.Options{Design: tuning.GridDesign, Replications: s.replications})
	if err == nil {
		err = sweep.Run(context.Background(), runtime.GOMAXPROCS(0), func(tuning.Run) error { return nil })
	}
	if err != nil {
		t.Fatal(err)
	}
	var values [][]string
	for _, c := range sweep.Report().Cells {
		var line []string
		for m, e := range c.Metrics {
			line = append(line, shortly(s.Metrics[m].Type, e))
		}
		values = append(values, line)
	}
	return values
}

// shortly writes an estimate with the half of its interval, as far as that is no rounding.
func shortly(of metrics.Type, e reports.Estimate) string {
	if e.Runs == 0 {
		return "none"
	}
	grain := func(x float64) string { return strings.TrimSuffix(strconv.FormatFloat(x, 'f', 1, 64), ".0") }
	switch timed := of == metrics.DurationType || of == metrics.PartitionSeconds; {
	case timed && e.Value < milliseconds(time.Minute):
		inner := grain
		grain = func(x float64) string { return inner(x/milliseconds(time.Second)) + "s" }
	case timed:
		grain = func(x float64) string {
			return metrics.Duration(time.Duration(x * float64(time.Millisecond)).Round(time.Second))
		}
	}
	text := grain(e.Value)
	if e.Interval == nil {
		return text
	}
	if half := grain((e.Interval.High - e.Interval.Low) / 2); half != grain(0) {
		text += " ± " + half
	}
	return text
}

func milliseconds(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }

// wide is the number of metrics beyond which a table has a column for each point, and not for each metric.
const wide = 8

// table writes what the metrics came to at each point.
func (s *study) table(values [][]string) string {
	var head []string
	for _, param := range s.Params {
		head = append(head, "`"+param.Key+"`")
	}
	for _, metric := range s.Metrics {
		head = append(head, "`"+metric.Text+"`")
	}
	lines := [][]string{head}
	for i, at := range s.points {
		lines = append(lines, slices.Concat(at, values[i]))
	}
	var b strings.Builder
	for i, line := range s.turned(lines) {
		fmt.Fprintf(&b, "| %s |\n", strings.Join(line, " | "))
		if i == 0 {
			b.WriteString(strings.Repeat("|---", len(line)) + "|\n")
		}
	}
	return b.String()
}

// read is the reverse of table: what the metrics came to at each point by the table of a page.
func (s *study) read(page string) [][]string {
	_, text, _ := strings.Cut(page, "`simulate sweep "+s.name+"`")
	_, text, _ = strings.Cut(text, "\n\n")
	text, _, _ = strings.Cut(text, "\n\n")
	var lines [][]string
	for i, line := range strings.Split(text, "\n") {
		if i != 1 { // that below the head
			lines = append(lines, strings.Split(strings.Trim(line, "| "), " | "))
		}
	}
	var values [][]string
	for _, line := range s.turned(lines)[1:] {
		values = append(values, line[min(len(s.Params), len(line)):])
	}
	return values
}

// turned returns the lines of a table, or its columns if it is a wide one.
func (s *study) turned(lines [][]string) [][]string {
	if len(s.Metrics) <= wide {
		return lines
	}
	columns := make([][]string, len(lines[0]))
	for _, line := range lines {
		for i := range columns {
			columns[i] = append(columns[i], line[min(i, len(line)-1)])
		}
	}
	return columns
}
