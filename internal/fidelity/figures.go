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

// shareOf returns part of whole; of nothing, all.
func shareOf(part, whole int) float64 {
	if whole == 0 {
		return 1
	}
	return float64(part) / float64(whole)
}

func percent(part, whole int) string { return fmt.Sprintf("%.1f %%", 100*shareOf(part, whole)) }

func bound(share float64) string { return fmt.Sprintf("%.3g %%", 100*share) }
