package reports

import (
	"cmp"
	"image/color"
	"math"
	"slices"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/palette/brewer"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// order lists the cells from the least place to the greatest.
func (a *axis) order() []int {
	order := make([]int, len(a.at))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(i, j int) int { return cmp.Compare(a.at[i], a.at[j]) })
	return order
}

// shades go from little to much.
func shades() []color.Color {
	p, err := brewer.GetPalette(brewer.TypeSequential, "YlOrRd", 9)
	if err != nil {
		panic("reports: " + err.Error()) // the palette is one that is there
	}
	return p.Colors()[:7] // on darker ones nobody can read a number
}

// noShade is that of a cell without a value.
var noShade = color.Gray{Y: 225}

// shading gives values from the least to the most of a metric their shades.
type shading struct {
	least, most float64
	shades      []color.Color
	none        bool // a cell has no value
}

func (s *Sweep) shading(metric int) shading {
	h := shading{least: math.Inf(1), most: math.Inf(-1), shades: shades()}
	for i := range s.Cells {
		if e := &s.Cells[i].Metrics[metric]; e.Runs > 0 {
			h.least, h.most = min(h.least, e.Value), max(h.most, e.Value)
		} else {
			h.none = true
		}
	}
	return h
}

func (h *shading) of(e *Estimate) color.Color {
	switch {
	case e.Runs == 0:
		return noShade
	case h.least == h.most:
		return h.shades[0]
	}
	place := (e.Value - h.least) / (h.most - h.least)
	return h.shades[min(int(place*float64(len(h.shades))), len(h.shades)-1)]
}

// key says from which value on each shade is.
func (h *shading) key(c *scale) key {
	var k key
	for i, shade := range h.shades {
		if h.least < h.most {
			from := h.least + (h.most-h.least)*float64(i)/float64(len(h.shades))
			k = append(k, keyEntry{shade, "from " + c.text(from)})
		}
	}
	if h.least == h.most {
		k = append(k, keyEntry{h.shades[0], c.text(h.least)})
	}
	if h.none {
		k = append(k, keyEntry{noShade, "none"})
	}
	return k
}

// colours draws the values over two parameters, each as a colour and a number: a field a cell of a grid, a disk a point
// elsewhere. It returns what the colours mean.
func (s *Sweep) colours(p *plot.Plot, metric int, c *scale, x, y axis) key {
	shading := s.shading(metric)
	written := legible{style: p.X.Tick.Label}
	written.style.XAlign, written.style.YAlign, written.style.Font.Size = text.XCenter, text.YCenter, font.Points(9)
	for i := range s.Cells {
		e := &s.Cells[i].Metrics[metric]
		at := plotter.XY{X: x.at[i], Y: y.at[i]}
		if x.evenly && y.evenly {
			p.Add(field(at, shading.of(e)))
		} else {
			p.Add(disk(at, shading.of(e)))
		}
		text := "none"
		if e.Runs > 0 {
			text = c.text(e.Value)
		}
		written.places, written.texts = append(written.places, at), append(written.texts, text)
	}
	if len(s.Cells) <= mostWritten {
		p.Add(written)
	}
	return shading.key(c)
}

// mostWritten bounds how many numbers stand in a plot.
const mostWritten = 150

// legible writes texts at their places, but for those that would run into one before.
type legible struct {
	style  text.Style
	offset vg.Point
	places []plotter.XY
	texts  []string
}

// Plot writes them.
func (n legible) Plot(c draw.Canvas, p *plot.Plot) {
	x, y := p.Transforms(&c)
	var taken []vg.Rectangle
	for i, at := range n.places {
		begin := vg.Point{X: x(at.X), Y: y(at.Y)}.Add(n.offset)
		place := n.style.Rectangle(n.texts[i]).Add(begin)
		if !slices.ContainsFunc(taken, func(other vg.Rectangle) bool { return meet(place, other) }) {
			taken = append(taken, place)
			c.FillText(n.style, begin, n.texts[i])
		}
	}
}

// meet reports whether two rectangles have a place in common.
func meet(a, b vg.Rectangle) bool {
	return a.Min.X < b.Max.X && b.Min.X < a.Max.X && a.Min.Y < b.Max.Y && b.Min.Y < a.Max.Y
}

// field is a square around a place.
func field(at plotter.XY, shade color.Color) plot.Plotter {
	square, err := plotter.NewPolygon(plotter.XYs{
		{X: at.X - 0.5, Y: at.Y - 0.5}, {X: at.X + 0.5, Y: at.Y - 0.5}, {X: at.X + 0.5, Y: at.Y + 0.5}, {X: at.X - 0.5, Y: at.Y + 0.5},
	})
	if err != nil {
		panic("reports: " + err.Error()) // four places make a square
	}
	square.Color = shade
	square.LineStyle.Width, square.LineStyle.Color = vg.Points(0.5), color.White
	return square
}

// disk stands at a place, in a white ring by which it stands out from one below.
func disk(at plotter.XY, shade color.Color) plot.Plotter {
	point, err := plotter.NewScatter(plotter.XYs{at, at})
	if err != nil {
		panic("reports: " + err.Error()) // a place is finite
	}
	point.GlyphStyleFunc = func(i int) draw.GlyphStyle {
		return []draw.GlyphStyle{
			{Color: color.White, Shape: draw.CircleGlyph{}, Radius: vg.Points(15)},
			{Color: shade, Shape: draw.CircleGlyph{}, Radius: vg.Points(14)},
		}[i]
	}
	return point
}
