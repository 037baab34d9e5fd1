package reports

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"simulate/sim/clock"
	"simulate/timeline"
)

// Columns of a line of TimelineText: when, the state of the group with its generation, and what each member does.
const (
	timeColumn   = 14
	stateColumn  = 16
	memberColumn = 5
	mostMembers  = (width - timeColumn - stateColumn) / memberColumn
)

// stateWords are the states in a line. A member that consumes is shown by how many partitions it holds.
var stateWords = [timeline.NumStates]string{
	timeline.Down: "-", timeline.Paused: "froz", timeline.Unreachable: "cut", timeline.Parked: "join", timeline.Stalled: "hang",
	timeline.InCallback: "call", timeline.Processing: "busy", timeline.Idle: "idle",
	timeline.PreparingRebalance: "Preparing", timeline.CompletingRebalance: "Completing", timeline.NoCoordinator: "no broker",
	timeline.Empty: "Empty", timeline.Stable: "Stable", timeline.NoGroup: "-",
}

// TimelineText writes for each group a line a change, with a column for each member. Of a group with more members than
// fit beside each other, a line tells with each change of its state how many members do what.
func TimelineText(w io.Writer, r Report) error {
	p := &page{}
	p.para("", "  ", fmt.Sprintf("Timeline of %s, seed %d, %s%s", short(r.Scenario.Name), r.Scenario.Seed, instant(r.At), r.cutShort()))
	for i := range r.Timeline.Groups {
		g := &r.Timeline.Groups[i]
		p.blank()
		p.para("Group ", "  ", short(g.Name))
		if len(g.Members) > mostMembers {
			p.para("  ", "  ", fmt.Sprintf("its %d members are counted by what they do, at each change of its state", len(g.Members)))
			p.folded(g)
			continue
		}
		p.para("  ", "  ", "a number: consumes so many partitions; join: waits for JoinGroup and SyncGroup; call: in a rebalance callback; "+
			"busy: in a long batch; hang: does not poll; froz: paused; cut: unreachable; idle: holds nothing; -: does not run; .: as before")
		for k, m := range g.Members {
			p.para("  ", "    ", fmt.Sprintf("column %d: %s", k+1, short(m.Who)))
		}
		p.blank()
		p.unfolded(g)
	}
	_, err := p.WriteTo(w)
	return err
}

// cell pads what is in a column.
func cell(text string, columns int) string { return fmt.Sprintf("%-*s", columns, text) }

func stateCell(s timeline.Segment) string {
	text := stateWords[s.State]
	if s.State != timeline.NoGroup && s.Count > 0 {
		text += " " + strconv.Itoa(s.Count)
	}
	return cell(text, stateColumn)
}

func memberWord(s timeline.Segment) string {
	if s.State == timeline.Consuming {
		return strconv.Itoa(s.Count)
	}
	return stateWords[s.State]
}

// unfolded writes a line for each instant at which the group or a member changes.
func (p *page) unfolded(g *timeline.Group) {
	lanes := [][]timeline.Segment{g.States}
	head := cell("at", timeColumn) + cell("state", stateColumn)
	for k, m := range g.Members {
		lanes = append(lanes, m.Segments)
		head += cell(strconv.Itoa(k+1), memberColumn)
	}
	p.line(head)
	for _, at := range changes(lanes) {
		line := cell(instant(at), timeColumn)
		for k, lane := range lanes {
			s, changed := segmentAt(lane, at)
			switch {
			case k == 0 && changed:
				line += stateCell(s)
			case k == 0:
				line += cell(".", stateColumn)
			case changed:
				line += cell(memberWord(s), memberColumn)
			default:
				line += cell(".", memberColumn)
			}
		}
		p.line(line)
	}
}

// folded writes a line for each change of the group's state.
func (p *page) folded(g *timeline.Group) {
	for _, at := range changes([][]timeline.Segment{g.States}) {
		state, _ := segmentAt(g.States, at)
		var count [timeline.NumStates]int
		for _, m := range g.Members {
			s, _ := segmentAt(m.Segments, at)
			count[s.State]++
		}
		var words []string
		for s, n := range count {
			if n > 0 {
				words = append(words, fmt.Sprintf("%d %v", n, timeline.State(s)))
			}
		}
		first := cell(instant(at), timeColumn) + stateCell(state)
		p.para(first, indent(timeColumn+stateColumn), strings.Join(words, ", "))
	}
}

// changes lists the instants at which one of some lanes changes.
func changes(lanes [][]timeline.Segment) []clock.Time {
	var all []clock.Time
	for _, lane := range lanes {
		for _, s := range lane {
			all = append(all, s.Since)
		}
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// segmentAt returns what a lane is in at an instant, and whether that begins then.
func segmentAt(lane []timeline.Segment, at clock.Time) (timeline.Segment, bool) {
	i, found := slices.BinarySearchFunc(lane, at, func(s timeline.Segment, at clock.Time) int { return cmp.Compare(s.Since, at) })
	if !found {
		i--
	}
	return lane[max(0, i)], found
}
