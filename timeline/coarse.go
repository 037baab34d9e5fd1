package timeline

import (
	"time"

	"simulate/sim/clock"
)

// Coarse returns a lane at a resolution: segments begin and end at multiples of unit, but for the end of the run. Where
// several meet in one unit, that with the first State has it, so that what is wrong is not lost.
func Coarse(lane []Segment, unit time.Duration) []Segment {
	step := clock.Time(unit)
	var coarse []Segment
	for _, s := range lane {
		s.Since -= s.Since % step
		s.Until += (step - s.Until%step) % step
		coarse, s.Since = contest(coarse, s)
		coarse = Extend(coarse, s)
	}
	if n := len(coarse); n > 0 {
		coarse[n-1].Until = lane[len(lane)-1].Until
	}
	return coarse
}

// contest decides who has the unit in which s begins, and returns what is left of those before it and where s begins.
func contest(before []Segment, s Segment) ([]Segment, clock.Time) {
	n := len(before)
	if n == 0 || before[n-1].Until <= s.Since {
		return before, s.Since
	}
	last := &before[n-1]
	if last.State <= s.State {
		return before, last.Until
	}
	last.Until = s.Since
	if last.Until <= last.Since {
		before = before[:n-1]
	}
	return before, s.Since
}

// Column says how many of some processes were in each state for a while.
type Column struct {
	Since, Until clock.Time
	Count        [NumStates]int
}

// Columns adds up lanes at a resolution. Each process counts once, in the first of its states in that unit.
func Columns(lanes []Lane, unit time.Duration) []Column {
	var columns []Column
	for i := range lanes {
		for _, s := range Coarse(lanes[i].Segments, unit) {
			for at := s.Since; at < s.Until; at += clock.Time(unit) {
				k := int(at / clock.Time(unit))
				if k == len(columns) {
					columns = append(columns, Column{Since: at, Until: min(at+clock.Time(unit), s.Until)})
				}
				columns[k].Count[s.State]++
			}
		}
	}
	return columns
}
