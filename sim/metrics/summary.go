package metrics

import (
	"slices"
	"sort"
	"strings"
	"time"

	"simulate/sim/clock"
	"simulate/sim/trace"
	"simulate/sim/wire"
)

// Summary is what a run, or a part of it, comes to.
type Summary struct {
	From, To clock.Time
	Groups   []Group // sorted by name
	Warnings []Warning
}

// Warning is something odd that the run met, such as an event that found nothing to act on.
type Warning struct {
	At   clock.Time
	Text string
}

// Group is what a group comes to in a Summary. Lists are in order of time and empty rather than missing.
type Group struct {
	Name       string
	State      wire.GroupState // at the end; NoGroup when the group does not exist
	Generation wire.Generation // at the end
	Members    int             // at the end
	Leader     Leader          // at the end

	Rebalances     []Rebalance
	Joined         int // join phases that ended with at least one member
	Completed      int // entries to Stable with a new generation
	TimeIn         [wire.NumGroupStates]time.Duration
	Longest        [wire.NumGroupStates]time.Duration
	Visited        [wire.NumGroupStates]bool    // whether there was a stay at all
	Share          [wire.NumGroupStates]float64 // of the period; 0 when it has no length
	Transitions    []Transition
	Evictions      []Eviction
	PendingExpired int
	Leaves         []Leave
	Fenced         []Fencing
	Failures       []Failure // exceptions that ended the application
	Thrown         []Failure // exceptions after which it polled again
	Joins          []Joins   // sorted by process
	Stuck          []Stuck
	Detection      time.Duration // the longest for which a dead member counted; 0 when none died
	Anomalies      []Anomaly

	// Unassigned is partition x time without a holder, from the end of the first join phase with a
	// member on; without such a phase Assigned is false and there is nothing to count.
	Unassigned time.Duration
	Assigned   bool

	// Stopped is the time in which no running process of the group held anything, start-up included.
	Stopped time.Duration

	// Records is what became of the records of the group's topics, nil when those never hold any.
	Records *Records

	// Routine is what the group's processes did over and over in the whole run, nil when the trace does not say.
	Routine *Routine

	// Settled is the time from the last event of the scenario that acts on the group, or else from the
	// start of the run, to the entry to Stable that lasts; it counts only when IsSettled.
	Settled   time.Duration
	IsSettled bool
	LastEvent Happening // the event whose begin Settled counts from; no Verb when there is none
}

// Routine counts requests and calls of a group's processes, whether the run took each as an event or skipped it.
type Routine struct {
	Heartbeats int64 // requests that were sent
	Commits    int64 // OffsetCommit requests that were sent
	Polls      int64 // calls of poll() by Java consumers, and what is built on them
}

// Leader is a group's leader. Member is "" when nobody leads, Who when its process is unknown.
type Leader struct {
	Member wire.MemberID
	Who    string
}

// Transition is a change of state. Reason is NoReason when the group was created.
type Transition struct {
	At         clock.Time
	From, To   wire.GroupState
	Generation wire.Generation
	Reason     trace.Reason
}

// Eviction is a member that the coordinator removed without a request.
type Eviction struct {
	At     clock.Time
	Member wire.MemberID
	Who    string
	Cause  trace.Reason // SessionExpired, NewMemberExpired, NotRejoinedInTime or SyncExpired
	Heard  clock.Time   // when its session was armed last: the last that the coordinator heard of it
	Loaded bool         // it was armed then because the group was loaded; the coordinator has heard nothing since
	Event  Happening    // the last event of the scenario that acted on its process meanwhile; no Verb when none did
	Alive  bool         // there was a process behind it: it ran, or was only frozen or cut off for a while
}

// Leave is a member that left by LeaveGroup.
type Leave struct {
	At          clock.Time
	Member      wire.MemberID
	Who         string
	PollTimeout bool // because its max.poll.interval.ms ran out
}

// Fencing is a request that was refused with FENCED_INSTANCE_ID.
type Fencing struct {
	At     clock.Time
	Member wire.MemberID
	Who    string
}

// Failure is a consumer whose poll() threw. Err is None where the exception does not come from an error of the
// protocol.
type Failure struct {
	At        clock.Time
	Who       string
	Client    string // its library, "" for what is built on the Java consumer
	Err       wire.Err
	Exception string // the Java class, or what the library calls it
}

// Happening is an event of the scenario that acts on a group.
type Happening struct {
	At   clock.Time
	Verb string // "kill", "pause", ...
}

// Joins says how often a process was added to its group as a member, replacements of static members
// included.
type Joins struct {
	Who   string
	Count int
}

// Group returns the group of that name, nil when there is none.
func (s *Summary) Group(name string) *Group {
	for i := range s.Groups {
		if g := &s.Groups[i]; g.Name == name {
			return g
		}
	}
	return nil
}

func (f *Fold) summarize(p period) Summary {
	s := Summary{From: p.from, To: p.to, Groups: make([]Group, len(f.groups))}
	s.Warnings = within(f.warnings, p, func(w Warning) clock.Time { return w.At })
	for i, h := range f.groups {
		s.Groups[i] = h.summarize(p, f.options)
	}
	return s
}

