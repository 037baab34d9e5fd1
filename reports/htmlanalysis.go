package reports

import (
	"io"
	"strconv"
	"strings"
	"time"

	"simulate/incident"
	"simulate/incident/logs"
	"simulate/sim/clock"
	"simulate/sim/metrics"
	"simulate/timeline"
)

var analysisTemplate = parsedPage("analysis.gohtml")

// Of how many groups a page tells, and how many it lists.
const (
	mostPageGroups = 50
	mostPageRows   = 1000
)

// mostLanes is how many members a page draws, each group of the same number.
const mostLanes = 500

// AnalysisHTML writes what logs say as one page that needs nothing else: for each group a timeline, with the lines of
// the logs behind each rebalance, and below it what AnalysisText says.
func AnalysisHTML(w io.Writer, a Analysis) error {
	return writePage(w, analysisTemplate, newAnalysisPage(&a))
}

type analysisPage struct {
	Name, About string
	Cut         bool
	Meta        []fact
	Overview    []overviewRow
	Untold      string
	Groups      []analysedGroup
	Moves       []chainLine
	Notes       []string
	Unparsed    []chainLine
	Lanes       *htmlData
}

type overviewRow struct {
	ID, Name, State, Stable, Cause string
	Rebalances, Evicted, Stuck     int
}

// analysedGroup is a group of the page; what it has in common with one of a run is drawn alike.
type analysedGroup struct {
	htmlGroup
	Wrong       string
	Causes      []toldCause
	StuckUntold int
	Missing     []string
}

type toldCause struct {
	Sentence string
	Lines    []chainLine
}

func newAnalysisPage(a *Analysis) *analysisPage {
	p := &analysisPage{Name: "Logs", Cut: a.Cut, About: flowing(func(p *page) { a.notes(p) })}
	if len(a.Sources) > 0 {
		p.Name = a.sourceNames()
	}
	p.Meta = []fact{{"groups", strconv.Itoa(len(a.Groups))}}
	if a.From != logs.NoTime {
		p.Meta = append(p.Meta, fact{"from", a.time(a.From).Format(dayLayout)}, fact{"to", a.time(a.To).Format(dayLayout)})
	}
	groups := a.urgent()
	told := groups[:min(len(groups), mostPageGroups)]
	t := a.timeline(told)
	if crowded(&t) {
		p.Lanes = newHTMLData(&t)
	}
	for i, g := range told {
		p.Groups = append(p.Groups, a.htmlGroup("g"+strconv.Itoa(i+1), g, &t, p.Lanes != nil))
	}
	if len(groups) > 1 {
		p.overview(groups)
	}
	for i := range a.Moves {
		m := &a.Moves[i]
		p.Moves = append(p.Moves, chainLine{a.when(m.At), moveWords(m) + "  " + a.place(m.Line)})
	}
	for _, note := range a.inputNotes() {
		p.Notes = append(p.Notes, clean(note))
	}
	for _, q := range a.Unparsed {
		p.Unparsed = append(p.Unparsed, chainLine{a.place(q.Place), spoken(q.Text)})
	}
	return p
}

// overview lists the groups; the first of them have a section.
func (p *analysisPage) overview(groups []*incident.Group) {
	for i, g := range groups[:min(len(groups), mostPageRows)] {
		row := overviewRow{
			Name: groupName(g), State: g.State.String(), Stable: stableShare(g), Cause: leadingCause(g),
			Rebalances: g.Count, Evicted: evictedCount(g), Stuck: g.StuckCount,
		}
		if i < len(p.Groups) {
			row.ID = p.Groups[i].ID
		}
		p.Overview = append(p.Overview, row)
	}
	if left := len(groups) - len(p.Overview); left > 0 {
		p.Untold = metrics.Plural(left, "more group") + " left out"
	}
}

