package advice

import (
	"path"
	"slices"
	"strconv"
	"strings"

	"simulate/sim/clock"
	"simulate/sim/random"
	"simulate/sim/scenario"
	"simulate/sim/trace"
)

// slowed says what of an event of the scenario can hold a group up.
type slowed struct {
	verb  scenario.Verb
	key   string
	words string
	value func(*scenario.Event) random.Distribution
}

func lasting(e *scenario.Event) random.Distribution { return e.For }

// slowing has, for each cause in a chain, the events that may be behind it.
var slowing = map[string][]slowed{
	trace.CauseStalled:   {{scenario.Stall, "for", "a stall of at most %s", lasting}},
	trace.CauseListener:  {{scenario.SlowRevoke, "for", "a callback of at most %s", lasting}},
	trace.CauseAssigning: {{scenario.SlowAssign, "for", "an assignment within %s", lasting}},
	trace.CauseFrozen: {
		{scenario.Pause, "for", "a freeze of at most %s", lasting},
		{scenario.FreezeInAssign, "for", "a freeze of at most %s", lasting},
	},
	trace.CauseUnreachable: {
		{scenario.Drop, "for", "a cut of at most %s", lasting},
		{scenario.HoldLeaderSync, "for", "a SyncGroup that is held for at most %s", lasting},
	},
	trace.CauseAppend: {
		{scenario.SlowAppend, "append", "appends of at most %s", func(e *scenario.Event) random.Distribution { return e.Append }},
	},
}

// event proposes a shorter event, where one holds up the member of the link, or the log.
func (p *proposer) event(l *trace.Link) {
	for _, s := range slowing[l.Because] {
		if n, e := p.cause(l, s.verb); e != nil {
			p.shorten(eventKey(n, s.key), s.words, s.value(e), p.enough(l.Since))
			return
		}
	}
}

func eventKey(n int, key string) string { return "event." + strconv.Itoa(n) + "." + key }

// cause returns the last event with one of the verbs that may have acted on the member of a link by the instant from
// which it does what it does, and its number, counted from 1. Of an event that happens again the first time counts.
func (p *proposer) cause(l *trace.Link, verbs ...scenario.Verb) (n int, cause *scenario.Event) {
	for i := range p.scenario.Events {
		e := &p.scenario.Events[i]
		if !slices.Contains(verbs, e.Do) || clock.At(e.At) > l.Since || !p.actsOn(e, l.Who) {
			continue
		}
		if cause == nil || e.At >= cause.At {
			n, cause = i+1, e
		}
	}
	return n, cause
}

// actsOn reports whether an event may act on a process, or on the group as a whole.
func (p *proposer) actsOn(e *scenario.Event, who string) bool {
	if len(e.Who) == 0 {
		return e.Group == "" || e.Group == p.group.Name
	}
	fleet := who[:max(0, strings.LastIndex(who, "-"))]
	return slices.ContainsFunc(e.Who, func(s scenario.Selector) bool {
		switch s.Kind {
		case scenario.ByMember:
			return s.Name == who
		case scenario.ByFleet:
			return s.Name == fleet
		case scenario.ByGlob:
			ok, err := path.Match(s.Name, who)
			return ok && err == nil
		}
		return s.Name == p.group.Name || s.Name == fleet
	})
}
