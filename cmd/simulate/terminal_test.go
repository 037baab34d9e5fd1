package main

import (
	"bytes"
	"context"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"simulate/check"
	"simulate/scenarios"
)

// TestColor holds that there is colour on a terminal only, and none for who does not want it.
func TestColor(t *testing.T) {
	device, err := os.Open(os.DevNull) // a character device, as terminals are
	if err != nil {
		t.Fatal(err)
	}
	defer device.Close()
	file, err := os.Create(filepath.Join(t.TempDir(), "out"))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	for _, test := range []struct {
		out  *os.File
		env  map[string]string
		want bool
	}{
		{device, map[string]string{"TERM": "xterm"}, true},
		{device, map[string]string{"TERM": "xterm", "NO_COLOR": "1"}, false},
		{device, map[string]string{"TERM": "dumb"}, false},
		{file, map[string]string{"TERM": "xterm"}, false},
	} {
		got := showsColor(test.out, func(key string) string { return test.env[key] })
		if got != test.want {
			t.Errorf("%s with %v: got %t, want %t", test.out.Name(), test.env, got, test.want)
		}
		flag := terminal{colors: got, noColor: true}
		if flag.color() {
			t.Errorf("%s with --no-color is coloured", test.out.Name())
		}
	}
}

// TestAdviseTellsProgress holds that the search for advice says how far it is on a terminal only, and not when it is to
// be quiet, and leaves nothing behind.
func TestAdviseTellsProgress(t *testing.T) {
	for _, test := range []struct {
		live, quiet bool
		want        string
	}{
		{live: true, want: "\rlooking for advice: run 3 of at most 24\r" + strings.Repeat(" ", 60) + "\r"},
		{live: true, quiet: true},
		{live: false},
	} {
		loaded, read, err := new(input).again(&terminal{}, "slow-poll")
		if err != nil {
			t.Fatal(err)
		}
		r, err := check.Run(context.Background(), loaded)
		if err != nil {
			t.Fatal(err)
		}
		var stderr bytes.Buffer
		on := terminal{stderr: &stderr, live: test.live, quiet: test.quiet}
		if err := (&runFlags{forms: formFlags{format: "text"}}).advise(context.Background(), &on, &r, loaded, read); err != nil {
			t.Fatal(err)
		}
		if got := stderr.String(); got != test.want || r.Advice == nil {
			t.Errorf("live %t, quiet %t: got %q and the advice %v, want %q", test.live, test.quiet, got, r.Advice, test.want)
		}
	}
}

// TestCheckTellsProgress holds the same of a check.
func TestCheckTellsProgress(t *testing.T) {
	blank := "\r" + strings.Repeat(" ", 60) + "\r"
	for _, test := range []struct {
		live, quiet bool
		want        string
	}{
		{live: true, want: blank + "\rchecked 1 of 1" + blank},
		{live: true, quiet: true},
		{live: false},
	} {
		var stderr bytes.Buffer
		on := terminal{stderr: &stderr, live: test.live, quiet: test.quiet}
		results := on.checkAll(check.Find([]string{"slow-poll"}, scenarios.Read))
		if got := stderr.String(); got != test.want || len(results) != 1 || results[0].Verdict != check.Passed {
			t.Errorf("live %t, quiet %t: got %q and %d results, want %q", test.live, test.quiet, got, len(results), test.want)
		}
	}
}

// TestExitCodes pins what scripts of others rely on.
func TestExitCodes(t *testing.T) {
	want := map[check.Verdict]int{check.Passed: 0, check.Failed: 1, check.Wrong: 2, check.Broken: 3, check.Interrupted: 130}
	if !maps.Equal(exitCodes, want) {
		t.Errorf("got %v, want %v", exitCodes, want)
	}
}
