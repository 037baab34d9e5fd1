package scenario

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"testing"
)

// TestGarbage holds that ten megabytes of anything are refused at once, in a few lines.
func TestGarbage(t *testing.T) {
	for _, unit := range []string{"\x00", "\xff", "x", "#", "[", "{", "a = [", "[[fleet]]\n", "a.", "\"", "\n", "€"} {
		text := bytes.Repeat([]byte(unit), 10<<20/len(unit))
		_, _, err := Load("garbage.toml", text)
		want := "garbage.toml: the file has 10.0 MB; a scenario has at most 1 MB\ngarbage.toml: 1 problem"
		if err == nil || err.Error() != want {
			t.Errorf("%q: got %v, want %s", unit, err, want)
		}
	}
}

// TestGarbageWithinSize holds that garbage that is small enough to be read gives bounded output too.
func TestGarbageWithinSize(t *testing.T) {
	for _, unit := range []string{
		"\x00", "x", "#", "a = [", "a = {a = ", "[[fleet]]\n", "[[event]]\ndo = \"kill\"\n", "a.", "\"", "\n", "€",
		"[[expect]]\nthat = \"\"\n",
	} {
		text := bytes.Repeat([]byte(unit), mostBytes/4/len(unit))
		_, _, err := Load("garbage.toml", text)
		if err == nil || len(err.Error()) > 30_000 || strings.Count(err.Error(), "\n") > mostShown {
			t.Errorf("%q: got an error of %d bytes, want a short one", unit, len(fmt.Sprint(err)))
		}
	}
}

// TestManyKeys holds that very many mistakes are counted, not all printed.
func TestManyKeys(t *testing.T) {
	var text strings.Builder
	for i := range 50_000 {
		fmt.Fprintf(&text, "seed%d = 1\n", i)
	}
	_, _, err := Load("many.toml", []byte(text.String()))
	var all *Errors
	if !errors.As(err, &all) || len(all.Mistakes) != 50_002 {
		t.Fatalf("got %d mistakes, want 50002", len(all.Mistakes))
	}
	if !strings.HasSuffix(err.Error(), "many.toml: 50002 problems; 49902 are not shown") {
		t.Errorf("got the end %q", err.Error()[len(err.Error())-80:])
	}
}
