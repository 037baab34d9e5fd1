package reports

import (
	"fmt"
	"math"
	"strings"
	"time"

	"simulate/sim/metrics"
)

// What stands above and below the tables of a search, whatever the form.
const (
	comparisonTitle = "What that comes to"
	backTitle       = "One setting as it is now, and the others as above"
	besideTitle     = "One setting a step beside it"
	detectionMeans  = "how long a dead member counts at most"
	evictionsMean   = "how many are evicted a day that are alive"
	tuneNote        = "±: in there lies the truth with 95 % confidence. Differences are between runs with one seed; ~ it may be nothing, 0 is in the interval. ! does not hold."
)

func (t *Tune) seeds() string {
	return fmt.Sprintf("seeds %d to %d", t.Seed, t.Seed+uint64(t.Replications-1))
}

// goal says what is minimised and what has to hold.
func (t *Tune) goal() string {
	goal := "Minimise " + clean(t.Objective.Text)
	for i := range t.Limits {
		goal += map[bool]string{true: ", subject to ", false: ", "}[i == 0] + clean(t.Limits[i].Text)
	}
	return goal + "."
}

// effort says how many settings took part, in how many runs.
func (t *Tune) effort() []string {
	kind := "all combinations"
	if t.Sampled {
		kind = "drawn from more"
	}
	lines := []string{fmt.Sprintf("%s, %s; %s of %d. All of them with %s each would take %d.", metrics.Plural(t.Settings, "setting"), kind,
		metrics.Plural(t.Runs, "run"), t.Budget, metrics.Plural(t.Replications, "replication"), t.Exhaustive)}
	if t.Refused > 0 {
		lines = append(lines, fmt.Sprintf("Refused besides: %d, such as: %s.", t.Refused, clean(t.RefusedBecause)))
	}
	return lines
}

// cut says that the search was interrupted.
func (t *Tune) cut() string {
	return fmt.Sprintf("after %s: what follows is about these.", metrics.Plural(t.Runs, "run"))
}

func (t *Tune) verdict() string {
	if t.Met {
		return "The goal is met."
	}
	return "Nothing meets the goal" + map[bool]string{true: " so far"}[t.Cut] + "."
}

// doubts say how sure the verdict is.
func (t *Tune) doubts() []string {
	var lines []string
	if t.Best.Runs < t.Replications {
		lines = append(lines, fmt.Sprintf("The runs ended before it had all its replications: %d of %d.", t.Best.Runs, t.Replications))
	}
	if t.AsGood > 0 {
		text := metrics.Plural(t.AsGood, "other setting") + " may be as good: what they look worse by may be chance."
		if t.Nearest != nil {
			text += " The nearest to the defaults of them (below: nearest) is " + clean(t.named(t.Nearest)) + "."
		}
		lines = append(lines, text)
	}
	return lines
}

func (t *Tune) named(c *TuneCell) string {
	texts := make([]string, len(c.Values))
	for i, v := range c.Values {
		texts[i] = t.Params[i].Key + " = " + v
	}
	return strings.Join(texts, ", ")
}

func (t *Tune) keys() []string {
	keys := make([]string, len(t.Params))
	for i := range t.Params {
		keys[i] = t.Params[i].Key
	}
	return keys
}

func (t *Tune) bestTitle() string {
	return map[bool]string{true: "Recommended", false: "Nearest miss"}[t.Met]
}

// comparedRow is what several settings come to in one respect.
type comparedRow struct {
	label string
	texts []string
}

