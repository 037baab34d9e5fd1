package main

import (
	"bufio"
	"bytes"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"simulate/scenarios"
)

// built are the folders of the programs that tests had compiled, by architecture.
var built = map[string]string{}

// build compiles the program for an architecture, once for all tests, and returns its path. It is faster than this test
// binary where that has the race detector.
func build(t *testing.T, goarch string) string {
	t.Helper()
	if dir, ok := built[goarch]; ok {
		return filepath.Join(dir, "simulate")
	}
	dir, err := os.MkdirTemp("", "simulate-"+goarch)
	if err != nil {
		t.Fatal(err)
	}
	built[goarch] = dir
	program := filepath.Join(dir, "simulate")
	c := exec.Command("go", "build", "-o", program, ".")
	c.Env = append(os.Environ(), "GOARCH="+goarch, "CGO_ENABLED=0")
	if out, err := c.CombinedOutput(); err != nil {
		t.Fatalf("go build for %s: %v\n%s", goarch, err, out)
	}
	return program
}

// TestSameBytes holds that one scenario and seed give one trace and one report: in another process, on
// any number of threads, and on a 32-bit machine, where other instructions compute the floats.
func TestSameBytes(t *testing.T) {
	native, narrow := build(t, runtime.GOARCH), ""
	if runtime.GOARCH == "amd64" {
		narrow = build(t, "386")
	}
	for _, name := range []string{"rolling-restart", "network-drop", "crash-loop"} {
		wantReport, wantTrace := report(t, native, "1", name)
		for _, other := range []struct{ program, threads string }{{native, "1"}, {native, "2"}, {narrow, "2"}} {
			if other.program == "" {
				continue
			}
			gotReport, gotTrace := report(t, other.program, other.threads, name)
			if !bytes.Equal(gotReport, wantReport) {
				t.Errorf("%s on %s threads: got the report\n%s\nwant\n%s", name, other.threads, gotReport, wantReport)
			}
			if !bytes.Equal(gotTrace, wantTrace) {
				t.Errorf("%s on %s threads: the trace differs", name, other.threads)
			}
		}
	}
}

// TestSameFolder holds the same of all forms of the report of a run, pictures included.
func TestSameFolder(t *testing.T) {
	programs := []string{build(t, runtime.GOARCH), build(t, runtime.GOARCH)}
	if runtime.GOARCH == "amd64" {
		programs = append(programs, build(t, "386"))
	}
	forms := strings.Join(append(runFormNames(), plotsForm), ",")
	for _, name := range []string{"vicious-circle", "broker-restart", "bench/large"} {
		var first map[string]string
		for i, program := range programs {
			dir := filepath.Join(t.TempDir(), "out")
			c := exec.Command(program, "run", name, "--no-verify", "--out", dir, "--formats", forms)
			c.Env = append(os.Environ(), "GOMAXPROCS="+strconv.Itoa(i+1))
			if out, err := c.CombinedOutput(); err != nil {
				t.Fatalf("%s run %s: %v\n%s", program, name, err, out)
			}
			files := contents(t, dir)
			if i == 0 {
				first = files
			}
			for file := range first {
				if files[file] != first[file] || len(files) != len(first) {
					t.Errorf("%s: %s is another one in run %d", name, file, i+1)
				}
			}
		}
		if len(first) < len(runForms)+6 {
			t.Errorf("%s: there are only %d files", name, len(first))
		}
	}
}

// contents reads all files of a folder.
func contents(t *testing.T, dir string) map[string]string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	files := map[string]string{}
	for _, e := range entries {
		text, err := os.ReadFile(filepath.Join(dir, e.Name()))
		if err != nil {
			t.Fatal(err)
		}
		files[e.Name()] = string(text)
	}
	return files
}

// report runs a shipped scenario and returns what it prints, the digest included, and its trace.
func report(t *testing.T, program, threads, name string) (printed, trace []byte) {
	t.Helper()
	file := filepath.Join(t.TempDir(), "trace.jsonl")
	c := exec.Command(program, "run", name, "--trace", file)
	c.Env = append(os.Environ(), "GOMAXPROCS="+threads)
	printed, err := c.Output()
	if err != nil {
		t.Fatalf("%s run %s: %v", program, name, err)
	}
	trace, err = os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return printed, trace
}

