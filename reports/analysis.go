package reports

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"time"

	"simulate/incident"
	"simulate/incident/logs"
	"simulate/sim/metrics"
	"simulate/sim/trace"
	"simulate/sim/wire"
)

// Analysis is what logs say of groups, and what a reader has to know of these logs.
type Analysis struct {
	*incident.Analysis
	Sources    []*logs.Source
	Quotes     map[logs.Place]string // the lines that the analysis names; one that could not be read again is missing
	Unparsed   []logs.Line           // lines about groups that were not understood, when they are to be listed
	Location   *time.Location        // in which instants are shown; nil: as the logs have them
	StuckAfter time.Duration
	Thresholds metrics.Thresholds // zero: metrics.Defaults()
	Cut        bool               // the user did not wait for the end
}

// mostQuoted is how many lines of logs a report holds.
const mostQuoted = 20_000

// Places returns the lines that a report quotes: those that support causes and stays, which are all that the text shows, and of a
// whole report then those of everything that happened.
func (a *Analysis) Places(whole bool) []logs.Place {
	var list []logs.Place
	for i := range a.Groups {
		g := &a.Groups[i]
		for j := range g.Causes {
			list = append(list, g.Causes[j].Lines...)
		}
		for j := range g.Stuck {
			list = append(list, g.Stuck[j].Lines...)
		}
	}
	for i := range a.Groups {
		if !whole || len(list) >= mostQuoted {
			break
		}
		list = append(list, linesOf(&a.Groups[i])...)
	}
	if whole {
		for i := range a.Moves {
			list = append(list, a.Moves[i].Line)
		}
	}
	return list[:min(len(list), mostQuoted)]
}

// linesOf are the lines of what happened to a group.
func linesOf(g *incident.Group) []logs.Place {
	var list []logs.Place
	for i := range g.Anomalies {
		list = append(list, g.Anomalies[i].Lines...)
	}
	for i := range g.Evictions {
		list = append(list, g.Evictions[i].Line)
	}
	for i := range g.Leaves {
		list = append(list, g.Leaves[i].Line)
	}
	for i := range g.Epochs {
		list = append(list, g.Epochs[i].Lines...)
	}
	for i := range slices.Backward(g.Rebalances) { // the last ones are looked at first
		list = append(list, g.Rebalances[i].Lines...)
	}
	return list
}

// source names where a line is.
func (a *Analysis) source(p logs.Place) string {
	if p.Source < 0 || int(p.Source) >= len(a.Sources) {
		return "line"
	}
	return a.Sources[p.Source].Name
}

// place writes file:line, without the directory in which all files are.
func (a *Analysis) place(p logs.Place) string {
	return short(a.source(p)[len(a.directory()):]) + ":" + strconv.FormatInt(p.Line, 10)
}

// directory is what the names of all sources begin with, up to a slash; "" when that is nothing.
func (a *Analysis) directory() string {
	if len(a.Sources) == 0 {
		return ""
	}
	common := a.Sources[0].Name
	for _, s := range a.Sources[1:] {
		for !strings.HasPrefix(s.Name, common) {
			common = common[:len(common)-1]
		}
	}
	return common[:strings.LastIndexByte(common, '/')+1]
}

// time returns the instant on the clock that is shown.
func (a *Analysis) time(t logs.Instant) time.Time {
	return time.Unix(0, int64(t)).In(cmp.Or(a.Location, time.UTC))
}

// when writes an instant: the time of the day, and the date where the logs are of several days.
func (a *Analysis) when(t logs.Instant) string {
	switch {
	case t == logs.NoTime:
		return noTime
	case a.oneDay():
		return a.time(t).Format("15:04:05.000")
	}
	return a.time(t).Format("01-02 15:04:05.000")
}

// oneDay reports whether the time of the day says enough.
func (a *Analysis) oneDay() bool {
	return a.From != logs.NoTime && a.time(a.From).Format(time.DateOnly) == a.time(a.To).Format(time.DateOnly)
}

// span writes from when to when something was, and for how long.
func (a *Analysis) span(since, until logs.Instant) string {
	if since == logs.NoTime || until == logs.NoTime {
		return ""
	}
	return " from " + a.when(since) + " to " + a.when(until) + " (" + timed(until.Sub(since)) + ")"
}

// urgent returns the groups with what is wrong first.
func (a *Analysis) urgent() []*incident.Group {
	list := make([]*incident.Group, len(a.Groups))
	for i := range a.Groups {
		list[i] = &a.Groups[i]
	}
	slices.SortStableFunc(list, func(x, y *incident.Group) int {
		return cmp.Or(
			-cmp.Compare(x.StuckCount, y.StuckCount), -cmp.Compare(anomalyCount(x), anomalyCount(y)),
			-cmp.Compare(evictedCount(x), evictedCount(y)), -cmp.Compare(x.Count, y.Count))
	})
	return list
}

func evictedCount(g *incident.Group) int {
	sum := 0
	for _, n := range g.Evicted {
		sum += n
	}
	return sum
}

func anomalyCount(g *incident.Group) int {
	sum := 0
	for _, n := range g.AnomalyCount {
		sum += n
	}
	return sum
}

