package check

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"simulate/reports"
	"simulate/sim/clock"
	"simulate/sim/metrics"
	"simulate/sim/scenario"
)

// judge says of each expectation whether it holds, in each trial or over all of them.
func judge(s *scenario.Scenario, trials []*trial) []reports.Expectation {
	var all []reports.Expectation
	for i := range s.Expectations {
		e := &s.Expectations[i]
		sample := make([]measured, len(trials))
		for j, t := range trials {
			sample[j] = t.measured[i]
		}
		if e.Over.Kind == scenario.InEach {
			all = append(all, inEach(e, sample))
		} else {
			all = append(all, overAll(e, sample))
		}
	}
	return all
}

// measured is what the metric of an expectation came to in one trial.
type measured struct {
	seed  uint64 // of the trial
	value metrics.Value
	err   error // why there is none
}

// satisfies reports whether there is a value, and it compares as is wanted.
func (m *measured) satisfies(op scenario.Op, want metrics.Value) bool {
	return m.err == nil && holds(m.value, op, want)
}

// String writes the value, or why there is none.
func (m *measured) String() string {
	if m.err != nil {
		return m.err.Error()
	}
	return m.value.String()
}

// inEach judges an expectation that must hold in every trial.
func inEach(e *scenario.Expectation, sample []measured) reports.Expectation {
	verdict := reports.Expectation{That: worded(e), Line: e.Line, Snapshot: e.Snapshot, Replications: len(sample)}
	var values []metrics.Value
	for i := range sample {
		m := &sample[i]
		if m.satisfies(e.Op, e.Value) {
			values = append(values, m.value)
			continue
		}
		if verdict.FailedIn++; verdict.FailedIn > 1 {
			continue
		}
		verdict.Seed = m.seed
		if m.err != nil {
			verdict.Problem = m.err.Error()
		} else {
			verdict.Got, verdict.Short = m.value.String(), short(m.value, e.Value)
		}
	}
	if verdict.Pass = verdict.FailedIn == 0; verdict.Pass {
		verdict.Got, verdict.Short = spread(values, e.Value)
	}
	return verdict
}

// spread writes from where to where values go that all hold; those without an order one by one.
func spread(values []metrics.Value, limit metrics.Value) (got, brief string) {
	if kind := values[0].Type; kind == metrics.StateType || kind == metrics.NameType {
		var texts []string
		for _, v := range values {
			if !slices.Contains(texts, v.String()) {
				texts = append(texts, v.String())
			}
		}
		return strings.Join(texts, " or "), ""
	}
	sample := metrics.NewSample(values)
	least, most := sample.Min(), sample.Max()
	if least == most {
		return least.String(), short(least, limit)
	}
	got = least.String() + " to " + most.String()
	brief = cmp.Or(short(least, limit), least.String()) + " to " + cmp.Or(short(most, limit), most.String())
	if brief == got {
		return got, ""
	}
	return got, brief
}

// measure returns the value of the expectation's metric in the part of the run that it is about. The
// error says why there is none.
func measure(e *scenario.Expectation, planned time.Duration, fold *metrics.Fold, end clock.Time) (metrics.Value, error) {
	from, to := e.Period(planned)
	until := clock.At(to)
	if until > end {
		return metrics.Value{}, fmt.Errorf("the run ended at %s", metrics.Duration(end.SinceStart()))
	}
	summary := fold.Summary(until)
	if e.From != nil || e.To != nil {
		summary = fold.Window(clock.At(from), until)
	}
	return summary.Value(e.Query)
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

// short cuts a time to the millisecond, and a number to three decimals. It returns "" where that changes nothing, or
// would make the value equal to the one it is compared with.
func short(got, limit metrics.Value) string {
	var cut, against string
	switch got.Type {
	case metrics.DurationType, metrics.PartitionSeconds:
		cut, against = metrics.Brief(got.Duration), metrics.Brief(limit.Duration)
	case metrics.NumberType:
		cut, against = metrics.Number(got.Number), metrics.Number(limit.Number)
	}
	if cut == got.String() || cut == against {
		return ""
	}
	return cut
}
