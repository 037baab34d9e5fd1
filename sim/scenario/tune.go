package scenario

import (
	"fmt"
	"strconv"
	"strings"

	"simulate/sim/metrics"
)

// Tune is [tune]: what `simulate tune` looks for. A run takes no notice of it.
type Tune struct {
	Question     string        // what the settings are to answer; "" when nobody says
	Minimise     *Metric       // whose mean over the replications is to be the least; nil when nobody says
	SubjectTo    []Expectation // what must hold besides
	Params       []ParamText   // what may be changed, in the grammar of package tuning
	Replications int           // of settings that are taken seriously; 0 when nobody says
	Budget       int           // runs in all; 0 when nobody says
}

// tune reads [tune]; nil when neither the file nor a flag has anything of it.
func (l *loader) tune(t *table) *Tune {
	if !t.has("tune") {
		return nil
	}
	sub := t.sub("tune", "[tune]", tuneKeys)
	s := &Tune{
		Question:     sub.text("question", ""),
		Minimise:     sub.objective("minimise"),
		SubjectTo:    sub.limits("subject-to"),
		Params:       sub.params("params"),
		Replications: int(sub.number("replications", 0, leastTuned, MostReplications)),
		Budget:       int(sub.number("budget", 0, 1, MostBudget)),
	}
	l.checkPlain(sub.at("question"), "question", s.Question)
	sub.done()
	return s
}

// leastTuned is the least number of replications of settings that are compared: fewer tell nothing of chance.
const leastTuned = 2

// MostBudget bounds the runs of one search.
const MostBudget = 10_000_000

func (t *table) objective(key string) *Metric {
	if !t.has(key) {
		return nil
	}
	text := t.text(key, "")
	if t.l.bad[t.at(key)] {
		return nil
	}
	m, problem := t.l.cast.measured(text)
	if problem == "" && m.Over.Kind != InEach && m.Over.Kind != OfMean {
		problem = fmt.Sprintf("the mean over all runs is what is minimised; write minimise = %q, and limit %s by subject-to", m.Query.String(), m.Text)
	}
	if problem != "" {
		t.l.wrong(t.at(key), "%s", problem)
		return nil
	}
	return &m
}

// limits reads a list of expectations.
func (t *table) limits(key string) []Expectation {
	over := *t.l.cast
	over.replications = max(over.replications, leastTuned) // settings are compared over several
	var all []Expectation
	texts, paths := t.texts(key)
	for i, text := range texts {
		e := Expectation{That: strings.Join(strings.Fields(text), " ")}
		problem := over.parse(&e)
		if d, _ := metrics.Find(e.Query.Name); problem == "" && d.Type == metrics.NameType {
			problem = e.Query.String() + " is no number and no state"
		}
		if problem != "" {
			t.l.wrong(paths[i], "%s", problem)
			continue
		}
		all = append(all, e)
	}
	return all
}

func (w *writer) tune(s *Tune) {
	if s == nil {
		return
	}
	w.header("[tune]")
	if s.Question != "" {
		w.pair("question", literal(s.Question))
	}
	if s.Minimise != nil {
		w.pair("minimise", literal(s.Minimise.Text))
	}
	var limits []string
	for i := range s.SubjectTo {
		limits = append(limits, s.SubjectTo[i].That)
	}
	if limits != nil {
		w.pair("subject-to", list(limits))
	}
	w.params(s.Params)
	if s.Replications > 0 {
		w.pair("replications", strconv.Itoa(s.Replications))
	}
	if s.Budget > 0 {
		w.pair("budget", strconv.Itoa(s.Budget))
	}
}