// cutUUID cuts off what a coordinator or a client puts behind the name in a member id: a UUID in lower case.
func cutUUID(id string) (name, uuid string, ok bool) {
	const size, layout = 36, "xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx"
	if len(id) < size {
		return id, "", false
	}
	name, uuid = id[:len(id)-size], id[len(id)-size:]
	for i := range size {
		hex := uuid[i]-'0' < 10 || uuid[i]-'a' < 6
		if layout[i] == 'x' && !hex || layout[i] == '-' && uuid[i] != '-' {
			return id, "", false
		}
	}
	return name, uuid, true
}

// memberName shortens a member id to what tells it from others and still finds it in a log.
func memberName(id wire.MemberID) string {
	const inside, first = 4, 8 // dashes in a UUID, and digits that are shown of it
	if name, uuid, ok := cutUUID(string(id)); ok && strings.Count(name, "-") < inside {
		return short(name + uuid[:first])
	}
	return short(anyUUID.ReplaceAllString(string(id), "$1"))
}

func memberNames(list []wire.MemberID) []string {
	names := make([]string, len(list))
	for i, id := range list {
		names[i] = memberName(id)
	}
	return names
}

// noTime stands in a column for a time that no line tells.
const noTime = "?"

// rebalanceOf is a rebalance as the words of a run's report have it.
func rebalanceOf(r *incident.Rebalance) *metrics.Rebalance {
	m := &metrics.Rebalance{Reason: r.Reason, Ended: r.Ended, Leavers: r.Leavers, ClientReason: r.ClientReason}
	if r.Member != "" {
		m.Who = memberName(r.Member)
	} else if len(r.Leavers) > 0 {
		m.Who = memberName(r.Leavers[0])
	}
	return m
}

// rebalanceSaid says why a rebalance began, how many members it left and, when it did not end well, how it ended.
func rebalanceSaid(r *incident.Rebalance) string {
	rare := r.Rarely()
	text := whySaid(r)
	if rare.ToldTo > 0 {
		text += "; its clients were told after " + timed(rare.ToldFrom)
		if rare.ToldTo > rare.ToldFrom {
			text += " to " + timed(rare.ToldTo)
		}
	}
	if r.Members > 0 {
		text += "; " + metrics.Plural(r.Members, "member")
	}
	if r.Lost && r.Ended == metrics.Completed {
		text += "; when it ended was not logged"
	}
	if rare.Unstored != "" {
		return text + "; its assignment could not be stored (" + truncated(clean(rare.Unstored), longestReason) + ")"
	}
	return strings.TrimSuffix(text+"; "+endingWords(rebalanceOf(r)), "; ")
}

// whySaid says why a rebalance began, as far as that is logged.
func whySaid(r *incident.Rebalance) string {
	m, rare := rebalanceOf(r), r.Rarely()
	switch {
	case r.Reason == trace.MemberJoined && !ordinaryJoin(r.ClientReason):
		return rebalanceWords(m) + " (" + truncated(clean(r.ClientReason), 120) + ")"
	case r.Reason == trace.AppendFailed && rare.Error != "":
		return rebalanceWords(m) + " (" + truncated(clean(rare.Error), longestReason) + ")"
	case r.Reason != trace.NoReason:
		return rebalanceWords(m)
	case r.ClientReason != "":
		return "a client says: " + truncated(clean(r.ClientReason), 120)
	case r.Headless && rare.LeftBefore != "":
		return "its begin was not logged; " + memberName(rare.LeftBefore) + " had left " + timed(rare.LeftAgo) + " before"
	case r.Headless:
		return "its begin was not logged"
	case rare.Requested:
		return "a request of a member, by the thread that logs it"
	}
	return "the log does not say why"
}

// ordinaryJoin: the first JoinGroup of a member is always refused to give it an id.
func ordinaryJoin(reason string) bool {
	return reason == "" || strings.HasPrefix(reason, "need to re-join with the given member-id")
}

// rebalanceTimes writes how long the parts of a rebalance took: the join phase, the sync phase, and both.
func rebalanceTimes(r *incident.Rebalance) (join, sync, total string) {
	join, sync = noTime, noTime
	if d, ok := r.Join(); ok {
		join = timed(d)
	}
	if d, ok := r.Sync(); ok {
		sync = timed(d)
	}
	switch {
	case r.At == logs.NoTime || r.Headless || r.Lost:
		return join, sync, noTime
	case r.Ended == metrics.Open:
		return join, sync, timed(r.For()) + "+"
	}
	return join, sync, timed(r.For())
}

// reasonCounts lists the reasons of rebalances, the most frequent first.
func reasonCounts(by map[trace.Reason]int) []reasonCount {
	var list []reasonCount
	for reason, n := range by {
		if n > 0 {
			list = append(list, reasonCount{reason, n})
		}
	}
	slices.SortFunc(list, func(x, y reasonCount) int {
		return cmp.Or(-cmp.Compare(x.n, y.n), cmp.Compare(x.reason, y.reason))
	})
	return list
}

type reasonCount struct {
	reason trace.Reason
	n      int
}

func (c *reasonCount) name() string { return cmp.Or(c.reason.String(), "unknown") }
