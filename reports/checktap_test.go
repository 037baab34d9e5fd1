package reports

import (
	"encoding/json"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// TestTAP reads back what CheckTAP writes, line by line as TAP 14 has it, and compares it with the check. That other
// programs read it is shown in .ci/run, where npm's tap-parser does.
func TestTAP(t *testing.T) {
	for name, c := range handMadeChecks() {
		r := tapReader{lines: strings.Split(strings.TrimSuffix(rendered(t, CheckTAP, c), "\n"), "\n")}
		points, err := r.document()
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if len(points) != len(c.Files) {
			t.Errorf("%s: got %d test points, want %d", name, len(points), len(c.Files))
			continue
		}
		for i := range c.Files {
			f := &c.Files[i]
			if got, want := points[i].String(), tapWanted(f); got != want {
				t.Errorf("%s: got\n%s\nwant\n%s", name, got, want)
			}
		}
	}
}

// tapWanted is a file as the reader below shows it.
func tapWanted(f *CheckedFile) string {
	p := tapPoint{ok: f.Verdict == FilePassed, description: clean(f.Name)}
	if !p.ok {
		p.texts = append([]string{f.words()}, each(f.problems(), func(s *string) string { return clean(*s) })...)
		if f.Problem == "" {
			p.texts = append(p.texts, f.replay())
		}
	}
	for i := range f.Report.Expectations {
		e := &f.Report.Expectations[i]
		sub := tapPoint{ok: e.Pass, description: clean(e.That)}
		if !e.Pass {
			sub.texts = append(sub.texts, gotWords(e), clean(f.Name))
			if words := f.updateWords(e); words != "" {
				sub.texts = append(sub.texts, words)
			}
			for _, line := range e.because(known{}) {
				sub.texts = append(sub.texts, line.String())
			}
			sub.texts = append(sub.texts, f.replays(e)...)
		}
		p.inner = append(p.inner, sub)
	}
	return p.String()
}

// tapPoint is a test point: the scalars of its diagnostics, and the points of its subtest.
type tapPoint struct {
	ok          bool
	description string
	texts       []string
	inner       []tapPoint
}

func (p tapPoint) String() string {
	text := fmt.Sprintf("%t %q %q\n", p.ok, p.description, p.texts)
	for _, sub := range p.inner {
		text += "    " + sub.String()
	}
	return text
}

// tapReader reads TAP 14 as far as it is written here, and refuses the rest.
type tapReader struct {
	lines []string
}

var (
	tapLine = regexp.MustCompile(`^(not )?ok (\d+) - (.*)$`)
	tapPlan = regexp.MustCompile(`^1\.\.(\d+)( # SKIP .*)?$`)
)

func (r *tapReader) document() ([]tapPoint, error) {
	if line := r.next(); line != "TAP version 14" {
		return nil, fmt.Errorf("it begins with %q", line)
	}
	points, err := r.points("", true)
	if err == nil && len(r.lines) > 0 {
		err = fmt.Errorf("%q has no place", r.lines[0])
	}
	return points, err
}

func (r *tapReader) next() string {
	line := r.lines[0]
	r.lines = r.lines[1:]
	return line
}

// peek reports whether the next line has an indent, and returns the rest of it.
func (r *tapReader) peek(indent string) (string, bool) {
	if len(r.lines) == 0 {
		return "", false
	}
	rest, ok := strings.CutPrefix(r.lines[0], indent)
	return rest, ok && !strings.HasPrefix(rest, " ")
}

// points reads a plan and as many test points; before one there may be its subtest.
func (r *tapReader) points(indent string, outer bool) ([]tapPoint, error) {
	line, _ := r.peek(indent)
	plan := tapPlan.FindStringSubmatch(line)
	if plan == nil {
		return nil, fmt.Errorf("%q is no plan", line)
	}
	r.next()
	want, _ := strconv.Atoi(plan[1])
	var all []tapPoint
	var inner []tapPoint
	for {
		line, ok := r.peek(indent)
		switch {
		case !ok:
			if len(all) != want {
				return nil, fmt.Errorf("%d test points for the plan %q", len(all), line)
			}
			return all, nil
		case outer && strings.HasPrefix(line, "# Subtest: "):
			r.next()
			var err error
			if inner, err = r.points(indent+"    ", false); err != nil {
				return nil, err
			}
		case strings.HasPrefix(line, "# "):
			r.next()
		default:
			p, err := r.point(indent, len(all)+1)
			if err != nil {
				return nil, err
			}
			p.inner, inner = inner, nil
			all = append(all, p)
		}
	}
}

func (r *tapReader) point(indent string, number int) (p tapPoint, err error) {
	line, _ := r.peek(indent)
	parts := tapLine.FindStringSubmatch(line)
	if parts == nil || parts[2] != strconv.Itoa(number) {
		return p, fmt.Errorf("%q is no test point %d", line, number)
	}
	r.next()
	p.ok = parts[1] == ""
	if p.description, err = tapUnescaped(parts[3]); err != nil {
		return p, err
	}
	if line, ok := r.peek(indent + "  "); ok && line == "---" {
		r.next()
		p.texts, err = r.yaml(indent + "  ")
	}
	return p, err
}

// tapUnescaped reads a description; a "#" that is not escaped would begin a directive.
func tapUnescaped(s string) (string, error) {
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		switch {
		case s[i] == '#':
			return "", fmt.Errorf("%q has a directive", s)
		case s[i] == '\\' && (i+1 == len(s) || s[i+1] != '\\' && s[i+1] != '#'):
			return "", fmt.Errorf("%q has an escape that TAP has not", s)
		case s[i] == '\\':
			i++
		}
		b.WriteByte(s[i])
	}
	return b.String(), nil
}

var yamlLine = regexp.MustCompile(`^ *(- |[a-z]+:)( ?)(.*)$`)

// yaml reads a block up to its end and returns its strings. Strings in double quotes are those of JSON, but for \x.
func (r *tapReader) yaml(indent string) ([]string, error) {
	var texts []string
	for {
		if line, ok := r.peek(indent); ok && line == "..." {
			r.next()
			return texts, nil
		}
		line, ok := strings.CutPrefix(r.next(), indent)
		parts := yamlLine.FindStringSubmatch(line)
		if !ok || parts == nil {
			return nil, fmt.Errorf("%q is no YAML", line)
		}
		if !strings.HasPrefix(parts[3], `"`) {
			continue // a number, or the begin of a list
		}
		var text string
		if err := json.Unmarshal([]byte(strings.ReplaceAll(parts[3], `\x`, `\u00`)), &text); err != nil {
			return nil, fmt.Errorf("%s: %w", parts[3], err)
		}
		texts = append(texts, text)
	}
}
