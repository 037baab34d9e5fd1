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
	leastMatched    = 0.95
	leastInTime     = 0.92
	leastMatchedAll = 0.91
	leastInTimeAll  = 0.89
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

// Figures returns the sum of the figures of all cases.
func (r Report) Figures() Figures {
	var sum Figures
	for _, row := range r.Rows {
		f := row.Figures()
		sum.Cases += f.Cases
		sum.Events += f.Events
		sum.Matched += f.Matched
		sum.InTime += f.InTime
		sum.Missed += f.Missed
		sum.Surplus += f.Surplus
		sum.Wrong += f.Wrong
		sum.Callbacks += f.Callbacks
		sum.Ran += f.Ran
	}
	return sum
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

func bound(share float64) string { return fmt.Sprintf("%.0f %%", 100*share) }