// endless takes hours to run, so that an interrupt always comes in the middle: with latencies that are drawn, nothing is
// fast-forwarded. The setting without effect makes the program say something just before the run begins.
const endless = `
duration = "8760h"
[network]
latency = { p50 = "1ms", p99 = "20ms" }
[[topic]]
name       = "jobs"
partitions = 64
[[fleet]]
name   = "jobs"
topics = ["jobs"]
count  = 64
[fleet.config]
fetch.max.wait.ms = 100
[[expect]]
that = "members(jobs) == 64"
`

// TestInterrupt holds that an interrupted run exits with 130 and keeps what is finished, labelled: the
// report on standard output, and the trace.
func TestInterrupt(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "trace.jsonl")
	printed, _, code := interrupted(t, os.Interrupt, "run", "-", "--trace", file)
	if code != 130 {
		t.Errorf("got exit code %d, want 130", code)
	}
	for _, want := range []string{
		"\nINTERRUPTED at ", " of 8760h: what follows is true up to that instant.\n",
		"\n  FAIL  members(jobs) == 64\n", "no value: the run ended at ",
	} {
		if !strings.Contains(printed, want) {
			t.Errorf("the report lacks %q:\n%s", want, printed)
		}
	}
	lines := traceLines(t, file)
	if last := lines[len(lines)-1]; !strings.HasSuffix(last, `"kind":"run-ended","text":"interrupted"}`) {
		t.Errorf("the trace ends with %s", last)
	}
	if all, _ := os.ReadDir(dir); len(all) != 1 {
		t.Errorf("there are %d files, want only the trace", len(all))
	}
}

// TestRunsInterrupt holds that replications that a scheduler ends exit with 130 and count only those that were finished.
func TestRunsInterrupt(t *testing.T) {
	printed, _, code := interrupted(t, syscall.SIGTERM, "run", "-", "--replications", "3")
	if code != 130 || !strings.Contains(printed, "\nINTERRUPTED after 0 of 3 runs: what follows is about these.\n") {
		t.Errorf("got exit code %d, want 130, and\n%s", code, printed)
	}
}

// TestDiffInterrupt holds that an interrupted comparison exits with 130, says how far it came and compares nothing.
func TestDiffInterrupt(t *testing.T) {
	printed, said, code := interrupted(t, os.Interrupt, "diff", "-", "--seed-b", "2")
	if !strings.HasPrefix(said, "interrupted: stdin came to ") || !strings.HasSuffix(said, " of 8760h; nothing was compared\n") {
		t.Errorf("the program said %q", said)
	}
	if code != 130 || printed != "" {
		t.Errorf("got exit code %d and %q, want 130 and nothing", code, printed)
	}
}

// TestFollow holds that analyze --follow prints what changes as it is logged, also behind a rotation, and ends with the
// report when it is interrupted.
func TestFollow(t *testing.T) {
	file := filepath.Join(t.TempDir(), "server.log")
	text, err := os.ReadFile("testdata/broker.log")
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.SplitAfter(string(text), "\n")
	write(t, file, lines[:14])
	c := exec.Command(build(t, runtime.GOARCH), "analyze", file, "--follow")
	stdout, err := c.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	printed := bufio.NewReader(stdout)
	until(t, printed, "  payments  CompletingRebalance: generation 2, 3 members\n")
	if err := os.Rename(file, file+".1"); err != nil {
		t.Fatal(err)
	}
	write(t, file, lines[14:])
	until(t, printed, "2026-05-06 10:12:03.857  payments  Stable: generation 3, 4 members\n")
	if err := c.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	report, err := io.ReadAll(printed)
	if err != nil {
		t.Fatal(err)
	}
	c.Wait()
	if code := c.ProcessState.ExitCode(); code != 130 {
		t.Errorf("got exit code %d, want 130", code)
	}
	for _, want := range []string{"\nINTERRUPTED: ", "\nGroup payments is Stable, generation 3, 4 members\n", "\n  3 rebalances, 3 completed"} {
		if !strings.Contains(string(report), want) {
			t.Errorf("the report lacks %q:\n%s", want, report)
		}
	}
}

func write(t *testing.T, file string, lines []string) {
	t.Helper()
	if err := os.WriteFile(file, []byte(strings.Join(lines, "")), 0o600); err != nil {
		t.Fatal(err)
	}
}

