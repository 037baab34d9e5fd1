// Package diff compares two runs: where their events part, which numbers differ, and which rebalances, stuck
// stays and evictions both have.
//
// A Side is a run as its trace tells it, live or read from a file, so that both kinds compare alike. Compare is
// a pure function; Compare(b, a) says the same with the sides exchanged.
//
//	a := diff.NewSide("incident", header, events)
//	b := diff.NewSide("incident with a longer session", changed, others)
//	err := reports.Diff(os.Stdout, diff.Compare(a, b), reports.TextOptions{})
package diff

import (
	"cmp"
	"slices"
	"strings"

	"simulate/sim/clock"
	"simulate/sim/metrics"
	"simulate/sim/trace"
)

// Side is one of the two runs.
type Side struct {
	Name    string   // what it was read from, as reports call it
	Changes []string // what was changed of that, "fleet.orders.count=4"
	Header  trace.Header
	Digest  string
	Summary metrics.Summary
	Events  []trace.Event // in order, without the routine ones
}

// NewSide makes a side of a run that recorded these events. The header must say StuckAfter, topics and fleets.
func NewSide(name string, h trace.Header, events []trace.Event) Side {
	fold, digest, memory := metrics.NewFold(metrics.OptionsOf(h)), trace.NewDigest(), &trace.Memory{}
	sink := trace.Tee{fold, digest, memory}
	for _, e := range events {
		sink.Record(e)
	}
	var end clock.Time
	if n := len(events); n > 0 {
		end = events[n-1].At
	}
	happened := slices.DeleteFunc(memory.Events, func(e trace.Event) bool { return e.Kind.Routine() })
	return Side{Name: name, Header: h, Digest: digest.Sum(), Summary: fold.Summary(end), Events: happened}
}

// Cut says why the run ended early, "interrupted" or "event limit"; "" when it did not.
func (s *Side) Cut() string {
	if n := len(s.Events); n > 0 && s.Events[n-1].Kind == trace.RunEnded {
		return s.Events[n-1].Text
	}
	return ""
}

// Result is what two runs have in common and in what they differ.
type Result struct {
	A, B    Side
	Parting *Parting // nil when nothing happened otherwise
	Groups  []Group  // of either run, sorted by name
}

// Group is one group in two runs. A group that only one of them has is in the other one that never came to exist.
type Group struct {
	Name       string
	InA, InB   bool
	Numbers    []Number // those that differ, in the order of metrics.Definitions
	Rebalances []Pair[metrics.Rebalance]
	Stuck      []Pair[metrics.Stuck]
	Evictions  []Pair[metrics.Eviction]
}

// SameEvents reports whether the two runs have one digest.
func (r *Result) SameEvents() bool { return r.A.Digest == r.B.Digest }

// Same reports whether the runs are the same and count the same. What is stuck may differ between equal runs.
func (r *Result) Same() bool {
	return r.SameEvents() && !slices.ContainsFunc(r.Groups, func(g Group) bool { return len(g.Numbers) > 0 })
}

// Compare compares two runs.
func Compare(a, b Side) Result {
	r := Result{A: a, B: b, Groups: []Group{}}
	if !r.SameEvents() {
		r.Parting = parting(a.Events, b.Events)
	}
	for _, name := range groupNames(&a, &b) {
		r.Groups = append(r.Groups, compareGroups(name, &a.Summary, &b.Summary))
	}
	return r
}

func groupNames(a, b *Side) []string {
	var names []string
	for _, s := range []*Side{a, b} {
		for i := range s.Summary.Groups {
			names = append(names, s.Summary.Groups[i].Name)
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}

func compareGroups(name string, a, b *metrics.Summary) Group {
	inA, okA := only(a, name)
	inB, okB := only(b, name)
	ga, gb := &inA.Groups[0], &inB.Groups[0]
	return Group{
		Name: name, InA: okA, InB: okB,
		Numbers:    numbers(&inA, &inB),
		Rebalances: align(ga.Rebalances, gb.Rebalances, rebalanceKey),
		Stuck:      align(ga.Stuck, gb.Stuck, stuckKey),
		Evictions:  align(inOrder(ga.Evictions), inOrder(gb.Evictions), evictionKey),
	}
}

// only returns the summary of one group. It reports false when the run has no group of that name, and makes one
// that never came to exist.
func only(s *metrics.Summary, name string) (metrics.Summary, bool) {
	one := metrics.Summary{From: s.From, To: s.To}
	i := slices.IndexFunc(s.Groups, func(g metrics.Group) bool { return g.Name == name })
	if i >= 0 {
		one.Groups = s.Groups[i : i+1]
		return one, true
	}
	one.Groups = metrics.NewFold(metrics.Options{Fleets: []metrics.Fleet{{Group: name}}}).Summary(s.To).Groups
	return one, false
}

func rebalanceKey(r *metrics.Rebalance) (clock.Time, string) {
	key := r.Reason.String() + " " + process(r.Who, string(r.Member))
	if r.PollTimeout {
		key += " poll-timeout"
	}
	return r.At, key
}

// stuckKey names the state, and whom the group waited for at first and why.
func stuckKey(s *metrics.Stuck) (clock.Time, string) {
	key := []string{s.State.String()}
	if len(s.Blocked) > 0 {
		for _, l := range s.Blocked[0].Chain {
			key = append(key, l.On, process(l.Who, string(l.Member)), l.Because)
		}
	}
	return s.Since, strings.Join(key, " ")
}

func evictionKey(e *metrics.Eviction) (clock.Time, string) {
	return e.At, e.Cause.String() + " " + process(e.Who, string(e.Member))
}

// process names who is behind a member in either run: the process, or else the id without what was drawn for it.
func process(who, member string) string {
	if who != "" {
		return who
	}
	return uuid.ReplaceAllString(member, "")
}

// inOrder sorts evictions of one instant by name: they happen in the order of ids, which are drawn.
func inOrder(list []metrics.Eviction) []metrics.Eviction {
	list = slices.Clone(list)
	slices.SortStableFunc(list, func(x, y metrics.Eviction) int {
		atX, keyX := evictionKey(&x)
		atY, keyY := evictionKey(&y)
		return cmp.Or(cmp.Compare(atX, atY), strings.Compare(keyX, keyY))
	})
	return list
}
