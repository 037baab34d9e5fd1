package reports

import (
	"bytes"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"regexp"
	"strings"
	"testing"
	"time"

	"simulate/sim/clock"
	"simulate/timeline"
)

// TestHTML compares the pages but for what they have from files of their own: the style and the script.
func TestHTML(t *testing.T) {
	golden(t, "html", func(w io.Writer, r Report) error {
		_, err := io.WriteString(w, pageOf(t, r))
		return err
	})
}

func pageOf(t *testing.T, r Report) string {
	t.Helper()
	var b bytes.Buffer
	if err := HTML(&b, r); err != nil {
		t.Fatal(err)
	}
	return without(t, b.String(), "page.css", "timeline.js")
}

// without returns a page without what it has from files of their own.
func without(t *testing.T, page string, files ...string) string {
	t.Helper()
	for _, name := range files {
		if strings.Count(page, htmlFile(name)) != 1 {
			t.Fatalf("the page does not hold %s", name)
		}
		page = strings.Replace(page, htmlFile(name), "/* "+name+" */", 1)
	}
	return page
}

// TestHTMLNeedsNothing holds that a page loads nothing, and is the same each time.
func TestHTMLNeedsNothing(t *testing.T) {
	for _, run := range handMadeRuns() {
		page := pageOf(t, run.report())
		if page != pageOf(t, run.report()) {
			t.Errorf("%s: another page the second time", run.name)
		}
		for _, url := range regexp.MustCompile(`(?:src|href)="([^"#][^"]*)"`).FindAllStringSubmatch(page, -1) {
			if url[1] != "data:," {
				t.Errorf("%s: the page loads %s", run.name, url[1])
			}
		}
	}
	if loads := regexp.MustCompile(`https?://|url\(|@import`).FindAllString(htmlFile("page.css")+htmlFile("timeline.js"), -1); len(loads) != 2 {
		t.Errorf("style and script load %v", loads) // two are the name of SVG
	}
}

// TestCrowdedPage holds that lanes beyond what a page draws one by one are in its data, in bounded size.
func TestCrowdedPage(t *testing.T) {
	r := stuckClosed().report()
	g := &r.Timeline.Groups[0]
	for len(g.Members) < 3000 {
		g.Members = append(g.Members, timeline.Lane{Who: fmt.Sprintf("orders-%d", len(g.Members)+1), Segments: g.Members[0].Segments})
	}
	page := pageOf(t, r)
	if n := strings.Count(page, "<rect"); n != len(g.States) {
		t.Errorf("the page draws %d segments one by one, and the group has %d", n, len(g.States))
	}
	if !strings.Contains(page, `"who":"orders-3000"`) {
		t.Error("the last member is not in the data")
	}
}

// storied returns a report whose first group has so many rebalances, each told.
func storied(rebalances int) Report {
	r := stuckClosed().report()
	g, of := &r.Summary.Groups[0], &r.Chains[0]
	for n := len(g.Rebalances); n < rebalances; n++ {
		again := of.Chains[n%2]
		again.Number = n + 1
		g.Rebalances, of.Chains = append(g.Rebalances, g.Rebalances[n%2]), append(of.Chains, again)
	}
	return r
}

// TestPageOfADay holds that a day of 1,000 members and 500 rebalances, in which every member is in several states, takes
// at most 5 MB.
func TestPageOfADay(t *testing.T) {
	r := storied(500)
	r.Timeline.End = clock.At(24 * time.Hour)
	g := &r.Timeline.Groups[0]
	g.Members = nil
	random := rand.New(rand.NewPCG(1, 2))
	for n := range 1000 {
		lane := timeline.Lane{Who: fmt.Sprintf("orders-%d", n+1)}
		for at := clock.Time(0); at < r.Timeline.End; {
			for k, s := range []timeline.State{timeline.Consuming, timeline.Idle, timeline.Parked} {
				until := min(at.Add([]time.Duration{160 * time.Second, 0, 0}[k]+time.Duration(random.Int64N(5e9))), r.Timeline.End)
				lane.Segments = append(lane.Segments, timeline.Segment{Since: at, Until: until, State: s, Count: 1 + k})
				if at = until; at == r.Timeline.End {
					break
				}
			}
		}
		g.Members = append(g.Members, lane)
	}
	var b bytes.Buffer
	if err := HTML(&b, r); err != nil {
		t.Fatal(err)
	}
	if b.Len() < 2e6 || b.Len() > 5e6 {
		t.Errorf("the page takes %d bytes", b.Len())
	}
}

