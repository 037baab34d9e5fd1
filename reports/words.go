package reports

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"
	"time"
	"unicode"

	"simulate/sim/clock"
	"simulate/sim/metrics"
	"simulate/sim/trace"
	"simulate/sim/wire"
)

// How many columns of a name, and of what a client said, a sentence shows.
const (
	longestName   = 40
	longestReason = 80
)

// clean makes a string safe to print on a terminal and in one line: what is not printable becomes U+FFFD.
func clean(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsPrint(r) {
			return r
		}
		return unicode.ReplacementChar
	}, s)
}

// short cleans a name and shortens a long one.
func short(name string) string { return shorten(name, longestName) }

// shorten cleans a text and cuts the middle out of a long one: both ends tell texts apart.
func shorten(text string, most int) string {
	runes := []rune(clean(text))
	if len(runes) <= most {
		return string(runes)
	}
	head, tail := most/2-1, most/2
	return string(runes[:head]) + "…" + string(runes[len(runes)-tail:])
}

// nameOf names a member by its process, or else by its id.
func nameOf(who string, member wire.MemberID) string {
	switch {
	case who != "":
		return short(who)
	case member != "":
		return "member " + short(string(member))
	}
	return "a member"
}

// instant writes an instant to the millisecond, as logs do.
func instant(t clock.Time) string { return metrics.Duration(t.SinceStart().Truncate(time.Millisecond)) }

// listed joins names as a sentence does and counts those beyond the third.
func listed(names []string) string { return listedTo(3, names) }

// listedTo joins names as a sentence does and counts those beyond a number; one more is no reason to.
func listedTo(most int, names []string) string {
	switch {
	case len(names) == 0:
		return ""
	case len(names) == 1:
		return names[0]
	case len(names) > most+1:
		return strings.Join(names[:most], ", ") + " and " + metrics.Plural(len(names)-most, "other")
	}
	last := len(names) - 1
	return strings.Join(names[:last], ", ") + " and " + names[last]
}

// tally names everybody once, in the order of the list, and says who is in it several times.
func tally(names []string) string {
	var once []string
	times := map[string]int{}
	for _, name := range names {
		if times[name] == 0 {
			once = append(once, name)
		}
		times[name]++
	}
	for i, name := range once {
		if n := times[name]; n > 1 {
			once[i] = name + " (" + metrics.Plural(n, "time") + ")"
		}
	}
	return listed(once)
}

// andOthers adds how many more than one there were.
func andOthers(name string, all int) string {
	if all <= 1 {
		return name
	}
	return name + " and " + metrics.Plural(all-1, "other")
}

// rebalanceWords says why a rebalance began, as a sentence without a full stop.
func rebalanceWords(r *metrics.Rebalance) string {
	name := nameOf(r.Who, r.Member)
	switch r.Reason {
	case trace.MemberJoined:
		return name + " joined"
	case trace.MemberRejoined:
		return name + " joined again" + because(r.ClientReason)
	case trace.LeaderRejoined:
		return "the leader, " + name + ", rejoined" + because(r.ClientReason)
	case trace.Left:
		if r.PollTimeout {
			return name + " left: its max.poll.interval.ms ran out"
		}
		return andOthers(name, len(r.Leavers)) + " left" + because(r.ClientReason)
	case trace.SessionExpired:
		return "the session of " + name + " expired"
	case trace.SyncExpired:
		return andOthers(name, len(r.Leavers)) + " never sent a SyncGroup"
	case trace.PendingLeft:
		return "a member id was given back unused"
	case trace.StaticReplaced:
		return name + " came back under its group.instance.id"
	case trace.AppendFailed:
		return "the assignment could not be stored"
	case trace.OverCapacity:
		return "the group has more members than group.max.size"
	}
	return "another reason"
}

// followUpWords counts the rebalances that only finish cooperative ones.
func followUpWords(list []metrics.Rebalance) string {
	n := 0
	for i := range list {
		if list[i].FollowUp() {
			n++
		}
	}
	switch n {
	case 0:
		return ""
	case 1:
		return "; 1 is a follow-up in which cooperative members hand over partitions"
	}
	return "; " + strconv.Itoa(n) + " are follow-ups in which cooperative members hand over partitions"
}

