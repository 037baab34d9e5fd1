package reports

import (
	"bytes"
	"regexp"
	"strings"
	"testing"
)

// studyPages are the pages of sweeps and searches, without the style.
func studyPages(t *testing.T) map[string]string {
	t.Helper()
	pages := map[string]string{}
	for name, s := range handMadeSweeps() {
		var b bytes.Buffer
		if err := SweepHTML(&b, s); err != nil {
			t.Fatal(err)
		}
		pages[name] = without(t, b.String(), "page.css")
	}
	for name, s := range handMadeSearches() {
		var b bytes.Buffer
		if err := TuneHTML(&b, s); err != nil {
			t.Fatal(err)
		}
		pages[name] = without(t, b.String(), "page.css")
	}
	return pages
}

// TestStudyPages holds what pages of sweeps and searches look like, that they load nothing and run no script, that they
// are the same each time, and that no id is there twice.
func TestStudyPages(t *testing.T) {
	again := studyPages(t)
	for name, page := range studyPages(t) {
		compareGolden(t, "testdata/"+name+".html", page)
		if page != again[name] {
			t.Errorf("%s: another page the second time", name)
		}
		if found := regexp.MustCompile(`<script|url\(|(?:src|href)="[^d]`).FindString(page); found != "" {
			t.Errorf("%s: the page has %s", name, found)
		}
		ids := map[string]bool{}
		for _, id := range regexp.MustCompile(`\bid="[^"]*"`).FindAllString(page, -1) {
			if ids[id] {
				t.Errorf("%s: two elements with %s", name, id)
			}
			ids[id] = true
		}
		if strings.Contains(page, "\x1b") {
			t.Errorf("%s: a terminal would obey what a name says", name)
		}
	}
}

// TestSweepPageHasPlots holds that each metric has its plot, up to two parameters.
func TestSweepPageHasPlots(t *testing.T) {
	pages := studyPages(t)
	for name, s := range handMadeSweeps() {
		if got := strings.Count(pages[name], "<svg"); got != len(s.Metrics) {
			t.Errorf("%s: %d plots of %d metrics", name, got, len(s.Metrics))
		}
	}
	three := handMadeSweeps()["sweep-grid"]
	three.Params = append(three.Params, "duration")
	var b bytes.Buffer
	if err := SweepHTML(&b, three); err != nil || strings.Contains(b.String(), "<svg") {
		t.Errorf("got %v, and a plot of three parameters", err)
	}
}