// TestUntold holds that a page tells of the first thousand rebalances, and says of how many it does not.
func TestUntold(t *testing.T) {
	page := pageOf(t, storied(mostChains+3))
	if n := strings.Count(page, "<summary>Rebalance "); n != 1000 {
		t.Errorf("%d rebalances are told", n)
	}
	if !strings.Contains(page, "<p>3 more are in the lanes above and not told here;") {
		t.Error("what is not told is not said")
	}
}

// TestEncodedLane holds the form that the page's script reads.
func TestEncodedLane(t *testing.T) {
	at := func(seconds int64) clock.Time { return clock.Time(seconds * 1e9) }
	lane := []timeline.Segment{
		{Since: 0, Until: at(3), State: timeline.Down},
		{Since: at(3), Until: at(40), State: timeline.Consuming, Count: 12},
		{Since: at(40), Until: at(41), State: timeline.Parked},
		{Since: at(41), Until: at(50), State: timeline.Consuming, Count: 12},
		{Since: at(50), Until: at(51), State: timeline.Consuming, Count: 3},
	}
	if got, want := encodedLane(lane, at(1)), "A3H11.cD1H9H1.3"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

// TestDataFits holds that lanes are told at a resolution at which they take no more than a page may hold.
func TestDataFits(t *testing.T) {
	var lane []timeline.Segment
	for at := clock.Time(0); at < 24*3600*1e9; {
		for _, s := range []timeline.State{timeline.Consuming, timeline.Parked} {
			next := at + clock.Time(86_123_456_789)
			lane = append(lane, timeline.Segment{Since: at, Until: next, State: s})
			at = next
		}
	}
	g := timeline.Group{Name: "g"}
	for range 1000 {
		g.Members = append(g.Members, timeline.Lane{Who: "g-1", Segments: lane})
	}
	d := newHTMLData(&timeline.Timeline{End: lane[len(lane)-1].Until, Groups: []timeline.Group{g}})
	size := 0
	for _, l := range d.Groups[0] {
		size += len(l.Lane)
	}
	if len(d.Groups[0]) != 1000 || size > mostData || size < mostData/2 {
		t.Errorf("%d lanes in %d bytes by %v s", len(d.Groups[0]), size, d.Unit)
	}
}

// TestContrast holds that what is written in the colours of states can be read, light and dark: 4.5 to 1, as WCAG 2.2 asks
// for in success criterion 1.4.3.
func TestContrast(t *testing.T) {
	blocks := regexp.MustCompile(`(?s):root \{(.*?)\}`).FindAllString(htmlFile("page.css"), 2)
	colours := map[string]string{}
	for i, theme := range []string{"light", "dark"} { // dark has what it changes
		for _, c := range regexp.MustCompile(`--([a-z]+): (#[0-9a-f]+)`).FindAllStringSubmatch(blocks[i], -1) {
			colours[c[1]] = c[2]
		}
		for text, on := range map[string]string{
			colours["label"]: "consuming idle callback processing stable empty",
			"#1d1300":        "parked preparing completing",
			"#ffffff":        "stalled paused unreachable dead",
			colours["paper"]: "ink faint link ok fail",
		} {
			for name := range strings.FieldsSeq(on) {
				if c := contrast(text, colours[name]); c < 4.5 {
					t.Errorf("%s: %s on %s (%s) is %.1f to 1", theme, text, colours[name], name, c)
				}
			}
		}
	}
}

// contrast is that of WCAG 2.2.
func contrast(a, b string) float64 {
	x, y := luminance(a), luminance(b)
	return (max(x, y) + 0.05) / (min(x, y) + 0.05)
}

func luminance(colour string) float64 {
	var r, g, b uint8
	if n, _ := fmt.Sscanf(colour, "#%02x%02x%02x", &r, &g, &b); n != 3 {
		fmt.Sscanf(colour, "#%1x%1x%1x", &r, &g, &b)
		r, g, b = 17*r, 17*g, 17*b
	}
	linear := func(c uint8) float64 {
		v := float64(c) / 255
		if v <= 0.04045 {
			return v / 12.92
		}
		return math.Pow((v+0.055)/1.055, 2.4)
	}
	return 0.2126*linear(r) + 0.7152*linear(g) + 0.0722*linear(b)
}
