package reports

import (
	"strconv"
	"strings"

	"simulate/incident"
	"simulate/incident/logs"
	"simulate/sim/metrics"
)

// widestRow is how far the columns of times may reach for the reasons to stand beside them.
const widestRow = 54

// rebalanceRows are the rows of the table of rebalances: when it began, from which generation to which, how long its parts took,
// how long the group was Stable then, and why it began.
func (a *Analysis) rebalanceRows(g *incident.Group, from int) [][]string {
	rested := map[logs.Instant]*incident.Span{}
	for i := range g.Spans {
		if s := &g.Spans[i]; s.State == incident.Stable {
			rested[s.Since] = s
		}
	}
	rows := [][]string{{"at", "gen.", "join", "sync", "total", "Stable", "why"}}
	for i := from; i < len(g.Rebalances); i++ {
		r := &g.Rebalances[i]
		join, sync, total := rebalanceTimes(r)
		rows = append(rows, []string{a.when(r.At), generationsOf(r), join, sync, total, stableAfter(r, rested), rebalanceSaid(r)})
	}
	return rows
}

// generationsOf writes the generations before and after a rebalance.
func generationsOf(r *incident.Rebalance) string {
	const short = 99_999 // two longer ones would leave no room for anything else
	before, now := noTime, noTime
	if r.Old != logs.Unknown {
		before = strconv.Itoa(int(r.Old))
	}
	if r.Generation != logs.Unknown {
		now = strconv.Itoa(int(r.Generation))
	}
	if before == noTime || r.Old > short && now != noTime {
		return now
	}
	return before + ">" + now
}

// stableAfter writes how long the group was Stable after a rebalance.
func stableAfter(r *incident.Rebalance, rested map[logs.Instant]*incident.Span) string {
	s := rested[r.Until]
	switch {
	case r.At == logs.NoTime:
		return noTime
	case r.Assigned != logs.NoTime && r.Ended == metrics.Superseded:
		return "0s"
	case r.Ended != metrics.Completed:
		return "-"
	case s == nil || s.Lost || r.Lost:
		return noTime
	case s.Open:
		return timed(s.For()) + "+"
	}
	return timed(s.For())
}

// table writes rows with columns as wide as they have to be, the last of them in words, which stand below where there is no room
// beside.
func (t *analysisText) table(rows [][]string) {
	last := len(rows[0]) - 1
	widths := make([]int, last)
	for _, row := range rows {
		for i := range widths {
			widths[i] = max(widths[i], columns(row[i]))
		}
	}
	for n, row := range rows {
		line := indent(4)
		for i, width := range widths {
			line += row[i] + strings.Repeat(" ", width-columns(row[i])+1)
		}
		switch {
		case columns(line) <= widestRow:
			t.para(line, indent(columns(line)), row[last])
		default:
			t.line(strings.TrimRight(line, " "))
			if n > 0 {
				t.para(indent(6), indent(6), row[last])
			}
		}
	}
}
