package logs

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"testing"
	"time"
)

// FuzzLines: whatever a source holds, reading it ends, and every event is of one of its lines.
func FuzzLines(f *testing.F) {
	seeds(f)
	f.Fuzz(func(t *testing.T, text []byte) {
		r, err := Open([]string{Stdin}, bytes.NewReader(text), Options{Location: time.UTC})
		if err != nil {
			t.Fatal(err)
		}
		lines := int64(bytes.Count(text, []byte{'\n'}) + 1)
		err = r.Each(context.Background(), func(e *Event) error {
			if e.Kind == NoKind || e.Kind >= NumKinds || e.Place.Source != 0 || e.Place.Line < 1 {
				t.Errorf("%+v", *e)
			}
			if plain := !bytes.HasPrefix(text, []byte{0xFF, 0xFE}) && !bytes.HasPrefix(text, []byte{0xFE, 0xFF}) && r.Sources[0].Warning == ""; plain && e.Place.Line > lines {
				t.Errorf("line %d of %d", e.Place.Line, lines)
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		for _, line := range r.Unparsed.Lines {
			if len(line.Text) > 4*maxShown {
				t.Errorf("%d bytes are shown", len(line.Text))
			}
		}
	})
}

// seeds are the logs of the transcripts, record by record.
func seeds(f *testing.F) {
	paths, err := filepath.Glob("testdata/reader/*")
	if err != nil || len(paths) == 0 {
		f.Fatal(paths, err)
	}
	for _, path := range paths {
		text, err := os.ReadFile(path)
		if err != nil {
			f.Fatal(err)
		}
		for _, block := range bytes.Split(text, []byte("\n\n")) {
			if _, log, ok := bytes.Cut(block, []byte("\n")); ok && bytes.HasPrefix(block, []byte("file ")) {
				f.Add(bytes.TrimSuffix(log, []byte("\n----")))
			}
		}
	}
	f.Add(gzipped(stabilized))
	f.Add(zstandard(stabilized))
}

// FuzzStamp: a stamp stands inside of its text, is one that a calendar has, and does not depend on what is before it.
func FuzzStamp(f *testing.F) {
	for _, seed := range []string{
		"[2024-05-01 09:12:56,387]", "May 1, 2024 9:12:56 PM", "1714554776.387 ", "%7|1714554776.387|X|", "01/May/2024:09:12:56 +0000",
		"I0501 09:12:56.006683 1 x", "Wed May  1 09:12:56 UTC 2024", "24/05/01 09:12:56",
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		s, ok := lastStamp(text)
		if !ok {
			return
		}
		if s.at < 0 || s.at >= s.end || s.end > len(text) {
			t.Errorf("%d to %d of %d", s.at, s.end, len(text))
		}
		if s.precision <= 0 || s.precision > time.Second || s.zone.Abs() > 15*time.Hour || s.date > fullDate {
			t.Errorf("%+v", s)
		}
		c := newCalendar(time.UTC, 0)
		at, _ := c.instant(&s)
		if year := time.Unix(0, int64(at)).UTC().Year(); year < 1969 || year > 2101 {
			t.Errorf("%+v is of %d", s, year)
		}
	})
}