// comparison compares the best settings with others, a column each.
func (t *Tune) comparison() (heads []string, rows []comparedRow) {
	heads = []string{"recommended"}
	if !t.Met {
		heads[0] = "this"
	}
	cells := []*TuneCell{t.Best}
	for _, other := range []struct {
		head string
		cell *TuneCell
	}{{"now", t.Present}, {"defaults", t.Defaults}, {"nearest", t.Nearest}} {
		if other.cell != nil {
			heads, cells = append(heads, other.head), append(cells, other.cell)
		}
	}
	add := func(label string, text func(*TuneCell) string) {
		row := comparedRow{label: label}
		for _, c := range cells {
			row.texts = append(row.texts, text(c))
		}
		rows = append(rows, row)
	}
	add(clean(t.Objective.Text)+t.aDay(), t.objective)
	add("  ±", t.half)
	for i := range t.Limits {
		add(clean(t.Limits[i].Text), func(c *TuneCell) string { return t.limit(c, i) })
	}
	add("runs", func(c *TuneCell) string { return fmt.Sprint(c.Runs) })
	return heads, rows
}

func (t *Tune) aDay() string {
	if t.Objective.Adds {
		return " a day"
	}
	return ""
}

// scaled puts a number of one run to a day, where that makes sense.
func (t *Tune) scaled(x float64) float64 {
	if t.Objective.Adds {
		return x / t.Days
	}
	return x
}

func (t *Tune) objective(c *TuneCell) string {
	if c.Objective.Runs < c.Runs {
		return "no value"
	}
	return amount(t.Objective.Type, t.scaled(c.Objective.Value))
}

// half is how far the interval of the objective goes to each side.
func (t *Tune) half(c *TuneCell) string {
	if c.Objective.Interval == nil {
		return "unknown"
	}
	return amount(t.Objective.Type, t.scaled(c.Objective.Interval.High-c.Objective.Value))
}

func (t *Tune) limit(c *TuneCell, i int) string {
	l := &c.Limits[i]
	text := "no value"
	if l.Value != nil {
		text = amount(t.Limits[i].Type, *l.Value)
	}
	if !l.Holds {
		text += " !"
	}
	return text
}

// amount writes a number of a type in ten columns.
func amount(kind metrics.Type, x float64) string {
	switch kind {
	case metrics.DurationType, metrics.PartitionSeconds:
		d := time.Duration(math.Round(math.Abs(x) * float64(time.Millisecond)))
		grain := 10 * time.Millisecond
		if d >= time.Minute {
			grain = time.Second
		}
		return map[bool]string{true: "-"}[x < 0] + brief(metrics.Value{Type: kind, Duration: d.Round(grain)})
	case metrics.ShareType:
		return metrics.Number(math.Round(1000*x)/10) + " %"
	case metrics.StateType:
		return "" // whether it holds says all
	}
	return metrics.Number(x)
}

func (t *Tune) step(s *TuneStep) string {
	switch {
	case s.Why != "":
		return "refused, " + clean(s.Why)
	case s.Cell == nil:
		return "not run"
	}
	text := t.difference(s.Cell.Objective.Difference)
	for i := range t.Limits {
		if !s.Cell.Limits[i].Holds {
			text += "; " + clean(t.Limits[i].Text) + " does not hold: " + strings.TrimSuffix(t.limit(s.Cell, i), " !")
		}
	}
	return text
}

// difference says how much more or less of the objective there is.
func (t *Tune) difference(d *Difference) string {
	name := " " + clean(t.Objective.Text) + t.aDay()
	if d == nil {
		return "no value"
	}
	if d.Value == 0 {
		return "as much" + name
	}
	word := " more"
	if d.Value < 0 {
		word = " less"
	}
	text := amount(t.Objective.Type, t.scaled(math.Abs(d.Value)))
	if d.Interval != nil {
		text += " ± " + amount(t.Objective.Type, t.scaled(d.Interval.High-d.Value))
		if d.Interval.Low <= 0 && d.Interval.High >= 0 {
			text = "~ " + text
		}
	}
	return text + word + name
}

func (t *Tune) curveTitle() string {
	return "Trade-off over " + metrics.Plural(t.Curve[0].Cell.Runs, "run")
}

func (p *TunePoint) detection() string { return amount(metrics.DurationType, p.Detection) }

func (p *TunePoint) falseEvictions() string {
	return metrics.Number(math.Round(100*p.FalseEvictions) / 100)
}
