package reports

type adviceJSON struct {
	Runs        int  `json:"runs"`
	Interrupted bool `json:"interrupted"`
}

type trialJSON struct {
	Change   string  `json:"change"`
	Kind     string  `json:"kind"`
	Holds    bool    `json:"holds"`
	Outcome  string  `json:"outcome"`
	Member   *string `json:"member"`
	Sentence *string `json:"sentence"`
	measuredJSON
	Now measuredJSON `json:"now"`
}

type measuredJSON struct {
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

// advise adds what was tried for the stay, if anything was to be tried at all.
func (j *stuckJSON) advise(a *Advice, stay *StayAdvice) {
	switch {
	case a == nil:
	case stay == nil:
		j.Advice = []trialJSON{}
	default:
		j.Advice = each(stay.Trials, newTrialJSON)
		j.Untried = stay.Untried
	}
}

func newTrialJSON(t *Trial) trialJSON {
	j := trialJSON{
		Change: t.Change, Kind: t.Kind.String(), Holds: t.Holds, Outcome: t.Outcome.String(), Member: given(t.Member),
		measuredJSON: newMeasuredJSON(&t.Then), Now: newMeasuredJSON(&t.Now),
	}
	if t.Holds {
		j.Sentence = given(trialWords(t))
	}
	return j
}

func newMeasuredJSON(m *Measured) measuredJSON {
	return measuredJSON{
		StayMs: millis(m.Stay), OtherMs: millis(m.Elsewhere), Stuck: m.Stuck, Removed: m.Removed, Left: m.Left, Others: m.Others,
		Rebalances: m.Rebalances, LongestStopMs: millis(m.LongestStop), UnassignedMs: millis(m.Unassigned), Failures: m.Failures,
	}
}
