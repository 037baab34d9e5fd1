package reports

import (
	"bufio"
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"
	"unicode"

	"simulate/sim/clock"
	"simulate/sim/metrics"
	"simulate/timeline"
)

// mostShown bounds how many bars, or messages and notes, a Mermaid diagram has: with more nobody reads it.
const mostShown = 60

// MermaidStates writes the states of all groups as a Gantt chart in Mermaid's language, in which time begins at Epoch. Of
// more stays than a chart can hold the longest are shown, and the title says so.
func MermaidStates(w io.Writer, r Report) error {
	stays, all := longestStays(r.Timeline.Groups)
	title := "States of the groups in " + mermaidText(short(r.Scenario.Name))
	if len(stays) < all {
		title += fmt.Sprintf(" (the longest %d of %d stays)", len(stays), all)
	}
	if all == 0 {
		title += " (none came to exist)"
	}
	title += r.cutShort()
	b := bufio.NewWriter(w)
	b.WriteString(ganttPadding(r.Timeline.Groups))
	fmt.Fprintf(b, "gantt\n    title %s\n    dateFormat YYYY-MM-DD HH:mm:ss.SSS\n    axisFormat %s\n", title, axisFormat(r.At))
	group := -1
	for _, s := range stays {
		if s.group != group {
			group = s.group
			fmt.Fprintf(b, "    section %s\n", mermaidText(short(r.Timeline.Groups[group].Name)))
		}
		fmt.Fprintf(b, "    %v %s :%s%s, %s\n", s.State, metrics.Brief(s.For()), ganttTags[s.State], ganttDate(s.Since), ganttDate(s.Until))
	}
	return b.Flush()
}

// Mermaid leaves room for names of so many letters, each about so many pixels wide, to the left of a chart. Longer ones
// would be written across the bars.
const (
	mostPadded  = 10
	letterWidth = 6
)

// ganttPadding asks for more room where a name needs it.
func ganttPadding(groups []timeline.Group) string {
	longest := 0
	for i := range groups {
		longest = max(longest, columns(short(groups[i].Name)))
	}
	if longest <= mostPadded {
		return ""
	}
	return fmt.Sprintf("%%%%{init: {\"gantt\": {\"leftPadding\": %d}}}%%%%\n", letterWidth*longest+20)
}

// ganttTags choose the colours of states.
var ganttTags = map[timeline.State]string{
	timeline.PreparingRebalance:  "crit, ",
	timeline.CompletingRebalance: "active, crit, ",
	timeline.Stable:              "done, ",
	timeline.NoCoordinator:       "active, ",
}

func axisFormat(end clock.Time) string {
	if end.SinceStart() > 24*time.Hour {
		return "%d. %H:%M"
	}
	return "%H:%M:%S"
}

func ganttDate(t clock.Time) string {
	return Epoch.Add(t.SinceStart()).Format("2006-01-02 15:04:05.000")
}

// shownStay is a bar of the chart.
type shownStay struct {
	timeline.Segment
	group int // in the timeline
}

// longestStays lists the longest stays of all groups, by group and in order of time, and says how many there are of a
// millisecond or more.
func longestStays(groups []timeline.Group) ([]shownStay, int) {
	var stays []shownStay
	for g := range groups {
		for _, s := range groups[g].States {
			if s.State != timeline.NoGroup && s.For() >= time.Millisecond {
				stays = append(stays, shownStay{s, g})
			}
		}
	}
	all := len(stays)
	slices.SortStableFunc(stays, func(a, b shownStay) int { return cmp.Compare(b.For(), a.For()) })
	stays = stays[:min(all, mostShown)]
	slices.SortFunc(stays, func(a, b shownStay) int { return cmp.Or(cmp.Compare(a.group, b.group), cmp.Compare(a.Since, b.Since)) })
	return stays, all
}

// mermaidText writes a text so that it means nothing to Mermaid, nor to a browser: all but letters, digits and some marks
// as an entity, "#60;".
func mermaidText(s string) string {
	var b strings.Builder
	for _, r := range clean(s) {
		if unicode.IsLetter(r) && r < 0x250 || unicode.IsDigit(r) && r < 0x80 || strings.ContainsRune(" -_.,/()", r) {
			b.WriteRune(r)
		} else {
			fmt.Fprintf(&b, "#%d;", r)
		}
	}
	return b.String()
}
