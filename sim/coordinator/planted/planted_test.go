// Package planted breaks the coordinator on purpose, one rule at a time, and checks that its transcripts or
// its laws notice. The replay of recordings would notice, too; but a rule that only a replay guards is one
// that nobody can look up.
package planted

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// switchboard is the file that the broken coordinator has besides.
const switchboard = `package coordinator

import "os"

var plantedBug = os.Getenv("PLANTED_BUG")

func planted(rule string) bool { return plantedBug == rule }
`

// TestPlantedBugs builds the coordinator's tests once with all bugs in it, and runs them with each of the
// bugs planted.
func TestPlantedBugs(t *testing.T) {
	binary := build(t)
	if out, ok := run(binary, "", "."); !ok {
		t.Fatalf("the tests fail without a bug:\n%s", out)
	}
	for _, b := range bugs {
		for _, rule := range b.rules {
			t.Run(rule, func(t *testing.T) {
				t.Parallel()
				if _, ok := run(binary, rule, "^TestTranscripts$"); !ok {
					return
				}
				if _, ok := run(binary, rule, "^TestLaws$"); ok {
					t.Errorf("no transcript and no law notices %q instead of %q in %s", b.to, b.from, b.file)
				}
			})
		}
	}
}

// build compiles the coordinator's tests over sources in which every bug waits to be planted.
func build(t *testing.T) string {
	t.Helper()
	folder, err := filepath.Abs("..")
	if err != nil {
		t.Fatal(err)
	}
	sources := map[string]string{"planted.go": switchboard}
	for _, b := range bugs {
		if sources[b.file] == "" {
			text, err := os.ReadFile(filepath.Join(folder, b.file))
			if err != nil {
				t.Fatal(err)
			}
			sources[b.file] = string(text)
		}
		if n := strings.Count(sources[b.file], b.from); n != 1 {
			t.Fatalf("%s has %q %d times; a bug needs one place", b.file, b.from, n)
		}
		sources[b.file] = strings.Replace(sources[b.file], b.from, b.to, 1)
	}
	scratch := t.TempDir()
	overlay := struct{ Replace map[string]string }{map[string]string{}}
	for name, text := range sources {
		broken := filepath.Join(scratch, name)
		if err := os.WriteFile(broken, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		overlay.Replace[filepath.Join(folder, name)] = broken
	}
	list, err := json.Marshal(overlay)
	if err != nil {
		t.Fatal(err)
	}
	overlayFile, binary := filepath.Join(scratch, "overlay.json"), filepath.Join(scratch, "coordinator.test")
	if err := os.WriteFile(overlayFile, list, 0o644); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command("go", "test", "-c", "-vet=off", "-overlay", overlayFile, "-o", binary, folder).CombinedOutput(); err != nil {
		t.Fatalf("the broken coordinator does not build: %v\n%s", err, out)
	}
	return binary
}

// run runs tests of the coordinator with a bug. It reports whether they passed.
func run(binary, rule, tests string) (string, bool) {
	c := exec.Command(binary, "-test.run", tests, "-test.failfast", "-rapid.checks=200", "-rapid.nofailfile", "-rapid.seed=1", "-rapid.shrinktime=1ms")
	c.Dir = ".."
	c.Env = append(os.Environ(), "PLANTED_BUG="+rule)
	out, err := c.CombinedOutput()
	return string(out), err == nil
}
