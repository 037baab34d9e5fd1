package reports

type adviceJSON struct {
	Runs        int  `json:"runs"`
	Interrupted bool `json:"interrupted"`
}

// advisedJSON is a stuck stay with what was tried for it; Advice is null when nobody asked.
type advisedJSON struct {
	stuckJSON
	Advice  []trialJSON `json:"advice"`
	Untried int         `json:"advice_untried"`
}

type trialJSON struct {
	Change   string  `json:"change"`
	Kind     string  `json:"kind"`
	Holds    bool    `json:"holds"`
	Outcome  string  `json:"outcome"`
	Member   *string `json:"member"`
	Sentence *string `json:"sentence"`
	outcomeJSON
	Now outcomeJSON `json:"now"`
}

type outcomeJSON struct {
	StayMs        millis `json:"stay_ms"`
	OtherMs       millis `json:"longest_other_ms"`
	Stuck         int    `json:"stuck"`
	Removed       int    `json:"removed"`
	Left          int    `json:"left"`
	Others        int    `json:"others_removed"`
	Rebalances    int    `json:"rebalances"`
	LongestStopMs millis `json:"longest_stop_ms"`
	UnassignedMs  millis `json:"unassigned_partition_ms"`
	Failures      int    `json:"failures"`
}

// newAdviceJSON returns nil when nothing was tried.
func newAdviceJSON(a *Advice) *adviceJSON {
	if a == nil {
		return nil
	}
	return &adviceJSON{a.Runs, a.Interrupted}
}

func newAdvisedJSON(stuck stuckJSON, a *Advice, stay *StayAdvice) advisedJSON {
	j := advisedJSON{stuckJSON: stuck}
	switch {
	case a == nil:
	case stay == nil:
		j.Advice = []trialJSON{}
	default:
		j.Advice, j.Untried = each(stay.Trials, newTrialJSON), stay.Untried
	}
	return j
}

func newTrialJSON(t *Trial) trialJSON {
	j := trialJSON{
		Change: t.Change, Kind: t.Kind.String(), Holds: t.Holds, Outcome: t.Outcome.String(), Member: given(t.Member),
		outcomeJSON: newOutcomeJSON(&t.Then), Now: newOutcomeJSON(&t.Now),
	}
	if t.Holds {
		j.Sentence = given(trialWords(t))
	}
	return j
}

func newOutcomeJSON(m *Measured) outcomeJSON {
	return outcomeJSON{
		StayMs: millis(m.Stay), OtherMs: millis(m.Elsewhere), Stuck: m.Stuck, Removed: m.Removed, Left: m.Left, Others: m.Others,
		Rebalances: m.Rebalances, LongestStopMs: millis(m.LongestStop), UnassignedMs: millis(m.Unassigned), Failures: m.Failures,
	}
}