func because(reason string) string {
	switch reason {
	case "":
		return ""
	case "the consumer is being closed": // what every Java consumer says that is stopped in order
		return " (closed)"
	}
	return " (" + shorten(reason, longestReason) + ")"
}

// rebalanceSentence says why a rebalance began, whom it stopped and how it ended.
func rebalanceSentence(r *metrics.Rebalance) string {
	text := rebalanceWords(r)
	for _, more := range []string{stoppedWords(r), endingWords(r)} {
		if more != "" {
			text += "; " + more
		}
	}
	return text
}

// endingWords says how a rebalance ended when it did not end well.
func endingWords(r *metrics.Rebalance) string {
	switch r.Ended {
	case metrics.Open:
		return "not over at the end"
	case metrics.Emptied:
		return "no member was left"
	case metrics.Superseded:
		return "the next one began before it was over"
	case metrics.Abandoned:
		return "its coordinator was gone, or it was deleted"
	}
	return ""
}

// stoppedWords says whom a rebalance stopped and for how long.
func stoppedWords(r *metrics.Rebalance) string {
	if len(r.Stopped) == 0 {
		return ""
	}
	longest := r.LongestStop()
	if longest.For == 0 && !longest.Open {
		return ""
	}
	text := "stopped " + short(r.Stopped[0].Who) + " for "
	if n := len(r.Stopped); n > 1 {
		text = "stopped " + strconv.Itoa(n) + ", up to "
	}
	text += metrics.Brief(longest.For)
	if longest.Open {
		text += " and on"
	}
	return text
}

// settledWords says when the group became Stable for good.
func settledWords(g *metrics.Group) string {
	switch {
	case !g.IsSettled:
		return "never: it is not Stable at the end"
	case g.LastEvent.Verb == "":
		return metrics.Brief(g.Settled) + " after the start"
	case g.Settled == 0:
		return "at once: the last event (" + happeningWords(g.LastEvent) + ") found it Stable and left it so"
	}
	return metrics.Brief(g.Settled) + " after the last event began (" + happeningWords(g.LastEvent) + ")"
}

func happeningWords(h metrics.Happening) string { return clean(h.Verb) + " at " + instant(h.At) }

// gotWords says what an expectation was compared with.
func gotWords(e *Expectation) string {
	text := "got " + clean(cmp.Or(e.Short, e.Got))
	if e.Problem != "" {
		text = "no value: " + clean(e.Problem)
	}
	switch {
	case e.Replications > 1 && e.FailedIn > 0:
		return fmt.Sprintf("%s (seed %d; fails in %d of %d runs)", text, e.Seed, e.FailedIn, e.Replications)
	case e.Replications > 1:
		return text + " in " + metrics.Plural(e.Replications, "run")
	case e.Replications == 0 && e.FailedIn > 0:
		return fmt.Sprintf("%s (seed %d shows it)", text, e.Seed)
	}
	return text
}

// causeNoun names what an eviction happened by.
func causeNoun(cause trace.Reason) string {
	switch cause {
	case trace.SessionExpired:
		return "session expiry"
	case trace.NewMemberExpired:
		return "a first join that took too long"
	case trace.NotRejoinedInTime:
		return "the rebalance timeout"
	case trace.SyncExpired:
		return "the sync timeout"
	}
	return cause.String()
}

// causeWords says by what an eviction happened.
func causeWords(cause trace.Reason) string {
	switch cause {
	case trace.SessionExpired:
		return "session expired"
	case trace.NewMemberExpired:
		return "first join took too long"
	case trace.NotRejoinedInTime:
		return "did not rejoin in time"
	case trace.SyncExpired:
		return "never sent a SyncGroup"
	}
	return cause.String()
}

// anomalyWords describes an anomaly as a sentence without a full stop.
func anomalyWords(a *metrics.Anomaly) string {
	return anomalyNoun(a) + " from " + instant(a.Since) + " to " + instant(a.Until) + " (" + metrics.Brief(a.For()) + ")"
}

