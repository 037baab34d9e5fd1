package reproduce

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"simulate/check"
	"simulate/incident/logs"
	"simulate/reports"
	"simulate/sim/metrics"
	"simulate/sim/scenario"
	"simulate/sim/trace"
)

// finished writes the scenario as somebody is to read it: what it repeats and how well, and what it expects.
func (d *draft) finished(r *reports.Reproduction) ([]byte, error) {
	var b strings.Builder
	for _, paragraph := range d.preface(r) {
		comment(&b, paragraph)
	}
	for _, command := range d.questions() {
		b.WriteString("#   " + command + "\n")
	}
	b.WriteByte('\n')
	b.Write(d.text())
	expectations, err := d.expectations(b.String(), r.Complete())
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
	return append(all, "The run ends where the log does: a longer timeout may only seem to spare what it puts off, so let it go on when you ask "+
		"what else could have come of it.")
}

// questions are commands that ask the scenario what else could have come of it. What a shell would take for more than a name is
// left to the reader to fill in.
func (d *draft) questions() []string {
	group := d.group()
	if !scenario.LegalName(group) {
		group = "GROUP"
	}
	longer := " FILE --set duration=" + metrics.Duration(d.longer())
	return []string{
		"simulate explain FILE --ablate",
		"simulate sweep" + longer + " --param session.timeout.ms=10s,30s,45s",
		"simulate tune" + longer + " --minimise 'rebalances(" + group + ")' --param session.timeout.ms=10s..60s/6",
	}
}

// longer returns a duration after which timeouts that are tried have run out that the log does not wait for.
func (d *draft) longer() time.Duration {
	return (d.warmUp + d.duration).Truncate(time.Minute) + 3*time.Minute
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
func (d *draft) expectations(text string, complete bool) (string, error) {
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
	if complete {
		b.WriteString("\n# What the run measures, as the log had it.\n")
	} else {
		b.WriteString("\n# What the run measures, which is not all that the log had.\n")
	}
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
	note(verbs[scenario.Pause] || verbs[scenario.Delay], "what held members up that took their time")
	note(verbs[scenario.EnforceRebalance], "what made a member rejoin: the scenario calls enforceRebalance()")
	if n := d.story.passed(); n > 0 {
		note(true, fmt.Sprintf("when and why %s took place of which only the generations tell: the scenario spreads them evenly", rebalances(n)))
	}
	note(d.story.vague, "why the group rebalanced, and who else was in it")
	if topics := fmt.Sprintf("a topic with %d partitions", d.partitions()); d.topics == 1 {
		note(true, "what the members read: the scenario has "+topics)
	} else {
		note(true, fmt.Sprintf("what the members read: the scenario has %d times %s", d.topics, topics))
	}
	note(d.warmUp > 0, "how the members came that were there before it begins")
	return all
}

func rebalances(n int) string {
	if n == 1 {
		return "a rebalance"
	}
	return fmt.Sprintf("%d rebalances", n)
}

// remaining are the differences between the log and the run, in the order of time.
func (t *trial) remaining() []reports.Remaining {
	var all []reports.Remaining
	for i, p := range t.lines {
		m, ended := t.moment(p), t.ended[i]
		switch {
		case p.Left < 0:
			all = append(all, reports.Remaining{At: m.at, Simulated: m.words()})
		case p.Right < 0:
			all = append(all, reports.Remaining{At: m.at, Logged: m.words()})
		case ended.apart() > Within:
			all = append(all, reports.Remaining{
				At: m.at, Logged: m.words() + " after " + metrics.Duration(ended.observed), Simulated: "after " + metrics.Duration(ended.simulated),
			})
		case byOther(m, &t.simulated[p.Right]):
			all = append(all, reports.Remaining{At: m.at, Logged: m.words() + " by " + somebody(m.whom), Simulated: "by " + somebody(t.simulated[p.Right].whom)})
		}
	}
	slices.SortStableFunc(all, func(a, b reports.Remaining) int { return cmp.Compare(a.At, b.At) })
	return all
}

func somebody(whom string) string { return cmp.Or(whom, "nobody") }

// happened are the words for what happens to a member, or to the group, beside a change of state.
var happened = map[logs.Kind]string{
	logs.MemberIDIssued: "a new member id, MEMBER",
	logs.MemberAdded:    "MEMBER as a new member",
	logs.StaticReplaced: "another process in the place of MEMBER",
	logs.MemberFailed:   "the end of the session of MEMBER",
	logs.MemberLeft:     "a LeaveGroup of MEMBER",
	logs.NotRejoined:    "the removal of MEMBER, which did not rejoin",
	logs.PendingExpired: "the end of the unused id MEMBER",
	logs.GroupLoaded:    "the group at another broker",
}

// words say what happened.
func (m *moment) words() string {
	switch {
	case m.unseen:
		return "by its generations a rebalance that nobody logged"
	case m.kind == logs.Preparing && m.reason != trace.NoReason:
		return fmt.Sprintf("a rebalance (%s)", m.reason)
	case m.kind == logs.Preparing:
		return "a rebalance"
	case m.kind == logs.Completing && m.members > 0:
		return fmt.Sprintf("the end of a join phase of %d", m.members)
	case m.kind == logs.Completing:
		return "the end of a join phase"
	case m.kind == logs.AssignmentReceived:
		return "the leader's assignment"
	case m.kind == logs.EmptyGroup:
		return "the empty group"
	}
	return strings.ReplaceAll(happened[m.kind], "MEMBER", m.member)
}
