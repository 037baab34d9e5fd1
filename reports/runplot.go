package reports

import (
	"image/color"
	"slices"
	"time"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"simulate/sim/clock"
	"simulate/sim/metrics"
	"simulate/timeline"
)

// mostLines bounds how many groups a plot shows: more lines, or bands, nobody tells apart.
const mostLines = 8

// RunPlots draws the states of the groups, how long rebalances took, the partitions without a consumer and, where there
// is load, the lag, each over time. Of many groups the first ones are drawn, and titles say so.
func RunPlots(r Report) []Plot {
	unassigned := func(c *metrics.Curves) []metrics.Level { return stepped(c.Unassigned, r.At) }
	lag := func(c *metrics.Curves) []metrics.Level { return c.Lag }
	plots := []Plot{r.statePlot(), r.rebalancePlot(), r.levelPlot("unassigned", "Partitions without a consumer", "partitions", unassigned)}
	if slices.ContainsFunc(r.Curves, func(c metrics.Curves) bool { return len(c.Lag) > 0 }) {
		plots = append(plots, r.levelPlot("lag", "Lag", "records", lag))
	}
	return plots
}

// overTime begins a plot over the time of the run.
func (r *Report) overTime(title, y string, groups []string) *plot.Plot {
	if len(groups) > mostLines {
		title += " of the first " + metrics.Plural(mostLines, "group")
	}
	title += r.cutShort()
	title += "\n" + short(r.Scenario.Name)
	if len(groups) == 1 {
		title += ", group " + short(groups[0])
	}
	p := newPlot(title)
	p.X.Label.Text, p.Y.Label.Text = "time", y
	p.X.Tick.Marker = timeTicks{}
	return p
}

func namesOf[G any](groups []G, name func(*G) string) []string {
	var names []string
	for i := range groups {
		names = append(names, name(&groups[i]))
	}
	return names
}

func seconds(t clock.Time) float64 { return t.SinceStart().Seconds() }

// lineColours tell groups apart, also for those who see no difference between red and green (Okabe and Ito).
var lineColours = [mostLines]color.RGBA{
	{0, 114, 178, 255}, {213, 94, 0, 255}, {0, 158, 115, 255}, {204, 121, 167, 255},
	{230, 159, 0, 255}, {86, 180, 233, 255}, {0, 0, 0, 255}, {120, 94, 240, 255},
}

// bandColours are those of states.
var bandColours = map[timeline.State]color.RGBA{
	timeline.PreparingRebalance:  {213, 94, 0, 255},
	timeline.CompletingRebalance: {230, 159, 0, 255},
	timeline.Stable:              {0, 158, 115, 255},
	timeline.Empty:               {190, 190, 190, 255},
	timeline.NoCoordinator:       {0, 0, 0, 255},
}

// statePlot draws a band for each group, in the colours of its states.
func (r *Report) statePlot() Plot {
	groups := r.Timeline.Groups
	p := r.overTime("States", "", namesOf(groups, func(g *timeline.Group) string { return g.Name }))
	groups = groups[:min(len(groups), mostLines)]
	seen := map[timeline.State]bool{}
	names := make([]string, len(groups))
	for i := range groups {
		row := len(groups) - 1 - i // the first is on top
		names[row] = short(groups[i].Name)
		for _, s := range groups[i].States {
			if shade, shown := bandColours[s.State]; shown {
				seen[s.State] = true
				p.Add(band(seconds(s.Since), seconds(s.Until), float64(row), shade))
			}
		}
	}
	p.NominalY(names...)
	p.Y.Min, p.Y.Max = -0.6, float64(len(groups))-0.4
	p.X.Min, p.X.Max = 0, seconds(r.At)
	var states key
	for s := timeline.PreparingRebalance; s < timeline.NoGroup; s++ {
		if seen[s] {
			states = append(states, keyEntry{bandColours[s], s.String()})
		}
	}
	return Plot{"states", p, states}
}