// anomalyNoun says what an anomaly is, and not when it was.
func anomalyNoun(a *metrics.Anomaly) string {
	switch a.Kind {
	case metrics.LongRebalance:
		return "rebalancing without a break"
	case metrics.LongCompleting:
		return "long in CompletingRebalance"
	case metrics.LongEmpty:
		return "long in Empty"
	case metrics.Storm:
		return "rebalance storm: " + metrics.Plural(a.Count, "rebalance")
	case metrics.GhostMembers:
		return ghostWords(a)
	case metrics.FlappingMember:
		return "flapping member: " + short(a.Who) + " was added to the group " + metrics.Plural(a.Count, "time")
	case metrics.LeaderChurn:
		return "leader churn: another process became the leader " + metrics.Plural(a.Count, "time")
	case metrics.GenerationLoop:
		return "no rest: " + metrics.Plural(a.Count, "rebalance") + " in a row"
	case metrics.Imbalance:
		s := &a.Skew
		return "uneven assignment: " + short(s.Most) + " held " + metrics.Plural(s.Held, "partition") + " and " + short(s.Least) + " " +
			strconv.Itoa(s.Fewest)
	case metrics.ViciousCircle:
		return "vicious circle: " + metrics.Plural(a.Count, "time") + " in a row batches outlasted max.poll.interval.ms, and the backlog " +
			"that makes them long was no smaller the next time"
	}
	return "frequent rebalances: " + strconv.Itoa(a.Count)
}

// ghostWords says who counted at the coordinator without being there.
func ghostWords(a *metrics.Anomaly) string {
	switch {
	case a.Pending && a.Who != "":
		return "unused member id: one that was handed out for " + short(a.Who) + " counted"
	case a.Pending:
		return "unused member id: " + short(string(a.Member)) + " counted"
	case a.Who != "":
		return "ghost member: a member of " + short(a.Who) + " counted with no process behind it"
	}
	return "ghost member: " + short(string(a.Member)) + " counted with no process behind it"
}

// anomaliesWords describes one or more anomalies of one kind and one process.
func anomaliesWords(alike []metrics.Anomaly) string {
	text := anomalyWords(&alike[0])
	if more := len(alike) - 1; more > 0 {
		text += ", and " + metrics.Plural(more, "time") + " more until " + instant(alike[more].Until)
	}
	return text
}

// thresholdsWords names the thresholds that are not the usual ones; "" when all are.
func thresholdsWords(t metrics.Thresholds) string {
	changed := t.Changed()
	if len(changed) == 0 {
		return ""
	}
	words := make([]string, len(changed))
	for i, t := range changed {
		words[i] = t.String()
	}
	return "Anomalies are judged with " + strings.Join(words, ", ") + "."
}

// snapshotWords says in what state a group is and since when, and what it has been through; nothing of a group that
// never came to exist.
func snapshotWords(s *metrics.Snapshot) []string {
	span := " for " + metrics.Brief(s.For) + ", since " + instant(s.Since)
	rebalances := "no rebalance so far"
	if last := s.Last; last != nil {
		rebalances = metrics.Plural(s.Rebalances, "rebalance") + " so far; the last one began at " + instant(last.At)
		if last.Ended == metrics.Open {
			rebalances += " and is not over after " + metrics.Brief(last.For())
		} else {
			rebalances += " and took " + metrics.Brief(last.For())
		}
	}
	switch {
	case s.State == wire.NoGroup && s.Since == 0:
		return nil
	case s.State == wire.NoGroup:
		return []string{short(s.Name) + " has not existed" + span, rebalances}
	case s.State == wire.Dead:
		return []string{short(s.Name) + " has had no coordinator" + span, "generation " + generation(s.Generation), rebalances}
	}
	size := "generation " + generation(s.Generation) + ", " + metrics.Plural(s.Members, "member")
	return []string{short(s.Name) + " has been in " + s.State.String() + span, size, rebalances}
}
