package diff

import (
	"slices"
	"strings"

	"simulate/sim/metrics"
)

// Number is a metric that differs.
type Number struct {
	Metric metrics.Definition
	Query  metrics.Query
	A, B   Measured
	Change metrics.Value // B - A; only for numbers and times, when both are there
}

// Measured is a value of one run.
type Measured struct {
	Value   metrics.Value
	Problem string // why there is no value; "" when there is one
}

// HasChange reports whether there is a difference that can be counted.
func (n *Number) HasChange() bool {
	return n.A.Problem == "" && n.B.Problem == "" && n.Metric.Type != metrics.StateType && n.Metric.Type != metrics.NameType
}

// numbers lists the metrics of one group that differ.
func numbers(a, b *metrics.Summary) []Number {
	list := []Number{}
	for _, d := range metrics.Definitions {
		for _, q := range queries(d, &a.Groups[0], &b.Groups[0]) {
			n := Number{Metric: d, Query: q, A: measure(a, q), B: measure(b, q)}
			if n.A.Value == n.B.Value && (n.A.Problem == "") == (n.B.Problem == "") {
				continue
			}
			if n.HasChange() {
				n.Change = minus(n.B.Value, n.A.Value)
			}
			list = append(list, n)
		}
	}
	return list
}

// queries lists all that can be asked of a metric of a group.
func queries(d metrics.Definition, a, b *metrics.Group) []metrics.Query {
	if d.Subject == metrics.OfMember {
		return ofMembers(d, a, b)
	}
	var list []metrics.Query
	if d.Argument != metrics.StateArgument {
		list = append(list, metrics.Query{Name: d.Name, Subject: a.Name})
	}
	for _, arg := range d.Argument.Values() {
		list = append(list, metrics.Query{Name: d.Name, Subject: a.Name, Arg: arg})
	}
	return list
}

func ofMembers(d metrics.Definition, a, b *metrics.Group) []metrics.Query {
	var list []metrics.Query
	for _, j := range slices.Concat(a.Joins, b.Joins) {
		list = append(list, metrics.Query{Name: d.Name, Subject: j.Who})
	}
	slices.SortFunc(list, func(x, y metrics.Query) int { return strings.Compare(x.Subject, y.Subject) })
	return slices.Compact(list)
}

func measure(s *metrics.Summary, q metrics.Query) Measured {
	v, err := s.Value(q)
	if err != nil {
		return Measured{Problem: err.Error()}
	}
	return Measured{Value: v}
}

func minus(b, a metrics.Value) metrics.Value {
	return metrics.Value{Type: a.Type, Count: b.Count - a.Count, Duration: b.Duration - a.Duration, Share: b.Share - a.Share}
}
