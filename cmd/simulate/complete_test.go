package main

import (
	"errors"
	"io"
	"maps"
	"path/filepath"
	"slices"
	"testing"
)

// TestForms holds that every form which completion offers is one that its command takes.
func TestForms(t *testing.T) {
	runs := filepath.Join(t.TempDir(), "runs.jsonl")
	more := map[string][]string{
		"diff":  {"first-start"},
		"sweep": {"--param", "session.timeout.ms=10s,45s", "--replications", "2", "--state", runs},
		"tune":  {"--minimise", "stopped(payment-service)", "--param", "session.timeout.ms=10s,45s", "--replications", "2"},
	}
	for _, name := range slices.Backward(slices.Sorted(maps.Keys(forms))) { // sweep before merge
		for _, form := range forms[name] {
			root := newRoot(&terminal{stdout: io.Discard, stderr: io.Discard})
			c, _, err := root.Find([]string{name})
			if err != nil || c.Flags().Lookup("format") == nil {
				continue // and nothing is offered
			}
			args := append([]string{name, "first-start", "--format", form}, more[name]...)
			switch name {
			case "merge":
				args[1] = runs
			case "analyze":
				args[1] = filepath.Join("testdata", "broker.log")
			}
			root.SetArgs(args)
			var ended *verdictError
			if err := root.Execute(); err != nil && !errors.As(err, &ended) {
				t.Errorf("%s --format %s: %v", name, form, err)
			}
		}
	}
}
