package reports

import (
	"cmp"
	"fmt"
	"io"
	"math"
	"strings"
	"time"

	"simulate/sim/metrics"
)

// TuneText writes what a search for settings found for people, at 80 columns.
func TuneText(w io.Writer, t Tune, o TextOptions) error {
	p := page{color: o.Color}
	p.tuneHeader(&t)
	if t.Best != nil {
		p.tuneVerdict(&t)
		p.tuneSettings(&t)
		p.tuneTable(&t)
		p.tuneSteps("One setting as it is now, and the others as above", &t, t.Back)
		p.tuneSteps("One setting a step beside it", &t, t.Beside)
		p.tuneCurve(&t)
		p.blank()
		p.para("", "  ", "±: in there lies the truth with 95 % confidence. Differences are between runs with one seed; ~ it may be nothing, 0 is in the interval. ! does not hold.")
	}
	_, err := w.Write(p.Bytes())
	return err
}

func (p *page) tuneHeader(t *Tune) {
	p.para("", "", fmt.Sprintf("%s  seeds %d to %d  Kafka %s  %s",
		clean(t.Scenario), t.Seed, t.Seed+uint64(t.Replications-1), clean(t.Kafka), metrics.Duration(t.Duration)))
	if t.Question != "" {
		p.para("", "", clean(t.Question))
	}
	goal := "Minimise " + clean(t.Objective.Text)
	for i := range t.Limits {
		goal += map[bool]string{true: ", subject to ", false: ", "}[i == 0] + clean(t.Limits[i].Text)
	}
	p.para("", "  ", goal+".")
	kind := "all combinations"
	if t.Sampled {
		kind = "drawn from more"
	}
	p.para("", "  ", fmt.Sprintf("%s, %s; %s of %d. All of them with %s each would take %d.", counted(t.Settings, "setting"), kind,
		counted(t.Runs, "run"), t.Budget, counted(t.Replications, "replication"), t.Exhaustive))
	if t.Refused > 0 {
		p.para("", "  ", fmt.Sprintf("Refused besides: %d, such as: %s.", t.Refused, clean(t.RefusedBecause)))
	}
	if t.Cut {
		p.para("", "", p.bad("INTERRUPTED")+fmt.Sprintf(" after %s: what follows is about these.", counted(t.Runs, "run")))
	}
}

// tuneVerdict says whether the goal is met, and how sure that is.
func (p *page) tuneVerdict(t *Tune) {
	p.blank()
	if t.Met {
		p.para("", "", p.good("The goal is met."))
	} else {
		soFar := map[bool]string{true: " so far"}[t.Cut]
		p.para("", "", p.bad("Nothing meets the goal"+soFar+".")+" What follows is the nearest miss.")
	}
	if t.Best.Runs < t.Replications {
		p.para("", "", fmt.Sprintf("The runs ended before it had all its replications: %d of %d.", t.Best.Runs, t.Replications))
	}
	if t.AsGood > 0 {
		text := counted(t.AsGood, "other setting") + " may be as good: what they look worse by may be chance."
		if t.Nearest != nil {
			text += " The nearest to the defaults of them (below: nearest) is " + clean(t.named(t.Nearest)) + "."
		}
		p.para("", "", text)
	}
}

func (t *Tune) named(c *TuneCell) string {
	texts := make([]string, len(c.Values))
	for i, v := range c.Values {
		texts[i] = t.Params[i].Key + " = " + v
	}
	return strings.Join(texts, ", ")
}

func (p *page) tuneSettings(t *Tune) {
	p.blank()
	p.line(map[bool]string{true: "Recommended", false: "Nearest miss"}[t.Met])
	for i := range t.Params {
		value, now, normal := t.Best.Values[i], cmp.Or(t.Params[i].Present, "none"), cmp.Or(t.Params[i].Default, "none")
		beside := "now " + now + "; default " + normal
		switch {
		case now == value && normal == value:
			beside = "as now, the default"
		case now == value:
			beside = "as now; default " + normal
		case normal == value:
			beside = "now " + now + "; the default"
		case now == normal:
			beside = "now " + now + ", the default"
		}
		p.para("  ", "      ", clean(t.Params[i].Key+" = "+value+" ("+beside+")"))
	}
}

// tuneTable compares the best settings with others, a column each.
func (p *page) tuneTable(t *Tune) {
	p.blank()
	heads := []string{"recommended"}
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
	p.columns("What that comes to", heads)
	p.columns("  "+clean(t.Objective.Text)+t.aDay(), eachCell(cells, t.objective))
	p.columns("    ±", eachCell(cells, t.half))
	for i := range t.Limits {
		p.columns("  "+clean(t.Limits[i].Text), eachCell(cells, func(c *TuneCell) string { return t.limit(c, i) }))
	}
	p.columns("  runs", eachCell(cells, func(c *TuneCell) string { return fmt.Sprint(c.Runs) }))
}

func eachCell(cells []*TuneCell, text func(*TuneCell) string) []string {
	texts := make([]string, len(cells))
	for i, c := range cells {
		texts[i] = text(c)
	}
	return texts
}

// columns writes texts to the right of a label, below it where that is too long.
func (p *page) columns(label string, texts []string) {
	const left, each = 32, 12
	if columns(label) > left {
		p.para("", "    ", label)
		label = ""
	}
	line := label + indent(left-columns(label))
	for _, text := range texts {
		line += indent(each-columns(text)) + text
	}
	p.line(line)
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

// tuneSteps tells what another value of one setting comes to.
func (p *page) tuneSteps(title string, t *Tune, steps []TuneStep) {
	if len(steps) == 0 {
		return
	}
	p.blank()
	p.line(title)
	for i := range steps {
		s := &steps[i]
		p.para("  ", "      ", clean(t.Params[s.Param].Key+" = "+s.Value)+": "+t.step(s))
	}
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

// tuneCurve shows what noticing the dead sooner costs.
func (p *page) tuneCurve(t *Tune) {
	if len(t.Curve) < 2 {
		return
	}
	const bar, left = 14, 42
	p.blank()
	keys := make([]string, len(t.Params))
	for i := range t.Params {
		keys[i] = t.Params[i].Key
	}
	p.para("", "  ", fmt.Sprintf("Trade-off over %s: how long a dead member counts at most, and how many are evicted a day that are alive; with %s",
		counted(t.Curve[0].Cell.Runs, "run"), clean(strings.Join(keys, ", "))))
	for i := range t.Curve {
		c := &t.Curve[i]
		mark := " "
		if c.Best {
			mark = "*"
		}
		filled := int(math.Ceil(c.Share * bar))
		line := fmt.Sprintf("%s %10s %8s %s", mark, amount(metrics.DurationType, c.Detection), metrics.Number(math.Round(100*c.FalseEvictions)/100),
			strings.Repeat("#", filled)+indent(bar-filled))
		p.line(line + "  " + shorten(strings.Join(c.Cell.Values, ", "), left))
	}
}
