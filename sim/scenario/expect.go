package scenario

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"simulate/sim/metrics"
	"simulate/sim/wire"
)

// expectation reads one [[expect]]:
//
//	that   = METRIC OP VALUE
//	       | ( "mean" | "min" | "max" | "p" number ) "(" METRIC ")" OP VALUE
//	       | "fraction" "(" METRIC OP VALUE ")" OP percentage
//	METRIC = name "(" group-or-member [ "," argument ] ")"
//	OP     = "<" | "<=" | "==" | "!=" | ">=" | ">"
//	VALUE  = a whole number, a duration, a percentage, a state or a member, as the metric's type has it;
//	         a number with decimals for the mean of counts
func (l *loader) expectation(t *table) Expectation {
	e := Expectation{Line: l.places.line(t.path)}
	if t.must("that") {
		e.That = strings.Join(strings.Fields(t.text("that", "")), " ")
	}
	if t.has("that") && !l.bad[t.at("that")] {
		if problem := l.cast.parse(&e); problem != "" {
			l.wrong(t.at("that"), "%s", problem)
		}
	}
	e.At = t.instant("at")
	e.From = t.instant("from")
	e.To = t.instant("to")
	if e.Snapshot = t.truth("snapshot", false); e.Snapshot && !l.bad[t.at("that")] {
		if problem := l.cast.noSnapshot(&e); problem != "" {
			l.wrong(t.at("snapshot"), "%s", problem)
		}
	}
	t.done()
	return e
}

// comparison splits METRIC OP VALUE; what does not match has no operator.
var comparison = regexp.MustCompile(`^([^<>=!]*?)\s*(<=|>=|==|!=|<|>|=)\s*(.*)$`)

// parse reads e.That into the rest of e. The problem is "" when it makes sense.
func (c *cast) parse(e *Expectation) (problem string) {
	if name, inner, rest, ok := aggregated(e.That); ok {
		return c.parseAggregated(e, name, inner, rest)
	}
	return c.compares(e, strings.TrimSpace(e.That))
}

// compares reads METRIC OP VALUE.
func (c *cast) compares(e *Expectation, text string) (problem string) {
	parts := comparison.FindStringSubmatch(text)
	if parts == nil {
		return fmt.Sprintf("%s compares nothing; write METRIC OP VALUE, such as rebalances(GROUP) == 1", quote(text))
	}
	metric, op, value := parts[1], parts[2], parts[3]
	if op == "=" {
		return "write == instead of ="
	}
	e.Op = Op(op)
	definition, problem := c.metric(metric, &e.Query)
	if problem != "" {
		return problem
	}
	if e.Op != Equal && e.Op != NotEqual && !ordered(definition.Type) {
		return fmt.Sprintf("%s has no order; compare it with == or !=", metric)
	}
	e.Value, problem = c.value(definition.Type, metric, value)
	return problem
}

// metric reads name(subject) or name(subject, argument).
func (c *cast) metric(text string, q *metrics.Query) (d metrics.Definition, problem string) {
	name, arguments, ok := call(text)
	if aggregation.MatchString(name) {
		return d, fmt.Sprintf("%s(...) is over all replications; write it once, as %s(METRIC) OP VALUE", name, name)
	}
	if !ok {
		return d, fmt.Sprintf("%s is no metric; write NAME(GROUP), such as rebalances(GROUP)", quote(text))
	}
	d, known := metrics.Find(name)
	if !known {
		return d, fmt.Sprintf("unknown metric %s%s", quote(name), didYouMean(name, metricNames()))
	}
	subject, argument, given := strings.Cut(arguments, ",")
	q.Name, q.Subject, q.Arg = name, strings.TrimSpace(subject), strings.TrimSpace(argument)
	if problem = c.subject(d, q.Subject); problem != "" {
		return d, problem
	}
	return d, argumentProblem(d, *q, given)
}

