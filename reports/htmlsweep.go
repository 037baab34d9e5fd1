package reports

import (
	"bytes"
	"html/template"
	"io"
)

// SweepHTML writes a sweep as one page that needs nothing else: for each metric its plot, as SweepPlots draws it, and the
// table of SweepText with all columns.
func SweepHTML(w io.Writer, s Sweep) error {
	page, err := newSweepPage(&s)
	if err != nil {
		return err
	}
	return writePage(w, sweepTemplate, page)
}

type sweepPage struct {
	Name, Question, Plan string
	Cut                  string // "" when all runs were done
	Meta                 []fact
	Params               []string
	Metrics              []sweptTable
	Notes                []string
}

// sweptTable is one metric.
type sweptTable struct {
	Heading string
	Picture template.HTML // "" when there is no plot of so many parameters
	Heads   []string
	Rows    []sweptRow
}

// sweptRow is a cell: where it is, and what it came to.
type sweptRow struct{ Values, Numbers []string }

func newSweepPage(s *Sweep) (*sweepPage, error) {
	p := &sweepPage{
		Name: clean(s.Scenario), Question: clean(s.Question), Plan: s.plan() + ".", Params: cleaned(s.Params), Notes: s.notes(),
		Meta: []fact{{"", s.seeds()}, {"Kafka", clean(s.Kafka)}, {"a run", s.length()}},
	}
	if s.Cut() {
		p.Cut = s.cut()
	}
	for m := range s.Metrics {
		p.Metrics = append(p.Metrics, s.sweptTable(m))
	}
	for m, plot := range SweepPlots(*s) {
		picture, err := plot.inline()
		if err != nil {
			return nil, err
		}
		p.Metrics[m].Picture = picture
	}
	return p, nil
}

func (s *Sweep) sweptTable(metric int) sweptTable {
	c := s.scaleOf(metric)
	rows := s.rows(metric, &c)
	t := sweptTable{Heading: clean(s.heading(metric, &c)), Heads: rows[0]}
	for i, numbers := range rows[1:] {
		t.Rows = append(t.Rows, sweptRow{cleaned(s.Cells[i].Values), numbers})
	}
	return t
}

func cleaned(texts []string) []string {
	all := make([]string, len(texts))
	for i, text := range texts {
		all[i] = clean(text)
	}
	return all
}

// inline returns the picture as an element of a page: SVG without the head of a file. It has no ids that another one on
// the page might have, too.
func (p *Plot) inline() (template.HTML, error) {
	var b bytes.Buffer
	if err := p.Write(&b, "svg"); err != nil {
		return "", err
	}
	return template.HTML(b.Bytes()[bytes.Index(b.Bytes(), []byte("<svg")):]), nil
}
