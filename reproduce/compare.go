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
	whom   string        // of a rebalance, who is its reason
	at     time.Duration // from the beginning of the log
	event  int           // of the story
	state  bool          // it changes the state of the group
	unseen bool          // nobody logged it
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

// alike reports whether two moments are the same one; of what nobody logged, the number of members is not known, and a rebalance
// that gives no reason may have any.
func alike(logged, simulated *moment) bool {
	is := simulated.key
	if logged.unseen {
		is.members = logged.members
	}
	if logged.unseen || logged.reason == trace.NoReason {
		is.reason = logged.reason
	}
	return logged.key == is
}

// byOther reports whether somebody else began a rebalance in the run than in the log, where that tells.
func byOther(logged, simulated *moment) bool {
	return logged.whom != simulated.whom && logged.whom != "" && !logged.unseen
}

// moments are what counts of some events from Within before their beginning on. Generations count from
// the first one of the kind of event with which the log begins.
func (s *story) moments(events []logs.Event, from logs.Instant) []moment {
	kinds, opens := s.kinds(), s.opens()
	from = from.Add(-Within)
	var all []moment
	first := int32(0)
	if i := slices.IndexFunc(events, func(e logs.Event) bool { return e.At >= from && e.Kind == opens && e.Generation >= 0 }); i >= 0 {
		first = events[i].Generation
	}
	for i := range events {
		e := &events[i]
		if !slices.Contains(kinds, e.Kind) || e.At < from {
			continue
		}
		m := moment{key: key{kind: e.Kind, member: named(e)}, at: e.At.Sub(from) - Within, event: i, state: slices.Contains(changes, e.Kind)}
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

// opens returns the kind of the first event that tells a generation; NoKind when none does.
func (s *story) opens() logs.Kind {
	for i := range s.events {
		if e := &s.events[i]; e.Generation >= 0 && slices.Contains(changes, e.Kind) {
			return e.Kind
		}
	}
	return logs.NoKind
}

// logged returns the moments of the story itself.
func (s *story) logged() []moment {
	all := s.moments(s.events, s.start)
	for i := range all {
		all[i].unseen = s.unseen[all[i].event]
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

// lighter is how many moments together count less than one of the next sort.
const lighter = 1 << 20

// weight is what a moment counts for an alignment, in the order in which score compares: a rebalance that is on both sides is
// one of both, whoever went first there.
func (m *moment) weight() int64 {
	switch {
	case m.kind == logs.Preparing:
		return lighter * lighter
	case m.state:
		return lighter
	}
	return 1
}

// somebodyElse keeps rebalances that different members began from being paired where others can be.
const somebodyElse = 10 * time.Minute

// compare aligns what was observed with what was simulated; what comes only there, before the beginning of the log or after its
// end, does not count, nor does how a rebalance goes on that was going on then.
func compare(observed, simulated []moment, end time.Duration) *comparison {
	c := &comparison{observed: observed, simulated: simulated}
	c.lines = align.Align(align.Sides{
		Left: len(observed), Right: len(simulated),
		Same: func(l, r int) bool { return alike(&observed[l], &simulated[r]) },
		Apart: func(l, r int) time.Duration {
			apart := (observed[l].at - simulated[r].at).Abs()
			if byOther(&observed[l], &simulated[r]) {
				apart += somebodyElse
			}
			return apart
		},
		Weight: func(l int) int64 { return observed[l].weight() },
	})
	cut, until := c.cut(end), c.until(end)
	c.lines = slices.DeleteFunc(c.lines, func(p align.Pair) bool {
		if p.Left >= 0 {
			return false
		}
		s := &simulated[p.Right]
		return s.at < 0 || s.at > until+Within || s.at >= cut && (s.kind == logs.Completing || s.kind == logs.AssignmentReceived)
	})
	c.judge()
	return c
}

// cut returns when the log ends in the run: as long after the last moment that both have as in the log.
func (c *comparison) cut(length time.Duration) time.Duration {
	for _, p := range slices.Backward(c.lines) {
		if p.Left >= 0 && p.Right >= 0 {
			return length + c.simulated[p.Right].at - c.observed[p.Left].at
		}
	}
	return length
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
		}
		if p.Right >= 0 && m.state {
			s.enters(p.Right)
		}
		invented := p.Left >= 0 && c.invented(o)
		if m.state && !invented {
			c.stays.Logged += o.ended(p.Left)
			c.stays.Simulated += s.ended(p.Right)
		}
		c.count(p, m)
		switch {
		case p.Left < 0 || p.Right < 0:
			together = together && !m.state
		case m.kind == logs.GroupLoaded && o.any && s.any:
			c.stays.Logged, c.stays.Simulated = c.stays.Logged+1, c.stays.Simulated+1
			c.stay(i, lasted{m.at - c.observed[o.now].at, c.simulated[p.Right].at - c.simulated[s.now].at})
		case m.state:
			if together && o.last >= 0 && !invented {
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

// ended is 1 when a stay has ended with a moment of this side; -1 is none.
func (s *state) ended(now int) int {
	if now >= 0 && s.last >= 0 {
		return 1
	}
	return 0
}

// invented reports whether nobody logged when a stay began, or ended.
func (c *comparison) invented(s state) bool {
	return s.any && c.observed[s.now].unseen || s.last >= 0 && c.observed[s.last].unseen
}

// count counts one line of the alignment.
func (c *comparison) count(p align.Pair, m *moment) {
	rebalance := m.kind == logs.Preparing && !m.unseen
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
		if byOther(m, &c.simulated[p.Right]) {
			c.score.details++
		}
	}
}

// until returns when all that the log has has happened in the run.
func (c *comparison) until(length time.Duration) time.Duration {
	for _, p := range c.lines {
		if p.Left >= 0 && p.Right >= 0 {
			length = max(length, c.simulated[p.Right].at)
		}
	}
	return length
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
