package main

import (
	"errors"
	"io"
	"testing"
)

// TestForms holds that every form which completion offers is one that its command takes.
func TestForms(t *testing.T) {
	for name, values := range forms {
		for _, form := range values {
			root := newRoot(&terminal{stdout: io.Discard, stderr: io.Discard})
			c, _, err := root.Find([]string{name})
			if err != nil || c.Flags().Lookup("format") == nil {
				continue // and nothing is offered
			}
			args := []string{name, "first-start", "--format", form}
			if name == "diff" {
				args = append(args, "first-start")
			}
			root.SetArgs(args)
			var ended *verdictError
			if err := root.Execute(); err != nil && !errors.As(err, &ended) {
				t.Errorf("%s --format %s: %v", name, form, err)
			}
		}
	}
}
