package reports

import (
	"fmt"
	"strconv"
	"time"

	"simulate/sim/metrics"
)

// Advice is which changes of the scenario would have helped with its stuck stays, as runs with them show.
type Advice struct {
	Stays       []StayAdvice // those that something was to be tried for
	Runs        int          // how often the scenario ran again
	Interrupted bool         // by the user; what is missing was not tried
}

// StayAdvice is what was tried for one stuck stay.
type StayAdvice struct {
	Group   string
	Stay    int // its index in the group's Stuck
	Trials  []Trial
	Untried int // values that a bound on the number of runs left out
}

// Trial is the run with one change.
type Trial struct {
	Change  string // KEY=VALUE, as --set takes it
	What    string // the change in words, the subject of a sentence
	Kind    AdviceKind
	Member  string // the process that the group waited for, "" when unknown or none
	Holds   bool   // whether the change does what its kind says
	Outcome Outcome
	Now     Measured // without the change
	Then    Measured // with it, up to where the run came
}

// AdviceKind is what a change is good for.
type AdviceKind uint8

// The kinds of advice.
const (
	EndsWait     AdviceKind = iota // the stay is no longer than stuck-after, or there is none
	SparesMember                   // the member is removed less often
)

var adviceKinds = [...]string{"ends-wait", "spares-member"}

func (k AdviceKind) String() string { return adviceKinds[k] }

// Measured is what a run comes to for one group, as far as changes are compared by it.
type Measured struct {
	Stay        time.Duration // the stay that it is about; 0 when there is none
	Elsewhere   time.Duration // the longest other stay in PreparingRebalance or CompletingRebalance
	Stuck       int           // stays longer than stuck-after
	Removed     int           // how often the member was removed: evicted, made to leave by its poll timeout, or fenced
	Left        int           // how often it left otherwise
	Others      int           // how often other members were removed
	Rebalances  int
	LongestStop time.Duration // of one live process in one rebalance
	Stopped     time.Duration // in which no running process of the group held anything
	Unassigned  time.Duration // partition x time
	Failures    int           // exceptions that ended an application
}

// stay returns the advice on a group's stay; nil when there is none.
func (a *Advice) stay(group string, stay int) *StayAdvice {
	if a == nil {
		return nil
	}
	for i := range a.Stays {
		if s := &a.Stays[i]; s.Group == group && s.Stay == stay {
			return s
		}
	}
	return nil
}

// adviceLine is one sentence, and the change that it is about as --set takes it, if any.
type adviceLine struct{ words, change string }

// adviceLines says which changes would have helped with a stay, or which did not.
func adviceLines(a *StayAdvice) []adviceLine {
	if a == nil {
		return nil
	}
	var lines []adviceLine
	var inVain []string
	for i := range a.Trials {
		if t := &a.Trials[i]; t.Holds {
			lines = append(lines, adviceLine{trialWords(t), "--set " + clean(t.Change)})
		} else {
			inVain = append(inVain, t.What)
		}
	}
	if len(lines) == 0 && len(inVain) > 0 {
		lines = append(lines, adviceLine{words: "tried, and of no help: " + listed(inVain)})
	}
	if a.Untried > 0 {
		lines = append(lines, adviceLine{words: metrics.Plural(a.Untried, "more value") + " not tried, to bound the number of runs"})
	}
	return lines
}

// trialWords says what a change that holds would do, and what else would be better or worse.
func trialWords(t *Trial) string {
	now, then := &t.Now, &t.Then
	text := t.What + " would "
	spared, waits := then.Removed < now.Removed && then.Left <= now.Left, then.Stay > 0
	wait := metrics.Brief(then.Stay) + nowWords(metrics.Brief(now.Stay))
	switch {
	case t.Kind == SparesMember && waits:
		text += keepWords(t)
	case t.Kind == SparesMember:
		text += keepWords(t) + " and avoid the wait"
	case waits:
		text += "end the wait after " + wait
	default:
		text += "avoid the wait"
	}
	if t.Kind == EndsWait && spared {
		text += " and " + keepWords(t)
	}
	worse := then.Rebalances > now.Rebalances || t.Kind == SparesMember && then.Stay > now.Stay
	text += clause(worse) + "the group would "
	if t.Kind == SparesMember && waits {
		text += "wait " + wait + " and "
	}
	text += "rebalance " + metrics.Times(then.Rebalances)
	if then.Rebalances == now.Rebalances {
		text += " as now"
	} else {
		text += nowWords(strconv.Itoa(now.Rebalances))
	}
	if t.Kind == EndsWait && now.Stuck > 1 {
		text += stuckWords(now, then)
	}
	for _, bad := range worseWords(t) {
		text += clause(!worse) + bad
		worse = true
	}
	return text
}

// stuckWords says how many of a group's stuck stays a change leaves.
func stuckWords(now, then *Measured) string {
	if then.Stuck == 0 {
		return " and not be stuck at all" + nowWords(metrics.Times(now.Stuck))
	}
	return " and be stuck " + metrics.Times(then.Stuck) + nowWords(strconv.Itoa(now.Stuck))
}

// clause begins what is no good news, or else what adds to what came before.
func clause(but bool) string {
	if but {
		return ", but "
	}
	return ", and "
}

// keepWords says what becomes of the member.
func keepWords(t *Trial) string {
	if t.Then.Removed == 0 {
		return "keep " + short(t.Member)
	}
	return "have " + short(t.Member) + " removed " + metrics.Times(t.Then.Removed) + nowWords(strconv.Itoa(t.Now.Removed))
}

// worseWords lists what a change makes clearly worse, rebalances aside.
func worseWords(t *Trial) []string {
	var bad []string
	now, then := &t.Now, &t.Then
	if then.Removed > now.Removed {
		bad = append(bad, short(t.Member)+" would be removed "+metrics.Times(then.Removed)+nowWords(strconv.Itoa(now.Removed)))
	}
	if then.Others > now.Others {
		bad = append(bad, "other members would be removed "+metrics.Times(then.Others)+nowWords(strconv.Itoa(now.Others)))
	}
	if t.Kind == SparesMember && then.Stuck > now.Stuck {
		bad = append(bad, "the group would be stuck "+metrics.Times(then.Stuck)+nowWords(strconv.Itoa(now.Stuck)))
	}
	for _, d := range []struct {
		then, now time.Duration
		words     string
	}{
		{then.Elsewhere, now.Elsewhere, "another wait would take"},
		{then.LongestStop, now.LongestStop, "the longest stop of a consumer would be"},
		{then.Unassigned, now.Unassigned, "partitions would be without a consumer, in sum, for"},
	} {
		if clearlyLonger(d.then, d.now) && !(d.then == then.LongestStop && now.Stopped > then.Stopped) {
			bad = append(bad, d.words+" "+metrics.Brief(d.then)+nowWords(metrics.Brief(d.now)))
		}
	}
	return bad
}

// clearlyLonger leaves out what only comes of other draws: a second, or a tenth.
func clearlyLonger(then, now time.Duration) bool { return then-now > max(time.Second, now/10) }

func nowWords(now string) string { return fmt.Sprintf(" (%s now)", now) }
