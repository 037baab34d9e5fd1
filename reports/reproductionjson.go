package reports

import "io"

// ReproductionSchema is the id of the form that ReproductionJSON writes; Schema("reproduction") describes it.
const ReproductionSchema = "simulate.reproduction/1"

// ReproductionJSON writes it for programs, in the form of ReproductionSchema, followed by a line break.
func ReproductionJSON(w io.Writer, r Reproduction) error {
	return encode(w, reproductionJSON{
		Schema: ReproductionSchema, Group: r.Group, From: r.From, To: r.To, View: viewOf(r.ClientView), Scenario: given(r.Scenario),
		Runs: r.Runs, Ended: r.Ended, Interrupted: r.Ended == SearchInterrupted, Complete: r.Complete(),
		Rebalances: repeatedJSON(r.Rebalances), Stays: repeatedJSON(r.Stays),
		WithinMs: millis(r.Within), FurthestMs: millis(r.Furthest), Members: r.Members,
		Settings: each(r.Settings, func(s *Inferred) inferredJSON {
			return inferredJSON{given(s.Fleet), s.Key, s.Value, s.Origin, s.Why}
		}),
		Differences: each(r.Remaining, func(d *Remaining) remainingJSON {
			return remainingJSON{millis(d.At), given(d.Logged), given(d.Simulated)}
		}),
		Doubts: each(r.Doubts, func(d *string) string { return *d }),
	})
}

func viewOf(clients bool) string {
	if clients {
		return "clients"
	}
	return "brokers"
}

type reproductionJSON struct {
	Schema      string          `json:"schema"`
	Group       string          `json:"group"`
	From        string          `json:"from"`
	To          string          `json:"to"`
	View        string          `json:"view"`
	Scenario    *string         `json:"scenario"`
	Runs        int             `json:"runs"`
	Ended       SearchEnd       `json:"ended"`
	Interrupted bool            `json:"interrupted"`
	Complete    bool            `json:"complete"`
	Rebalances  repeatedJSON    `json:"rebalances"`
	Stays       repeatedJSON    `json:"stays"`
	WithinMs    millis          `json:"within_ms"`
	FurthestMs  millis          `json:"furthest_ms"`
	Members     int             `json:"members"`
	Settings    []inferredJSON  `json:"settings"`
	Differences []remainingJSON `json:"differences"`
	Doubts      []string        `json:"doubts"`
}

type repeatedJSON struct {
	Logged    int `json:"logged"`
	Simulated int `json:"simulated"`
	Matched   int `json:"matched"`
}

type inferredJSON struct {
	Fleet  *string `json:"fleet"`
	Key    string  `json:"key"`
	Value  string  `json:"value"`
	Origin string  `json:"origin"`
	Why    string  `json:"why"`
}

type remainingJSON struct {
	AtMs      millis  `json:"at_ms"`
	Logged    *string `json:"logged"`
	Simulated *string `json:"simulated"`
}
