package reports

import (
	"math"
	"strconv"
	"strings"

	"simulate/sim/metrics"
)

// scale is how the numbers of one metric are written in a table: in one unit, with one number of decimals.
type scale struct {
	unit     string // "" for counts
	per      float64
	decimals int // of what is no single run
	whole    bool
}

// timeUnits are what times are shown in, each up to a number of milliseconds.
var timeUnits = []struct {
	name string
	per  float64 // in milliseconds
	most float64
}{
	{"ms", 1, 1000},
	{"s", 1000, 600e3},
	{"min", 60e3, 600 * 60e3},
	{"h", 3600e3, math.Inf(1)},
}

// scaleOf finds the scale in which all numbers of a metric are readable.
func (s *Sweep) scaleOf(metric int) scale {
	most := 0.0
	for i := range s.Cells {
		if e := &s.Cells[i].Metrics[metric]; e.Runs > 0 {
			most = max(most, e.Max)
		}
	}
	c := scale{per: 1, whole: true}
	switch s.Metrics[metric].Type {
	case metrics.DurationType, metrics.PartitionSeconds:
		c.whole = false
		for _, u := range timeUnits {
			if c.unit, c.per = u.name, u.per; most < u.most {
				break
			}
		}
	case metrics.ShareType:
		c.unit, c.per, c.whole = "%", 0.01, false
	}
	c.decimals = decimals(most / c.per)
	return c
}

// decimals returns how many decimals show a number, and smaller ones, with four digits.
func decimals(most float64) int {
	n := 3
	for limit := 10.0; n > 0 && most >= limit; limit *= 10 {
		n--
	}
	return n
}

// text writes a number, a mean or the like.
func (c *scale) text(x float64) string { return c.fixed(x, c.decimals) }

// run writes what a single run came to.
func (c *scale) run(x float64) string {
	if c.whole {
		return c.fixed(x, 0)
	}
	return c.text(x)
}

// fixed writes a number with so many decimals, and a very large one with a power of ten.
func (c *scale) fixed(x float64, decimals int) string {
	x /= c.per
	if math.Abs(x) >= 1e7 {
		return strconv.FormatFloat(x, 'g', 4, 64)
	}
	text := strconv.FormatFloat(x, 'f', decimals, 64)
	if strings.Trim(text, "-0.") == "" {
		return strings.TrimPrefix(text, "-")
	}
	return text
}

// around writes a value and its interval: "4.20 ± 0.31", or both ends where it lies not in the middle.
func (c *scale) around(x float64, i *Interval) string {
	if i == nil {
		return c.text(x)
	}
	if up, down := i.High-x, x-i.Low; math.Abs(up-down) <= 1e-9*(up+down) {
		return c.text(x) + " ± " + c.text(up)
	}
	return c.text(x) + " (" + c.text(i.Low) + " to " + c.text(i.High) + ")"
}

// difference writes a difference with its sign, and a mark where 0 is in its interval.
func (c *scale) difference(d *Difference) string {
	if d == nil {
		return ""
	}
	text := c.around(d.Value, d.Interval)
	if d.Value > 0 {
		text = "+" + text
	}
	if d.Interval != nil && d.Interval.Low <= 0 && d.Interval.High >= 0 {
		text = "~ " + text
	}
	return text
}

// heading names a metric with its unit.
func (s *Sweep) heading(metric int, c *scale) string {
	text := s.Metrics[metric].Text
	switch {
	case c.unit == "":
		return text
	case s.Metrics[metric].Type == metrics.PartitionSeconds:
		return text + ", partitions × " + c.unit
	}
	return text + ", " + c.unit
}

// rows are the columns of one metric's table, a row a cell, without what the cells are called; the first row has the
// heads.
func (s *Sweep) rows(metric int, c *scale) [][]string {
	rows := [][]string{{valueHead(s.Metrics[metric].Text), "p50", "p95", "max", "difference"}}
	for i := range s.Cells {
		e := &s.Cells[i].Metrics[metric]
		if e.Runs == 0 {
			rows = append(rows, []string{"no value", "", "", "", ""})
			continue
		}
		rows = append(rows, []string{c.around(e.Value, e.Interval), c.run(e.P50), c.run(e.P95), c.run(e.Max), c.difference(e.Difference)})
	}
	return rows
}

// valueHead says what the value of a metric is.
func valueHead(metric string) string {
	name, inner, _ := strings.Cut(metric, "(")
	if strings.Contains(inner, "(") {
		return name
	}
	return "mean"
}

// label names a cell by its values.
func (c *SweepCell) label() string { return strings.Join(c.Values, ", ") }

// seeds says which seeds the runs of a cell have.
func (s *Sweep) seeds() string {
	if s.Replications == 1 {
		return "seed " + strconv.FormatUint(s.Seed, 10)
	}
	return "seeds " + strconv.FormatUint(s.Seed, 10) + " to " + strconv.FormatUint(s.Seed+uint64(s.Replications-1), 10)
}

// plan says in a line what was run.
func (s *Sweep) plan() string {
	each := "with " + metrics.Plural(s.Replications, "replication") + " each"
	if s.UntilCI > 0 {
		each = "with up to " + metrics.Plural(s.Replications, "replication") + " each, until intervals are within " + rounded(100*s.UntilCI).String() + " %"
	}
	return designs[s.Design] + " of " + metrics.Plural(len(s.Cells), "point") + " " + each
}

var designs = map[string]string{"grid": "Grid", "lhs": "Latin hypercube"}

// notes says what a reader of the tables has to know besides.
func (s *Sweep) notes() []string {
	var all []string
	if s.Replications > 1 {
		all = append(all, "± and (… to …): in there lies the truth with 95 % confidence, by Student's t of means and by order of percentiles.")
	} else {
		all = append(all, "One replication does not tell what is due to chance; --replications 30 does.")
	}
	if len(s.Cells) > 1 {
		all = append(all, "difference: from "+shorten(s.Cells[s.Base].label(), 60)+", replication by replication with one seed; ~ it may be nothing, 0 is in the interval.")
	}
	for m := range s.Metrics {
		for i := range s.Cells {
			c := &s.Cells[i]
			if n := c.Metrics[m].Runs; n > 0 && n < c.Runs {
				all = append(all, shorten(s.Metrics[m].Text, 40)+" at "+shorten(c.label(), 40)+": "+strconv.Itoa(c.Runs-n)+" of "+metrics.Plural(c.Runs, "run")+" have no value.")
			}
		}
	}
	return all
}

// cut says that the sweep was interrupted.
func (s *Sweep) cut() string {
	least := ""
	if s.UntilCI > 0 {
		least = "at least "
	}
	return "after " + strconv.Itoa(s.Done) + " of " + least + metrics.Plural(s.Planned, "run") + ": what follows is about these."
}

// length is how long a run lasts.
func (s *Sweep) length() string { return metrics.Duration(s.Duration) }
