package reports

import (
	"io"
	"strings"
)

// SweepMarkdown writes a sweep as Markdown, for a page or a comment: a table for each metric with a row for each point.
func SweepMarkdown(w io.Writer, s Sweep) error {
	m := markdown{}
	m.line("## simulate sweep: " + inert(s.Scenario))
	if s.Question != "" {
		m.line("")
		m.line(inert(s.Question))
	}
	m.line("")
	m.line(inert(s.plan() + ", " + s.seeds() + ", Kafka " + s.Kafka + ", " + s.length() + "."))
	if s.Cut() {
		m.line("")
		m.line("**INTERRUPTED** " + inert(s.cut()))
	}
	for i := range s.Metrics {
		m.sweptMetric(&s, i)
	}
	m.line("")
	for _, note := range s.notes() {
		m.line("- " + inert(note))
	}
	_, err := io.WriteString(w, m.String())
	return err
}

func (m *markdown) sweptMetric(s *Sweep, metric int) {
	c := s.scaleOf(metric)
	m.line("")
	m.line("### " + inert(s.heading(metric, &c)))
	m.line("")
	rows := s.rows(metric, &c)
	heads := make([]string, len(s.Params))
	for i, key := range s.Params {
		heads[i] = code(key)
	}
	m.row(append(heads, rows[0]...))
	m.line(strings.Repeat("|---", len(s.Params)) + strings.Repeat("|---:", len(rows[0])) + "|")
	for i, row := range rows[1:] {
		var values []string
		for _, v := range s.Cells[i].Values {
			values = append(values, inert(v))
		}
		m.row(append(values, row...))
	}
}

// row writes a row of a table.
func (m *markdown) row(cells []string) { m.line("| " + strings.Join(cells, " | ") + " |") }
