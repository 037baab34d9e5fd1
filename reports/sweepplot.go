package reports

import (
	"cmp"
	"image/color"
	"math"
	"regexp"
	"strconv"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"simulate/sim/scenario"
)

// SweepPlots draws each metric: a line with the band of its intervals over one parameter, or a map of colours over two;
// nothing over more.
func SweepPlots(s Sweep) []Plot {
	if len(s.Params) > 2 {
		return nil
	}
	var plots []Plot
	for m := range s.Metrics {
		c := s.scaleOf(m)
		p := newPlot(clean(s.heading(m, &c)))
		if head := valueHead(s.Metrics[m].Text); head == "mean" {
			p.Title.Text += " (mean)"
		}
		x := s.axis(0)
		x.label(&p.X, clean(s.Params[0]), plotWidth, p.X.Tick.Label.Width)
		var colours key
		if len(s.Params) == 1 {
			s.line(p, m, &c, x)
		} else {
			y := s.axis(1)
			y.label(&p.Y, clean(s.Params[1]), plotHeight, p.Y.Tick.Label.Height)
			colours = s.colours(p, m, &c, x, y)
		}
		plots = append(plots, Plot{plotName(s.Metrics[m].Text), p, colours})
	}
	return plots
}

var noName = regexp.MustCompile(`[^a-zA-Z0-9_.]+`)

// plotName makes a name for a file of a metric: "p95-stopped-orders".
func plotName(metric string) string { return strings.Trim(noName.ReplaceAllString(metric, "-"), "-.") }

// axis is where the values of a parameter stand.
type axis struct {
	at     []float64 // by cell
	marks  []plot.Tick
	log    bool
	evenly bool // a value is no number: each has the same room
	times  bool // places are in seconds
}

// mostMarks bounds how many values an axis marks, of numbers. Of more it marks round ones instead.
const mostMarks = 12

// axis places the values of a parameter: numbers and durations by what they are, on a logarithmic axis when the greatest
// is many times the least; other words, and those of a grid of two parameters, one beside the other.
func (s *Sweep) axis(param int) axis {
	a := axis{evenly: len(s.Params) == 2 && s.Design == "grid"}
	places := map[string]float64{}
	least, most := math.Inf(1), math.Inf(-1)
	for i := range s.Cells {
		x, isTime, ok := numeric(s.Cells[i].Values[param])
		a.evenly, a.times = a.evenly || !ok, isTime
		least, most = min(least, x), max(most, x)
	}
	a.log = !a.evenly && least > 0 && most/least >= 30
	for i := range s.Cells {
		text := s.Cells[i].Values[param]
		place, seen := places[text]
		if !seen {
			if place = float64(len(places)); !a.evenly {
				place, _, _ = numeric(text)
			}
			places[text] = place
			a.marks = append(a.marks, plot.Tick{Value: place, Label: shorten(text, longestLabel)})
		}
		a.at = append(a.at, place)
	}
	if len(a.marks) > mostMarks && !a.evenly {
		a.marks = nil
	}
	return a
}

// numeric reads a number, or a duration in seconds.
func numeric(text string) (x float64, isTime, ok bool) {
	if d, err := scenario.ParseDuration(text); err == nil {
		return d.Seconds(), true, true
	}
	x, err := strconv.ParseFloat(text, 64)
	return x, false, err == nil && !math.IsInf(x, 0) && !math.IsNaN(x)
}

// label gives the axis of a plot its name and marks. The axis takes about 0.8 of a side; size measures names along it.
func (a *axis) label(to *plot.Axis, name string, side vg.Length, size func(string) vg.Length) {
	to.Label.Text = name
	if a.log {
		to.Scale, to.Tick.Marker = plot.LogScale{}, plot.LogTicks{}
	}
	switch {
	case a.marks != nil:
		to.Tick.Marker = namedTicks{a.marks, to.Scale, 0.8 * side, size}
	case a.times:
		to.Label.Text += " (s)"
	}
}

var (
	lineColour = color.RGBA{R: 31, G: 97, B: 163, A: 255}
	bandColour = color.NRGBA{R: 31, G: 97, B: 163, A: 51}
)

// line draws the values over one parameter, and a band where the intervals are.
func (s *Sweep) line(p *plot.Plot, metric int, c *scale, x axis) {
	p.Add(plotter.NewGrid())
	var values, low, high plotter.XYs
	for _, i := range x.order() {
		e := &s.Cells[i].Metrics[metric]
		if e.Runs == 0 {
			continue
		}
		at := func(y float64) plotter.XY { return plotter.XY{X: x.at[i], Y: y / c.per} }
		values = append(values, at(e.Value))
		if e.Interval != nil {
			low, high = append(low, at(e.Interval.Low)), append(plotter.XYs{at(e.Interval.High)}, high...)
		}
	}
	if len(low) > 1 {
		band, err := plotter.NewPolygon(append(low, high...))
		if err == nil {
			band.Color, band.LineStyle.Width = bandColour, 0
			p.Add(band)
		}
	}
	line, points, err := plotter.NewLinePoints(values)
	if err != nil {
		return // no value at all: an empty plot says so
	}
	line.Color, line.Width = lineColour, vg.Points(1.5)
	points.Color, points.Shape, points.Radius = lineColour, draw.CircleGlyph{}, vg.Points(2.5)
	p.Add(line, points)
	if p.Y.Min >= 0 && p.Y.Min <= p.Y.Max/2 {
		p.Y.Min, p.Y.Max = 0, cmp.Or(p.Y.Max, 1)
	}
}
