package main

import (
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestInstall holds that "go install" in a clean clone gives a program that says which commit it is of, and that has
// the library with it wherever it runs. The commit is one of the files as they are, whatever git knows of them.
func TestInstall(t *testing.T) {
	clone, bin, elsewhere := filepath.Join(t.TempDir(), "simulate"), t.TempDir(), t.TempDir()
	copySources(t, "../..", clone)
	who := []string{"GIT_CONFIG_GLOBAL=/dev/null", "GIT_AUTHOR_NAME=a", "GIT_AUTHOR_EMAIL=a", "GIT_COMMITTER_NAME=a", "GIT_COMMITTER_EMAIL=a"}
	said(t, clone, nil, "git", "init", "-q")
	said(t, clone, nil, "git", "add", ".")
	said(t, clone, append(who, "GIT_COMMITTER_DATE=2020-02-29T12:00:00Z"), "git", "commit", "-q", "-m", "all")
	commit := strings.TrimSpace(said(t, clone, nil, "git", "rev-parse", "HEAD"))
	// Without the name of its folder a package is compiled once, not at each test.
	said(t, clone, []string{"GOBIN=" + bin, "GOFLAGS=-buildvcs=true -trimpath"}, "go", "install", "./cmd/simulate")
	program := filepath.Join(bin, "simulate")
	if version := said(t, elsewhere, nil, program, "version"); !strings.Contains(version, commit) {
		t.Errorf("the version is %q, without commit %s", version, commit)
	}
	if verdict := said(t, elsewhere, nil, program, "check", "slow-poll"); !strings.HasSuffix(verdict, "1 passed, 0 failed\n") {
		t.Errorf("elsewhere the library says %s", verdict)
	}
	said(t, elsewhere, nil, program, "man", elsewhere)
	if !strings.Contains(pageOf(t, elsewhere, "simulate.1"), "Feb 2020") {
		t.Error("manual pages are not of Feb 2020")
	}
}

// copySources copies the files that a program is made of: no tests, and nothing that only git or tests read.
func copySources(t *testing.T, from, to string) {
	t.Helper()
	err := filepath.WalkDir(from, func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.Name() == ".git" || d.Name() == "testdata":
			if d.IsDir() {
				return filepath.SkipDir
			}
			return nil
		case d.IsDir() || strings.HasSuffix(path, "_test.go"):
			return nil
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		name, err := filepath.Rel(from, path)
		if err != nil {
			return err
		}
		target := filepath.Join(to, name)
		if err := os.MkdirAll(filepath.Dir(target), 0o755); err != nil {
			return err
		}
		return os.WriteFile(target, text, 0o644)
	})
	if err != nil {
		t.Fatal(err)
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
