package logs

import (
	"bytes"
	"errors"
	"io"
)

// maxLine is how much of a line is kept; what is longer loses its end, which is counted.
const maxLine = 1 << 20

// lineBuffer is how much is read at once: enough that the system copies quickly, little enough to stay near to the processor.
const lineBuffer = 256 << 10

// errIdle is what a source that grows returns when for now there is nothing more to read.
var errIdle = errors.New("idle")

// lines cuts a stream into lines. It holds one of them, and what was read ahead.
type lines struct {
	source     io.Reader
	buffer     []byte
	start, end int   // of what is not yet given out
	scanned    int   // up to here there is no line feed
	number     int64 // of the line given out last, from 1
	cut        int64 // lines that lost their end
	torn       bool  // the last line has no line feed: the input may end in the middle of it
	skipping   bool  // the rest of a line that was cut
	failed     error // that ended the stream; io.EOF when nothing went wrong
	passed     int64 // bytes that were given out
	marks      []int64
}

// markEvery is after how many lines it is kept at which byte the next one begins: a line is quoted by reading on from the mark
// before it, so fewer marks cost time for each quotation, and more of them 8 bytes each.
const markEvery = 1 << 12

func newLines(source io.Reader) *lines { return &lines{source: source} }

// ready returns the next line without its line feed, where all of it was read already; else nil. It is valid until the next call.
func (l *lines) ready() []byte {
	if l.skipping {
		return nil
	}
	i := bytes.IndexByte(l.buffer[l.scanned:l.end], '\n')
	if i < 0 {
		l.scanned = l.end
		return nil
	}
	line := l.take(l.scanned+i, 1)
	l.mark()
	return line
}

// next returns the next line as ready does, and waits for it. The error is io.EOF at the end, errIdle when there is no whole
// line yet, or what went wrong; what was read before that is given out first.
func (l *lines) next() ([]byte, error) {
	for {
		if line := l.ready(); line != nil {
			return line, nil
		}
		switch {
		case l.skipping:
			if l.skip() {
				continue
			}
		case l.end-l.start >= maxLine:
			l.skipping = true
			l.cut++
			return l.take(l.end, 0), nil
		case l.failed != nil && l.start < l.end:
			l.torn = true
			return l.take(l.end, 0), nil
		}
		if l.failed != nil {
			return nil, l.failed
		}
		if err := l.read(); err != nil {
			return nil, err
		}
	}
}

// ahead is what was read after the last line; it may be empty though more follows.
func (l *lines) ahead() []byte { return l.buffer[l.start:l.end] }

// mark keeps where the next line begins, now and then.
func (l *lines) mark() {
	if l.number%markEvery == 0 {
		l.marks = append(l.marks, l.passed)
	}
}

// skip passes over the rest of a line that was cut; false: more of it is to come.
func (l *lines) skip() bool {
	rest := l.buffer[l.start:l.end]
	if i := bytes.IndexByte(rest, '\n'); i >= 0 {
		rest = rest[:i+1]
		l.skipping = false
	}
	l.passed += int64(len(rest))
	l.start += len(rest)
	l.scanned = l.start
	if l.skipping {
		return false
	}
	l.mark()
	return true
}

func (l *lines) take(end, feed int) []byte {
	line := l.buffer[l.start:end]
	l.passed += int64(end + feed - l.start)
	l.start = end + feed
	l.scanned = l.start
	l.number++
	if n := len(line); n > 0 && line[n-1] == '\r' {
		line = line[:n-1]
	}
	return line
}

// read reads once more, and makes room for it. Of errors it returns only errIdle; others end the stream.
func (l *lines) read() error {
	switch {
	case l.start == l.end:
		l.start, l.end, l.scanned = 0, 0, 0
	case l.end == len(l.buffer) && l.start > 0:
		copy(l.buffer, l.buffer[l.start:l.end])
		l.end, l.scanned, l.start = l.end-l.start, l.scanned-l.start, 0
	case l.end == len(l.buffer):
		l.buffer = append(l.buffer, make([]byte, len(l.buffer))...)
	}
	if l.buffer == nil {
		l.buffer = make([]byte, lineBuffer)
	}
	n, err := l.source.Read(l.buffer[l.end:])
	l.end += n
	if err == errIdle && n == 0 {
		return errIdle
	}
	if err != errIdle {
		l.failed = err
	}
	return nil
}
