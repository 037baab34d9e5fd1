package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"
)

// TestSweepInterrupt holds that an interrupted sweep exits with 130 and reports what was finished, labelled.
func TestSweepInterrupt(t *testing.T) {
	state := filepath.Join(t.TempDir(), "state.jsonl")
	printed, said, code := interrupted(t, os.Interrupt, "sweep", "-", "--param", "session.timeout.ms=10s,45s", "--state", state)
	if code != 130 || !strings.Contains(printed, "\nINTERRUPTED after 0 of 20 runs: what follows is about these.\n") {
		t.Errorf("got exit code %d, want 130, and\n%s", code, printed)
	}
	if want := "interrupted: 0 of 20 runs are in " + state + "; the same command goes on\n"; said != want {
		t.Errorf("the program said %q, want %q", said, want)
	}
}

// slow has latencies that are drawn, so that nothing is fast-forwarded.
const slow = `
duration = "10m"
[network]
latency = { p50 = "1ms", p99 = "20ms" }
[[topic]]
name       = "jobs"
partitions = 8
[[fleet]]
name   = "jobs"
topics = ["jobs"]
count  = 8
`

// TestSweepKilled holds that a sweep which is killed at any moment goes on from its file, and prints what it would have
// printed.
func TestSweepKilled(t *testing.T) {
	program := build(t, runtime.GOARCH)
	file, state := filepath.Join(t.TempDir(), "slow.toml"), filepath.Join(t.TempDir(), "state.jsonl")
	if err := os.WriteFile(file, []byte(slow), 0o644); err != nil {
		t.Fatal(err)
	}
	args := []string{"sweep", file, "--param", "session.timeout.ms=10s..45s/4", "--replications", "25"}
	want, err := exec.Command(program, args...).Output()
	if err != nil {
		t.Fatal(err)
	}
	args = append(args, "--state", state)
	for lines := 20; lines <= 60; lines += 20 {
		c := exec.Command(program, args...)
		if err := c.Start(); err != nil {
			t.Fatal(err)
		}
		for deadline := time.Now().Add(time.Minute); linesOf(state) < lines; time.Sleep(time.Millisecond) {
			if time.Now().After(deadline) {
				t.Fatalf("there are still %d lines", linesOf(state))
			}
		}
		c.Process.Kill()
		c.Wait()
	}
	if n := linesOf(state); n > 100 {
		t.Fatalf("nobody was killed: there are %d lines", n)
	}
	got, err := exec.Command(program, args...).Output()
	if err != nil || !bytes.Equal(got, want) {
		t.Errorf("got %v and\n%s\nwant\n%s", err, got, want)
	}
}

// TestSweepSameBytes holds that a sweep comes to the same bytes on a machine where other instructions compute the floats.
func TestSweepSameBytes(t *testing.T) {
	machines := []string{runtime.GOARCH}
	if runtime.GOARCH == "amd64" {
		machines = append(machines, "386")
	}
	var want []byte
	for _, machine := range machines {
		c := exec.Command(build(t, machine), "sweep", "gc-pause-short", "--param", "event.1.for=2s..60s/5", "--replications", "40", "--format", "json")
		got, err := c.Output()
		if err != nil {
			t.Fatal(err)
		}
		if want == nil {
			want = got
		}
		if !bytes.Equal(got, want) {
			t.Errorf("on %s: got\n%s\nwant\n%s", machine, got, want)
		}
	}
}

func linesOf(file string) int {
	text, _ := os.ReadFile(file) // there is none at first
	return bytes.Count(text, []byte("\n"))
}

// TestStudyPages holds that the examples of docs/sweep.md and docs/tune.md print what the pages say.
func TestStudyPages(t *testing.T) {
	for _, name := range []string{"sweep", "tune"} {
		t.Run(name, func(t *testing.T) { printsItsExample(t, "../../docs/"+name+".md") })
	}
}

func printsItsExample(t *testing.T, file string) {
	page, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	block := func(language string) string {
		_, rest, _ := strings.Cut(string(page), "\n```"+language+"\n")
		text, _, _ := strings.Cut(rest, "```\n")
		return text
	}
	command, want, _ := strings.Cut(block("console"), "\n")
	c := exec.Command(build(t, runtime.GOARCH), strings.Fields(command)[2:]...)
	c.Dir = t.TempDir()
	if err := os.WriteFile(filepath.Join(c.Dir, "orders.toml"), []byte(block("toml")), 0o644); err != nil {
		t.Fatal(err)
	}
	got, err := c.Output()
	if err != nil || string(got) != want {
		t.Errorf("%s: got %v and\n%s\nwant\n%s", command, err, got, want)
	}
}
