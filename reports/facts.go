package reports

import (
	"fmt"
	"strconv"
	"strings"

	"simulate/sim/metrics"
	"simulate/sim/trace"
	"simulate/sim/wire"
)

// few is how many members a fact names one by one, with their instants.
const few = 4

// fact is a line with a name; one without goes on with what the line before is about.
type fact struct{ Name, Text string }

// facts are the lines with one number each; those without anything to say are left out, except those
// whose absence is the good news.
type facts []fact

func (f *facts) add(name, text string) { *f = append(*f, fact{name, text}) }

func factsOf(g *metrics.Group) facts {
	f := failuresOf(g)
	f.add("Evicted", evictedWords(g))
	if len(g.Leaves) > 0 {
		f.add("Left", leavesWords(g))
	}
	if g.PendingExpired > 0 {
		f.add("Unused ids", metrics.Plural(g.PendingExpired, "member id")+" handed out and not used in time")
	}
	if len(g.Fenced) > 0 {
		f.add("Fenced", fencedWords(g.Fenced))
	}
	if g.Assigned {
		f.add("Unassigned", metrics.Brief(g.Unassigned)+
			", summed over the partitions that nobody held, from the first join phase on")
	}
	f.records(g.Records)
	f.add("Stopped", metrics.Brief(g.Stopped)+" in which no running consumer held anything, start-up included")
	f.add("Settled", settledWords(g))
	return f
}

// records tells what became of records, where topics hold any.
func (f *facts) records(r *metrics.Records) {
	if r == nil {
		return
	}
	lag := metrics.Plural(int(r.Lag), "record") + " not committed at the end"
	if r.MaxLag > r.Lag {
		lag += ", at most " + strconv.FormatInt(r.MaxLag, 10) + " at " + instant(r.MaxAt)
	}
	f.add("Lag", lag)
	again := "nothing"
	if n := len(r.Redeliveries); n > 0 {
		names := make([]string, n)
		for i, batch := range r.Redeliveries {
			names[i] = short(batch.Who)
		}
		again = metrics.Plural(r.Redelivered, "record") + " that the group had got before, the first at " + instant(r.Redeliveries[0].At) +
			", in batches of " + tally(names)
	}
	f.add("Redelivered", again)
}

// failuresOf has one line an error, in the order of their first occurrence.
func failuresOf(g *metrics.Group) facts {
	var f facts
	f.exceptions("Failed", g.Failures, "failure", library.ended)
	f.exceptions("Threw", g.Thrown, "exception", library.wentOn)
	return f
}

func (f *facts) exceptions(name string, list []metrics.Failure, one string, after func(library) string) {
	for _, alike := range byError(list) {
		f.add(name, failedWords(alike, one, after(libraryOf(alike[0].Client))))
		name = ""
	}
}

func (t *groupText) facts(list facts) {
	for _, f := range list {
		t.fact(f.Name, f.Text)
	}
}

func (t *groupText) fact(name, text string) {
	t.para(fmt.Sprintf("  %-12s", name), indent(14), text)
}

// byError groups failures by their error and library, in the order of the first of each.
func byError(list []metrics.Failure) [][]metrics.Failure {
	var groups [][]metrics.Failure
	place := map[string]int{}
	for _, f := range list {
		key := failureName(&f) + " " + f.Client
		i, ok := place[key]
		if !ok {
			i = len(groups)
			groups = append(groups, nil)
			place[key] = i
		}
		groups[i] = append(groups[i], f)
	}
	return groups
}

// failureName is the error of the protocol, or else the class of the exception.
func failureName(f *metrics.Failure) string {
	switch {
	case f.Err == wire.None && f.Exception == "KafkaException":
		return "KafkaException: User rebalance callback throws an error"
	case f.Err == wire.UnknownServerError && f.Exception == "KafkaException":
		return "KafkaException: a broker answered UNKNOWN_SERVER_ERROR"
	case f.Err != wire.None && !thrownByClient(f):
		return f.Err.String()
	case f.Exception != "":
		return clean(f.Exception)
	}
	return "an unknown error"
}

