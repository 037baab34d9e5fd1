package scenario

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "rewrite the expected texts; read the difference before you commit it")

// TestBad loads every file of testdata/bad and compares the exact text of its error.
func TestBad(t *testing.T) {
	files, err := filepath.Glob("testdata/bad/*.toml")
	if err != nil || len(files) < 45 {
		t.Fatalf("got %d bad files (%v), want at least 45", len(files), err)
	}
	for _, file := range files {
		name := filepath.Base(file)
		t.Run(name, func(t *testing.T) {
			s, _, err := Load(name, read(t, file))
			if err == nil {
				t.Fatalf("loaded: %+v", s)
			}
			compare(t, strings.TrimSuffix(file, ".toml")+".txt", err.Error()+"\n")
		})
	}
}

func read(t testing.TB, file string) []byte {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// compare compares got with the text in a file, or writes it there.
func compare(t *testing.T, file, got string) {
	t.Helper()
	if *update {
		if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if want := string(read(t, file)); got != want {
		t.Errorf("%s:\ngot\n%s\nwant\n%s", file, got, want)
	}
}