func (a *Analysis) htmlGroup(id string, g *incident.Group, t *timeline.Timeline, crowded bool) analysedGroup {
	h := analysedGroup{Wrong: wrongWords(g), Missing: each(g.Missing, func(m *string) string { return clean(*m) })}
	h.htmlGroup = htmlGroup{
		ID: id, Verdict: a.verdict(g), StuckAfter: metrics.Duration(a.StuckAfter), Times: statesOf(g), Facts: a.memberFacts(g),
		Rebalances: rebalanceCounts(g) + unseenWords(g),
	}
	if onlySampled(g) {
		h.Wrong = "nobody logged: what is wrong, samples do not tell"
	}
	for _, line := range a.anomalyLines(g, false) {
		h.Anomalies.add("", line)
	}
	for i := range g.Causes {
		c := &g.Causes[i]
		h.Causes = append(h.Causes, toldCause{causeSentence(c, g.Count), a.quoteLines(c.Lines)})
	}
	if a.From != logs.NoTime {
		h.Drawing = drawLanes(t, g.Name, crowded, func(at clock.Time) string { return a.when(a.From.Add(at.SinceStart())) })
		h.Drawing.Whole, h.Drawing.Ticks = "whole log", ticks(t.End, a.tick)
		h.Drawing.Start = a.clockSeconds()
		if drawn := mostLanes / len(t.Groups); len(g.Fleet) > drawn {
			h.Facts.add("Drawn", "the last "+strconv.Itoa(drawn)+" of "+metrics.Plural(g.FleetCount, "member id"))
		}
	}
	most := mostChains / max(1, len(t.Groups))
	for _, r := range lastOf(g.Rebalances, most) {
		a.tellRebalance(&h.htmlGroup, &r)
	}
	for _, e := range lastOf(g.Epochs, most) {
		a.tellEpoch(&h.htmlGroup, &e)
	}
	h.Untold = max(0, g.Count+g.EpochCount-len(h.Chains))
	h.Open = len(h.Chains) <= firstLines
	for _, s := range lastOf(g.Stuck, most) {
		a.tellStay(&h.htmlGroup, g, &s)
	}
	h.StuckUntold = max(0, g.StuckCount-len(h.Stuck))
	return h
}

// lastOf is the end of a list.
func lastOf[T any](list []T, most int) []T { return list[max(0, len(list)-most):] }

// tellRebalance adds a rebalance: how long its parts took, and the lines that say so.
func (a *Analysis) tellRebalance(h *htmlGroup, r *incident.Rebalance) {
	join, sync, total := rebalanceTimes(r)
	c := htmlChain{ID: h.ID + "-rebalance-" + strconv.Itoa(len(h.Chains)+1), Title: a.when(r.At) + "  " + rebalanceSaid(r), Took: total}
	c.Lines = append([]chainLine{{"join phase", join}, {"until the assignment", sync}}, a.quoteLines(r.Lines)...)
	h.add(a, c, r.At, r.Until)
}

func (a *Analysis) tellEpoch(h *htmlGroup, e *incident.Epoch) {
	c := htmlChain{ID: h.ID + "-rebalance-" + strconv.Itoa(len(h.Chains)+1), Title: a.when(e.At) + "  " + epochSaid(e), Lines: a.quoteLines(e.Lines)}
	h.add(a, c, e.At, e.Until)
}

// add tells of a rebalance and marks it in the drawing.
func (h *htmlGroup) add(a *Analysis, c htmlChain, since, until logs.Instant) {
	h.Chains = append(h.Chains, c)
	if since != logs.NoTime && until != logs.NoTime {
		h.Drawing.Rebalances = append(h.Drawing.Rebalances, htmlMark{c.ID, a.drawnAt(since), a.drawnAt(until), strconv.Itoa(len(h.Chains)), c.Title})
	}
}

func (a *Analysis) tellStay(h *htmlGroup, g *incident.Group, s *incident.Stuck) {
	stay := htmlStay{ID: h.ID + "-stuck-" + strconv.Itoa(len(h.Stuck)+1), Lines: a.stuckStory(g, s)}
	title := stay.Lines[0]
	for _, l := range a.quoteLines(s.Lines) {
		stay.Lines = append(stay.Lines, l.When+"  "+l.What)
	}
	h.Stuck = append(h.Stuck, stay)
	h.Drawing.Stuck = append(h.Drawing.Stuck, htmlMark{stay.ID, a.drawnAt(s.Since), a.drawnAt(s.Until), "stuck", title})
}

func (a *Analysis) quoteLines(lines []logs.Place) []chainLine {
	list := make([]chainLine, len(lines))
	for i, place := range lines {
		list[i] = chainLine{a.place(place), truncated(spoken(a.Quotes[place]), 400)}
	}
	return list
}

// drawnAt places an instant in the drawing.
func (a *Analysis) drawnAt(t logs.Instant) string { return drawn(t.Sub(a.From)) }

// clockSeconds is the instant at which the drawing begins, in seconds of the clock that is shown.
func (a *Analysis) clockSeconds() string {
	_, ahead := a.time(a.From).Zone()
	return drawn(time.Duration(a.From) + time.Duration(ahead)*time.Second)
}

