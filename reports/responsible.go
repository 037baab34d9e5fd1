package reports

import (
	"fmt"
	"strings"

	"simulate/explain"
	"simulate/sim/metrics"
	"simulate/sim/wire"
)

// mostSteps is how many steps of a chain a failure shows; explain has them all.
const mostSteps = 8

// told is one line about what an expectation failed by: an instant, and what happened then.
type told struct {
	when, what string
}

// String writes the line where columns make no sense.
func (t told) String() string {
	if t.when == "" {
		return t.what
	}
	return t.when + ": " + t.what
}

// known says what the reader knows already: the rebalance, and with it how a member was removed and how a stuck stay went.
type known struct {
	chain, steps, stay bool
}

// because says what an expectation failed by.
func (e *Expectation) because(above known) []told {
	switch {
	case e.Responsible != nil:
		return e.Responsible.lines(above)
	case e.Pass || e.Problem != "" || e.Got != "0":
		return nil
	}
	return []told{{"", "nothing that counts happened"}}
}

// lines says which moment was responsible, how it came about, and which settings had a part in it.
func (r *Responsible) lines(above known) []told {
	list := r.moment()
	if above.chain && above.stay {
		list = list[:1]
	}
	if !above.chain || !above.steps {
		list = append(list, stepLines(r.Cause.Steps)...)
	}
	switch c := r.Cause.Chain; {
	case c == nil:
	case above.chain:
		list = append(list, told{"", fmt.Sprintf("see rebalance %d above", c.Number)})
	default:
		if r.Moment.Kind != metrics.RebalanceBegan {
			list = append(list, told{"", rebalanceTitle(c) + endedSo(&c.Rebalance)})
		}
		list = append(list, chainLines(c)...)
	}
	if words := settingsWords(r.Cause.Settings); words != "" {
		list = append(list, told{"settings", words})
	}
	return list
}

// moment says what happened, a stuck stay with its whole story.
func (r *Responsible) moment() []told {
	m := &r.Moment
	which := ""
	switch {
	case m.Outside:
		which = "nothing that counts happened; the nearest at another time: "
	case m.Low && m.Nth > 0:
		which = "the last that counts: "
	}
	if m.Stuck == nil {
		return []told{{"", which + r.momentWords()}}
	}
	var list []told
	for _, line := range stuckLines(m.Group, m.Stuck) {
		list = append(list, told{"", which + line})
		which = ""
	}
	return list
}

// momentWords says what happened in a moment, as a sentence without a full stop.
func (r *Responsible) momentWords() string {
	m := &r.Moment
	name := nameOf(m.Who, m.Member)
	span := " from " + instant(m.At) + " to " + instant(m.Until) + " (" + metrics.Brief(m.For()) + ")"
	switch m.Kind {
	case metrics.RebalanceBegan:
		return r.rebalance()
	case metrics.StateEntered:
		return short(m.Group) + " became " + m.State.String() + " in generation " + generation(m.Generation) + " at " + instant(m.At)
	case metrics.Stay:
		return short(m.Group) + stayedWords(m) + span + lastJoinWords(m)
	case metrics.MemberCame:
		return name + " was added to the group at " + instant(m.At)
	case metrics.MemberWent:
		return name + " was removed from the group at " + instant(m.At) + " (" + m.Reason.String() + ")"
	case metrics.LeaderChosen:
		if m.Member == "" {
			return "nobody led from " + instant(m.At) + " on"
		}
		return name + " led from " + instant(m.At) + " on"
	case metrics.MemberEvicted:
		return name + " was evicted at " + instant(m.At) + " (" + evictionWords(m.Eviction) + ")"
	case metrics.IDUnused:
		return "the member id given to " + name + " was not used by " + instant(m.At)
	case metrics.MemberLeft:
		if m.Leave.PollTimeout {
			return name + " left at " + instant(m.At) + ": its max.poll.interval.ms ran out"
		}
		return name + " left at " + instant(m.At)
	case metrics.RequestFenced:
		return "a request of " + name + " was fenced at " + instant(m.At) + ": another process had its group.instance.id"
	case metrics.DeathUnnoticed:
		return name + " was dead and counted as a member" + span
	case metrics.PollFailed:
		return name + " failed with " + failureName(m.Failure) + " at " + instant(m.At)
	case metrics.NobodyHeld:
		return "up to " + metrics.Plural(m.Partitions, "partition") + " had no consumer" + span
	case metrics.NobodyRan:
		return "no running consumer held anything" + span
	case metrics.LagGrew:
		return lagWords(m)
	case metrics.Redelivered:
		return name + " got " + metrics.Plural(int(m.Records), "record") + " at " + instant(m.At) + " that its group had got before"
	}
	return anomalyWords(m.Anomaly)
}

