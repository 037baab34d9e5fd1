package reports

import (
	"image/color"
	"math"
	"slices"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/palette/brewer"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// order lists the cells from the least place to the greatest.
func (a *axis) order() []int {
	order := make([]int, len(a.at))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(i, j int) int { return int(math.Copysign(1, a.at[i]-a.at[j])) })
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

// colours draws the values over two parameters, each as a colour and a number: a field a cell of a grid, a disk a point
// elsewhere.
func (s *Sweep) colours(p *plot.Plot, metric int, c *scale, x, y axis) {
	least, most := math.Inf(1), math.Inf(-1)
	for i := range s.Cells {
		if e := &s.Cells[i].Metrics[metric]; e.Runs > 0 {
			least, most = min(least, e.Value), max(most, e.Value)
		}
	}
	all := shades()
	shade := func(e *Estimate) color.Color {
		place := (e.Value - least) / (most - least)
		if e.Runs == 0 || most == least {
			return all[0]
		}
		return all[min(int(place*float64(len(all))), len(all)-1)]
	}
	labels := plotter.XYLabels{}
	for i := range s.Cells {
		e := &s.Cells[i].Metrics[metric]
		at := plotter.XY{X: x.at[i], Y: y.at[i]}
		labels.XYs = append(labels.XYs, at)
		text := "none"
		if e.Runs > 0 {
			text = c.text(e.Value)
		}
		labels.Labels = append(labels.Labels, text)
		if x.evenly && y.evenly {
			p.Add(field(at, shade(e)))
		} else {
			p.Add(disk(at, shade(e)))
		}
	}
	written, err := plotter.NewLabels(labels)
	if err != nil || len(s.Cells) > mostWritten {
		return
	}
	for i := range written.TextStyle {
		written.TextStyle[i].XAlign, written.TextStyle[i].YAlign = draw.XCenter, draw.YCenter
		written.TextStyle[i].Font.Size = font.Points(9)
	}
	p.Add(written)
}

// mostWritten bounds how many numbers stand in a plot.
const mostWritten = 150

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

// disk stands at a place.
func disk(at plotter.XY, shade color.Color) plot.Plotter {
	point, err := plotter.NewScatter(plotter.XYs{at})
	if err != nil {
		panic("reports: " + err.Error()) // a place is finite
	}
	point.Color, point.Shape, point.Radius = shade, draw.CircleGlyph{}, vg.Points(14)
	return point
}
