package metrics

import (
	"cmp"
	"maps"
	"slices"
	"time"

	"simulate/sim/clock"
	"simulate/sim/wire"
)

// Anomaly is something that a healthy group does not do.
type Anomaly struct {
	Kind  AnomalyKind
	Since clock.Time
	Until clock.Time // the end of the period while it lasts
	Count int        // rebalances, joins or changes of the leader, where it is about several

	// Who is the process that it is about: that of a ghost, the one that flaps, the one that holds the most; "" where
	// it is about the group, or nobody knows.
	Who     string
	Member  wire.MemberID // of a ghost
	Pending bool          // that ghost is an id that was handed out
	Skew    Skew          // of an imbalance, as it was last
}

// For returns how long it took, up to the end of the period.
func (a *Anomaly) For() time.Duration { return a.Until.Sub(a.Since) }

// AnomalyKind says what is odd.
type AnomalyKind uint8

// The kinds of anomalies, as AnomalyDefinitions has them.
const (
	LongRebalance AnomalyKind = iota
	LongCompleting
	LongEmpty
	Frequent
	Storm
	GhostMembers
	FlappingMember
	LeaderChurn
	GenerationLoop
	Imbalance
	ViciousCircle
)

// AnomalyDefinition is one kind of anomaly: what it is called and what it is.
type AnomalyDefinition struct {
	Name string
	Help string // its one definition, in one sentence; what stands in `` is a threshold, as in Thresholds.Each
}

// AnomalyDefinitions has all kinds, by AnomalyKind.
var AnomalyDefinitions = [...]AnomalyDefinition{
	LongRebalance: {"rebalancing-too-long",
		"the group is in PreparingRebalance or CompletingRebalance for longer than `limit` without a break"},
	LongCompleting: {"completing-too-long", "a stay in CompletingRebalance is longer than `limit`"},
	LongEmpty:      {"empty-too-long", "a stay in Empty is longer than `limit`"},
	Frequent:       {"frequent-rebalances", "at least `count` rebalances in a row begin within `within`"},
	Storm:          {"rebalance-storm", "at least `count` rebalances in a row begin with a mean interval shorter than `interval`"},
	GhostMembers: {"ghost-members",
		"a member that no running process goes by (its process ended without leaving, or goes by another id), or an id " +
			"that was handed out and not used, counts at the coordinator for longer than `limit`"},
	FlappingMember: {"flapping-member",
		"one process is added to its group at least `count` times within `within`, replacements of static members included"},
	LeaderChurn: {"leader-churn",
		"at least `count` times within `within` another process is elected leader than the one before; the first election is none"},
	GenerationLoop: {"generation-loop",
		"at least `count` rebalances in a row between which the group is never Stable or Empty for as long as `rest`"},
	Imbalance: {"assignment-imbalance",
		"for longer than `limit` of one stay in Stable, a member holds at least two partitions more than another one that " +
			"subscribes to the same topics, and more than `ratio` times as many"},
	ViciousCircle: {"vicious-circle",
		"at least `count` times in a row members leave because max.poll.interval.ms ran out, each time with a lag that is no " +
			"smaller than the time before"},
}

func (k AnomalyKind) String() string { return AnomalyDefinitions[k].Name }

// anomalies lists them by kind, and by time within a kind.
func (h *history) anomalies(p period, t Thresholds, rebalances []Rebalance) []Anomaly {
	began := make([]clock.Time, len(rebalances))
	for i := range rebalances {
		began[i] = rebalances[i].At
	}
	list := []Anomaly{}
	for _, some := range [][]Anomaly{
		h.tooLong(p, LongRebalance, t.Rebalancing, wire.PreparingRebalance, wire.CompletingRebalance),
		h.tooLong(p, LongCompleting, t.Completing, wire.CompletingRebalance),
		h.tooLong(p, LongEmpty, t.Empty, wire.Empty),
		series(Frequent, began, t.FrequentCount, atMost(t.FrequentWithin)),
		series(Storm, began, t.StormCount, func(d time.Duration) bool {
			return d < time.Duration(t.StormCount-1)*t.StormInterval
		}),
		h.ghosts(p, t.Ghost),
		h.flapping(p, t.FlappingCount, atMost(t.FlappingWithin)),
		series(LeaderChurn, h.leaderChanges(p), t.ChurnCount, atMost(t.ChurnWithin)),
		h.loops(p, t.LoopCount, t.LoopRest),
		h.imbalances(p, t.ImbalanceFor),
		h.circles(p, t.CircleCount),
	} {
		list = append(list, some...)
	}
	return list
}

