package scenario

import (
	"slices"
	"strconv"
	"strings"

	"simulate/sim/metrics"
)

// Sweep is [sweep]: what `simulate sweep` varies and measures. A run takes no notice of it.
type Sweep struct {
	Question     string      // what the numbers are to answer; "" when nobody says
	Params       []ParamText // what is varied, in the grammar of package tuning
	Metrics      []Metric    // what is measured
	Replications int         // of each point; 0 when nobody says
}

// ParamText is a parameter as it is written, and where: as messages begin that are about it.
type ParamText struct{ Text, Place string }

// Metric is what a study measures: a metric in each replication, and perhaps what makes one value of them.
type Metric struct {
	Text  string
	Query metrics.Query
	Over  Aggregation  // InEach stands for the mean
	Type  metrics.Type // of the value in one replication: it has an order
}

// sweep reads [sweep]; nil when neither the file nor a flag has anything of it.
func (l *loader) sweep(t *table) *Sweep {
	if !t.has("sweep") {
		return nil
	}
	sub := t.sub("sweep", "[sweep]", sweepKeys)
	s := &Sweep{
		Question:     sub.text("question", ""),
		Params:       sub.params("params"),
		Metrics:      sub.metrics("metrics"),
		Replications: int(sub.number("replications", 0, 1, MostReplications)),
	}
	l.checkPlain(sub.at("question"), "question", s.Question)
	sub.done()
	return s
}

// params reads a list of parameters, which package tuning understands.
func (t *table) params(key string) []ParamText {
	var all []ParamText
	texts, paths := t.texts(key)
	for i, text := range texts {
		all = append(all, ParamText{text, t.l.placeOf(paths[i])})
	}
	return all
}

// metrics reads a list of metrics.
func (t *table) metrics(key string) []Metric {
	var all []Metric
	texts, paths := t.texts(key)
	for i, text := range texts {
		m, problem := t.l.cast.measured(text)
		if problem != "" {
			t.l.wrong(paths[i], "%s", problem)
			continue
		}
		if slices.ContainsFunc(all, func(other Metric) bool { return other.Text == m.Text }) {
			t.l.wrong(paths[i], "%s is there twice", quote(m.Text))
			continue
		}
		all = append(all, m)
	}
	return all
}

// measured reads METRIC, or mean, min, max or a percentile of it.
func (c *cast) measured(text string) (m Metric, problem string) {
	name, inner, ok := call(strings.TrimSpace(text))
	over := ok && aggregation.MatchString(name)
	if over {
		m.Over.Percentile, m.Over.Kind, problem = aggregationNamed(name)
	} else {
		inner = text
	}
	switch {
	case problem != "":
		return m, problem
	case comparison.MatchString(text), m.Over.Kind == Fraction:
		return m, quote(text) + " compares; write the metric alone, such as rebalances(GROUP)"
	}
	d, problem := c.metric(strings.TrimSpace(inner), &m.Query)
	switch m.Text, m.Type = m.Query.String(), d.Type; {
	case problem != "":
		return m, problem
	case !ordered(d.Type):
		return m, m.Text + " is no number"
	case over:
		m.Text = name + "(" + m.Text + ")"
	}
	return m, ""
}

// Groups returns the groups of the fleets, each once, in the order of the fleets.
func (s *Scenario) Groups() []string {
	var all []string
	seen := map[string]bool{}
	for i := range s.Fleets {
		if g := s.Fleets[i].Plan.Group; !seen[g] {
			seen[g] = true
			all = append(all, g)
		}
	}
	return all
}

func (w *writer) sweep(s *Sweep) {
	if s == nil {
		return
	}
	w.header("[sweep]")
	if s.Question != "" {
		w.pair("question", literal(s.Question))
	}
	w.params(s.Params)
	w.metrics(s.Metrics)
	if s.Replications > 0 {
		w.pair("replications", strconv.Itoa(s.Replications))
	}
}

func (w *writer) params(all []ParamText) {
	var texts []string
	for _, p := range all {
		texts = append(texts, p.Text)
	}
	if texts != nil {
		w.pair("params", list(texts))
	}
}

func (w *writer) metrics(all []Metric) {
	var texts []string
	for _, m := range all {
		texts = append(texts, m.Text)
	}
	if texts != nil {
		w.pair("metrics", list(texts))
	}
}
