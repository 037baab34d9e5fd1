package logs

import (
	"compress/gzip"
	"context"
	"errors"
	"io"
	"io/fs"
	"slices"
	"strings"
	"time"
)

// Options say how logs are read.
type Options struct {
	Location *time.Location // of stamps without a zone; nil: they stay on the clock of whoever wrote them
	Date     time.Time      // the day on which logs without dates begin, and the year of logs without years; zero: by the files
	Since    Instant        // what is before is passed over, and what has no stamp is not; 0: nothing is
	Groups   []string       // of these only, as Matches has them, and what is about no group; none: of all
	Follow   bool           // wait for what is yet to be logged
}

// Reader reads logs.
type Reader struct {
	Sources  []*Source
	Unparsed Unparsed
	Gaps     []Gap // known once all is read

	options Options
	names   *names
	finder  *finder
	waiting []*stream // not yet opened, the one that begins first at the end
	active  []*stream // that have a next event, or wait for one
	window  *window
	covered []*stream // that are at their end, and have stamps
}

// Unparsed is what tells of a group, and was not understood: the first of these lines, and how many there are.
type Unparsed struct {
	Lines []Line
	Count int64
}

// Line is a line of a log, as far as it is to be shown.
type Line struct {
	Place Place
	Text  string
}

// maxUnparsed is how many lines are kept to be shown.
const maxUnparsed = 1000

// Each calls a function with all events, in the order of their instants; an event is valid only during the call. It ends
// with the first error of the function, with that of the context, or at the end of the sources; where Follow is set, these
// have none. What goes wrong while a source is read does not end the others: it is in the source's Warning.
func (r *Reader) Each(ctx context.Context, each func(*Event) error) error {
	defer r.close()
	for {
		s, err := r.choose(ctx)
		switch {
		case err == errIdle:
			if err := r.wait(ctx, each); err != nil {
				return err
			}
			continue
		case err == io.EOF:
			r.Gaps = gaps(r.covered)
			return r.drain(each)
		case err != nil:
			return errors.Join(r.drain(each), err)
		}
		if r.window.over(burst) {
			if err := r.surplus(each); err != nil {
				return err
			}
		}
		if r.window.push(s.next) {
			s.source.Late++
		}
		s.next = r.window.fresh()
		r.advance(s)
	}
}

// choose returns the stream whose next event is the earliest. It returns errIdle when all wait for what is yet to be
// logged, and io.EOF when there are none.
func (r *Reader) choose(ctx context.Context) (*stream, error) {
	if len(r.waiting) == 0 && len(r.active) == 1 && !r.active[0].idle {
		return r.active[0], nil
	}
	for {
		var first *stream
		for _, s := range r.active {
			if !s.idle && (first == nil || s.next.key < first.next.key) {
				first = s
			}
		}
		n := len(r.waiting)
		if n == 0 || first != nil && r.waiting[n-1].first > first.next.key {
			switch {
			case first != nil:
				return first, nil
			case ctx.Err() != nil:
				return nil, ctx.Err()
			case len(r.active) > 0:
				return nil, errIdle
			}
			return nil, io.EOF
		}
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		s := r.waiting[n-1]
		r.waiting = r.waiting[:n-1]
		if err := s.open(ctx, r); err != nil {
			s.source.warn(err)
			s.close()
			continue
		}
		s.next = r.window.fresh()
		r.active = append(r.active, s)
		r.advance(s)
	}
}

// advance reads the next event of a stream that is wanted; at its end the stream is no more active.
func (r *Reader) advance(s *stream) {
	for {
		err := s.events.next(&s.next.Event)
		if s.idle = err == errIdle; s.idle {
			return
		}
		if err != nil {
			r.end(s, err)
			return
		}
		if s.next.At != NoTime {
			s.wentBack()
			s.key = s.next.At
			s.cover(s.key)
		}
		s.next.key = s.key
		if r.wanted(&s.next.Event) {
			return
		}
		s.source.passOver(s.next.Group, r.options.Groups)
	}
}

