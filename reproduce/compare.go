package reproduce

import (
	"slices"
	"strings"
	"time"

	"simulate/incident/logs"
	"simulate/internal/align"
	"simulate/reports"
	"simulate/sim/trace"
	"simulate/sim/wire"
)

// Within is how far the length of a stay in a state may be off, for it to count as reproduced.
const Within = time.Second

// moment is something that a coordinator did, in the log or in the run.
type moment struct {
	key
	whom  string        // of a rebalance, who is its reason
	at    time.Duration // from the beginning of the log
	event int           // of the story
	state bool          // it changes the state of the group
}

// key is what two moments must have in common to be the same one.
type key struct {
	kind       logs.Kind
	member     string
	generation int32
	members    int32
	reason     trace.Reason
}

// changes are the kinds with which a group enters a state.
var changes = []logs.Kind{logs.Preparing, logs.Completing, logs.AssignmentReceived, logs.EmptyGroup}

// details are those that not every broker prints: they are compared where the log has any of the kind.
var details = []logs.Kind{
	logs.MemberIDIssued, logs.MemberAdded, logs.StaticReplaced, logs.MemberFailed, logs.MemberLeft, logs.NotRejoined, logs.PendingExpired, logs.GroupLoaded,
}

// moments are what counts of some events; from is the instant of their beginning. Generations count from the first one.
func (s *story) moments(events []logs.Event, from logs.Instant) []moment {
	kinds := s.kinds()
	var all []moment
	first := int32(-1)
	for i := range events {
		e := &events[i]
		if !slices.Contains(kinds, e.Kind) || e.At < from {
			continue
		}
		if first < 0 && e.Generation >= 0 {
			first = e.Generation
			if e.Kind != logs.Preparing {
				first--
			}
		}
		m := moment{key: key{kind: e.Kind, member: named(e)}, at: e.At.Sub(from), event: i, state: slices.Contains(changes, e.Kind)}
		switch e.Kind {
		case logs.Preparing:
			m.reason, m.generation = e.Reason, e.Generation-first
			m.whom, m.member = m.member, ""
		case logs.Completing, logs.AssignmentReceived:
			m.members, m.generation = e.Members, e.Generation-first
		case logs.EmptyGroup:
			m.generation = e.Generation - first
		}
		if s.vague || !s.reasons {
			m.reason, m.whom = trace.NoReason, ""
		}
		if s.vague || !s.counts {
			m.members = 0
		}
		all = append(all, m)
	}
	return all
}

// named returns whom an event is about.
func named(e *logs.Event) string {
	switch e.Kind {
	case logs.StaticReplaced:
		return string(e.Other)
	case logs.Completing, logs.AssignmentReceived, logs.EmptyGroup, logs.GroupLoaded:
		return ""
	}
	if len(e.List) > 0 {
		return memberList(e.List)
	}
	return string(e.Member)
}

func memberList(ids []wire.MemberID) string {
	var all []string
	for _, id := range ids {
		all = append(all, string(id))
	}
	slices.Sort(all)
	return strings.Join(all, ",")
}

// comparison is how well a run repeats a story.
type comparison struct {
	observed, simulated []moment
	lines               []align.Pair
	ended               []lasted // by line, what its moments ended
	score               score
	rebalances, stays   reports.Repeated
	furthest            time.Duration // by how much a stay differs, at most
}

// lasted is how long a stay in a state was that ended on both sides; zero where none did.
type lasted struct{ observed, simulated time.Duration }

func (l lasted) apart() time.Duration { return (l.observed - l.simulated).Abs() }

// score is the less the better, the first difference decides.
type score struct {
	rebalances int           // that are on one side only
	changes    int           // of the state, likewise
	off        int           // stays whose length differs by more than Within
	details    int           // what else is on one side only
	apart      time.Duration // by how much stays differ, all together
}

// near reports whether the group was in the same states for as long, whoever may have been behind it.
func (a score) near() bool { return a.rebalances == 0 && a.changes == 0 && a.off == 0 }

// right reports whether nothing is left to improve.
func (a score) right() bool { return a.near() && a.details == 0 }

func (a score) less(b score) bool {
	switch {
	case a.rebalances != b.rebalances:
		return a.rebalances < b.rebalances
	case a.changes != b.changes:
		return a.changes < b.changes
	case a.off != b.off:
		return a.off < b.off
	case a.details != b.details:
		return a.details < b.details
	}
	return a.apart < b.apart
}

