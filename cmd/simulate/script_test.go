package main

import (
	"errors"
	"flag"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/rogpeppe/go-internal/testscript"
)

var update = flag.Bool("update", false, "write the outputs that scripts compare with anew")

func TestMain(m *testing.M) {
	code := testscript.RunMain(m, map[string]func() int{"simulate": run})
	for _, dir := range built {
		os.RemoveAll(dir)
	}
	os.Exit(code)
}

// TestScripts runs the command lines in testdata/script and compares what they print and their exit codes.
func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir:                 "testdata/script",
		UpdateScripts:       *update,
		RequireExplicitExec: true,
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"exits":   exits,
			"columns": columns,
		},
	})
}

// exits runs a program and compares its exit code: "exits 2 simulate run missing.toml".
func exits(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: exits CODE PROGRAM ARGUMENT...")
	}
	got := 0
	if err := ts.Exec(args[1], args[2:]...); err != nil {
		var failed *exec.ExitError
		if !errors.As(err, &failed) {
			ts.Fatalf("%s did not run: %v", args[1], err)
		}
		got = failed.ExitCode()
	}
	if strconv.Itoa(got) != args[0] {
		ts.Fatalf("the exit code is %d, want %s", got, args[0])
	}
}

// columns compares the longest line of the last output with what a terminal shows: "columns 80".
func columns(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: columns MOST")
	}
	most, err := strconv.Atoi(args[0])
	ts.Check(err)
	for line := range strings.Lines(ts.ReadFile("stdout")) {
		if n := utf8.RuneCountInString(strings.TrimSuffix(line, "\n")); n > most {
			ts.Fatalf("%d columns: %s", n, line)
		}
	}
}
