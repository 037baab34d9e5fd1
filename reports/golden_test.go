package reports

import (
	"bytes"
	"flag"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"unicode"

	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "write the golden files anew")

func TestText(t *testing.T) {
	golden(t, "text", func(w io.Writer, r Report) error { return Text(w, r, TextOptions{}) })
}

// golden compares what a renderer makes of every hand-made run with testdata/<run>.<kind>.
func golden(t *testing.T, kind string, render func(io.Writer, Report) error) {
	t.Helper()
	for _, run := range handMadeRuns() {
		t.Run(run.name, func(t *testing.T) {
			var got bytes.Buffer
			if err := render(&got, run.report()); err != nil {
				t.Fatal(err)
			}
			compareGolden(t, filepath.Join("testdata", run.name+"."+kind), got.String())
		})
	}
}

// compareGolden holds that got is what the file says; -update makes the file say so.
func compareGolden(t *testing.T, path, got string) {
	t.Helper()
	if *update {
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Errorf("%s (-want +got); -update accepts it\n%s", path, diff)
	}
}

// Whatever names there are: no line is wider than a terminal, and nothing reaches it that it would obey.
func TestTextIsTame(t *testing.T) {
	for _, run := range handMadeRuns() {
		var b bytes.Buffer
		if err := Text(&b, run.report(), TextOptions{All: true}); err != nil {
			t.Fatal(err)
		}
		for _, line := range strings.Split(strings.TrimSuffix(b.String(), "\n"), "\n") {
			if columns(line) > width {
				t.Errorf("%d columns: %q", columns(line), line)
			}
			for _, r := range line {
				if !unicode.IsPrint(r) {
					t.Errorf("%q in %q", r, line)
				}
			}
		}
	}
}

// Colour adds escape sequences and changes nothing else.
func TestColor(t *testing.T) {
	r := stuckClosed().report()
	var bare, painted bytes.Buffer
	if err := Text(&bare, r, TextOptions{}); err != nil {
		t.Fatal(err)
	}
	if err := Text(&painted, r, TextOptions{Color: true}); err != nil {
		t.Fatal(err)
	}
	without := regexp.MustCompile("\x1b\\[[0-9]*m").ReplaceAllString(painted.String(), "")
	if without == painted.String() {
		t.Error("no colour when asked")
	}
	if diff := cmp.Diff(bare.String(), without); diff != "" {
		t.Errorf("colour changes the text (-bare +painted)\n%s", diff)
	}
}
