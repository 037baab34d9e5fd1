package reproduce

import (
	"context"
	"fmt"
	"strings"
	"unicode/utf8"

	"simulate/check"
	"simulate/incident/logs"
	"simulate/internal/align"
	"simulate/reports"
	"simulate/sim/scenario"
	"simulate/sim/trace"
)

// finished writes the scenario as somebody is to read it: what it repeats and how well, and what it expects.
func (d *draft) finished(r *reports.Reproduction) ([]byte, error) {
	var b strings.Builder
	for _, paragraph := range d.preface(r) {
		comment(&b, paragraph)
	}
	b.WriteByte('\n')
	b.Write(d.text())
	expectations, err := d.expectations(b.String())
	if err != nil {
		return nil, err
	}
	b.WriteString(expectations)
	return []byte(b.String()), nil
}

// preface are the paragraphs of the comment at the beginning.
func (d *draft) preface(r *reports.Reproduction) []string {
	who := "its brokers"
	if r.ClientView {
		who = "its clients"
	}
	zero := fmt.Sprintf("The log begins at 0s, which is %s there.", r.From)
	if d.warmUp > 0 {
		zero = fmt.Sprintf("The log begins at %s, which is %s there; before that, members gather that were there already.", d.warmUp, r.From)
	}
	all := []string{
		fmt.Sprintf("The group %s, as %s logged it from %s to %s.", scenario.Brief(r.Group), who, r.From, r.To),
		fmt.Sprintf("The run has %d of %d rebalances with the same reason and generation (%d in all), and %d of %d stays in a state within %s. %s",
			r.Rebalances.Matched, r.Rebalances.Logged, r.Rebalances.Simulated, r.Stays.Matched, r.Stays.Logged, Within, zero),
		"Behind a value stands where it comes from: observed (a line says it), derived (times lead to it), assumed (a default that " +
			"nothing contradicts) or given (by a flag).",
	}
	for _, doubt := range r.Doubts {
		all = append(all, "Not in the log: "+doubt+".")
	}
	return append(all, `Ask what else could have come of it: "simulate explain FILE --ablate", "simulate sweep FILE --param session.timeout.ms=10s,30s,45s", `+
		`"simulate tune FILE --minimise 'rebalances(`+d.group()+`)' --param session.timeout.ms=10s..60s/6".`)
}

// widest is how long lines of comments get.
const widest = 110

// comment writes a paragraph.
func comment(b *strings.Builder, text string) {
	line := "#"
	for word := range strings.FieldsSeq(text) {
		if utf8.RuneCountInString(line)+1+utf8.RuneCountInString(word) > widest {
			b.WriteString(line + "\n")
			line = "#"
		}
		line += " " + word
	}
	b.WriteString(line + "\n")
}

// expected are metrics of the group of which the scenario expects what its run measures; a time is a snapshot.
var expected = []struct {
	metric, zero string
	snapshot     bool
}{
	{"rebalances", "0", false}, {"generation", "0", false}, {"evictions", "0", false}, {"leaves", "0", false},
	{"state", "Stable", false}, {"longest PreparingRebalance", "0s", true},
}

// expectations runs the scenario and writes what it measures.
func (d *draft) expectations(text string) (string, error) {
	var asked strings.Builder
	asked.WriteString(text)
	for _, e := range expected {
		fmt.Fprintf(&asked, "[[expect]]\nthat = %s\n", quoted(d.that(e.metric)+" == "+e.zero))
	}
	loaded, err := check.Source{Name: "reproduced.toml", Text: []byte(asked.String())}.Load()
	if err != nil {
		return "", err
	}
	report, err := check.Run(context.Background(), loaded)
	if err != nil {
		return "", err
	}
	var b strings.Builder
	b.WriteString("\n# What the run measures, as the log had it.\n")
	for i, e := range report.Expectations {
		if e.Problem != "" {
			continue
		}
		fmt.Fprintf(&b, "[[expect]]\nthat = %s\n", quoted(d.that(expected[i].metric)+" == "+e.Got))
		if expected[i].snapshot {
			b.WriteString("snapshot = true\n")
		}
	}
	return b.String(), nil
}

// that writes a metric of the group; a second word is its argument.
func (d *draft) that(metric string) string {
	name, argument, has := strings.Cut(metric, " ")
	if has {
		return fmt.Sprintf("%s(%s, %s)", name, d.group(), argument)
	}
	return fmt.Sprintf("%s(%s)", name, d.group())
}

// doubts say what the draft takes for what the log leaves open.
func (d *draft) doubts() []string {
	var all []string
	note := func(has bool, text string) {
		if has {
			all = append(all, text)
		}
	}
	verbs := map[scenario.Verb]bool{}
	for _, a := range d.acts {
		verbs[a.do] = true
	}
	note(verbs[scenario.Kill], "whether a member that falls silent was killed, frozen or cut off")
	note(verbs[scenario.Stall] || verbs[scenario.SlowRevoke], "who was late where all waited")
	note(verbs[scenario.EnforceRebalance], "what made a member rejoin: the scenario calls enforceRebalance()")
	note(d.story.vague, "why the group rebalanced, and who else was in it")
	note(true, fmt.Sprintf("what the members read: the scenario has %d partitions in each of %d topics", d.partitions(), d.topics))
	note(d.warmUp > 0, "how the members came that were there before it begins")
	return all
}

// remaining are the differences between the log and the run.
func (t *trial) remaining() []reports.Remaining {
	var all []reports.Remaining
	var last align.Pair
	for _, p := range t.lines {
		m := t.moment(p)
		switch {
		case p.Left < 0:
			all = append(all, reports.Remaining{At: m.at, Simulated: m.words()})
		case p.Right < 0:
			all = append(all, reports.Remaining{At: m.at, Logged: m.words()})
		case m.state:
			o, s := m.at-t.observed[last.Left].at, t.simulated[p.Right].at-t.simulated[last.Right].at
			if (o - s).Abs() > Within {
				all = append(all, reports.Remaining{At: m.at, Logged: m.words() + " after " + o.String(), Simulated: "after " + s.String()})
			} else if other := &t.simulated[p.Right]; other.whom != m.whom {
				all = append(all, reports.Remaining{At: m.at, Logged: m.words() + " by " + clientOfList(m.whom), Simulated: "by " + clientOfList(other.whom)})
			}
			last = p
		}
	}
	return all
}

// clientOfList names members as people know them.
func clientOfList(list string) string {
	if list == "" {
		return "nobody"
	}
	return list
}

// words say what happened.
func (m *moment) words() string {
	switch m.kind {
	case logs.Preparing:
		return fmt.Sprintf("a rebalance (%s)", reasonWord(m.reason))
	case logs.Completing:
		return fmt.Sprintf("a join phase with %d members", m.members)
	case logs.AssignmentReceived:
		return "the leader's assignment"
	case logs.EmptyGroup:
		return "the empty group"
	}
	return m.kind.String() + " of " + clientOfList(m.member)
}

func reasonWord(r trace.Reason) string {
	if r == trace.NoReason {
		return "no reason"
	}
	return r.String()
}
