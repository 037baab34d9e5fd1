package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestInstall holds that "go install" in a clean clone gives a program that says which commit it is of, and that has
// the library with it wherever it runs.
func TestInstall(t *testing.T) {
	clone, bin, elsewhere := filepath.Join(t.TempDir(), "simulate"), t.TempDir(), t.TempDir()
	commit := strings.TrimSpace(said(t, ".", nil, "git", "rev-parse", "HEAD"))
	said(t, ".", nil, "git", "clone", "-q", "../..", clone)
	said(t, clone, []string{"GOBIN=" + bin, "GOFLAGS=-buildvcs=true"}, "go", "install", "./cmd/simulate")
	program := filepath.Join(bin, "simulate")
	if version := said(t, elsewhere, nil, program, "version"); !strings.Contains(version, commit) {
		t.Errorf("the version is %q, without commit %s", version, commit)
	}
	if verdict := said(t, elsewhere, nil, program, "check", "slow-poll"); !strings.HasSuffix(verdict, "1 passed, 0 failed\n") {
		t.Errorf("elsewhere the library says %s", verdict)
	}
	said(t, elsewhere, nil, program, "man", elsewhere)
	date := strings.TrimSpace(said(t, clone, []string{"TZ=UTC"}, "git", "log", "-1", "--format=%cd", "--date=format-local:%b %Y"))
	if !strings.Contains(pageOf(t, elsewhere, "simulate.1"), date) {
		t.Errorf("manual pages are not of %s", date)
	}
}

// said runs a program in a folder and returns what it prints.
func said(t *testing.T, dir string, env []string, program string, args ...string) string {
	t.Helper()
	c := exec.Command(program, args...)
	c.Dir, c.Env = dir, append(os.Environ(), env...)
	out, err := c.CombinedOutput()
	if err != nil {
		t.Fatalf("%s %s: %v\n%s", program, strings.Join(args, " "), err, out)
	}
	return string(out)
}