func (h *history) summarize(p period, o Options) Group {
	last := h.last(p)
	g := Group{
		Name:           h.name,
		State:          h.stays[last].state,
		Generation:     h.stays[last].entered.Generation,
		Members:        h.size(p),
		Leader:         h.leader(p),
		Rebalances:     h.rebalances(p),
		Completed:      count(h.completed, p),
		Transitions:    h.transitions(p),
		Evictions:      within(h.evictions, p, func(e Eviction) clock.Time { return e.At }),
		PendingExpired: count(h.pending, p),
		Leaves:         within(h.leaves, p, func(l Leave) clock.Time { return l.At }),
		Fenced:         within(h.fenced, p, func(f Fencing) clock.Time { return f.At }),
		Failures:       within(h.failures, p, func(f Failure) clock.Time { return f.At }),
		Thrown:         within(h.thrown, p, func(f Failure) clock.Time { return f.At }),
		Joins:          h.joinsOf(p),
		Stuck:          h.stuck(p, o.StuckAfter),
		Detection:      h.detection(p),
		Records:        h.records(p),
		Routine:        h.routine,
	}
	for _, t := range g.Transitions {
		if t.To == wire.CompletingRebalance {
			g.Joined++
		}
	}
	h.addTimes(&g, p)
	h.addHolding(&g, p)
	h.addSettled(&g, p, last)
	g.Anomalies = h.anomalies(p, o.Thresholds, g.Rebalances)
	return g
}

// addTimes adds up the stays. A stay of no length counts as a visit.
func (h *history) addTimes(g *Group, p period) {
	for i := range h.stays {
		s := &h.stays[i]
		since, until := s.entered.At, h.until(i)
		if since >= p.before || until < p.from || until == p.from && since < p.from {
			continue
		}
		if i == 0 && until == 0 {
			continue // the group exists from the start
		}
		d := p.clip(since, until)
		g.Visited[s.state] = true
		g.TimeIn[s.state] += d
		g.Longest[s.state] = max(g.Longest[s.state], d)
	}
	if all := p.to.Sub(p.from); all > 0 {
		for s := range g.Share {
			g.Share[s] = float64(g.TimeIn[s]) / float64(all)
		}
	}
}

func (h *history) addHolding(g *Group, p period) {
	g.Assigned = h.firstJoined() < p.before
	g.Stopped, g.Unassigned = h.unheld(p)
}

// unheld adds up for how long nobody who runs held anything, and partition x time without a holder.
func (h *history) unheld(p period) (stopped, unassigned time.Duration) {
	first := h.firstJoined()
	next := sort.Search(len(h.holds), func(i int) bool { return h.holds[i].at > p.from })
	for i := max(0, next-1); i < len(h.holds) && h.holds[i].at < p.to; i++ {
		hold, until := h.holds[i], clock.Never
		if i+1 < len(h.holds) {
			until = h.holds[i+1].at
		}
		if hold.stopped {
			stopped += p.clip(hold.at, until)
		}
		unassigned += time.Duration(hold.unassigned) * p.clip(max(hold.at, first), until)
	}
	return stopped, unassigned
}

// firstJoined returns the instant at which the first join phase ended with a member.
func (h *history) firstJoined() clock.Time {
	for _, s := range h.stays {
		if s.state == wire.CompletingRebalance {
			return s.entered.At
		}
	}
	return clock.Never
}

func (h *history) addSettled(g *Group, p period, last int) {
	from := p.from
	for _, event := range h.faults {
		if p.has(event.At) {
			from, g.LastEvent = event.At, event
		}
	}
	if g.State == wire.Stable {
		g.IsSettled = true
		g.Settled = max(0, h.stays[last].entered.At.Sub(from))
	}
}

func (h *history) transitions(p period) []Transition {
	list := []Transition{}
	for i := 1; i < len(h.stays); i++ {
		e := h.stays[i].entered
		if p.has(e.At) {
			list = append(list, Transition{e.At, h.stays[i-1].state, e.To, e.Generation, e.Reason})
		}
	}
	return list
}

func (h *history) size(p period) int {
	n := 0
	for _, s := range h.sizes {
		if s.at < p.before {
			n = s.n
		}
	}
	return n
}

func (h *history) leader(p period) Leader {
	var leader Leader
	for _, l := range h.leaders {
		if l.at < p.before {
			leader = l.Leader
		}
	}
	return leader
}

func (h *history) joinsOf(p period) []Joins {
	list := []Joins{}
	for _, j := range h.joins {
		if !p.has(j.at) || j.who == "" {
			continue
		}
		i, found := slices.BinarySearchFunc(list, j.who, func(j Joins, who string) int {
			return strings.Compare(j.Who, who)
		})
		if !found {
			list = slices.Insert(list, i, Joins{Who: j.who})
		}
		list[i].Count++
	}
	return list
}

func count(instants []clock.Time, p period) int {
	return len(within(instants, p, func(t clock.Time) clock.Time { return t }))
}

func within[T any](list []T, p period, at func(T) clock.Time) []T {
	some := []T{}
	for _, x := range list {
		if p.has(at(x)) {
			some = append(some, x)
		}
	}
	return some
}
