package reports

import (
	"bytes"
	"fmt"
	"io"
	"regexp"
	"strings"
	"testing"

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
