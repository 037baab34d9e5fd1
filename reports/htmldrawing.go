package reports

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"simulate/sim/clock"
	"simulate/sim/metrics"
	"simulate/timeline"
)

// mostSegments is how many segments a page draws one by one. With more it draws what the members of each fleet do
// together, and single members when it is asked to.
const mostSegments = 6000

func crowded(t *timeline.Timeline) bool { return t.Segments() > mostSegments }

// htmlDrawing is the timeline of a group.
type htmlDrawing struct {
	End        string // of the run: what all are drawn against
	Start      string // on the clock of a log, in seconds since 1970; "" for a run, which has none
	Whole      string // what End is the end of
	Ticks      []htmlTick
	Rebalances []htmlMark
	Stuck      []htmlMark
	Lanes      []htmlLane  // of the group, and of its members
	Fleets     []htmlFleet // in place of the members, of a crowded page
	Legend     []htmlState
}

// htmlState is a state in the legend.
type htmlState struct{ Class, Name string }

// htmlTick is an instant on the axis.
type htmlTick struct{ At, Label string }

// htmlMark is a stretch of time that leads to what is told of it.
type htmlMark struct{ ID, Since, Until, Label, Title string }

// htmlLane is a lane that is drawn segment by segment.
type htmlLane struct {
	Class, Name, Number, Summary string // Number is the end of a process's name, "-12", which is always shown
	Segments                     []htmlSegment
}

// htmlSegment is one segment of a lane; Label is what it shows where there is room.
type htmlSegment struct{ State, Since, Until, For, Label, Title string }

// htmlFleet is what the members of a fleet do together.
type htmlFleet struct {
	Group   int // of the page's data
	Name    string
	Members int
	First   int // of its members among those of the group
	Paths   []htmlPath
}

// htmlPath is the outline of a state.
type htmlPath struct{ State, Outline string }

func newHTMLDrawing(r *Report, g *metrics.Group, h *htmlGroup, crowded bool) htmlDrawing {
	d := drawLanes(&r.Timeline, g.Name, crowded, instant)
	d.Whole, d.Ticks = "whole run", ticks(r.Timeline.End, metrics.Duration)
	for i := range h.Chains {
		b := &g.Rebalances[i]
		d.Rebalances = append(d.Rebalances, htmlMark{h.Chains[i].ID, drawnAt(b.At), drawnAt(b.Until), strconv.Itoa(i + 1), h.Chains[i].Title})
	}
	for i := range g.Stuck {
		s := &g.Stuck[i]
		d.Stuck = append(d.Stuck, htmlMark{h.Stuck[i].ID, drawnAt(s.Since), drawnAt(s.Until), "stuck", h.Stuck[i].Lines[0]})
	}
	return d
}

// drawLanes draws a group and its members, without marks and without an axis. Instants are written by when.
func drawLanes(t *timeline.Timeline, group string, crowded bool, when func(clock.Time) string) htmlDrawing {
	lanes := laneOf(t, group)
	d := htmlDrawing{End: drawnAt(t.End)}
	states := lanes.States
	if len(states) > mostSegments {
		states = timeline.Coarse(states, time.Duration(t.End)/fleetColumns)
	}
	d.Lanes = append(d.Lanes, newHTMLLane("group", group, states, when))
	if crowded {
		d.Fleets = newHTMLFleets(t, lanes)
	} else {
		for i := range lanes.Members {
			d.Lanes = append(d.Lanes, newHTMLLane("member", lanes.Members[i].Who, lanes.Members[i].Segments, when))
		}
	}
	d.Legend = legend(lanes, crowded)
	return d
}

// legend lists the states that occur. Where lanes are drawn one by one, it says what the numbers in them are.
func legend(g *timeline.Group, crowded bool) []htmlState {
	all := timeline.Times(g.States)
	for i := range g.Members {
		for s, d := range timeline.Times(g.Members[i].Segments) {
			all[s] += d
		}
	}
	var list []htmlState
	for s := range timeline.NumStates {
		if all[s] == 0 || s == timeline.NoGroup {
			continue
		}
		name := s.String()
		if s == timeline.Consuming && !crowded {
			name += " (a number: so many partitions)"
		}
		list = append(list, htmlState{stateClass(s), name})
	}
	return list
}

