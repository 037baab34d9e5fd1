package scenarios

import (
	"context"
	"regexp"
	"strings"
	"testing"

	"simulate/check"
	"simulate/sim/scenario"
)

// turn is a line of a family's comment: settings to try, what they do, and whether an expectation then fails.
type turn struct {
	sets  []string
	fails bool
}

var turnLine = regexp.MustCompile(`(?m)^#   (--set \S+(?: --set \S+)*) +(.+)$`)

// turns reads the settings that a family lists.
func turns(text string) []turn {
	var all []turn
	for _, found := range turnLine.FindAllStringSubmatch(text, -1) {
		all = append(all, turn{
			sets:  strings.Split(strings.TrimPrefix(found[1], "--set "), " --set "),
			fails: strings.HasPrefix(found[2], "fails: "),
		})
	}
	return all
}

// TestFamilies holds that the settings which a family lists do what it says: its expectations hold, or, where it
// says so, fail.
func TestFamilies(t *testing.T) {
	forEach(t, In("families"), func(t *testing.T, name string) {
		text, _ := Read(name)
		listed := turns(string(text))
		if len(listed) < 5 || len(listed) != strings.Count(string(text), "#   --set ") {
			t.Errorf("%d lines with --set can be read, want at least five and all of them", len(listed))
		}
		for _, l := range listed {
			for _, seed := range []string{"1", "2", "3"} {
				failed := failing(t, name, text, append(l.sets, "seed="+seed))
				if len(failed) > 0 != l.fails {
					t.Errorf("with %q, seed %s: these fail: %q", l.sets, seed, failed)
				}
			}
		}
	})
}

// withSets loads a scenario with settings.
func withSets(t *testing.T, name string, text []byte, sets []string) check.Loaded {
	t.Helper()
	var overrides []scenario.Override
	for _, set := range sets {
		o, err := scenario.ParseOverride(set)
		if err != nil {
			t.Fatal(err)
		}
		overrides = append(overrides, o)
	}
	loaded, err := check.Source{Name: name, Text: text}.Load(overrides...)
	if err != nil {
		t.Fatal(err)
	}
	return loaded
}

// failing runs a scenario with settings and returns the expectations that do not hold.
func failing(t *testing.T, name string, text []byte, sets []string) []string {
	t.Helper()
	report, err := check.Run(context.Background(), withSets(t, name, text, sets))
	if err != nil {
		t.Fatal(err)
	}
	var failed []string
	for _, e := range report.Expectations {
		if !e.Pass {
			failed = append(failed, e.That+": got "+e.Got+e.Problem)
		}
	}
	return failed
}
