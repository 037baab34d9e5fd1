package fidelity

import "fmt"

// Figures count how well simulated runs agree with recorded ones.
type Figures struct {
	Cases     int
	Events    int // observed ones and, besides, simulated ones that nothing observed matches
	Matched   int
	InTime    int
	Missed    int // observed only
	Surplus   int // simulated only
	Wrong     int // cases with a wrong count
	Callbacks int // as Events
	Ran       int // callbacks that ran on both sides
}

// The least that the kept cases must reach, as shares of the recorded events; and as shares of those and
// the surplus ones together, by which an event that comes at another place counts twice.
const (
	leastMatched    = 0.975
	leastInTime     = 0.95
	leastMatchedAll = 0.96
	leastInTimeAll  = 0.95
	leastRan        = 0.94 // client events, surplus ones included
	mostWrong       = 0.03
)

// Recorded returns how many events were observed.
func (f Figures) Recorded() int { return f.Matched + f.Missed }

// Figures returns the figures of one case.
func (c Comparison) Figures() Figures {
	f := Figures{Cases: 1, Events: len(c.Lines), Callbacks: len(c.Callbacks)}
	for _, l := range c.Lines {
		switch {
		case l.Simulated == nil:
			f.Missed++
		case l.Observed == nil:
			f.Surplus++
		default:
			f.Matched++
		}
		if l.InTime {
			f.InTime++
		}
	}
	for _, l := range c.Callbacks {
		if l.Matched() {
			f.Ran++
		}
	}
	if len(c.Wrong) > 0 {
		f.Wrong = 1
	}
	return f
}

// same reports whether the same events happened on both sides.
func (c Comparison) same() bool {
	f := c.Figures()
	return f.Missed == 0 && f.Surplus == 0
}

// late returns how many events matched and were not in time.
func (c Comparison) late() int {
	f := c.Figures()
	return f.Matched - f.InTime
}

// Figures returns the sum of the figures of all cases.
func (r Report) Figures() Figures {
	var sum Figures
	for _, row := range r.Rows {
		sum.add(row.Figures())
	}
	return sum
}

// First returns the sum of the figures of all cases under the first seed.
func (r Report) First() Figures {
	var sum Figures
	for _, row := range r.Rows {
		sum.add(row.First)
	}
	return sum
}

func (f *Figures) add(g Figures) {
	f.Cases += g.Cases
	f.Events += g.Events
	f.Matched += g.Matched
	f.InTime += g.InTime
	f.Missed += g.Missed
	f.Surplus += g.Surplus
	f.Wrong += g.Wrong
	f.Callbacks += g.Callbacks
	f.Ran += g.Ran
}

// Failures says which of the least figures are not reached, and which cases could not be run.
func (r Report) Failures() []string {
	var all []string
	for _, row := range r.Rows {
		if row.Err != nil {
			all = append(all, fmt.Sprintf("%s: %v", row.Case.ID, row.Err))
		}
	}
	f := r.Figures()
	for _, least := range []struct {
		what        string
		part, whole int
		share       float64
	}{
		{"of the recorded events matched", f.Matched, f.Recorded(), leastMatched},
		{"of the recorded events in time", f.InTime, f.Recorded(), leastInTime},
		{"of all events matched", f.Matched, f.Events, leastMatchedAll},
		{"of all events in time", f.InTime, f.Events, leastInTimeAll},
		{"of the client events matched", f.Ran, f.Callbacks, leastRan},
	} {
		if share(least.part, least.whole) < least.share {
			all = append(all, fmt.Sprintf("%s %s; at least %s must be", percent(least.part, least.whole), least.what, bound(least.share)))
		}
	}
	if float64(f.Wrong) > mostWrong*float64(f.Cases) {
		all = append(all, fmt.Sprintf("%d of %d cases have a wrong count; at most %s may", f.Wrong, f.Cases, bound(mostWrong)))
	}
	return all
}

// share returns part of whole; of nothing, all.
func share(part, whole int) float64 {
	if whole == 0 {
		return 1
	}
	return float64(part) / float64(whole)
}

func percent(part, whole int) string { return fmt.Sprintf("%.1f %%", 100*share(part, whole)) }

func bound(share float64) string { return fmt.Sprintf("%.3g %%", 100*share) }