func newHTMLLane(class, name string, lane []timeline.Segment, when func(clock.Time) string) htmlLane {
	l := htmlLane{Class: class, Name: clean(name), Summary: laneSummary(lane)}
	if class == "member" {
		fleet := timeline.Fleet(name)
		l.Name, l.Number = clean(fleet), clean(name[len(fleet):])
	}
	for i := range lane {
		s := &lane[i]
		segment := htmlSegment{
			State: stateClass(s.State), Since: drawnAt(s.Since), Until: drawnAt(s.Until), For: drawn(s.For()),
			Title: fmt.Sprintf("%s from %s to %s (%s)", segmentWords(s), when(s.Since), when(s.Until), metrics.Brief(s.For())),
		}
		switch {
		case s.State == timeline.Consuming:
			segment.Label = strconv.Itoa(s.Count)
		case s.State != timeline.Down && s.State != timeline.NoGroup && s.State != timeline.Gone:
			segment.Label = s.State.String()
		}
		l.Segments = append(l.Segments, segment)
	}
	// What is short stands out when it is drawn last.
	slices.SortStableFunc(l.Segments, func(a, b htmlSegment) int { return cmp.Compare(calm(a.State), calm(b.State)) })
	return l
}

// calm orders states for drawing: what goes on for long comes first, below what interrupts it.
func calm(class string) int {
	switch class {
	case "down", "no-group", "idle", "consuming", "empty", "stable", "gone", "in-the-group", "elsewhere", "unknown":
		return 0
	}
	return 1
}

// stateClass is the class of a state in the style sheet.
func stateClass(s timeline.State) string {
	return strings.ToLower(strings.ReplaceAll(s.String(), " ", "-"))
}

func segmentWords(s *timeline.Segment) string {
	switch {
	case s.State == timeline.NoGroup, s.State == timeline.Down, s.State == timeline.Unknown:
		return s.State.String()
	case s.State.OfGroup():
		return s.State.String() + ", generation " + strconv.Itoa(s.Count)
	case s.State >= timeline.Joining:
		return s.State.String()
	}
	return s.State.String() + ", holds " + metrics.Plural(s.Count, "partition")
}

// laneSummary says for how long a lane was in each state, for those who do not see it.
func laneSummary(lane []timeline.Segment) string {
	var words []string
	for s, d := range timeline.Times(lane) {
		if d > 0 {
			words = append(words, timeline.State(s).String()+" "+metrics.Brief(d))
		}
	}
	return strings.Join(words, ", ")
}

// tickSteps are how far apart the marks of an axis may be.
var tickSteps = []time.Duration{
	time.Millisecond, 10 * time.Millisecond, 100 * time.Millisecond, time.Second, 2 * time.Second, 5 * time.Second,
	10 * time.Second, 15 * time.Second, 30 * time.Second, time.Minute, 2 * time.Minute, 5 * time.Minute, 10 * time.Minute,
	15 * time.Minute, 30 * time.Minute, time.Hour, 2 * time.Hour, 3 * time.Hour, 6 * time.Hour, 12 * time.Hour,
}

// tickStep returns how far apart marks are on an axis over a span that has room for so many.
func tickStep(span time.Duration, most int) time.Duration {
	for _, s := range tickSteps {
		if span/s <= time.Duration(most) {
			return s
		}
	}
	const day = 24 * time.Hour
	return day * (span/(day*time.Duration(most)) + 1)
}

// mostTicks is how many marks an axis has room for.
const mostTicks = 9

func ticks(end clock.Time, label func(time.Duration) string) []htmlTick {
	all := end.SinceStart()
	step := tickStep(all, mostTicks)
	var list []htmlTick
	for at := time.Duration(0); at <= all; at += step {
		list = append(list, htmlTick{drawn(at), label(at)})
	}
	return list
}
