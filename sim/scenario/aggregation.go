package scenario

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"simulate/sim/metrics"
)

// Aggregation makes one value of those that a metric has in all replications. The zero Aggregation makes none: then
// the expectation must hold in each.
type Aggregation struct {
	Kind       AggregationKind
	Percentile metrics.Percentile // OfPercentile

	// Fraction: the comparison that holds in a part of the replications.

	Op    Op
	Value metrics.Value
}

// AggregationKind says what an Aggregation does.
type AggregationKind uint8

// The kinds of aggregations.
const (
	InEach AggregationKind = iota // none
	OfMean
	OfMin
	OfMax
	OfPercentile
	Fraction
)

var kinds = map[string]AggregationKind{"mean": OfMean, "min": OfMin, "max": OfMax, "fraction": Fraction}

// aggregation matches the name of what makes one value of those in many replications.
var aggregation = regexp.MustCompile(`^(mean|min|max|fraction|p\d[\d.]*)$`)

// aggregate splits NAME(inner) rest at the last parenthesis that closes before a comparison.
var aggregate = regexp.MustCompile(`^\s*([a-z][\w.]*)\s*\((.*)\)\s*((?:<=|>=|==|!=|<|>|=).*)$`)

// aggregated splits an expectation over replications into the name of its aggregation, what that is of, and the
// comparison behind it.
func aggregated(that string) (name, inner, rest string, ok bool) {
	parts := aggregate.FindStringSubmatch(that)
	if parts == nil || !aggregation.MatchString(parts[1]) {
		return "", "", "", false
	}
	return parts[1], strings.TrimSpace(parts[2]), parts[3], true
}

func (c *cast) parseAggregated(e *Expectation, name, inner, rest string) (problem string) {
	if e.Over.Percentile, e.Over.Kind, problem = aggregationNamed(name); problem != "" {
		return problem
	}
	parts := comparison.FindStringSubmatch(rest)
	if parts[2] == "=" {
		return "write == instead of ="
	}
	kind, problem := c.inner(e, name, inner)
	if problem != "" {
		return problem
	}
	e.Op = Op(parts[2])
	if e.Value, problem = c.value(kind, name+"(...)", parts[3]); problem != "" {
		return problem
	}
	if c.replications == 1 {
		return fmt.Sprintf("%s(...) is over replications, and there is one; write replications = 100, or another number, at the top of the file",
			name)
	}
	return ""
}

// inner reads what an aggregation is of, and returns the type of the value that it makes.
func (c *cast) inner(e *Expectation, name, inner string) (kind metrics.Type, problem string) {
	compares := comparison.MatchString(inner)
	if e.Over.Kind == Fraction {
		if !compares {
			return 0, "fraction(...) needs a comparison in its parentheses, such as fraction(rebalances(GROUP) == 1) >= 95%"
		}
		problem = c.compares(e, inner)
		e.Over.Op, e.Over.Value = e.Op, e.Value
		return metrics.ShareType, problem
	}
	if compares {
		return 0, fmt.Sprintf("%s(...) takes a metric and no comparison; only fraction(...) takes one", name)
	}
	d, problem := c.metric(inner, &e.Query)
	switch {
	case problem != "":
	case d.Type == metrics.StateType, d.Type == metrics.NameType:
		problem = fmt.Sprintf("%s has no order and no %s; write fraction(%s == ...) >= 95%%", inner, name, inner)
	case d.Type == metrics.CountType && e.Over.Kind == OfMean:
		return metrics.NumberType, ""
	}
	return d.Type, problem
}

// percentile matches "p95" and "p99.9".
var percentile = regexp.MustCompile(`^p(\d{1,2})(?:\.(\d{1,3}))?$`)

// aggregationNamed reads "mean", "p99.9" and the like.
func aggregationNamed(name string) (p metrics.Percentile, k AggregationKind, problem string) {
	if k, ok := kinds[name]; ok {
		return 0, k, ""
	}
	parts := percentile.FindStringSubmatch(name)
	if parts != nil {
		n, err := strconv.Atoi(parts[1] + (parts[2] + "000")[:3]) // in thousandths
		if err == nil && n > 0 {
			return metrics.Percentile(n), OfPercentile, ""
		}
	}
	return 0, InEach, fmt.Sprintf("%s is no percentile; write one such as p95 or p99.9, and min or max for the ends", quote(name))
}
