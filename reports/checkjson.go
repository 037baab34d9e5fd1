package reports

import (
	"io"
	"strings"

	"simulate/explain"
)

// CheckSchema is the id of the form that CheckJSON writes; Schema("check") describes it.
const CheckSchema = "simulate.check/1"

// CheckJSON writes what a check came to for programs, in the form of CheckSchema, followed by a line break.
func CheckJSON(w io.Writer, c Checked) error {
	return encode(w, checkJSON{
		Schema: CheckSchema, Passed: c.Passed, Failed: c.Failed, Interrupted: c.Interrupted,
		Files: each(c.Files, newCheckedFileJSON),
	})
}

type checkJSON struct {
	Schema      string            `json:"schema"`
	Passed      int               `json:"passed"`
	Failed      int               `json:"failed"`
	Interrupted int               `json:"interrupted"`
	Files       []checkedFileJSON `json:"files"`
}

type checkedFileJSON struct {
	File         string                   `json:"file"`
	Verdict      string                   `json:"verdict"`
	Sentence     string                   `json:"sentence"`
	Problems     []string                 `json:"problems"`
	Scenario     *string                  `json:"scenario"`
	Seed         *uint64                  `json:"seed"`
	Replay       *string                  `json:"replay"`
	Expectations []checkedExpectationJSON `json:"expectations"`
	Races        []raceJSON               `json:"races"`
	Warnings     []string                 `json:"warnings"`
}

type checkedExpectationJSON struct {
	expectationJSON
	Snapshot    bool             `json:"snapshot"`
	Responsible *responsibleJSON `json:"responsible"`
	Replay      []string         `json:"replay"`
}

type responsibleJSON struct {
	Kind     string          `json:"kind"`
	Group    string          `json:"group"`
	AtMs     millis          `json:"at_ms"`
	UntilMs  millis          `json:"until_ms"`
	Nth      *int            `json:"nth"`
	Outside  bool            `json:"outside"`
	Member   *string         `json:"member"`
	Sentence string          `json:"sentence"`
	Chain    *chainJSON      `json:"rebalance"`
	Steps    []stepJSON      `json:"steps"`
	Settings []settingOfJSON `json:"settings"`
}

type chainJSON struct {
	Number   int        `json:"number"`
	AtMs     millis     `json:"at_ms"`
	Reason   string     `json:"reason"`
	Member   *string    `json:"member"`
	Parent   *int       `json:"parent"`
	Sentence string     `json:"sentence"`
	Steps    []stepJSON `json:"steps"`
}

type stepJSON struct {
	AtMs     millis  `json:"at_ms"`
	Member   *string `json:"member"`
	Event    *int32  `json:"event"`
	Source   *string `json:"source"`
	Sentence string  `json:"sentence"`
}

type settingOfJSON struct {
	Name   string  `json:"name"`
	Member *string `json:"member"`
	Value  *string `json:"value"`
}

type raceJSON struct {
	That        string `json:"that"`
	Line        *int   `json:"line"`
	ShuffleSeed uint64 `json:"shuffle_seed"`
	Pass        bool   `json:"pass"`
	Got         string `json:"got"`
	Unshuffled  string `json:"unshuffled"`
	Replay      string `json:"replay"`
}

func newCheckedFileJSON(f *CheckedFile) checkedFileJSON {
	r := &f.Report
	j := checkedFileJSON{
		File: f.Name, Verdict: string(f.Verdict), Sentence: f.words(), Problems: f.problems(),
		Expectations: each(r.Expectations, func(e *Expectation) checkedExpectationJSON { return newCheckedExpectationJSON(f, e) }),
		Races:        each(r.Races, func(r *Race) raceJSON { return newRaceJSON(f, r) }),
		Warnings:     each(r.allWarnings(), itself),
	}
	if f.Problem == "" {
		j.Scenario, j.Seed, j.Replay = &r.Scenario.Name, &r.Scenario.Seed, new(f.replay())
	}
	return j
}

// problems lists why there is no report, line by line.
func (f *CheckedFile) problems() []string {
	if f.Problem == "" {
		return []string{}
	}
	return strings.Split(f.Problem, "\n")
}

func newCheckedExpectationJSON(f *CheckedFile, e *Expectation) checkedExpectationJSON {
	j := checkedExpectationJSON{expectationJSON: newExpectationJSON(e), Snapshot: e.Snapshot, Replay: []string{}}
	if !e.Pass {
		j.Replay = f.replays(e)
	}
	if r := e.Responsible; r != nil {
		j.Responsible = newResponsibleJSON(r)
	}
	return j
}

func newResponsibleJSON(r *Responsible) *responsibleJSON {
	m := &r.Moment
	j := &responsibleJSON{
		Kind: m.Kind.String(), Group: m.Group, AtMs: at(m.At), UntilMs: at(m.Until), Outside: m.Outside, Member: given(memberOf(m.Who, m.Member)),
		Sentence: joined(r.moment()), Steps: stepsJSON(r.Cause.Steps),
		Settings: each(r.Cause.Settings, func(s *explain.Setting) settingOfJSON {
			return settingOfJSON{s.Name, given(s.Who), given(s.Value)}
		}),
	}
	if m.Nth > 0 {
		j.Nth = &m.Nth
	}
	if c := r.Cause.Chain; c != nil {
		j.Chain = newChainJSON(c)
	}
	return j
}

func newChainJSON(c *explain.Chain) *chainJSON {
	steps := c.Since()
	j := &chainJSON{
		Number: c.Number, AtMs: at(c.Rebalance.At), Reason: c.Rebalance.Reason.String(),
		Member: given(memberOf(c.Rebalance.Who, c.Rebalance.Member)), Sentence: rebalanceWords(&c.Rebalance),
		Steps: stepsJSON(steps[:len(steps)-1]),
	}
	if c.Parent > 0 {
		j.Parent = &c.Parent
	}
	return j
}

// stepsJSON leaves out what the next step says as well.
func stepsJSON(steps []*explain.Step) []stepJSON {
	list := []stepJSON{}
	for _, s := range steps {
		words := stepWords(s)
		if words == "" {
			continue
		}
		j := stepJSON{AtMs: at(s.At), Member: given(memberOf(s.Who, s.Member)), Sentence: words}
		if s.Event > 0 {
			j.Event = &s.Event
		}
		j.Source = given(s.Source)
		list = append(list, j)
	}
	return list
}

func newRaceJSON(f *CheckedFile, r *Race) raceJSON {
	j := raceJSON{
		That: r.That, ShuffleSeed: r.ShuffleSeed, Pass: r.Pass, Got: r.Got, Unshuffled: r.Unshuffled, Replay: f.replayRace(r),
	}
	if r.Line > 0 {
		j.Line = &r.Line
	}
	return j
}

// joined writes lines as one sentence.
func joined(list []told) string {
	var words []string
	for _, t := range list {
		words = append(words, t.String())
	}
	return strings.Join(words, "; ")
}
