package reports

import (
	"strconv"

	"simulate/incident"
	"simulate/incident/logs"
	"simulate/sim/metrics"
)

// sampleWords says at what moments a group was seen, and what that tells at least.
func (a *Analysis) sampleWords(g *incident.Group) string {
	s := g.Samples
	text := "at " + metrics.Plural(s.Count, "moment")
	if s.From != logs.NoTime && s.Count > 1 {
		text += a.span(s.From, s.To) + ", at most " + timed(s.Apart) + " apart"
	} else if s.Count == 1 {
		text += ", " + a.when(s.From)
	}
	for state, n := range s.In {
		if n > 0 {
			text += "; " + metrics.Plural(n, "time") + " " + incident.State(state).String()
		}
	}
	if s.Rebalancing > 0 {
		text += "; " + metrics.Plural(s.Rebalancing, "time") + " rebalancing"
	}
	text += "; at least " + metrics.Plural(s.Changes, "change") + " of state and " + metrics.Plural(s.Rebalances, "rebalance")
	if s.Most != logs.Unknown {
		text += "; " + strconv.Itoa(s.Least) + " to " + metrics.Plural(s.Most, "member")
	}
	return text + ". Between them nothing is known."
}

// onlySampled reports whether nobody logged about a group, so that nothing is known but samples.
func onlySampled(g *incident.Group) bool {
	return g.Samples != nil && g.ClientView && len(g.Clients) == 0
}

// lastSeen says how a group was when it was seen last.
func (a *Analysis) lastSeen(s *incident.Samples) string {
	if len(s.Seen) == 0 {
		return " was sampled, but not its state"
	}
	last := s.Seen[len(s.Seen)-1]
	text := " was rebalancing"
	if last.State != incident.Unknown {
		text = " was " + last.State.String()
	}
	if last.At == logs.NoTime {
		return text + " when it was seen last"
	}
	return text + " when it was seen last, at " + a.when(last.At)
}

type samplesJSON struct {
	Moments     int          `json:"moments"`
	From        *string      `json:"from"`
	To          *string      `json:"to"`
	ApartMs     millis       `json:"most_apart_ms"`
	States      object[int]  `json:"states"`
	Rebalancing int          `json:"rebalancing"`
	Changes     int          `json:"changes_at_least"`
	Rebalances  int          `json:"rebalances_at_least"`
	Least       *int         `json:"members_least"`
	Most        *int         `json:"members_most"`
	List        []sampleJSON `json:"list"`
}

type sampleJSON struct {
	At    *string  `json:"at"`
	State *string  `json:"state"`
	Line  lineJSON `json:"line"`
}

func (a *Analysis) samplesJSON(s *incident.Samples) *samplesJSON {
	if s == nil {
		return nil
	}
	j := &samplesJSON{
		Moments: s.Count, From: a.stamp(s.From), To: a.stamp(s.To), ApartMs: millis(s.Apart), States: object[int]{}, Rebalancing: s.Rebalancing,
		Changes: s.Changes, Rebalances: s.Rebalances, Least: knownNumber(s.Least), Most: knownNumber(s.Most),
	}
	for state, n := range s.In {
		if n > 0 {
			j.States = append(j.States, entry[int]{incident.State(state).String(), n})
		}
	}
	j.List = each(s.Seen, func(one *incident.Sample) sampleJSON {
		state := ""
		if one.State != incident.Unknown {
			state = one.State.String()
		}
		return sampleJSON{a.stamp(one.At), given(state), a.lineJSON(&one.Line)}
	})
	return j
}
