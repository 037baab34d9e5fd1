package main

import (
	"os"
	"path/filepath"
	"testing"

	"simulate/check"
	"simulate/sim/scenario"
)

// TestRecording holds that a trace file is there once it is kept and never before, and that one which is
// given up leaves nothing behind and an older file as it was.
func TestRecording(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "trace.jsonl")
	if err := os.WriteFile(path, []byte("old"), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, keep := range []bool{false, true} {
		r, err := startRecording(path, check.Loaded{Scenario: &scenario.Scenario{Name: "new"}})
		if err != nil {
			t.Fatal(err)
		}
		if text, _ := os.ReadFile(path); string(text) != "old" {
			t.Errorf("the file is %q before the run has ended", text)
		}
		if keep {
			if err := r.keep(); err != nil {
				t.Fatal(err)
			}
		}
		r.discard()
		if all, _ := os.ReadDir(dir); len(all) != 1 {
			t.Errorf("there are %d files, want one", len(all))
		}
		if text, _ := os.ReadFile(path); (string(text) != "old") != keep {
			t.Errorf("kept %t: the file is %q", keep, text)
		}
	}
}

// TestRecordingThatCannotMove holds that a file which cannot come to its place is an error that names the
// flag, and leaves nothing behind.
func TestRecordingThatCannotMove(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "trace.jsonl")
	r, err := startRecording(path, check.Loaded{Scenario: &scenario.Scenario{}})
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(path, 0o755); err != nil {
		t.Fatal(err)
	}
	err = r.keep()
	if want := "--trace " + path + ": file exists"; err == nil || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
	r.discard()
	if all, _ := os.ReadDir(dir); len(all) != 1 {
		t.Errorf("there are %d files, want only the directory", len(all))
	}
}
