package check

import (
	"fmt"
	"strings"
	"time"

	"simulate/reports"
	"simulate/sim/clock"
	"simulate/sim/metrics"
	"simulate/sim/scenario"
)

// judge says of each expectation whether it holds in a run that ended at end.
func judge(s *scenario.Scenario, fold *metrics.Fold, end clock.Time) []reports.Expectation {
	var all []reports.Expectation
	for i := range s.Expectations {
		e := &s.Expectations[i]
		verdict := reports.Expectation{That: worded(e), Line: e.Line}
		got, err := measure(e, s.Duration, fold, end)
		if err != nil {
			verdict.Problem = err.Error()
		} else {
			verdict.Got, verdict.Pass = got.String(), holds(got, e.Op, e.Value)
			verdict.Short = short(got, e.Value)
		}
		all = append(all, verdict)
	}
	return all
}

// measure returns the value of the expectation's metric in the part of the run that it is about. The
// error says why there is none.
func measure(e *scenario.Expectation, planned time.Duration, fold *metrics.Fold, end clock.Time) (metrics.Value, error) {
	until := clock.At(planned)
	switch {
	case e.At != nil:
		until = clock.At(*e.At)
	case e.To != nil:
		until = clock.At(*e.To)
	}
	if until > end {
		return metrics.Value{}, fmt.Errorf("the run ended at %s", metrics.Duration(end.SinceStart()))
	}
	summary := fold.Summary(until)
	if e.From != nil || e.To != nil {
		summary = fold.Window(clock.At(instant(e.From)), until)
	}
	return summary.Value(e.Query)
}

// instant returns the beginning of the run when no instant is given.
func instant(d *time.Duration) time.Duration {
	if d == nil {
		return 0
	}
	return *d
}

// worded writes an expectation together with the time that it is about.
func worded(e *scenario.Expectation) string {
	var b strings.Builder
	b.WriteString(e.That)
	for _, part := range []struct {
		word string
		at   *time.Duration
	}{{"at", e.At}, {"from", e.From}, {"to", e.To}} {
		if part.at != nil {
			fmt.Fprintf(&b, " %s %s", part.word, metrics.Duration(*part.at))
		}
	}
	return b.String()
}

// holds compares two values of one type.
func holds(got metrics.Value, op scenario.Op, want metrics.Value) bool {
	order := metrics.Compare(got, want)
	switch op {
	case scenario.Less:
		return order < 0
	case scenario.LessOrEqual:
		return order <= 0
	case scenario.Equal:
		return order == 0
	case scenario.NotEqual:
		return order != 0
	case scenario.GreaterOrEqual:
		return order >= 0
	}
	return order > 0
}

// short cuts a time to the millisecond. It returns "" where that changes nothing, or would make the time
// equal to the one it is compared with.
func short(got, limit metrics.Value) string {
	cut := metrics.Brief(got.Duration)
	if got.Duration == 0 || cut == got.String() || cut == metrics.Brief(limit.Duration) {
		return ""
	}
	return cut
}
