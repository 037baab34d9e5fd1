package logs

import (
	"bytes"
	"context"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"time"
)

// stream is a source that is being read, or waits for it.
type stream struct {
	source     *Source
	index      int32
	path       string
	stdin      io.Reader // nil when it is a file
	looked     bool      // at its begin
	compressed bool
	survey     survey
	calendar   *calendar
	written    Instant // when the file was last written; NoTime when it is none
	first      Instant // of its first stamp, before which it need not be opened; NoTime when that is not known
	files      []io.Closer

	events events
	next   *entry  // its next event, with a key that does not go back where there are no stamps
	key    Instant // of the last event that has a stamp
	idle   bool    // there is no next one for now

	from, to Instant // the stamps that were seen; NoTime when none was
}

// events is where events come from, in the order in which they happened, or nearly so.
type events interface {
	next(e *Event) error
}

// headBytes is how much of a source is looked at before it is read.
const headBytes = 256 << 10

// look opens a source to see whether it is a log and when it begins. What cannot be opened twice is not yet read.
func (r *Reader) look(path string, stdin io.Reader) (*stream, error) {
	s := &stream{source: &Source{Name: path, First: NoTime, Last: NoTime, Until: NoTime}, path: path, first: NoTime, key: NoTime, from: NoTime, to: NoTime, written: NoTime}
	s.calendar = newCalendar(r.options.Location, dayOf(r.options.Date))
	if path == Stdin {
		s.source.Name, s.stdin = stdinName, stdin
		return s, nil
	}
	info, err := os.Stat(path)
	if err != nil {
		return nil, plainError(path, err)
	}
	s.calendar.learn(path, info.ModTime())
	s.written = Instant(info.ModTime().UnixNano())
	if !info.Mode().IsRegular() {
		return s, nil
	}
	file, err := os.Open(path)
	if err != nil {
		return nil, plainError(path, err)
	}
	defer file.Close()
	plain, err := s.decode(file)
	if err != nil {
		return nil, err
	}
	head, _ := io.ReadAll(io.LimitReader(plain, headBytes)) // what goes wrong is met again when it is read
	s.lookAt(head, r)
	if s.survey.newestFirst && !s.compressed {
		s.first = r.surveyOf(s, tailOf(file, info.Size())).earliest
		s.cover(s.first)
	}
	return s, nil
}

// cover says that something was logged at an instant.
func (s *stream) cover(at Instant) {
	if at != NoTime && (s.from == NoTime || at < s.from) {
		s.from = at
	}
	s.to = max(s.to, at)
}

func (s *stream) decode(source io.Reader) (plain io.Reader, err error) {
	plain, s.compressed, err = decode(s.source.Name, source)
	return plain, err
}

func (s *stream) lookAt(head []byte, r *Reader) {
	s.looked = true
	if hasSamples(head) {
		s.survey = survey{earliest: NoTime, samples: true}
		return
	}
	s.survey = r.surveyOf(s, head)
	r.window.mixed = r.window.mixed || s.survey.mixed
	if s.first = s.survey.earliest; s.survey.newestFirst {
		s.first = NoTime
	}
	s.cover(s.survey.earliest)
	s.cover(s.survey.latest)
}

// tailOf reads the end of a file.
func tailOf(file *os.File, size int64) []byte {
	from := max(0, size-headBytes)
	tail := make([]byte, size-from)
	n, _ := file.ReadAt(tail, from)
	return tail[:n]
}

// open begins to read a source.
func (s *stream) open(ctx context.Context, r *Reader) error {
	source, regular, err := s.raw(ctx, r.options.Follow)
	if err != nil {
		return err
	}
	if r.options.Follow && !s.compressed {
		s.events = r.feedOf(s, source)
		return nil
	}
	plain, err := s.decode(source)
	if err != nil {
		return err
	}
	if !s.looked {
		head, err := io.ReadAll(io.LimitReader(plain, headBytes))
		s.lookAt(head, r)
		plain = io.MultiReader(bytes.NewReader(head), failing{err}, plain)
	}
	if s.survey.samples {
		s.events, err = r.samplesOf(s, plain)
		return err
	}
	if !s.survey.newestFirst {
		s.events = r.feedOf(s, plain)
		return nil
	}
	s.source.Reversed = true
	file, ok := regular, !s.compressed && regular != nil
	if !ok {
		if file, err = s.spool(plain); err != nil {
			return err
		}
	}
	s.events, err = r.backwards(s, file)
	return err
}

// raw opens what a source's bytes come from, and the file where it is a plain one.
func (s *stream) raw(ctx context.Context, follow bool) (io.Reader, *os.File, error) {
	if s.stdin != nil {
		return newAsync(ctx, s.stdin, follow), nil, nil
	}
	file, err := os.Open(s.path)
	if err != nil {
		return nil, nil, err
	}
	info, err := file.Stat()
	if err != nil {
		file.Close()
		return nil, nil, err
	}
	if !info.Mode().IsRegular() {
		s.files = append(s.files, file)
		return newAsync(ctx, file, follow), nil, nil
	}
	if follow && !s.compressed {
		t := &tail{path: s.path, file: file}
		s.files = append(s.files, t)
		return t, nil, nil
	}
	s.files = append(s.files, file)
	return interruptible{ctx, file}, file, nil
}

// spool copies a source that cannot be read backwards into a temporary file.
func (s *stream) spool(plain io.Reader) (*os.File, error) {
	file, err := os.CreateTemp("", "simulate-log-")
	if err != nil {
		return nil, err
	}
	s.files = append(s.files, temporary{file})
	_, err = io.Copy(file, plain)
	s.source.warn(err)
	return file, nil
}

func (s *stream) close() {
	for _, f := range s.files {
		f.Close()
	}
	s.files = nil
}

// temporary is a file that is removed when it is closed.
type temporary struct{ *os.File }

func (t temporary) Close() error {
	t.File.Close()
	return os.Remove(t.Name())
}

// failing is a stream that has ended with an error, unless that is nil.
type failing struct{ err error }

func (f failing) Read([]byte) (int, error) {
	if f.err == nil {
		return 0, io.EOF
	}
	return 0, f.err
}

// interruptible ends a stream when a context is done.
type interruptible struct {
	ctx    context.Context
	source io.Reader
}

func (i interruptible) Read(b []byte) (int, error) {
	if err := i.ctx.Err(); err != nil {
		return 0, err
	}
	return i.source.Read(b)
}

var dayInName = regexp.MustCompile(`(?:^|\D)((?:19|20)\d\d-[01]\d-[0-3]\d)(?:\D|$)`)

// learn takes the day from the name of a file, as of server.log.2024-05-01-09, and the year from when it was written.
func (c *calendar) learn(path string, written time.Time) {
	c.written = Instant(written.UnixNano())
	if m := dayInName.FindStringSubmatch(filepath.Base(path)); m != nil && c.base == 0 {
		if day, err := time.Parse(time.DateOnly, m[1]); err == nil {
			c.base = dayOf(day)
		}
	}
}

func dayOf(t time.Time) Instant {
	if t.IsZero() {
		return 0
	}
	year, month, day := t.Date()
	return Instant(time.Date(year, month, day, 0, 0, 0, 0, time.UTC).UnixNano())
}
