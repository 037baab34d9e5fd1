package reports

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"simulate/sim/clock"
	"simulate/timeline"
)

// How many columns the drawing of a fleet has, about one a pixel, and all of a page.
const (
	fleetColumns = 1200
	mostColumns  = 12_000
)

// newHTMLFleets returns the members of a group by fleet: processes are called <fleet>-<n>.
func newHTMLFleets(t *timeline.Timeline, g *timeline.Group) []htmlFleet {
	var fleets []htmlFleet
	unit := time.Duration(t.End)/time.Duration(max(1, min(fleetColumns, mostColumns/countFleets(t)))) + 1
	for first := 0; first < len(g.Members); {
		name := timeline.Fleet(g.Members[first].Who)
		next := first + 1
		for next < len(g.Members) && timeline.Fleet(g.Members[next].Who) == name {
			next++
		}
		fleets = append(fleets, htmlFleet{
			Group: groupIndex(t, g.Name), Name: clean(name), Members: next - first, First: first,
			Paths: fleetPaths(timeline.Columns(g.Members[first:next], unit), next-first),
		})
		first = next
	}
	return fleets
}

func countFleets(t *timeline.Timeline) int {
	n := 1
	for i := range t.Groups {
		for j, m := range t.Groups[i].Members {
			if j == 0 || timeline.Fleet(m.Who) != timeline.Fleet(t.Groups[i].Members[j-1].Who) {
				n++
			}
		}
	}
	return n
}

func groupIndex(t *timeline.Timeline, name string) int {
	return slices.IndexFunc(t.Groups, func(g timeline.Group) bool { return g.Name == name })
}

// fleetPaths stacks the states of each column, what is wrong at the top.
func fleetPaths(columns []timeline.Column, members int) []htmlPath {
	var outlines [timeline.NumStates]strings.Builder
	for _, c := range columns {
		top := 0
		for s, n := range c.Count {
			if n > 0 {
				fmt.Fprintf(&outlines[s], "M%s %sh%sv%sh-%[3]sz", drawnAt(c.Since), share(top, members), drawn(c.Until.Sub(c.Since)), share(n, members))
			}
			top += n
		}
	}
	var paths []htmlPath
	for s := range timeline.NumStates {
		if outlines[s].Len() > 0 {
			paths = append(paths, htmlPath{stateClass(s), outlines[s].String()})
		}
	}
	return paths
}

func share(n, all int) string { return strconv.FormatFloat(float64(n)/float64(all), 'f', 3, 64) }

// htmlData is the lanes of all members in few bytes: a segment is the letter of its state, how many units it takes in
// base 36, and behind a dot in base 36 the partitions, where these are not those of the last segment in that state.
type htmlData struct {
	Unit   float64           `json:"unit"`   // seconds
	States map[string]string `json:"states"` // by letter
	Groups [][]htmlDataLane  `json:"groups"`
}

type htmlDataLane struct {
	Who  string `json:"who"`
	Lane string `json:"lane"`
}

// mostData is how many bytes the lanes of a page may take. Longer ones are told at a coarser resolution.
const mostData = 3_500_000

func newHTMLData(t *timeline.Timeline) *htmlData {
	data := &htmlData{States: map[string]string{}}
	for s := range timeline.NumStates {
		data.States[letter(s)] = s.String()
	}
	for _, unit := range tickSteps {
		data.Unit = unit.Seconds()
		if data.fill(t, unit) {
			break
		}
	}
	return data
}

func letter(s timeline.State) string { return string(rune('A' + s)) }

// fill tells the lanes at a resolution, and reports whether they take no more than mostData.
func (d *htmlData) fill(t *timeline.Timeline, unit time.Duration) bool {
	d.Groups = nil
	size := 0
	for i := range t.Groups {
		lanes := []htmlDataLane{}
		for j := range t.Groups[i].Members {
			m := &t.Groups[i].Members[j]
			lane := encodedLane(timeline.Coarse(m.Segments, unit), clock.Time(unit))
			lanes = append(lanes, htmlDataLane{clean(m.Who), lane})
			if size += len(lane); size > mostData {
				return false
			}
		}
		d.Groups = append(d.Groups, lanes)
	}
	return true
}

func encodedLane(lane []timeline.Segment, unit clock.Time) string {
	var b strings.Builder
	var counts [timeline.NumStates]int
	for _, s := range lane {
		b.WriteString(letter(s.State))
		b.WriteString(strconv.FormatInt(int64((s.Until-s.Since+unit-1)/unit), 36))
		if counts[s.State] != s.Count {
			counts[s.State] = s.Count
			b.WriteString("." + strconv.FormatInt(int64(s.Count), 36))
		}
	}
	return b.String()
}