// somebodyElse keeps rebalances that different members began from being paired where others can be.
const somebodyElse = 10 * time.Minute

// compare aligns what was observed with what was simulated; what comes only there, after the end of the log, does not count.
func compare(observed, simulated []moment, end time.Duration) *comparison {
	c := &comparison{observed: observed, simulated: simulated}
	c.lines = align.Align(align.Sides{
		Left: len(observed), Right: len(simulated),
		Same: func(l, r int) bool { return observed[l].key == simulated[r].key },
		Apart: func(l, r int) time.Duration {
			apart := (observed[l].at - simulated[r].at).Abs()
			if observed[l].whom != simulated[r].whom {
				apart += somebodyElse
			}
			return apart
		},
	})
	c.lines = slices.DeleteFunc(c.lines, func(p align.Pair) bool { return p.Left < 0 && simulated[p.Right].at > end })
	c.judge()
	return c
}

// most is what one stay can add to score.apart.
const most = time.Minute

// judge counts what is alike, and what is not.
func (c *comparison) judge() {
	o, s := state{last: -1}, state{last: -1}
	together := true // whether the last changes on both sides are a pair
	c.ended = make([]lasted, len(c.lines))
	for i, p := range c.lines {
		m := c.moment(p)
		if p.Left >= 0 && m.state {
			o.enters(p.Left)
			c.stays.Logged += o.stays()
		}
		if p.Right >= 0 && m.state {
			s.enters(p.Right)
			c.stays.Simulated += s.stays()
		}
		c.count(p, m)
		switch {
		case p.Left < 0 || p.Right < 0:
			together = together && !m.state
		case m.kind == logs.GroupLoaded && o.any && s.any:
			c.stays.Logged, c.stays.Simulated = c.stays.Logged+1, c.stays.Simulated+1
			c.stay(i, lasted{m.at - c.observed[o.now].at, c.simulated[p.Right].at - c.simulated[s.now].at})
		case m.state:
			if together && o.last >= 0 {
				c.stay(i, lasted{c.observed[o.now].at - c.observed[o.last].at, c.simulated[s.now].at - c.simulated[s.last].at})
			} else if !together {
				c.score.off++
			}
			together = true
		}
	}
}

// state is where one side of a comparison is: the changes with which the state now began, and the one before; -1 before the
// first.
type state struct {
	now, last int
	any       bool
}

func (s *state) enters(i int) {
	if s.any {
		s.last = s.now
	}
	s.now, s.any = i, true
}

// stays is 1 when a stay has ended.
func (s *state) stays() int {
	if s.last >= 0 {
		return 1
	}
	return 0
}

// count counts one line of the alignment.
func (c *comparison) count(p align.Pair, m *moment) {
	rebalance := m.kind == logs.Preparing
	if p.Left >= 0 && rebalance {
		c.rebalances.Logged++
	}
	if p.Right >= 0 && rebalance {
		c.rebalances.Simulated++
	}
	switch {
	case p.Left < 0 || p.Right < 0:
		c.miss(m)
	case rebalance:
		c.rebalances.Matched++
		if m.whom != c.simulated[p.Right].whom {
			c.score.details++
		}
	}
}

// end returns when all that the log has has happened in the run.
func (t *trial) end() time.Duration {
	end := t.draft.story.length
	for _, p := range t.lines {
		if p.Left >= 0 && p.Right >= 0 {
			end = max(end, t.simulated[p.Right].at)
		}
	}
	return end
}

func (c *comparison) moment(p align.Pair) *moment {
	if p.Left >= 0 {
		return &c.observed[p.Left]
	}
	return &c.simulated[p.Right]
}

func (c *comparison) miss(m *moment) {
	switch {
	case m.kind == logs.Preparing:
		c.score.rebalances++
	case m.state:
		c.score.changes++
	default:
		c.score.details++
	}
}

// stay counts a stay that ended on both sides of a line.
func (c *comparison) stay(line int, l lasted) {
	c.ended[line] = l
	if l.apart() > Within {
		c.score.off++
	} else {
		c.stays.Matched++
	}
	c.furthest = max(c.furthest, l.apart())
	c.score.apart += min(l.apart(), most)
}
