package reports

import (
	"fmt"
	"io"
	"slices"
	"strings"
)

// SweepText writes a sweep for people, at 80 columns: a table for each metric with a row for each point.
func SweepText(w io.Writer, s Sweep, o TextOptions) error {
	p := page{color: o.Color}
	p.para("", "", fmt.Sprintf("%s  %s  Kafka %s  %s", clean(s.Scenario), s.seeds(), clean(s.Kafka), s.length()))
	if s.Question != "" {
		p.para("", "", clean(s.Question))
	}
	p.para("", "", s.plan()+": "+clean(strings.Join(s.Params, ", "))+".")
	if s.Cut() {
		p.para("", "", p.bad("INTERRUPTED")+" "+s.cut())
	}
	labels := s.labels()
	for m := range s.Metrics {
		c := s.scaleOf(m)
		p.blank()
		p.para("", "", clean(s.heading(m, &c)))
		p.table(labels, s.rows(m, &c))
	}
	p.blank()
	for _, note := range s.notes() {
		p.para("", "  ", note)
	}
	_, err := w.Write(p.Bytes())
	return err
}

// longestLabel bounds what cells are called in tables.
const longestLabel = 24

// labels names the cells, below an empty head; where a name has to be cut, all have their number, too.
func (s *Sweep) labels() []string {
	labels, long := []string{""}, false
	for i := range s.Cells {
		label := clean(s.Cells[i].label())
		long = long || columns(label) > longestLabel
		labels = append(labels, label)
	}
	for i := range labels[1:] {
		if long {
			labels[i+1] = fmt.Sprintf("%d  %s", i+1, shorten(labels[i+1], longestLabel-3))
		}
	}
	return labels
}

// table writes rows, the labels to the left and the other columns to the right. Where all are wider than a line, those of
// single runs are left out.
func (p *page) table(labels []string, rows [][]string) {
	shown := []int{0, 1, 2, 3, 4}
	for _, expendable := range []int{1, 3, 2} {
		if tableWidth(labels, rows, shown) > width {
			shown = slices.DeleteFunc(shown, func(i int) bool { return i == expendable })
		}
	}
	for r, row := range rows {
		line := "  " + labels[r] + indent(widest(labels)-columns(labels[r]))
		for _, i := range shown {
			line += indent(2+widestIn(rows, i)-columns(row[i])) + row[i]
		}
		p.line(line)
	}
}

func tableWidth(labels []string, rows [][]string, shown []int) int {
	all := 2 + widest(labels)
	for _, i := range shown {
		all += 2 + widestIn(rows, i)
	}
	return all
}

func widest(texts []string) int {
	most := 0
	for _, t := range texts {
		most = max(most, columns(t))
	}
	return most
}

func widestIn(rows [][]string, column int) int {
	most := 0
	for _, row := range rows {
		most = max(most, columns(row[column]))
	}
	return most
}
