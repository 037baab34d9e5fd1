package lint

import (
	"regexp"
	"slices"
	"strconv"

	"simulate/sim/scenario"
)

// suppression is one comment that takes findings back.
type suppression struct {
	scenario.Comment
	file         bool // for the whole file
	rule, reason string
	line         int // of the findings that it is about, unless it is for the file
}

var suppressing = regexp.MustCompile(`^#\s*lint:ignore(-file)?(?:\s+(\S+)(?:\s+(.*\S))?)?\s*$`)

// suppressions returns those of the file. One that stands alone is about the next line that is no comment.
func suppressions(p *scenario.Places) []suppression {
	comments := p.Comments()
	alone := map[int]bool{}
	for _, c := range comments {
		alone[c.Line] = c.Alone
	}
	var all []suppression
	for _, c := range comments {
		parts := suppressing.FindStringSubmatch(c.Text)
		if parts == nil {
			continue
		}
		line := c.Line
		for alone[line] {
			line++
		}
		all = append(all, suppression{c, parts[1] != "", parts[2], parts[3], line})
	}
	return all
}

// suppress marks the findings that the file takes back, and reports the comments that take none back.
func (v *view) suppress(disabled []string) {
	found := len(v.found)
	for _, s := range suppressions(v.places) {
		hit := false
		for i := range found {
			f := &v.found[i]
			if f.Rule.ID == s.rule && (s.file || f.Line == s.line) && s.reason != "" {
				f.Ignored, hit = s.reason, true
			}
		}
		if !hit && !slices.Contains(disabled, s.rule) && !slices.Contains(disabled, unusedSuppression) {
			v.unused(s)
		}
	}
}

// unused reports a comment that takes nothing back.
func (v *view) unused(s suppression) {
	rule, _ := Find(unusedSuppression)
	f := Finding{Rule: rule, Line: s.Line, Column: s.Column, Instead: "# lint:ignore RULE reason, in the line of the finding or above it"}
	_, known := Find(s.rule)
	switch {
	case s.rule == "":
		f.Text = "this comment names no rule"
	case !known:
		f.Text = "there is no rule " + strconv.Quote(s.rule) + scenario.DidYouMean(s.rule, IDs())
	case s.reason == "":
		f.Text = "this comment gives no reason, and so ignores nothing"
	default:
		f.Text, f.Instead = s.rule+" finds nothing here that this comment could ignore", "no comment"
	}
	v.found = append(v.found, f)
}
