package scenario

import (
	"bytes"
	"errors"
	"math"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"simulate/sim/metrics"
)

// FuzzLoad holds that loading never panics, that every mistake is one line and stands inside the file,
// that what loads can be written and loaded again, and that the schema takes what loads.
func FuzzLoad(f *testing.F) {
	for _, pattern := range []string{"testdata/bad/*.toml", "testdata/good/*.toml"} {
		files, err := filepath.Glob(pattern)
		if err != nil || len(files) == 0 {
			f.Fatalf("no files %s (%v)", pattern, err)
		}
		for _, file := range files {
			f.Add(read(f, file), "fleet.orders.config.session.timeout.ms=30s")
		}
	}
	s := compiledSchema(f)
	f.Fuzz(func(t *testing.T, text []byte, flag string) {
		o, err := ParseOverride(flag)
		if err == nil {
			loadAny(t, text, o)
		}
		if loadAny(t, text) != nil {
			agree(t, s, "fuzz.toml", text)
		}
	})
}

// FuzzExpectation holds the same of one expectation, and that what is read of it makes sense: an aggregation only over
// replications, an order only of what has one, and no number that is none.
func FuzzExpectation(f *testing.F) {
	for _, file := range []string{"bad/51-expect-grammar", "bad/52-expect-types", "bad/53-expect-names", "bad/80-aggregations", "good/11-aggregations"} {
		for _, that := range regexp.MustCompile(`(?m)^that = "(.*)"$`).FindAllStringSubmatch(string(read(f, "testdata/"+file+".toml")), -1) {
			f.Add(that[1])
		}
	}
	f.Fuzz(func(t *testing.T, that string) {
		const text = `
duration = "30m"
topic = [{ name = "t", partitions = 12 }]
fleet = [{ name = "orders", topics = ["t"], count = 3 }]
expect = [{ that = `
		for _, replications := range []string{"replications = 1", "replications = 20"} {
			if s := loadAny(t, []byte(replications+text+literal(that)+" }]\n")); s != nil {
				checkExpectation(t, &s.Expectations[0], s.Replications)
			}
		}
	})
}

func checkExpectation(t *testing.T, e *Expectation, replications int) {
	t.Helper()
	over := &e.Over
	if over.Kind != InEach && replications == 1 {
		t.Errorf("%s is taken without replications", e.That)
	}
	if isPercentile := over.Percentile > 0 && over.Percentile < metrics.Hundred; isPercentile != (over.Kind == OfPercentile) {
		t.Errorf("%s: kind %d and percentile %d", e.That, over.Kind, over.Percentile)
	}
	if over.Kind == Fraction && e.Value.Type != metrics.ShareType {
		t.Errorf("%s compares a fraction with %v", e.That, e.Value)
	}
	ordered := e.Op != Equal && e.Op != NotEqual || over.Kind != InEach
	if kind := e.Value.Type; ordered && (kind == metrics.StateType || kind == metrics.NameType) {
		t.Errorf("%s orders what has no order", e.That)
	}
	if x := e.Value.Share + e.Value.Number; math.IsNaN(x) || math.IsInf(x, 0) || x < 0 {
		t.Errorf("%s compares with %v", e.That, x)
	}
}

// loadAny returns the scenario, nil when the text is none.
func loadAny(t *testing.T, text []byte, overrides ...Override) *Scenario {
	s, _, err := Load("fuzz.toml", text, overrides...)
	if err == nil {
		again := load(t, "fuzz.toml", []byte(s.TOML()))
		if diff := cmp.Diff(s, again, equal); diff != "" {
			t.Fatalf("loading what TOML wrote differs (-file +written):\n%s", diff)
		}
		return s
	}
	var all *Errors
	if !errors.As(err, &all) || len(all.Mistakes) == 0 {
		t.Fatalf("got %v, want *Errors with mistakes", err)
	}
	for _, m := range all.Mistakes {
		if !inside(m, text) {
			t.Errorf("%d:%d is not inside the file: %s", m.Line, m.Column, m.Text)
		}
		if strings.ContainsFunc(m.Text, func(r rune) bool { return unicode.IsControl(r) }) {
			t.Errorf("the message is not one plain line: %q", m.Text)
		}
	}
	return nil
}

// inside reports whether a mistake stands on a character of the text, or right behind a line of it.
func inside(m Mistake, text []byte) bool {
	if m.Line == 0 {
		return m.Column == 0 && (m.Flag != "" || len(text) > mostBytes)
	}
	lines := bytes.Split(text, []byte("\n"))
	return m.Line >= 1 && m.Line <= len(lines) && m.Column >= 1 && m.Column <= utf8.RuneCount(lines[m.Line-1])+1
}
