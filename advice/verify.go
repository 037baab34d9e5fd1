package advice

import (
	"context"
	"fmt"
	"runtime"
	"slices"
	"strings"

	"golang.org/x/sync/errgroup"

	"simulate/check"
	"simulate/reports"
	"simulate/sim/clock"
	"simulate/sim/metrics"
	"simulate/sim/scenario"
)

// How often the scenario runs again, for one stay and for one report.
const (
	MostRunsStay = 8
	MostRuns     = 24
)

// Options says how Verify goes about its work.
type Options struct {
	// Load reads the scenario of the report again, with everything that was changed for the report and with more
	// changes on top.
	Load func(...scenario.Override) (check.Loaded, error)

	Progress func(runs int) // called after each round of runs, if set
}

// Verify adds advice on every stuck stay to a finished report of the scenario. A report of a run that did not finish
// gets none. When ctx is cancelled, what was found so far stays. The error is an invariant of the simulator that
// broke in one of the runs; the report has no advice then.
func Verify(ctx context.Context, r *reports.Report, s *scenario.Scenario, o Options) error {
	if r.Outcome != reports.Finished {
		return nil
	}
	v := verifier{Options: o, ctx: ctx, scenario: s, now: &r.Summary, runs: map[string]*rerun{}}
	found := &reports.Advice{}
	for i := range r.Summary.Groups {
		g := &r.Summary.Groups[i]
		for j := range g.Stuck {
			stay, err := v.stay(g, j)
			if err != nil {
				return err
			}
			if len(stay.Trials) > 0 || stay.Untried > 0 {
				found.Stays = append(found.Stays, stay)
			}
		}
	}
	found.Runs, found.Interrupted = v.count, v.interrupted
	r.Advice = found
	return nil
}

// verifier runs the scenario again and again. A change that was tried for one stay is not run a second time for the
// next.
type verifier struct {
	Options
	ctx         context.Context
	scenario    *scenario.Scenario
	now         *metrics.Summary
	runs        map[string]*rerun // by change
	tried       []tried           // in order
	count       int
	interrupted bool
}

type tried struct {
	kind       reports.AdviceKind
	key, value string
}

// rerun is the scenario with one change.
type rerun struct {
	change string
	loaded check.Loaded
	report reports.Report
}

// attempt is one candidate on its way to a value that holds.
type attempt struct {
	Candidate
	about subject
	left  []string // values that are not judged yet
	next  *rerun   // with the first of them, when it is still to be made
	trial *reports.Trial
}

// open reports whether there is a value to try yet.
func (a *attempt) open() bool { return len(a.left) > 0 && (a.trial == nil || !a.trial.Holds) }

func (a *attempt) change() string { return a.Key + "=" + a.left[0] }

// stay tries what is proposed for a stay: round by round the next value of each candidate that has none that holds.
func (v *verifier) stay(g *metrics.Group, j int) (reports.StayAdvice, error) {
	found := reports.StayAdvice{Group: g.Name, Stay: j}
	var attempts []*attempt
	for _, c := range Propose(v.scenario, g, &g.Stuck[j]) {
		about := subject{group: g, stay: &g.Stuck[j], member: c.Member, event: lastEvent(v.scenario, g.Stuck[j].Since)}
		attempts = append(attempts, &attempt{Candidate: c, about: about, left: v.knownFirst(c)})
	}
	for left := MostRunsStay; v.ctx.Err() == nil; {
		var round []*rerun
		for _, a := range attempts {
			v.judge(a)
			if a.next != nil && left > 0 && v.count+len(round) < MostRuns {
				left--
				round = append(round, a.next)
				v.tried = append(v.tried, tried{a.Kind, a.Key, a.left[0]})
			}
		}
		if len(round) == 0 {
			break
		}
		if err := v.run(round); err != nil {
			return found, err
		}
	}
	v.close(&found, attempts)
	return found, nil
}

// lastEvent returns the instant of the scenario's last event by another instant, 0 when there is none.
func lastEvent(s *scenario.Scenario, by clock.Time) clock.Time {
	var last clock.Time
	for i := range s.Events {
		if at := clock.At(s.Events[i].At); at <= by {
			last = max(last, at)
		}
	}
	return last
}

// close adds what came of the attempts.
func (v *verifier) close(found *reports.StayAdvice, attempts []*attempt) {
	for _, a := range attempts {
		v.judge(a)
		if a.trial != nil {
			found.Trials = append(found.Trials, *a.trial)
		}
		switch {
		case !a.open():
		case v.ctx.Err() != nil:
			v.interrupted = true
		default:
			found.Untried += len(a.left)
		}
	}
}

// knownFirst returns the values of a candidate, those first that were tried for an earlier stay: one change had better
// end all waits. How much it takes to keep a member differs from stay to stay.
func (v *verifier) knownFirst(c Candidate) []string {
	var values []string
	for _, t := range v.tried {
		if c.Kind == reports.EndsWait && t.kind == c.Kind && t.key == c.Key {
			values = append(values, t.value)
		}
	}
	for _, value := range c.Values {
		if !slices.Contains(values, value) {
			values = append(values, value)
		}
	}
	return values
}

// judge measures what is known of a candidate's values, up to the first that holds or is to be run next. What the
// scenario does not take is left out.
func (v *verifier) judge(a *attempt) {
	for a.next = nil; a.open(); a.left = a.left[1:] {
		r := v.runs[a.change()]
		if r == nil {
			if a.next = v.load(a.change()); a.next != nil {
				return
			}
			continue
		}
		t := reports.Trial{
			Change: a.change(), What: strings.ReplaceAll(a.Words, "%s", a.left[0]), Kind: a.Kind, Member: a.Member,
			Outcome: r.report.Outcome, Now: a.about.measure(v.now), Then: a.about.measure(&r.report.Summary),
		}
		t.Holds = t.Outcome == reports.Finished && holds(&t, v.scenario.StuckAfter)
		a.trial = &t
	}
}

// load makes a scenario with a change ready to run. It returns nil when the scenario does not take the change.
func (v *verifier) load(change string) *rerun {
	o, err := scenario.ParseOverride(change)
	if err != nil {
		return nil
	}
	loaded, err := v.Load(o)
	if err != nil {
		return nil
	}
	return &rerun{change: change, loaded: loaded}
}

// run makes some runs, as many at once as Go runs threads. Those that an interrupt cuts short do not count.
func (v *verifier) run(round []*rerun) error {
	var running errgroup.Group
	running.SetLimit(runtime.GOMAXPROCS(0))
	for _, r := range round {
		running.Go(func() (err error) {
			if r.report, err = check.Run(v.ctx, r.loaded); err != nil {
				return fmt.Errorf("with %s: %w", r.change, err)
			}
			return nil
		})
	}
	if err := running.Wait(); err != nil {
		return err
	}
	for _, r := range round {
		if r.report.Outcome != reports.Interrupted {
			v.runs[r.change] = r
			v.count++
		}
	}
	if v.Progress != nil {
		v.Progress(v.count)
	}
	return nil
}
