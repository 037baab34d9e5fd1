//go:build unix

package logs

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// TestPipe: a named pipe is read once.
func TestPipe(t *testing.T) {
	path := filepath.Join(t.TempDir(), "pipe")
	if err := syscall.Mkfifo(path, 0o600); err != nil {
		t.Fatal(err)
	}
	go os.WriteFile(path, []byte(empty+stabilized), 0o600)
	if got := transcript(t, open(t, []string{path}, nil)); !strings.Contains(got, "0:2 ") || !strings.Contains(got, "pipe: reversed") {
		t.Error(got)
	}
}

// TestUnreadable needs somebody who may not read everything.
func TestUnreadable(t *testing.T) {
	path := filepath.Join(t.TempDir(), "log")
	if err := os.WriteFile(path, []byte(stabilized), 0); err != nil {
		t.Fatal(err)
	}
	if file, err := os.Open(path); err == nil {
		file.Close()
		return
	}
	if _, err := Open([]string{path}, nil, Options{}); err == nil || !strings.HasSuffix(err.Error(), "log: permission denied") {
		t.Error(err)
	}
}
