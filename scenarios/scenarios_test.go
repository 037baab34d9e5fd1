package scenarios

import (
	"bytes"
	"context"
	"path"
	"slices"
	"testing"

	"simulate/check"
	"simulate/sim/scenario"
)

// TestShipped holds that every shipped scenario tells what it shows, is free of warnings and says something
// about a part of the run.
func TestShipped(t *testing.T) {
	names := Names()
	if len(names) < 10 || !slices.IsSorted(In(".")) {
		t.Fatalf("got the names %q", names)
	}
	for _, name := range names {
		text, ok := Read(name)
		if !ok {
			t.Fatalf("%s is listed and cannot be read", name)
		}
		if !bytes.HasPrefix(text, []byte("# ")) {
			t.Errorf("%s does not begin with a comment", name)
		}
		s, warnings, err := scenario.Load(name, text)
		if err != nil || len(warnings) > 0 {
			t.Errorf("%s: %v %q", name, err, warnings)
			continue
		}
		// A line of a list has 80 columns, with two spaces between names and descriptions.
		described, room := len(s.Description), 78-widest(path.Dir(name))
		if described == 0 || described > room {
			t.Errorf("%s has a description of %d characters; a list has room for %d", name, described, room)
		}
		if !slices.ContainsFunc(s.Expectations, timed) {
			t.Errorf("%s expects nothing of a part of the run", name)
		}
	}
}

// widest returns the length of the longest name in a folder.
func widest(folder string) int {
	width := 0
	for _, name := range In(folder) {
		width = max(width, len(name))
	}
	return width
}

func timed(e scenario.Expectation) bool { return e.At != nil || e.From != nil || e.To != nil }

// TestOtherSeeds holds that what the scenarios expect does not hang on one seed.
func TestOtherSeeds(t *testing.T) {
	forEach(t, Names(), func(t *testing.T, name string) {
		text, _ := Read(name)
		for _, seed := range []string{"2", "3", "4", "5", "6", "7", "8"} {
			override, err := scenario.ParseOverride("seed=" + seed)
			if err != nil {
				t.Fatal(err)
			}
			loaded, err := check.Source{Name: name, Text: text}.Load(override)
			if err != nil {
				t.Fatal(err)
			}
			report, err := check.Run(context.Background(), loaded)
			if err != nil {
				t.Fatal(err)
			}
			for _, e := range report.Expectations {
				if !e.Pass {
					t.Errorf("with seed %s: %s: got %s%s", seed, e.That, e.Got, e.Problem)
				}
			}
		}
	})
}

// forEach runs a test of each scenario, several at once.
func forEach(t *testing.T, names []string, test func(t *testing.T, name string)) {
	for _, name := range names {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			test(t, name)
		})
	}
}

// TestNoRaces holds that what the scenarios expect does not hang on the order of what happens in one instant.
func TestNoRaces(t *testing.T) {
	var sources []check.Source
	for _, name := range Names() {
		text, _ := Read(name)
		sources = append(sources, check.Source{Name: name, Text: text, ShuffleTies: []uint64{1, 2, 3}})
	}
	check.All(context.Background(), sources, func(r check.Result) {
		for _, race := range r.Report.Races {
			t.Errorf("%s: %s: %s, but with --shuffle-ties %d %s", r.Source.Name, race.That, race.Unshuffled, race.ShuffleSeed, race.Got)
		}
	})
}

// TestRead holds that only names are found, among them those of the benchmarks.
func TestRead(t *testing.T) {
	for name, want := range map[string]bool{
		"slow-poll": true, "bench/small": true, "bench/large": true,
		"slow-poll.toml": false, "bench": false, "": false, "../scenarios/slow-poll": false, "nope": false,
	} {
		if _, got := Read(name); got != want {
			t.Errorf("%q: got %t, want %t", name, got, want)
		}
	}
}
