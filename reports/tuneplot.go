package reports

import (
	"image/color"
	"slices"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// TunePlot draws the trade-off curve of a search: which of its settings nothing beats, and where the recommended ones
// are among them. ok is false when the curve has no two points.
func TunePlot(t Tune) (p Plot, ok bool) {
	if len(t.Curve) < 2 {
		return Plot{}, false
	}
	return t.tradeOff(), true
}

var (
	bestColour   = color.RGBA{213, 94, 0, 255}
	beatenColour = color.RGBA{130, 130, 130, 255}
)

func (t *Tune) tradeOff() Plot {
	title := t.curveTitle() + ", " + short(t.Scenario)
	if names := t.curveNames(); len(names) > 0 {
		title += "\nwith " + shorten(strings.Join(names, ", "), longestTitle)
	}
	p := newPlot(title)
	p.X.Label.Text, p.Y.Label.Text = detectionMeans, evictionsMean
	p.X.Tick.Marker = timeTicks{}
	p.X.Min, p.Y.Min = 0, 0
	p.Add(plotter.NewGrid())
	beaten := func(c *TunePoint) bool { return !c.Front && !c.Best }
	best := func(c *TunePoint) bool { return c.Best }
	front := func(c *TunePoint) bool { return c.Front && !c.Best }
	colours := t.drawFront(p)
	colours = append(colours, t.drawPoints(p, "another one beats it", beaten, draw.GlyphStyle{Color: beatenColour, Shape: draw.CircleGlyph{}, Radius: vg.Points(2.5)})...)
	colours = append(colours, t.drawPoints(p, strings.ToLower(t.bestTitle()), best, draw.GlyphStyle{Color: bestColour, Shape: draw.CircleGlyph{}, Radius: vg.Points(4.5)})...)
	t.name(p, front, color.Black, text.XLeft, text.YBottom)
	t.name(p, best, bestColour, t.roomBelow(), text.YTop)
	p.Y.Max = max(1.05*p.Y.Max, 1)
	return Plot{"trade-off", p, colours}
}

// What a plot has room for, in a line above it and beside a point.
const (
	longestTitle    = 90
	longestSettings = 36
)

// place is where a point of the curve stands.
func (c *TunePoint) place() plotter.XY { return plotter.XY{X: c.Detection / 1000, Y: c.FalseEvictions} }

// drawFront draws a line of steps through what nothing beats: whatever lies above it and to the right is beaten.
func (t *Tune) drawFront(p *plot.Plot) key {
	line, points, err := plotter.NewLinePoints(t.placesOf(func(c *TunePoint) bool { return c.Front }))
	if err != nil {
		return nil
	}
	line.StepStyle, line.Color, line.Width = plotter.PostStep, lineColour, vg.Points(1.2)
	points.Color, points.Shape, points.Radius = lineColour, draw.CircleGlyph{}, vg.Points(3)
	p.Add(line, points)
	return key{{lineColour, "nothing beats it in both"}}
}

func (t *Tune) drawPoints(p *plot.Plot, name string, chosen func(*TunePoint) bool, style draw.GlyphStyle) key {
	points, err := plotter.NewScatter(t.placesOf(chosen))
	if err != nil {
		return nil // there are none
	}
	points.GlyphStyle = style
	p.Add(points)
	return key{{style.Color, name}}
}

func (t *Tune) placesOf(chosen func(*TunePoint) bool) plotter.XYs {
	var places plotter.XYs
	for i := range t.Curve {
		if c := &t.Curve[i]; chosen(c) {
			places = append(places, c.place())
		}
	}
	return places
}

// roomBelow returns on which side a name below the best point has room: below the steps there is nothing to the left of
// it, unless that is beyond the axis.
func (t *Tune) roomBelow() text.XAlignment {
	last := t.Curve[len(t.Curve)-1].Detection
	if slices.ContainsFunc(t.Curve, func(c TunePoint) bool { return c.Best && c.Detection > last/2 }) {
		return text.XRight
	}
	return text.XLeft
}

// name writes beside points what tells their settings from those of the others, on the side that the alignment says.
func (t *Tune) name(p *plot.Plot, chosen func(*TunePoint) bool, shade color.Color, x text.XAlignment, y text.YAlignment) {
	names := legible{style: p.X.Tick.Label, offset: vg.Point{X: vg.Points(6), Y: vg.Points(3)}}
	names.style.Color, names.style.XAlign, names.style.YAlign = shade, x, y
	if x == text.XRight {
		names.offset.X = -names.offset.X
	}
	if y == text.YTop {
		names.offset.Y = -names.offset.Y
	}
	for i := range t.Curve {
		if c := &t.Curve[i]; chosen(c) {
			names.places = append(names.places, c.place())
			names.texts = append(names.texts, shorten(strings.Join(t.telling(c), ", "), longestSettings))
		}
	}
	p.Add(whole{names})
}

// whole is what a plot leaves room for.
type whole struct{ legible }

// GlyphBoxes returns the room that the texts take.
func (n whole) GlyphBoxes(p *plot.Plot) []plot.GlyphBox {
	var boxes []plot.GlyphBox
	for i, at := range n.places {
		place := n.style.Rectangle(n.texts[i]).Add(n.offset)
		boxes = append(boxes, plot.GlyphBox{X: p.X.Norm(at.X), Y: p.Y.Norm(at.Y), Rectangle: place})
	}
	return boxes
}

// telling returns the settings of a point that differ along the curve.
func (t *Tune) telling(c *TunePoint) []string {
	var values []string
	for k := range t.Params {
		if t.curveVaries(k) {
			values = append(values, c.Cell.Values[k])
		}
	}
	return values
}

// curveNames lists the settings that differ along the curve.
func (t *Tune) curveNames() []string {
	var names []string
	for k := range t.Params {
		if t.curveVaries(k) {
			names = append(names, t.Params[k].Key)
		}
	}
	return names
}

func (t *Tune) curveVaries(param int) bool {
	return slices.ContainsFunc(t.Curve, func(c TunePoint) bool { return c.Cell.Values[param] != t.Curve[0].Cell.Values[param] })
}