// lagWords says since when the lag was too great, and how great it was in the end.
func lagWords(m *metrics.Moment) string {
	text := metrics.Plural(int(m.Records), "record") + " had arrived and were not committed at " + instant(m.Until)
	if m.At < m.Until {
		text += "; the lag was too great from " + instant(m.At) + " on"
	}
	return text
}

// rebalance names the rebalance by its number in the whole run, and says which one it is of those that count.
func (r *Responsible) rebalance() string {
	m := &r.Moment
	title := "a rebalance at " + instant(m.At) + ": " + rebalanceWords(m.Rebalance)
	if c := r.Cause.Chain; c != nil {
		title = rebalanceTitle(c)
		if !m.Low && m.Nth > 0 && m.Nth != c.Number {
			title += " (the " + ordinal(m.Nth) + " that counts)"
		}
	}
	return title + endedSo(m.Rebalance)
}

func rebalanceTitle(c *explain.Chain) string {
	return fmt.Sprintf("rebalance %d at %s: %s", c.Number, instant(c.Rebalance.At), rebalanceWords(&c.Rebalance))
}

func endedSo(r *metrics.Rebalance) string {
	if words := endingWords(r); words != "" {
		return "; " + words
	}
	return ""
}

func stayedWords(m *metrics.Moment) string {
	switch m.State {
	case wire.NoGroup:
		return " did not exist"
	case wire.Dead:
		return " had no coordinator"
	}
	return " was in " + m.State.String()
}

func lastJoinWords(m *metrics.Moment) string {
	if m.Who == "" {
		return ""
	}
	return "; the last to join was " + short(m.Who)
}

// chainLines tells how a rebalance came about.
func chainLines(c *explain.Chain) []told {
	var list []told
	if c.Parent > 0 {
		list = append(list, told{"from", fmt.Sprintf("rebalance %d, which goes back to %s", c.Parent, rootWords(c))})
	}
	steps := c.Since()
	return append(list, stepLines(steps[:len(steps)-1])...)
}

func stepLines(steps []*explain.Step) []told {
	var list []told
	for _, s := range steps {
		if words := stepWords(s); words != "" {
			list = append(list, told{instant(s.At), words})
		}
	}
	if n := len(list); n > mostSteps {
		list = append(list[:1], append([]told{{"...", metrics.Plural(n-mostSteps+1, "step") + " left out"}}, list[n-mostSteps+2:]...)...)
	}
	return list
}

// settingsWords lists settings: "session.timeout.ms (6s) of orders-2, group.max.size".
func settingsWords(list []explain.Setting) string {
	var words []string
	for _, s := range list {
		text := s.Name
		if s.Value != "" {
			text += " (" + clean(s.Value) + ")"
		}
		if s.Who != "" {
			text += " of " + short(s.Who)
		}
		words = append(words, text)
	}
	return strings.Join(words, ", ")
}

// updateWords says how a snapshot is brought up to date; "" of an expectation that is none, or that is no file's.
func (f *CheckedFile) updateWords(e *Expectation) string {
	if !e.Snapshot || e.Problem != "" || !f.IsPath {
		return ""
	}
	return "it is a snapshot: simulate check --update writes the value that was measured"
}

// words says that another order of equal instants decides the expectation otherwise.
func (r *Race) words() string {
	return fmt.Sprintf("%s: hangs on the order of equal instants: %s, but with --shuffle-ties %d %s",
		clean(r.That), clean(r.Unshuffled), r.ShuffleSeed, clean(r.Got))
}
