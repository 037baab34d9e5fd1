package reports

import (
	"cmp"
	"fmt"
	"io"
	"math"
	"strings"

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
		p.tuneSteps(backTitle, &t, t.Back)
		p.tuneSteps(besideTitle, &t, t.Beside)
		p.tuneCurve(&t)
		p.blank()
		p.para("", "  ", tuneNote)
	}
	_, err := w.Write(p.Bytes())
	return err
}

func (p *page) tuneHeader(t *Tune) {
	p.para("", "", fmt.Sprintf("%s  %s  Kafka %s  %s", clean(t.Scenario), t.seeds(), clean(t.Kafka), metrics.Duration(t.Duration)))
	if t.Question != "" {
		p.para("", "", clean(t.Question))
	}
	p.para("", "  ", t.goal())
	for _, line := range t.effort() {
		p.para("", "  ", line)
	}
	if t.Cut {
		p.para("", "", p.bad("INTERRUPTED")+" "+t.cut())
	}
}

// tuneVerdict says whether the goal is met, and how sure that is.
func (p *page) tuneVerdict(t *Tune) {
	p.blank()
	if t.Met {
		p.para("", "", p.good(t.verdict()))
	} else {
		p.para("", "", p.bad(t.verdict())+" What follows is the nearest miss.")
	}
	for _, doubt := range t.doubts() {
		p.para("", "", doubt)
	}
}

func (p *page) tuneSettings(t *Tune) {
	p.blank()
	p.line(t.bestTitle())
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
	heads, rows := t.comparison()
	p.columns(comparisonTitle, heads)
	for _, r := range rows {
		p.columns("  "+r.label, r.texts)
	}
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

// tuneCurve shows what noticing the dead sooner costs.
func (p *page) tuneCurve(t *Tune) {
	if len(t.Curve) < 2 {
		return
	}
	const bar, left = 14, 42
	p.blank()
	p.para("", "  ", t.curveTitle()+": "+detectionMeans+", and "+evictionsMean+"; with "+clean(strings.Join(t.keys(), ", ")))
	for i := range t.Curve {
		c := &t.Curve[i]
		mark := " "
		if c.Best {
			mark = "*"
		}
		filled := int(math.Ceil(c.Share * bar))
		line := fmt.Sprintf("%s %10s %8s %s", mark, c.detection(), c.falseEvictions(),
			strings.Repeat("#", filled)+indent(bar-filled))
		p.line(line + "  " + shorten(strings.Join(c.Cell.Values, ", "), left))
	}
}
