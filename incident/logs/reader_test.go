package logs

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/cockroachdb/datadriven"
)

// TestReader runs the transcripts in testdata/reader.
//
//	file NAME [torn]   writes a file; in its lines \t, \x00 and the like stand for these bytes; torn: its last one has no line feed
//	----
//	read [tz=Europe/Berlin] [date=2024-05-01] [since=2024-05-01T10:00:00] [groups=(a,b)] [files=(NAME,…)]
//	----          reads these files, or all, and prints what is in them: source:line, when, what
func TestReader(t *testing.T) {
	datadriven.Walk(t, "testdata/reader", func(t *testing.T, path string) {
		dir := t.TempDir()
		datadriven.RunTest(t, path, func(t *testing.T, d *datadriven.TestData) string {
			switch d.Cmd {
			case "file":
				end := "\n"
				if d.HasArg("torn") {
					end = ""
				}
				text, err := strconv.Unquote(`"` + strings.NewReplacer(`"`, `\"`, "\n", `\n`).Replace(d.Input+end) + `"`)
				if err != nil {
					t.Fatal(err)
				}
				if err := os.WriteFile(filepath.Join(dir, d.CmdArgs[0].Key), []byte(text), 0o600); err != nil {
					t.Fatal(err)
				}
				return ""
			case "clear":
				dir = t.TempDir()
				return ""
			case "read":
				return strings.ReplaceAll(read(t, dir, d), dir+"/", "")
			}
			return "unknown command"
		})
	})
}

func read(t *testing.T, dir string, d *datadriven.TestData) string {
	var options Options
	paths := []string{dir}
	for _, arg := range d.CmdArgs {
		var err error
		switch value := arg.Vals[0]; arg.Key {
		case "tz":
			options.Location, err = time.LoadLocation(value)
		case "date":
			options.Date, err = time.Parse(time.DateOnly, value)
		case "since":
			var since time.Time
			since, err = time.Parse("2006-01-02T15:04:05", value)
			options.Since = Instant(since.UnixNano())
		case "groups":
			options.Groups = arg.Vals
		case "files":
			paths = nil
			for _, name := range arg.Vals {
				paths = append(paths, filepath.Join(dir, name))
			}
		default:
			t.Fatalf("unknown argument %s", arg.Key)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	r, err := Open(paths, nil, options)
	if err != nil {
		return "error: " + err.Error() + "\n"
	}
	return transcript(t, r)
}

// transcript prints what a Reader gives, a line an event, and what is worth knowing of its sources.
func transcript(t *testing.T, r *Reader) string {
	t.Helper()
	var out strings.Builder
	err := r.Each(context.Background(), func(e *Event) error {
		fmt.Fprintf(&out, "%s %s%s\n", when(e), e.Kind, fieldsOf(e))
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range r.Sources {
		if about := aboutSource(s); about != "" {
			fmt.Fprintf(&out, "%s:%s\n", filepath.Base(s.Name), about)
		}
	}
	for _, gap := range r.Gaps {
		fmt.Fprintf(&out, "gap of %v between %d and %d\n", gap.To.Sub(gap.From), gap.Before, gap.After)
	}
	for _, line := range r.Unparsed.Lines {
		fmt.Fprintf(&out, "not understood: %d:%d %s\n", line.Place.Source, line.Place.Line, line.Text)
	}
	return out.String()
}

// when prints the place and the instant of an event.
func when(e *Event) string {
	at := "no time"
	if e.At != NoTime {
		at = time.Unix(0, int64(e.At)).UTC().Format("2006-01-02T15:04:05.999999999")
	}
	if e.Zoned {
		at += "Z"
	}
	if e.Precision != time.Millisecond && e.At != NoTime {
		at += "±" + e.Precision.String()
	}
	return fmt.Sprintf("%d:%d %s", e.Place.Source, e.Place.Line, at)
}

// aboutSource prints what is out of the ordinary.
func aboutSource(s *Source) string {
	var out bytes.Buffer
	number := func(n int64, what string) {
		if n > 0 {
			fmt.Fprintf(&out, " %d %s", n, what)
		}
	}
	number(s.Duplicates, "duplicates")
	number(s.Cut, "cut")
	number(s.Late, "late")
	if s.Reversed {
		out.WriteString(" reversed")
	}
	if s.Dateless {
		out.WriteString(" dateless")
	}
	if s.Seconds {
		out.WriteString(" whole seconds")
	}
	if s.Jitter > 0 {
		fmt.Fprintf(&out, " out of order by %v", s.Jitter)
	}
	if s.Outside != 0 {
		fmt.Fprintf(&out, " outer stamps %v ahead", s.Outside)
	}
	if s.CutAt > 0 && s.CutAs == "" {
		fmt.Fprintf(&out, " line %d open", s.CutAt)
	} else if s.CutAt > 0 {
		fmt.Fprintf(&out, " line %d taken for %q", s.CutAt, s.CutAs)
	}
	if s.Warning != "" {
		out.WriteString(" " + s.Warning)
	}
	return out.String()
}
