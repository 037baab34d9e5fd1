package lint_test

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"
	"unicode/utf8"

	"simulate/lint"
	"simulate/sim/scenario"
)

// FuzzCheck holds that no text that loads makes a rule panic, and that findings stand inside the text.
func FuzzCheck(f *testing.F) {
	for _, pattern := range []string{"../sim/scenario/testdata/good/*.toml", "testdata/true/*.toml"} {
		files, err := filepath.Glob(pattern)
		if err != nil || len(files) == 0 {
			f.Fatalf("no files %s (%v)", pattern, err)
		}
		for _, file := range files {
			text, err := os.ReadFile(file)
			if err != nil {
				f.Fatal(err)
			}
			f.Add(append(text, "# lint:ignore-file no-expectation because\n"...))
		}
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		s, _, err := scenario.Load("fuzz.toml", text)
		if err != nil {
			return
		}
		lines := bytes.Split(bytes.TrimPrefix(text, []byte("\ufeff")), []byte("\n"))
		for _, found := range lint.Check(s, text) {
			if found.Line < 1 || found.Line > len(lines) || found.Column < 1 || found.Column > utf8.RuneCount(lines[found.Line-1])+1 {
				t.Errorf("%s is at %d:%d, outside of the text", found.Rule.ID, found.Line, found.Column)
			}
		}
	})
}
