package reports

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
)

// Names on an axis keep clear of each other, on a logarithmic one, too.
func TestNamedTicksAreLegible(t *testing.T) {
	var ticks []plot.Tick
	for _, at := range []float64{100, 60, 6, 7, 8, 9, 10} {
		ticks = append(ticks, plot.Tick{Value: at, Label: fmt.Sprint(at, "s")})
	}
	size := func(name string) vg.Length { return vg.Length(6 * len(name)) }
	for _, c := range []struct {
		scale plot.Normalizer
		want  string
	}{{plot.LinearScale{}, "6s 10s 60s 100s"}, {plot.LogScale{}, "6s 7s 8s 9s 60s 100s"}} {
		var named []string
		got := namedTicks{ticks, c.scale, 450, size}.Ticks(6, 100)
		for _, tick := range got {
			if !tick.IsMinor() {
				named = append(named, tick.Label)
			}
		}
		if strings.Join(named, " ") != c.want || len(got) != len(ticks) {
			t.Errorf("%T: %d marks, named %q, want %q", c.scale, len(got), named, c.want)
		}
	}
}

// A key takes as many rows as it needs, and none of them is wider than the page.
func TestKeyBreaks(t *testing.T) {
	var k key
	for i := range mostLines {
		k = append(k, keyEntry{lineColours[i], strings.Repeat("long", 10)})
	}
	p := newPlot("")
	style := p.X.Tick.Label
	rows := k.rows(style, plotWidth)
	if len(rows) < 2 || len(slices.Concat(rows...)) != len(k) {
		t.Errorf("%d entries in %d rows", len(slices.Concat(rows...)), len(rows))
	}
	for _, row := range rows {
		width := vg.Length(0)
		for _, e := range row {
			width += e.width(style)
		}
		if width > plotWidth {
			t.Errorf("a row of %d is %v wide", len(row), width)
		}
	}
}

// Numbers at places that are close to each other are written only as far as they can be read.
func TestCloseNumbersAreLeftOut(t *testing.T) {
	p := newPlot("")
	p.Add(legible{
		style:  p.X.Tick.Label,
		places: []plotter.XY{{X: 1, Y: 1}, {X: 1.01, Y: 1.01}, {X: 2, Y: 2}},
		texts:  []string{"first", "beside", "away"},
	})
	p.X.Min, p.X.Max, p.Y.Min, p.Y.Max = 0, 3, 0, 3
	written := textsOf(t, Plot{plot: p})
	if !slices.Contains(written, "first") || !slices.Contains(written, "away") || slices.Contains(written, "beside") {
		t.Errorf("written are %q", written)
	}
}

// Every colour of a plot over two parameters is in its key, with or without numbers, and a cell without a value has its own.
func TestColoursAreExplained(t *testing.T) {
	s := handMadeSweeps()["sweep-grid"]
	s.Cells[0].Metrics[0].Runs = 0
	for _, p := range SweepPlots(s)[:1] {
		written := textsOf(t, p)
		var from int
		for _, text := range written {
			if strings.HasPrefix(text, "from ") {
				from++
			}
		}
		if want := len(shades()); from != want {
			t.Errorf("the key names %d of %d colours: %q", from, want, written)
		}
		var b bytes.Buffer
		if err := p.Write(&b, "svg"); err != nil {
			t.Fatal(err)
		}
		if fields := strings.Count(b.String(), "fill:#E1E1E1"); fields != 2 {
			t.Errorf("%d places are in the colour of no value, want a cell and the key", fields)
		}
	}
}

// A count that is never less than 0 has no axis below 0.
func TestNoAxisBelowZero(t *testing.T) {
	s := handMadeSweeps()["sweep-sessions"]
	for i := range s.Cells {
		for m := range s.Cells[i].Metrics {
			s.Cells[i].Metrics[m].Value, s.Cells[i].Metrics[m].Interval = 0, nil
		}
	}
	for _, p := range SweepPlots(s) {
		for _, text := range textsOf(t, p) {
			if n, err := strconv.ParseFloat(text, 64); err == nil && n < 0 {
				t.Errorf("%s: a mark at %s", p.Name, text)
			}
		}
	}
}

// textsOf lists what is written in a picture.
func textsOf(t *testing.T, p Plot) []string {
	t.Helper()
	var b bytes.Buffer
	if err := p.Write(&b, "svg"); err != nil {
		t.Fatal(err)
	}
	if err := xml.Unmarshal(b.Bytes(), new(struct{})); err != nil {
		t.Fatal(err)
	}
	var all []string
	for _, found := range regexp.MustCompile(`<text[^>]*>([^<]*)</text>`).FindAllStringSubmatch(b.String(), -1) {
		all = append(all, found[1])
	}
	return all
}