func (c *cast) subject(d metrics.Definition, name string) (problem string) {
	switch {
	case d.Subject == metrics.OfGroup && !c.knowsGroup(name):
		return c.noGroup(name)
	case d.Subject == metrics.OfMember && c.fleet(name) != nil:
		return fmt.Sprintf("%s is about one member; %s is a fleet", d.Name, quote(name))
	case d.Subject == metrics.OfMember && !c.isMember(name):
		return c.noMember(name)
	}
	return ""
}

func argumentProblem(d metrics.Definition, q metrics.Query, given bool) (problem string) {
	known := d.Argument.Values()
	switch {
	case !given && d.Argument == metrics.StateArgument:
		return fmt.Sprintf("%s needs a state, such as %s(%s, %v)", d.Name, d.Name, q.Subject, wire.PreparingRebalance)
	case !given:
	case d.Argument == metrics.NoArgument:
		return fmt.Sprintf("%s takes nothing beside its %s", d.Name, subjectWord(d))
	case !slices.Contains(known, q.Arg):
		return fmt.Sprintf("%s cannot be about %s%s", d.Name, quote(q.Arg), oneOf(q.Arg, known))
	}
	return ""
}

func subjectWord(d metrics.Definition) string {
	if d.Subject == metrics.OfMember {
		return "member"
	}
	return "group"
}

// oneOf suggests the nearest of the known words, or lists them.
func oneOf(wrong string, known []string) string {
	if hint := didYouMean(wrong, known); hint != "" {
		return hint
	}
	if len(known) == 1 {
		return "; write " + known[0]
	}
	return "; write one of " + strings.Join(known, ", ")
}

func metricNames() []string {
	var names []string
	for _, d := range metrics.Definitions {
		names = append(names, d.Name)
	}
	return names
}

// typeWords says of each type what a metric of it is, and what it can be compared with.
var typeWords = map[metrics.Type]string{
	metrics.CountType:        "is a count; compare it with a whole number, such as 3",
	metrics.DurationType:     "is a duration; compare it with one, such as 30s",
	metrics.PartitionSeconds: "is partitions times time; compare it with a duration, such as 30s",
	metrics.ShareType:        "is a share; compare it with a percentage, such as 90%",
	metrics.StateType:        "is a state; compare it with one, such as Stable",
	metrics.NameType:         "is a member; compare it with one",
	metrics.NumberType:       "is a number; compare it with one, such as 2.5",
}

// value reads what a metric is compared with.
func (c *cast) value(kind metrics.Type, metric, text string) (v metrics.Value, problem string) {
	v.Type = kind
	ok := true
	switch kind {
	case metrics.CountType:
		v.Count, ok = parseCount(text)
	case metrics.DurationType, metrics.PartitionSeconds:
		d, err := parseDuration(text)
		v.Duration, ok = d, err == nil
	case metrics.ShareType:
		v.Share, ok = parsePercentage(text)
	case metrics.NumberType:
		v.Number, ok = parseDecimal(text)
	case metrics.StateType:
		v.State, ok = wire.ParseGroupState(text)
		if hint := didYouMean(text, metrics.StateArgument.Values()); !ok && hint != "" {
			return v, fmt.Sprintf("no state %s%s", quote(text), hint)
		}
	case metrics.NameType:
		v.Name = text
		if !c.isMember(text) {
			return v, c.noMember(text)
		}
	}
	if !ok {
		return v, metric + " " + typeWords[kind]
	}
	return v, ""
}

func parseCount(text string) (int64, bool) {
	n, err := strconv.ParseInt(text, 10, 64)
	return n, err == nil && n >= 0
}

// parsePercentage reads "90%" or "90 %" as 0.9. It moves the decimal point in the text, so that 99.9% is the number
// that 999 of 1000 give.
func parsePercentage(text string) (float64, bool) {
	number, ok := strings.CutSuffix(text, "%")
	f, err := strconv.ParseFloat(strings.TrimSpace(number)+"e-2", 64)
	return f, ok && err == nil && f >= 0 && f <= 1
}

var decimal = regexp.MustCompile(`^\d{1,15}(\.\d{1,15})?$`)

func parseDecimal(text string) (float64, bool) {
	f, err := strconv.ParseFloat(text, 64)
	return f, err == nil && decimal.MatchString(text)
}