// until reads up to a line that ends like this.
func until(t *testing.T, r *bufio.Reader, end string) {
	t.Helper()
	for {
		line, err := r.ReadString('\n')
		if err != nil {
			t.Fatalf("no line ends with %q: %v", end, err)
		}
		if strings.HasSuffix(line, end) {
			return
		}
	}
}

// interrupted starts the program with the endless scenario and sends it a signal when the run begins. It returns what it
// printed, what it said after that, and the exit code.
func interrupted(t *testing.T, s os.Signal, args ...string) (printed, said string, code int) {
	t.Helper()
	c := exec.Command(build(t, runtime.GOARCH), args...)
	c.Stdin = strings.NewReader(endless)
	var out bytes.Buffer
	c.Stdout = &out
	stderr, err := c.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	r := bufio.NewReader(stderr)
	if line, err := r.ReadString('\n'); err != nil {
		t.Fatalf("the program said %q before the run: %v", line, err)
	}
	if err := c.Process.Signal(s); err != nil {
		t.Fatal(err)
	}
	rest, err := io.ReadAll(r)
	if err != nil {
		t.Fatal(err)
	}
	c.Wait()
	return out.String(), string(rest), c.ProcessState.ExitCode()
}

func traceLines(t *testing.T, file string) []string {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return strings.Split(strings.TrimSuffix(string(text), "\n"), "\n")
}

// TestBrokenPipe holds that a reader which goes away is no error: the exit code is the verdict's.
func TestBrokenPipe(t *testing.T) {
	program := build(t, runtime.GOARCH)
	for _, test := range []struct {
		args []string
		want int
	}{
		{[]string{"run", "first-start"}, 0},
		{[]string{"run", "gc-pause-short", "--set", "event.1.for=60s"}, 1},
		{[]string{"check", "first-start"}, 0},
		{[]string{"show", "first-start"}, 0},
	} {
		read, write, err := os.Pipe()
		if err != nil {
			t.Fatal(err)
		}
		read.Close()
		c := exec.Command(program, test.args...)
		c.Stdout = write
		var said bytes.Buffer
		c.Stderr = &said
		c.Run()
		write.Close()
		if got := c.ProcessState.ExitCode(); got != test.want || said.Len() > 0 {
			t.Errorf("%v: got %v and %q, want exit code %d and silence", test.args, c.ProcessState, &said, test.want)
		}
	}
}

// TestSchema holds that what "run --format json", "diff --format json" and "analyze --format json" print is what "schema" describes.
func TestSchema(t *testing.T) {
	program := build(t, runtime.GOARCH)
	run, diff := publishedSchema(t, program, "run"), publishedSchema(t, program, "diff")
	validate(t, publishedSchema(t, program, "analysis"), program, 0, "analyze", "testdata/broker.log", "--format", "json")
	before := "first-start"
	for _, name := range scenarios.Names() {
		other := before
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			validate(t, run, program, 0, "run", name, "--format", "json")
			validate(t, diff, program, 1, "diff", other, name, "--format", "json", "--seed-b", "2")
		})
		before = name
	}
}

func publishedSchema(t *testing.T, program, name string) *jsonschema.Schema {
	t.Helper()
	text, err := exec.Command(program, "schema", name).Output()
	if err != nil {
		t.Fatal(err)
	}
	document, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	compiler := jsonschema.NewCompiler()
	if err := compiler.AddResource(name+".json", document); err != nil {
		t.Fatal(err)
	}
	schema, err := compiler.Compile(name + ".json")
	if err != nil {
		t.Fatal(err)
	}
	return schema
}

// validate runs the program, which must exit with code, and holds what it prints against a schema.
func validate(t *testing.T, schema *jsonschema.Schema, program string, code int, args ...string) {
	t.Helper()
	c := exec.Command(program, args...)
	var printed bytes.Buffer
	c.Stdout = &printed
	c.Run()
	if got := c.ProcessState.ExitCode(); got != code {
		t.Fatalf("%v: exit code %d, want %d", args, got, code)
	}
	value, err := jsonschema.UnmarshalJSON(&printed)
	if err != nil {
		t.Fatalf("%v: %v", args, err)
	}
	if err := schema.Validate(value); err != nil {
		t.Errorf("%v: %v", args, err)
	}
}
