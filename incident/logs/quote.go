package logs

import (
	"bufio"
	"bytes"
	"cmp"
	"errors"
	"io"
	"os"
	"slices"
)

// Quote reads lines again, as far as their sources can be: files as they are, and of standard input what was kept of its
// beginning. A line that is not there any more is missing in what it returns, and a long one is cut. It is to be called
// after Each.
func (r *Reader) Quote(places []Place, stdin io.Reader) map[Place]string {
	wanted := slices.Clone(places)
	slices.SortFunc(wanted, func(a, b Place) int { return cmp.Or(cmp.Compare(a.Source, b.Source), cmp.Compare(a.Line, b.Line)) })
	wanted = slices.Compact(wanted)
	quotes := map[Place]string{}
	for len(wanted) > 0 {
		source := wanted[0].Source
		n := slices.IndexFunc(wanted, func(p Place) bool { return p.Source != source })
		if n < 0 {
			n = len(wanted)
		}
		if source >= 0 && int(source) < len(r.Sources) {
			r.quoteSource(wanted[:n], stdin, quotes)
		}
		wanted = wanted[n:]
	}
	return quotes
}

// quoteSource reads the lines of one source, which are sorted.
func (r *Reader) quoteSource(places []Place, stdin io.Reader, quotes map[Place]string) {
	path := r.Sources[places[0].Source].Name
	source := stdin
	if path != stdinName {
		file, err := os.Open(path)
		if err != nil {
			return
		}
		defer file.Close()
		if info, err := file.Stat(); err != nil || !info.Mode().IsRegular() {
			return
		}
		source = file
	}
	plain, _, err := decode(path, source)
	if err != nil {
		return
	}
	file, _ := source.(*os.File)
	r.quoteLines(&rereading{Reader: bufio.NewReaderSize(plain, 256<<10), file: file, marks: r.Sources[places[0].Source].marks, line: 1}, places, quotes)
}

// rereading is a source that is read again.
type rereading struct {
	*bufio.Reader
	file  *os.File
	marks []int64
	line  int64 // that comes next
}

// skip goes to the begin of a line, by way of the last mark before it; it stops at the end.
func (q *rereading) skip(line int64) {
	if n := min(int64(len(q.marks)), (line-1)/markEvery); n > 0 && n*markEvery >= q.line && q.seek(q.marks[n-1]) {
		q.line = n*markEvery + 1
	}
	q.line = skipLines(q.Reader, q.line, line)
}

// seek goes to a byte of the text, which begins behind the mark of UTF-8 where a file has that.
func (q *rereading) seek(offset int64) bool {
	begin := make([]byte, len(byteOrderMark))
	if _, err := q.file.ReadAt(begin, 0); err != nil {
		return false
	}
	if bytes.Equal(begin, byteOrderMark) {
		offset += int64(len(begin))
	}
	if _, err := q.file.Seek(offset, io.SeekStart); err != nil {
		return false
	}
	q.Reset(q.file)
	return true
}

// quoteLines reads up to the last of some lines, which are sorted.
func (r *Reader) quoteLines(q *rereading, places []Place, quotes map[Place]string) {
	for _, p := range places {
		q.skip(p.Line)
		if q.line < p.Line {
			return
		}
		text, err := q.ReadSlice('\n')
		text = bytes.TrimRight(text[:min(len(text), maxShown)], "\r\n")
		quotes[p] = string(text)
		for errors.Is(err, bufio.ErrBufferFull) {
			_, err = q.ReadSlice('\n')
		}
		quotes[p] = r.whole(quotes[p], q.Reader)
		if err != nil {
			return
		}
		q.line++
	}
}

// maxRest is how many lines of a record may stand between its first one and what it says.
const maxRest = 2

// whole adds to the first line of a record those that follow, up to the one that makes it understood: java.util.logging and
// some others say in the first one only who speaks.
func (r *Reader) whole(line string, b *bufio.Reader) string {
	text := line
	ahead, _ := b.Peek((maxRest + 1) * maxShown)
	for range maxRest + 1 {
		if r.understood(text) {
			return text
		}
		next, rest, _ := bytes.Cut(ahead, []byte("\n"))
		var c record
		c.unwrap(next, func([]byte) bool { return false })
		if len(next) == 0 || c.level() > 0 {
			break
		}
		text, ahead = text+" "+string(bytes.TrimSpace(next)), rest
	}
	return line
}

func (r *Reader) understood(text string) bool {
	var e Event
	_, ok := r.finder.find(&record{text: []byte(text)}, &e)
	return ok
}

// skipLines goes to the begin of a line, and returns at which one it is: an earlier one when there are no more.
func skipLines(b *bufio.Reader, at, line int64) int64 {
	for at < line {
		b.Peek(1) // fills the buffer
		buffered, _ := b.Peek(b.Buffered())
		if len(buffered) == 0 {
			return at
		}
		passed := 0
		for at < line && passed < len(buffered) {
			end := bytes.IndexByte(buffered[passed:], '\n')
			if end < 0 {
				passed = len(buffered)
				break
			}
			passed += end + 1
			at++
		}
		b.Discard(passed)
	}
	return at
}