// tooLong finds unbroken times in the given states that became longer than the limit.
func (h *history) tooLong(p period, kind AnomalyKind, limit time.Duration, states ...wire.GroupState) []Anomaly {
	var list []Anomaly
	var in [wire.NumGroupStates]bool
	for _, s := range states {
		in[s] = true
	}
	for i := 0; i < len(h.stays); i++ {
		if !in[h.stays[i].state] {
			continue
		}
		since := h.stays[i].entered.At
		for i+1 < len(h.stays) && in[h.stays[i+1].state] {
			i++
		}
		if until := h.until(i); p.crossed(since, until, limit) {
			list = append(list, Anomaly{Kind: kind, Since: since, Until: min(until, p.to)})
		}
	}
	return list
}

// atMost returns a test whether a time is at most d.
func atMost(d time.Duration) func(time.Duration) bool {
	return func(of time.Duration) bool { return of <= d }
}

// series finds runs of instants in which each n in a row lie near together, from the first to the last of them;
// overlapping ones are one anomaly.
func series(kind AnomalyKind, instants []clock.Time, n int, near func(time.Duration) bool) []Anomaly {
	if n < 2 {
		return nil
	}
	var list []Anomaly
	end := -1 // the last instant of the last anomaly
	for i := 0; i+n <= len(instants); i++ {
		last := i + n - 1
		if !near(instants[last].Sub(instants[i])) {
			continue
		}
		if i > end {
			list = append(list, Anomaly{Kind: kind, Since: instants[i], Count: n - 1})
			end = last - 1
		}
		a := &list[len(list)-1]
		a.Count += last - end
		a.Until = instants[last]
		end = last
	}
	return list
}

// flapping finds the processes that are added to the group over and over.
func (h *history) flapping(p period, n int, near func(time.Duration) bool) []Anomaly {
	instants := map[string][]clock.Time{}
	for _, j := range h.joins {
		if p.has(j.at) && j.who != "" {
			instants[j.who] = append(instants[j.who], j.at)
		}
	}
	var list []Anomaly
	for _, who := range slices.Sorted(maps.Keys(instants)) {
		for _, a := range series(FlappingMember, instants[who], n, near) {
			a.Who = who
			list = append(list, a)
		}
	}
	return byTime(list)
}

// leaderChanges lists when another process was elected leader than the one before.
func (h *history) leaderChanges(p period) []clock.Time {
	var changes []clock.Time
	before := ""
	for _, l := range h.leaders {
		switch now := l.String(); {
		case now == "":
		case before != "" && now != before && p.has(l.at):
			changes = append(changes, l.at)
			fallthrough
		default:
			before = now
		}
	}
	return changes
}

// loops finds series of rebalances in which the group never comes to rest.
func (h *history) loops(p period, n int, rest time.Duration) []Anomaly {
	var list []Anomaly
	loop := Anomaly{Kind: GenerationLoop}
	end := func() {
		if loop.Count >= n {
			list = append(list, loop)
		}
		loop.Count = 0
	}
	for i := range h.stays {
		s, until := &h.stays[i], min(h.until(i), p.to)
		switch {
		case !p.has(s.entered.At):
		case s.state == wire.PreparingRebalance:
			if loop.Count == 0 {
				loop.Since = s.entered.At
			}
			loop.Count++
			loop.Until = until
		case s.state == wire.CompletingRebalance:
			loop.Until = until
		case (s.state == wire.Stable || s.state == wire.Empty) && until.Sub(s.entered.At) >= rest:
			end()
		}
	}
	end()
	return list
}

// byTime sorts anomalies by their begin and leaves those that begin together as they are.
func byTime(list []Anomaly) []Anomaly {
	slices.SortStableFunc(list, func(a, b Anomaly) int { return cmp.Compare(a.Since, b.Since) })
	return list
}
