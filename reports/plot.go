package reports

import (
	"cmp"
	"image/color"
	"io"
	"math"
	"slices"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	_ "gonum.org/v1/plot/vg/vgimg" // PNG
	_ "gonum.org/v1/plot/vg/vgsvg" // SVG
)

// Plot is a picture of a run, or of one metric of a sweep.
type Plot struct {
	Name string // for a file, without extension
	plot *plot.Plot
	key  key
}

// Measures of a picture.
const (
	plotWidth  = 20 * vg.Centimeter
	plotHeight = 14 * vg.Centimeter
	plotMargin = 5 * vg.Millimeter
)

// newPlot begins a plot, in letters without serifs as pages have.
func newPlot(title string) *plot.Plot {
	p := plot.New()
	p.Title.Text = title
	p.Title.Padding = 3 * vg.Millimeter
	p.X.Label.Padding, p.Y.Label.Padding = 2*vg.Millimeter, 2*vg.Millimeter
	for _, style := range []*text.Style{
		&p.Title.TextStyle, &p.X.Label.TextStyle, &p.Y.Label.TextStyle, &p.X.Tick.Label, &p.Y.Tick.Label, &p.Legend.TextStyle,
	} {
		style.Font.Variant = "Sans"
	}
	return p
}

// Write writes the picture as "png" or "svg". The same report gives the same bytes.
func (p *Plot) Write(w io.Writer, format string) error {
	to, err := draw.NewFormattedCanvas(plotWidth, plotHeight, format)
	if err != nil {
		return err
	}
	page := draw.New(to)
	page.SetColor(color.White)
	page.Fill(page.Rectangle.Path())
	inner := draw.Crop(page, plotMargin, -plotMargin, plotMargin, -plotMargin)
	p.plot.Draw(draw.Crop(inner, 0, 0, p.key.draw(inner, p.plot.X.Tick.Label), 0))
	_, err = to.WriteTo(w)
	return err
}

// key says below a plot what its colours mean.
type key []keyEntry

type keyEntry struct {
	shade color.Color
	text  string
}

// Measures of a key: a square, the space behind it and behind its text, and a row.
const (
	keySquare vg.Length = 9
	keySpace  vg.Length = 4
	keyBehind vg.Length = 14
	keyRow    vg.Length = 15
)

// draw writes the key at the bottom of a canvas, in as many rows as it takes, and returns how much of its height.
func (k key) draw(c draw.Canvas, style text.Style) vg.Length {
	style.XAlign, style.YAlign = text.XLeft, text.YBottom
	rows := k.rows(style, c.Size().X)
	for i, row := range rows {
		at := vg.Point{X: c.Min.X, Y: c.Min.Y + keyRow*vg.Length(len(rows)-1-i)}
		for _, e := range row {
			c.SetColor(e.shade)
			c.Fill(vg.Rectangle{Min: at, Max: vg.Point{X: at.X + keySquare, Y: at.Y + keySquare}}.Path())
			c.FillText(style, vg.Point{X: at.X + keySquare + keySpace, Y: at.Y}, e.text)
			at.X += e.width(style)
		}
	}
	return keyRow * vg.Length(len(rows))
}

// rows breaks the key into rows that fit.
func (k key) rows(style text.Style, width vg.Length) []key {
	var rows []key
	room := vg.Length(0)
	for _, e := range k {
		if len(rows) == 0 || e.width(style) > room {
			rows, room = append(rows, nil), width
		}
		last := len(rows) - 1
		rows[last] = append(rows[last], e)
		room -= e.width(style)
	}
	return rows
}

func (e *keyEntry) width(style text.Style) vg.Length {
	return keySquare + keySpace + style.Width(e.text) + keyBehind
}

// namedTicks are places on an axis with their names. A name that would run into one before is left out.
type namedTicks struct {
	ticks  []plot.Tick
	scale  plot.Normalizer
	length vg.Length              // of the axis, about
	size   func(string) vg.Length // of a name, along the axis
}

// Ticks returns the marks of an axis from least to most.
func (n namedTicks) Ticks(least, most float64) []plot.Tick {
	ticks := slices.SortedFunc(slices.Values(n.ticks), func(a, b plot.Tick) int { return cmp.Compare(a.Value, b.Value) })
	const gap = 4
	free := vg.Length(math.Inf(-1))
	for i := range ticks {
		at := vg.Length(n.scale.Normalize(least, most, ticks[i].Value)) * n.length
		half := n.size(ticks[i].Label) / 2
		if at-half < free {
			ticks[i].Label = ""
			continue
		}
		free = at + half + gap
	}
	return ticks
}
