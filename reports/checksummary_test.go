package reports

import (
	"html"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// TestCheckSummaryIsInert holds that a hostile name leaves nothing in Markdown but tags of ours and character references,
// and that these stand for the name.
func TestCheckSummaryIsInert(t *testing.T) {
	text := rendered(t, CheckSummary, checkedOf(hostile(), passes("slow-poll")))
	for _, tag := range regexp.MustCompile(`<[^>]*>`).FindAllString(text, -1) {
		switch tag {
		case "<code>", "</code>", "<details>", "</details>", "<summary>", "</summary>":
		default:
			t.Errorf("there is a tag %s", tag)
		}
	}
	bare := regexp.MustCompile(`&#\d+;|</?(code|details|summary)>`).ReplaceAllString(text, "")
	bare = regexp.MustCompile(`(?m)^(## |### |- |  - )|\*\*`).ReplaceAllString(bare, "")
	for _, odd := range "<>&[]`*_@#|\\:!{}~^$%" {
		if odd != ':' && strings.ContainsRune(bare, odd) {
			t.Errorf("there is a %c", odd)
		}
	}
	if strings.Contains(bare, "www.") || strings.Contains(bare, "http:") {
		t.Error("there is a link")
	}
	first := regexp.MustCompile(`### <code>(.*?)</code>`).FindStringSubmatch(text)
	if got, want := html.UnescapeString(first[1]), clean(nasty+".toml"); got != want {
		t.Errorf("the name became %q, want %q", got, want)
	}
}

// TestCheckSummaryIsShown holds that a summary of many failures is not too long for GitHub.
func TestCheckSummaryIsShown(t *testing.T) {
	text := rendered(t, CheckSummary, checkedOf(slices.Repeat([]CheckedFile{hostile()}, 1000)...))
	if len(text) > 1<<20 {
		t.Errorf("it has %d bytes", len(text))
	}
	if !regexp.MustCompile(`(?m)^### \d+ more files failed: the log of the job has them$`).MatchString(text) {
		t.Error("it does not say that it is cut")
	}
}
