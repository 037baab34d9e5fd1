package incident

import (
	"time"

	"simulate/incident/logs"
	"simulate/sim/metrics"
	"simulate/sim/trace"
)

// slack is the time in which records of one cause may come in any order: threads of a broker log side by side.
const slack = 50 * time.Millisecond

// course is the way of one group through its states, as somebody tells it: the brokers, or the clients.
type course struct {
	room  *room
	state State
	since logs.Instant // of the state; NoTime before the first record with a stamp
	cut   bool         // the state began before the log did
	last  logs.Instant // of the last record

	generation int32 // of the last record that has one, the old one in PreparingRebalance
	unsure     bool  // it was loaded without its generation, which may be lower than the one before

	spans   kept[Span]
	timeIn  [NumStates]time.Duration
	longest [NumStates]time.Duration

	now        *round // the rebalance that is going on, nil when none is
	rounds     kept[round]
	count      int
	byReason   [trace.OtherReason + 1]int
	joined     int
	completed  int
	blind      int // rebalances of which the end of the join phase was not logged
	gaps       kept[Gap]
	unseen     int
	heardAt    logs.Instant // when the sessions of all members were last started anew
	heardAfter logs.Kind    // by what

	watch watch
	stuck stuckFinder
}

// round is a rebalance with its lines in place, so that none is allocated.
type round struct {
	Rebalance
	lines [4]logs.Place
	n     uint8
}

// clear forgets a rebalance, but keeps the room for those who left.
func (r *round) clear() {
	leavers := r.Leavers[:0]
	*r = round{}
	r.Leavers, r.Prepared, r.Assigned = leavers, logs.NoTime, logs.NoTime
	r.Old, r.Generation, r.Members, r.Broker = logs.Unknown, logs.Unknown, logs.Unknown, logs.Unknown
}

func (r *round) line(p logs.Place) {
	if int(r.n) < len(r.lines) {
		r.lines[r.n] = p
		r.n++
	}
}

func newCourse(r *room, o *Options) course {
	return course{
		room: r, since: logs.NoTime, last: logs.NoTime, heardAt: logs.NoTime, generation: logs.Unknown,
		watch: newWatch(r, &o.Thresholds), stuck: stuckFinder{room: r, after: o.StuckAfter, completing: o.Thresholds.Completing},
	}
}

// at returns when a record counts as written: never before the state began that it ends.
func (c *course) at(e *logs.Event) logs.Instant {
	at := e.At
	if at == logs.NoTime || at < c.last {
		at = c.last
	}
	if c.since == logs.NoTime {
		c.since = at
	}
	return at
}

// become ends the state and enters another one.
func (c *course) become(s State, at logs.Instant) {
	c.close(at, false)
	c.state, c.since, c.cut = s, at, false
}

// close ends the span of the state.
func (c *course) close(at logs.Instant, lost bool) {
	if c.state == Unknown && at <= c.since {
		return
	}
	s := c.stayed(at)
	s.Lost = lost
	c.watch.left(s)
	c.stuck.left(s, c.rounds.last())
}

// stayed adds the stay in the state so far to the spans.
func (c *course) stayed(at logs.Instant) *Span {
	until := max(at, c.since)
	d := until.Sub(c.since)
	c.timeIn[c.state] += d
	c.longest[c.state] = max(c.longest[c.state], d)
	s := c.spans.slot(c.room)
	s.State, s.Since, s.Until, s.Generation = c.state, c.since, until, c.generation
	s.Open, s.Cut, s.Lost = false, c.cut, false
	return s
}

// lose says that the group left its state at a time that nobody logged, between the last record and this one. A group that
// rests is taken to have rested until then; where it rebalanced, nothing is known since the last record.
func (c *course) lose(at logs.Instant) {
	switch c.state {
	case Unknown, Elsewhere, Dead:
		return
	case PreparingRebalance, CompletingRebalance, Reconciling:
		at = max(c.last, c.since)
	}
	c.close(at, true)
	c.state, c.since, c.cut = Unknown, at, false
}

// skipped takes a generation that says that the group rebalanced meanwhile, or only that a record is missing.
func (c *course) skipped(known, said int32, at logs.Instant) {
	c.passed(known, said, at)
	if known != logs.Unknown && said > known && (c.state == Stable || c.state == Empty) {
		at = max(c.last, c.since)
	}
	c.lose(at)
}

// begin starts a rebalance; one that is still going on is superseded.
func (c *course) begin(at logs.Instant, r *logs.Event, headless bool) *round {
	if c.now != nil {
		c.end(metrics.Superseded, at, false)
	}
	now := c.rounds.slot(c.room)
	now.clear()
	now.At, now.Until, now.Headless = at, at, headless
	now.line(r.Place)
	c.now = now
	return now
}

// end closes the rebalance that is going on, if there is one.
func (c *course) end(how metrics.Ending, at logs.Instant, lost bool) {
	if c.now == nil {
		return
	}
	c.now.Ended, c.now.Until, c.now.Lost = how, at, lost
	if lost && c.now.Prepared == logs.NoTime {
		c.blind++
	}
	if lost && how != metrics.Abandoned && c.now.Generation == logs.Unknown && c.now.Old != logs.Unknown {
		c.now.Generation = c.now.Old + 1
	}
	c.now = nil
}

// expected returns the generation that the next entry to PreparingRebalance starts from, as far as records say.
func (c *course) expected() int32 {
	if c.state == PreparingRebalance && c.generation != logs.Unknown {
		return c.generation + 1
	}
	return c.generation
}

// passed counts the rebalances that nobody logged, before a record says that the group is at a generation.
func (c *course) passed(known, said int32, at logs.Instant) {
	if known < 0 || said <= known {
		return
	}
	n := int(said - known)
	c.unseen += n
	c.gaps.add(Gap{Since: c.last, Until: at, Rebalances: n}, c.room)
}

// knows takes the generation of a record that changes none.
func (c *course) knows(said int32, at logs.Instant) {
	c.passed(c.expected(), said, at)
	c.generation = max(c.generation, said)
}

// heard says that the sessions of all members start anew.
func (c *course) heard(at logs.Instant, after logs.Kind) { c.heardAt, c.heardAfter = at, after }