// tick labels the axis, as the page's script does.
func (a *Analysis) tick(at time.Duration) string {
	layout := "15:04:05"
	switch span := a.To.Sub(a.From); {
	case span > 24*time.Hour:
		layout = "01-02 15:04:05"
	case span < 10*time.Second:
		layout = "15:04:05.000"
	}
	return a.time(a.From.Add(at)).Format(layout)
}

// laneStates are the states of lanes.
var laneStates = [incident.NumStates]timeline.State{
	incident.Unknown: timeline.Unknown, incident.Elsewhere: timeline.Elsewhere, incident.Empty: timeline.Empty,
	incident.PreparingRebalance: timeline.PreparingRebalance, incident.CompletingRebalance: timeline.CompletingRebalance,
	incident.Stable: timeline.Stable, incident.Dead: timeline.NoGroup, incident.Reconciling: timeline.Reconciling,
}

// timeline returns the lanes of groups from the first record to the last.
func (a *Analysis) timeline(groups []*incident.Group) timeline.Timeline {
	if a.From == logs.NoTime {
		return timeline.Timeline{}
	}
	t := timeline.Timeline{End: clock.At(a.To.Sub(a.From))}
	for _, g := range groups {
		of := timeline.Group{Name: g.Name, States: a.stateLane(g, t.End)}
		for _, fleet := range fleets(lastOf(g.Fleet, mostLanes/len(groups))) {
			for _, m := range fleet {
				of.Members = append(of.Members, timeline.Lane{Who: memberName(m.ID), Segments: a.memberLane(m, of.States, t.End)})
			}
		}
		t.Groups = append(t.Groups, of)
	}
	return t
}

// stateLane is the lane of a group's state: what no span covers is unknown.
func (a *Analysis) stateLane(g *incident.Group, end clock.Time) []timeline.Segment {
	var lane []timeline.Segment
	at := clock.Time(0)
	for i := range g.Spans {
		s := &g.Spans[i]
		since, until := a.sinceFrom(s.Since, 0), a.sinceFrom(s.Until, end)
		lane = timeline.Extend(lane, timeline.Segment{Since: at, Until: since, State: timeline.Unknown})
		segment := timeline.Segment{Since: max(at, since), Until: until, State: laneStates[s.State]}
		if s.State != incident.Unknown {
			segment.Count = max(0, int(s.Generation))
		}
		lane = timeline.Extend(lane, segment)
		at = max(at, until)
	}
	return timeline.Extend(lane, timeline.Segment{Since: at, Until: end, State: timeline.Unknown})
}

func (a *Analysis) sinceFrom(t logs.Instant, otherwise clock.Time) clock.Time {
	if t == logs.NoTime {
		return otherwise
	}
	return clock.At(t.Sub(a.From))
}

// memberLane is the lane of a member: gone, or in the group, which rebalances or not.
func (a *Analysis) memberLane(m *incident.Member, states []timeline.Segment, end clock.Time) []timeline.Segment {
	joined, left := a.sinceFrom(m.Joined, 0), a.sinceFrom(m.Left, end)
	lane := timeline.Extend(nil, timeline.Segment{Until: joined, State: timeline.Gone})
	for _, s := range states {
		s.Since, s.Until, s.Count = max(s.Since, joined), min(s.Until, left), 0
		switch s.State {
		case timeline.PreparingRebalance, timeline.CompletingRebalance, timeline.Reconciling:
			s.State = timeline.Joining
		case timeline.Unknown, timeline.Elsewhere:
			s.State = timeline.Unknown
		default:
			s.State = timeline.InGroup
		}
		lane = timeline.Extend(lane, s)
	}
	return timeline.Extend(lane, timeline.Segment{Since: max(joined, left), Until: end, State: timeline.Gone})
}

// fleets puts members whose ids begin alike together, in the order of appearance.
func fleets(members []incident.Member) [][]*incident.Member {
	var all [][]*incident.Member
	place := map[string]int{}
	for i := range members {
		m := &members[i]
		name := timeline.Fleet(memberName(m.ID))
		at, ok := place[name]
		if !ok {
			at = len(all)
			place[name] = at
			all = append(all, nil)
		}
		all[at] = append(all[at], m)
	}
	return all
}

// sourceNames names what was read.
func (a *Analysis) sourceNames() string {
	name := short(a.Sources[0].Name)
	if more := len(a.Sources) - 1; more > 0 {
		name += " and " + strconv.Itoa(more) + " more"
	}
	return strings.TrimSpace(name)
}
