package reports

import (
	"cmp"
	"html/template"
	"io"
	"strconv"

	"simulate/sim/metrics"
)

// TuneHTML writes what a search for settings found as one page that needs nothing else: what is recommended first, then
// the facts of TuneText.
func TuneHTML(w io.Writer, t Tune) error {
	page, err := newTunePage(&t)
	if err != nil {
		return err
	}
	return writePage(w, tuneTemplate, page)
}

type tunePage struct {
	Name, Question, Goal string
	Cut                  string // "" when the search came to its end
	Meta                 []fact
	Keys                 []string // of the settings
	Best                 *tuneBest
	Effort               []string
	Note                 string
}

// tuneBest is what is recommended, or the nearest miss, and what it is compared with.
type tuneBest struct {
	Met         bool
	Title, Head string
	Settings    []tuneSetting
	Verdict     string
	Doubts      []string
	Compared    string
	Heads       []string
	Rows        []tuneRow
	Steps       []tuneSteps
	Curve       *tuneCurve // nil when it has no two points
}

type tuneSetting struct{ Key, Value, Now, Default string }

type tuneRow struct {
	Label string
	Texts []string
}

type tuneSteps struct {
	Title string
	Steps []tuneStep
}

type tuneStep struct{ Key, Value, Text string }

type tuneCurve struct {
	Title, Detection, FalseEvictions string // what the numbers are
	Picture                          template.HTML
	Points                           []tuneDot
}

type tuneDot struct {
	Best                             bool
	Detection, FalseEvictions, Share string
	Values                           []string
}

func newTunePage(t *Tune) (*tunePage, error) {
	p := &tunePage{
		Name: clean(t.Scenario), Question: clean(t.Question), Goal: t.goal(), Keys: cleaned(t.keys()), Effort: t.effort(), Note: tuneNote,
		Meta: []fact{{"", t.seeds()}, {"Kafka", clean(t.Kafka)}, {"a run", metrics.Duration(t.Duration)}},
	}
	if t.Cut {
		p.Cut = t.cut()
	}
	if t.Best == nil {
		return p, nil
	}
	var err error
	p.Best, err = newTuneBest(t)
	return p, err
}

func newTuneBest(t *Tune) (*tuneBest, error) {
	b := &tuneBest{Met: t.Met, Title: t.bestTitle(), Verdict: t.verdict(), Doubts: t.doubts(), Compared: comparisonTitle}
	for i := range t.Params {
		p := &t.Params[i]
		b.Settings = append(b.Settings, tuneSetting{clean(p.Key), clean(t.Best.Values[i]), clean(cmp.Or(p.Present, "none")), clean(cmp.Or(p.Default, "none"))})
	}
	heads, rows := t.comparison()
	b.Heads, b.Head = heads, heads[0]
	for _, r := range rows {
		b.Rows = append(b.Rows, tuneRow{r.label, r.texts})
	}
	b.addSteps(t, backTitle, t.Back)
	b.addSteps(t, besideTitle, t.Beside)
	if plot, ok := TunePlot(*t); ok {
		picture, err := plot.inline()
		if err != nil {
			return nil, err
		}
		b.Curve = newTuneCurve(t, picture)
	}
	return b, nil
}

func (b *tuneBest) addSteps(t *Tune, title string, steps []TuneStep) {
	if len(steps) == 0 {
		return
	}
	list := tuneSteps{Title: title}
	for i := range steps {
		s := &steps[i]
		list.Steps = append(list.Steps, tuneStep{clean(t.Params[s.Param].Key), clean(s.Value), t.step(s)})
	}
	b.Steps = append(b.Steps, list)
}

func newTuneCurve(t *Tune, picture template.HTML) *tuneCurve {
	c := &tuneCurve{Title: t.curveTitle(), Detection: detectionMeans, FalseEvictions: evictionsMean, Picture: picture}
	for i := range t.Curve {
		p := &t.Curve[i]
		c.Points = append(c.Points, tuneDot{p.Best, p.detection(), p.falseEvictions(), strconv.FormatFloat(p.Share, 'f', 3, 64), cleaned(p.Cell.Values)})
	}
	return c
}
