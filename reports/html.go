package reports

import (
	"bytes"
	"embed"
	"html/template"
	"io"
	"strconv"
	"strings"
	"time"

	"simulate/explain"
	"simulate/sim/clock"
	"simulate/sim/metrics"
	"simulate/timeline"
)

//go:embed html
var htmlFiles embed.FS

var (
	htmlTemplate  = parsedPage("run.gohtml")
	sweepTemplate = parsedPage("sweep.gohtml")
	tuneTemplate  = parsedPage("tune.gohtml")
)

// parsedPage reads the template of a page, with the parts that pages share.
func parsedPage(name string) *template.Template {
	return template.Must(template.New(name).Funcs(template.FuncMap{
		"style":  func() template.CSS { return template.CSS(htmlFile("page.css")) },
		"script": func() template.JS { return template.JS(htmlFile("timeline.js")) },
	}).ParseFS(htmlFiles, "html/parts.gohtml", "html/"+name))
}

func htmlFile(name string) string {
	text, err := htmlFiles.ReadFile("html/" + name)
	if err != nil {
		panic(err) // it is embedded
	}
	return string(text)
}

// mostChains is of how many rebalances a page tells, each group of the same number.
const mostChains = 1000

// HTML writes the report as one page that needs nothing else: a timeline above, the numbers of Text below. It can be
// read without its script, which adds zooming and the story of a rebalance beside the timeline. The Report needs its
// course, which check.Course adds.
func HTML(w io.Writer, r Report) error {
	return writePage(w, htmlTemplate, newHTMLPage(&r))
}

// writePage writes a whole page or nothing.
func writePage(w io.Writer, t *template.Template, page any) error {
	var b bytes.Buffer
	if err := t.Execute(&b, page); err != nil {
		return err
	}
	_, err := b.WriteTo(w)
	return err
}

type htmlPage struct {
	Name, About  string
	Meta         []fact
	Cut          bool
	Expectations []htmlExpectation
	Held         string
	Failed       bool // an expectation, so that they are shown at once
	Groups       []htmlGroup
	Warnings     []string
	NotModelled  []string
	Lanes        *htmlData // of the members that the page only draws when it is asked to; nil when it draws all
}

type htmlExpectation struct {
	Pass      bool
	That, Got string
}

type htmlGroup struct {
	ID, Verdict      string
	Exists           bool
	Drawn            bool // there is something to draw: members that did not reach the broker, at least
	Drawing          htmlDrawing
	Rebalances       string // how many
	Chains           []htmlChain
	Untold           int // how many of them have no chain
	Open             bool
	Stuck            []htmlStay
	StuckAfter       string
	Times            []timeRow
	Facts, Anomalies facts
}

// htmlChain is a rebalance and how it came about.
type htmlChain struct {
	ID, Title, Took string
	Lines           []chainLine
}

// htmlStay is a stuck stay.
type htmlStay struct {
	ID     string
	Lines  []string
	Advice []htmlAdvice
}

type htmlAdvice struct{ Words, Change string }

func newHTMLPage(r *Report) *htmlPage {
	p := &htmlPage{
		Name: clean(r.Scenario.Name), About: flowing(func(p *page) { p.notes(r) }), Cut: r.Outcome != Finished,
		Meta: []fact{
			{"seed", strconv.FormatUint(r.Scenario.Seed, 10)},
			{"Kafka", clean(r.Scenario.Kafka)},
			{"simulated", metrics.Duration(r.At.SinceStart())},
			{"trace", r.Digest},
		},
		Held:   strconv.Itoa(len(r.Expectations)-r.Failed()) + " of " + strconv.Itoa(len(r.Expectations)) + " hold",
		Failed: r.Failed() > 0,
	}
	for i := range r.Expectations {
		e := &r.Expectations[i]
		p.Expectations = append(p.Expectations, htmlExpectation{e.Pass, clean(e.That), strings.TrimPrefix(gotWords(e), "got ")})
	}
	if crowded(&r.Timeline) {
		p.Lanes = newHTMLData(&r.Timeline)
	}
	for i := range r.Summary.Groups {
		p.Groups = append(p.Groups, newHTMLGroup(r, i, p.Lanes != nil))
	}
	for _, w := range r.allWarnings() {
		p.Warnings = append(p.Warnings, clean(w))
	}
	p.NotModelled = r.NotModelled
	return p
}

// flowing returns what is written to a page as one text.
func flowing(write func(*page)) string {
	var p page
	write(&p)
	return strings.Join(strings.Fields(p.String()), " ")
}

func newHTMLGroup(r *Report, i int, crowded bool) htmlGroup {
	g := &r.Summary.Groups[i]
	text := groupText{group: g}
	h := htmlGroup{
		ID: "g" + strconv.Itoa(i+1), Verdict: text.verdict(), Exists: !text.neverExisted(),
		Rebalances: metrics.Plural(len(g.Rebalances), "rebalance") + ", " + strconv.Itoa(g.Completed) + " completed" + followUpWords(g.Rebalances),
		StuckAfter: metrics.Duration(r.Scenario.StuckAfter),
		Facts:      failuresOf(g),
	}
	if h.Exists {
		h.Times, h.Facts, h.Anomalies = timesOf(g), factsOf(g), anomaliesOf(g, false)
	}
	h.chains(r, g)
	for n := range g.Stuck {
		h.Stuck = append(h.Stuck, newHTMLStay(h.ID, r.Advice, g, n))
	}
	h.Drawing = newHTMLDrawing(r, g, &h, crowded)
	h.Drawn = h.Exists || len(h.Drawing.Lanes) > 1 || len(h.Drawing.Fleets) > 0
	return h
}

// chains tells of the rebalances.
func (h *htmlGroup) chains(r *Report, g *metrics.Group) {
	most := mostChains / len(r.Summary.Groups)
	for i := range r.Chains {
		if of := &r.Chains[i]; of.Name == g.Name {
			for n := range of.Chains[:min(most, len(of.Chains))] {
				h.Chains = append(h.Chains, newHTMLChain(h.ID, of, n))
			}
			h.Untold = len(of.Chains) - len(h.Chains)
		}
	}
	h.Open = len(h.Chains) <= firstLines
}

func newHTMLChain(group string, of *explain.Group, n int) htmlChain {
	c := &of.Chains[n]
	return htmlChain{
		ID: group + "-rebalance-" + strconv.Itoa(c.Number), Title: chainTitle(c), Took: metrics.Brief(c.Rebalance.For()),
		Lines: explained{group: of}.lines(c),
	}
}

func newHTMLStay(group string, advice *Advice, g *metrics.Group, n int) htmlStay {
	s := htmlStay{ID: group + "-stuck-" + strconv.Itoa(n+1), Lines: stuckLines(g.Name, &g.Stuck[n])}
	for _, a := range adviceLines(advice.stay(g.Name, n)) {
		s.Advice = append(s.Advice, htmlAdvice{a.words, a.change})
	}
	return s
}

// laneOf returns the lanes of a group; none when nothing of it was recorded.
func laneOf(t *timeline.Timeline, group string) *timeline.Group {
	if i := groupIndex(t, group); i >= 0 {
		return &t.Groups[i]
	}
	return &timeline.Group{Name: group}
}

// drawn writes a length of a drawing: seconds, since Chromium draws nothing beyond 2^25 units, and a day has more
// milliseconds than that.
func drawn(d time.Duration) string {
	return strconv.FormatFloat(d.Round(time.Microsecond).Seconds(), 'f', -1, 64)
}

func drawnAt(t clock.Time) string { return drawn(t.SinceStart()) }