// thrownByClient reports whether a broker had no part in it: the error is UNKNOWN_SERVER_ERROR then, for want of
// another. What a broker answers with that error becomes a KafkaException.
func thrownByClient(f *metrics.Failure) bool {
	return f.Err == wire.UnknownServerError && f.Exception != "" && f.Exception != "KafkaException"
}

// failedWords tells of failures by one error: who and when while there are few, else who how often.
func failedWords(list []metrics.Failure, one, meaning string) string {
	meaning = " (" + meaning + ")"
	names := make([]string, len(list))
	for i, f := range list {
		names[i] = short(f.Who)
	}
	if len(list) > few {
		return metrics.Plural(len(list), one) + " from " + instant(list[0].At) + " on: " + failureName(&list[0]) +
			meaning + ": " + tally(names)
	}
	for i, f := range list {
		names[i] += " at " + instant(f.At)
	}
	return strings.Join(names, ", ") + ": " + failureName(&list[0]) + meaning
}

// neverWords says why a group never came to exist: without an exception, a JoinGroup that reaches the
// coordinator creates it.
func neverWords(g *metrics.Group) string {
	var reasons []string
	for _, alike := range byError(g.Failures) {
		reasons = append(reasons, andOthers(short(alike[0].Who), len(alike))+" failed with "+failureName(&alike[0]))
	}
	if len(reasons) == 0 {
		return "no JoinGroup of its consumers reached the broker"
	}
	return strings.Join(reasons, ", ")
}

// evictedWords names the members while there are few of them.
func evictedWords(g *metrics.Group) string {
	list := g.Evictions
	if len(list) == 0 {
		return "nobody"
	}
	names := make([]string, len(list))
	for i, e := range list {
		names[i] = nameOf(e.Who, e.Member)
	}
	if len(list) > few {
		return metrics.Plural(len(list), "member") + ", " + evictedByCause(g) + ": " + tally(names)
	}
	for i := range list {
		names[i] += " at " + instant(list[i].At) + " (" + evictionWords(&list[i]) + ")"
	}
	return strings.Join(names, ", ")
}

func evictionWords(e *metrics.Eviction) string {
	if e.Cause != trace.SessionExpired {
		return causeWords(e.Cause)
	}
	text := "session expired; last heard of at " + instant(e.Heard)
	if e.Loaded {
		text = "session expired; not heard of since the group was loaded at " + instant(e.Heard)
	}
	if e.Event.Verb != "" {
		text += ", " + happeningWords(e.Event)
	}
	return text
}

func evictedByCause(g *metrics.Group) string {
	var parts []string
	for _, cause := range metrics.EvictionCauses() {
		switch n := g.EvictionsBy(cause.String()); n {
		case 0:
		case len(g.Evictions):
			return "all by " + causeNoun(cause)
		default:
			parts = append(parts, strconv.Itoa(n)+" by "+causeNoun(cause))
		}
	}
	return strings.Join(parts, ", ")
}

// leavesWords names the members while there are few of them.
func leavesWords(g *metrics.Group) string {
	names := make([]string, len(g.Leaves))
	for i, l := range g.Leaves {
		names[i] = nameOf(l.Who, l.Member)
	}
	if len(names) > few {
		return metrics.Plural(len(names), "member") + pollTimeouts(g) + ": " + tally(names)
	}
	for i, l := range g.Leaves {
		names[i] += " at " + instant(l.At)
		if l.PollTimeout {
			names[i] += " (max.poll.interval.ms ran out)"
		}
	}
	return strings.Join(names, ", ")
}

func pollTimeouts(g *metrics.Group) string {
	switch n := g.LeftByPollTimeout(); n {
	case 0:
		return ""
	case len(g.Leaves):
		return ", because max.poll.interval.ms ran out"
	default:
		return ", " + strconv.Itoa(n) + " because max.poll.interval.ms ran out"
	}
}

func fencedWords(list []metrics.Fencing) string {
	names := make([]string, len(list))
	for i, f := range list {
		names[i] = nameOf(f.Who, f.Member)
	}
	return metrics.Plural(len(list), "request") + " of a process whose group.instance.id another one took over: " + tally(names)
}