// maxOthers is how many groups are named that were not asked for.
const maxOthers = 10

// passOver counts an event that was not asked for, and keeps the name of its group where that is the reason.
func (s *Source) passOver(group string, asked []string) {
	s.Unwanted++
	if group != "" && len(s.Others) < maxOthers && !Matches(asked, group) && !slices.Contains(s.Others, group) {
		s.Others = append(s.Others, group)
	}
}

// wentBack notes how far the next event is before the one above it.
func (s *stream) wentBack() {
	if back := s.key.Sub(s.next.At); s.key > s.next.At && back > s.source.Back && !s.source.Reversed {
		s.source.Back, s.source.BackAt = back, s.next.Place.Line
	}
}

// end takes leave of a stream, for an error or because it is at its end.
func (r *Reader) end(s *stream, err error) {
	s.source.warn(err)
	s.source.Dateless = s.calendar.dateless
	if f, ok := s.events.(*feed); ok {
		s.source.Cut = f.lines.cut
		if !s.compressed {
			s.source.marks = f.lines.marks
		}
		s.cover(f.last())
	}
	s.source.Until = s.to
	if s.from != NoTime {
		r.covered = append(r.covered, s)
	}
	s.close()
	r.active = slices.DeleteFunc(r.active, func(other *stream) bool { return other == s })
}

// wait hands out what there is, and sleeps until there may be more.
func (r *Reader) wait(ctx context.Context, each func(*Event) error) error {
	if err := r.drain(each); err != nil {
		return err
	}
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(pollInterval):
	}
	for _, s := range slices.Clone(r.active) {
		r.advance(s)
	}
	return nil
}

func (r *Reader) close() {
	for _, s := range append(r.active, r.waiting...) {
		s.close()
	}
}

// warn says what went wrong, in words that fit a log, unless the source is at its end or nobody wants more of it.
func (s *Source) warn(err error) {
	var path *fs.PathError
	switch {
	case err == nil, err == io.EOF, errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
	case errors.Is(err, io.ErrUnexpectedEOF):
		s.Warning = "its end is missing; what was there was read"
	case errors.Is(err, gzip.ErrChecksum), errors.Is(err, gzip.ErrHeader):
		s.Warning = "it is damaged; what was before that was read"
	case errors.As(err, &path):
		s.Warning = path.Err.Error()
	default:
		s.Warning = err.Error()
	}
}

// give hands out the first event of the window.
func (r *Reader) give(each func(*Event) error) error {
	source := r.Sources[r.window.events[0].Place.Source]
	e := r.window.pop()
	if e == nil {
		source.Duplicates++
		return nil
	}
	source.Events++
	if e.At != NoTime {
		if source.First == NoTime || e.At < source.First {
			source.First = e.At
		}
		source.Last = max(source.Last, e.At)
	}
	return each(&e.Event)
}

// surplus hands out what is not to be held back.
func (r *Reader) surplus(each func(*Event) error) error {
	for r.window.over(0) {
		if err := r.give(each); err != nil {
			return err
		}
	}
	return nil
}

func (r *Reader) drain(each func(*Event) error) error {
	for len(r.window.events) > 0 {
		if err := r.give(each); err != nil {
			return err
		}
	}
	return nil
}

// wanted reports whether an event is asked for.
func (r *Reader) wanted(e *Event) bool {
	if r.options.Since != 0 && e.At < r.options.Since && e.At != NoTime {
		return false
	}
	return e.Group == "" || Matches(r.options.Groups, e.Group)
}

func (u *Unparsed) add(p Place, text []byte) {
	u.Count++
	if len(u.Lines) < maxUnparsed {
		u.Lines = append(u.Lines, Line{p, strings.ToValidUTF8(string(text[:min(len(text), maxShown)]), "\uFFFD")})
	}
}
