// Package reproduce turns what logs say of a consumer group into a scenario whose run says the same.
//
// A log tells when members joined, left and were evicted, and what each rebalance was for; it does not tell what the consumers
// did, and hardly their settings. So a first draft places what must have happened (a start before a first JoinGroup, a death one
// session before an eviction, a stall where others waited), with the settings that fit the times. Then the draft runs, its
// broker's log is read as the real one was, and both are compared. What came too early is moved, what is
// missing or surplus is tried in another way, as long as that makes the run more like the log.
//
// The same logs always give the same scenario.
//
//	log, err := reproduce.Read(ctx, reader)
//	result, err := reproduce.From(ctx, log, reproduce.Options{})
package reproduce

import (
	"context"
	"slices"
	"time"

	"simulate/incident"
	"simulate/incident/logs"
	"simulate/reports"
	"simulate/sim/consumers"
)

// DefaultBudget is how many runs a search may make.
const DefaultBudget = 600

// Options say what is known besides the logs.
type Options struct {
	Group  string // "": the only one
	Client string // a profile, of all members; "": as the log tells
	Set    []Set
	Budget int    // 0: DefaultBudget
	File   string // where the text goes, for the report
}

// Set is a setting of consumers or of the brokers that is known.
type Set struct{ Key, Value string }

// Result is a scenario and how well it repeats the log.
type Result struct {
	Text   []byte
	Report reports.Reproduction
}

// From makes a scenario of what a log says of a group. When ctx ends it, the result is the best so far, labelled as such, or the
// error that of ctx. Other errors say what the log lacks, or which option is wrong.
func From(ctx context.Context, log *Log, o Options) (*Result, error) {
	g, err := log.group(o.Group)
	if err != nil {
		return nil, err
	}
	c, err := o.choices()
	if err != nil {
		return nil, err
	}
	s := &search{ctx: ctx, story: tell(g.Name, log.of(g)), budget: o.Budget}
	s.story.vague, s.story.libraries = g.ClientView, libraries(g)
	if s.budget == 0 {
		s.budget = DefaultBudget
	}
	s.run(c)
	switch {
	case s.best == nil && ctx.Err() != nil:
		return nil, ctx.Err()
	case s.best == nil:
		return nil, s.refused(g.Name)
	}
	if err := s.best.draft.unused(); err != nil {
		return nil, err
	}
	return s.result(g, o)
}

// libraries returns the profiles of clients that logged themselves, by client id.
func libraries(g *incident.Group) map[string]string {
	known := map[string]string{}
	for i := range g.Clients {
		c := &g.Clients[i]
		if profile, ok := consumers.FindProfile(c.Library.String()); ok {
			known[incident.ClientOf(idOf(c))] = profile.Name
		}
	}
	return known
}

// result writes the best draft, with what its run measures as expectations.
func (s *search) result(g *incident.Group, o Options) (*Result, error) {
	t := s.best
	t.draft.duration = t.until(t.draft.story.length) + Within
	report := s.report(g, o)
	text, err := t.draft.finished(&report)
	return &Result{Text: text, Report: report}, err
}

// stampForm is how instants of the log are shown; its zone is not known.
const stampForm = "2006-01-02 15:04:05.000"

func stamp(t logs.Instant) string { return time.Unix(0, int64(t)).UTC().Format(stampForm) }

// report says how well the best run repeats the log.
func (s *search) report(g *incident.Group, o Options) reports.Reproduction {
	t := s.best
	r := reports.Reproduction{
		Group: g.Name, From: stamp(s.story.start), To: stamp(s.story.start.Add(s.story.length)), ClientView: g.ClientView,
		Scenario: o.File, Runs: s.runs, Ended: s.ended(), Within: Within,
		Rebalances: t.rebalances, Stays: t.stays, Furthest: t.furthest, Remaining: t.remaining(), Doubts: t.draft.doubts(),
	}
	for _, f := range t.draft.fleets {
		r.Members += len(f.members)
		for _, v := range slices.Concat([]setting{f.client}, f.settings) {
			r.Settings = append(r.Settings, reports.Inferred{Fleet: f.name, Key: v.key, Value: v.value, Origin: string(v.origin), Why: v.why})
		}
	}
	for _, v := range t.draft.broker {
		r.Settings = append(r.Settings, reports.Inferred{Key: v.key, Value: v.value, Origin: string(v.origin), Why: v.why})
	}
	return r
}

func (s *search) ended() reports.SearchEnd {
	switch {
	case s.best.score.right():
		return reports.SearchRight
	case s.ctx.Err() != nil:
		return reports.SearchInterrupted
	case s.budget <= 0:
		return reports.SearchSpent
	}
	return reports.SearchSettled
}