// band is a bar in a row, from one instant to another. One that is thinner than a line is drawn as a line.
func band(since, until, row float64, shade color.Color) plot.Plotter {
	const half = 0.3
	bar, err := plotter.NewPolygon(plotter.XYs{{X: since, Y: row - half}, {X: until, Y: row - half}, {X: until, Y: row + half}, {X: since, Y: row + half}})
	if err != nil {
		panic("reports: " + err.Error()) // four finite places make a bar
	}
	bar.Color = shade
	bar.LineStyle.Width, bar.LineStyle.Color = vg.Points(0.5), shade
	return bar
}

// rebalancePlot draws a stem for each rebalance, at its begin, as high as it was long.
func (r *Report) rebalancePlot() Plot {
	p := r.overTime("How long rebalances took", "seconds", namesOf(r.Summary.Groups, func(g *metrics.Group) string { return g.Name }))
	p.Add(plotter.NewGrid())
	var groups key
	for i := range r.Summary.Groups[:min(len(r.Summary.Groups), mostLines)] {
		g := &r.Summary.Groups[i]
		var points plotter.XYs
		for k := range g.Rebalances {
			b := &g.Rebalances[k]
			points = append(points, plotter.XY{X: seconds(b.At), Y: b.For().Seconds()})
			stem, err := plotter.NewLine(plotter.XYs{{X: seconds(b.At)}, {X: seconds(b.At), Y: b.For().Seconds()}})
			if err == nil {
				stem.Color = lineColours[i]
				p.Add(stem)
			}
		}
		heads, err := plotter.NewScatter(points)
		if err != nil {
			continue // it never rebalanced
		}
		heads.Color, heads.Shape, heads.Radius = lineColours[i], draw.CircleGlyph{}, vg.Points(2.5)
		p.Add(heads)
		groups = append(groups, keyEntry{lineColours[i], short(g.Name)})
	}
	return r.framed("rebalances", p, groups)
}

// levelPlot draws a line for each group.
func (r *Report) levelPlot(name, title, y string, of func(*metrics.Curves) []metrics.Level) Plot {
	p := r.overTime(title, y, namesOf(r.Curves, func(c *metrics.Curves) string { return c.Group }))
	p.Add(plotter.NewGrid())
	var groups key
	for i := range r.Curves[:min(len(r.Curves), mostLines)] {
		var points plotter.XYs
		for _, l := range of(&r.Curves[i]) {
			points = append(points, plotter.XY{X: seconds(l.At), Y: float64(l.N)})
		}
		line, err := plotter.NewLine(points)
		if err != nil {
			continue // there is nothing to count
		}
		line.Color, line.Width = lineColours[i], vg.Points(1.2)
		p.Add(line)
		groups = append(groups, keyEntry{lineColours[i], short(r.Curves[i].Group)})
	}
	return r.framed(name, p, groups)
}

// framed shows the whole run from 0 on. A single group needs no key: the title names it.
func (r *Report) framed(name string, p *plot.Plot, groups key) Plot {
	p.X.Min, p.X.Max, p.Y.Min, p.Y.Max = 0, seconds(r.At), 0, max(1.05*p.Y.Max, 1)
	if len(r.Summary.Groups) == 1 {
		groups = nil
	}
	return Plot{name, p, groups}
}

// stepped adds to levels what makes a line of steps of them.
func stepped(list []metrics.Level, end clock.Time) []metrics.Level {
	var all []metrics.Level
	for i, l := range list {
		until := end
		if i+1 < len(list) {
			until = list[i+1].At
		}
		all = append(all, l, metrics.Level{At: until, N: l.N})
	}
	return all
}

// timeTicks marks an axis in seconds with times that are round for people.
type timeTicks struct{}

// Ticks returns the marks of an axis that begins with the run.
func (timeTicks) Ticks(_, most float64) []plot.Tick {
	all := time.Duration(most * 1e9)
	var ticks []plot.Tick
	for at, step := time.Duration(0), tickStep(all, mostTicks); at <= all; at += step {
		ticks = append(ticks, plot.Tick{Value: at.Seconds(), Label: metrics.Duration(at)})
	}
	return ticks
}
