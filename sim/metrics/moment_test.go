package metrics

import (
	"fmt"
	"strconv"
	"strings"
	"testing"

	"github.com/cockroachdb/datadriven"
)

// TestMomentRules holds that every metric has a rule for what its value comes from, and that there are no others.
func TestMomentRules(t *testing.T) {
	for _, d := range Definitions {
		if r := momentRules[d.Name]; r.all == nil || r.choose == nil {
			t.Errorf("nothing says which moment is responsible for %s", d.Name)
		}
	}
	if len(momentRules) != len(Definitions) {
		t.Errorf("there are %d rules for %d metrics", len(momentRules), len(Definitions))
	}
}

// TestMomentKinds holds that each kind has a name of its own.
func TestMomentKinds(t *testing.T) {
	seen := map[string]bool{}
	for k := RebalanceBegan; k <= AnomalyFound; k++ {
		if name := k.String(); name == "" || seen[name] {
			t.Errorf("kind %d is called %q", k, name)
		}
		seen[k.String()] = true
	}
}

// moments prints what each value comes from: "rebalances(g) most=1", "evictions(g, session-expired) low".
func (s *session) moments(d *datadriven.TestData) string {
	var b strings.Builder
	for _, line := range strings.Split(d.Input, "\n") {
		text, how, _ := strings.Cut(line, ") ")
		name, rest, _ := strings.Cut(strings.TrimSuffix(text, ")"), "(")
		subject, arg, _ := strings.Cut(rest, ", ")
		m := Miss{Low: how == "low"}
		if most, ok := strings.CutPrefix(how, "most="); ok {
			m.Most, _ = strconv.Atoi(most)
		}
		moment, ok := s.moment(d, Query{Name: name, Subject: subject, Arg: arg}, m, how)
		if !ok {
			fmt.Fprintf(&b, "%s: nothing\n", line)
			continue
		}
		fmt.Fprintf(&b, "%s: %v %v to %v%s\n", line, moment.Kind, moment.At, moment.Until, momentDetails(&moment))
	}
	return b.String()
}

func (s *session) moment(d *datadriven.TestData, q Query, m Miss, how string) (Moment, bool) {
	switch {
	case how == "near":
		return s.fold.MomentNear(q, parseTime(argument(d, "at")), parseTime(argument(d, "near")))
	case d.HasArg("from"):
		return s.fold.MomentWithin(q, parseTime(argument(d, "from")), parseTime(argument(d, "to")), m)
	}
	return s.fold.Moment(q, parseTime(argument(d, "at")), m)
}

func momentDetails(m *Moment) string {
	var b strings.Builder
	if m.Nth > 0 {
		fmt.Fprintf(&b, " number %d", m.Nth)
	}
	if m.Kind == StateEntered || m.Kind == Stay {
		fmt.Fprintf(&b, " %v", m.State)
	}
	if m.Who != "" {
		fmt.Fprintf(&b, " %s", m.Who)
	}
	if m.Partitions > 0 {
		fmt.Fprintf(&b, " %d partitions", m.Partitions)
	}
	if m.Stuck != nil {
		b.WriteString(" stuck")
	}
	if m.Outside {
		b.WriteString(" outside")
	}
	return b.String()
}
