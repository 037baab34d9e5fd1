package logs

import (
	"bytes"
	"io"
	"os"
)

// chunkBytes is how much of a file that has the newest first is read at once.
const chunkBytes = 1 << 20

// backwards reads a file that has the newest first from its end, chunk by chunk; within a chunk records are read forwards,
// because of those that have several lines, and their events given out from the last one.
type backwards struct {
	reader *Reader
	stream *stream
	file   *os.File
	chunks []chunk // yet to be read
	events []Event // yet to be given out
	failed error
}

// chunk is a part of a file that begins with a record.
type chunk struct {
	from, to int64
	line     int64 // the number of its first line, less one
}

func (r *Reader) backwards(s *stream, file *os.File) (*backwards, error) {
	b := &backwards{reader: r, stream: s, file: file}
	end, err := file.Seek(0, io.SeekEnd)
	if err != nil {
		return nil, err
	}
	lines := int64(0)
	buffer := make([]byte, chunkBytes)
	for from := int64(0); from < end; {
		n, err := file.ReadAt(buffer, from)
		if n == 0 {
			return nil, err
		}
		size := b.aligned(buffer[:n], from+int64(n) == end)
		b.chunks = append(b.chunks, chunk{from, from + int64(size), lines})
		lines += int64(bytes.Count(buffer[:size], []byte{'\n'}))
		from += int64(size)
	}
	return b, nil
}

// aligned returns how much of a chunk is whole records: all before the last line that begins with a stamp.
func (b *backwards) aligned(text []byte, last bool) int {
	if last {
		return len(text)
	}
	f := b.reader.feedOf(b.stream, nil)
	for end := bytes.LastIndexByte(text, '\n'); end > 0; {
		begin := bytes.LastIndexByte(text[:end], '\n') + 1
		if begin == 0 {
			break
		}
		f.current.unwrap(text[begin:end], f.related)
		if f.current.level() > 0 && !f.current.onlyStamp() {
			return begin
		}
		end = begin - 1
	}
	if end := bytes.LastIndexByte(text, '\n'); end >= 0 {
		return end + 1
	}
	return len(text)
}

func (b *backwards) next(e *Event) error {
	for len(b.events) == 0 {
		if len(b.chunks) == 0 {
			if b.failed != nil {
				return b.failed
			}
			return io.EOF
		}
		b.read(b.chunks[len(b.chunks)-1])
		b.chunks = b.chunks[:len(b.chunks)-1]
	}
	*e = b.events[len(b.events)-1]
	b.events = b.events[:len(b.events)-1]
	return nil
}

func (b *backwards) read(c chunk) {
	f := b.reader.feedOf(b.stream, io.NewSectionReader(b.file, c.from, c.to-c.from))
	f.lines.number = c.line
	for {
		var e Event
		if err := f.next(&e); err != nil {
			if err != io.EOF {
				b.failed = err
			}
			b.stream.source.Cut += f.lines.cut
			return
		}
		b.events = append(b.events, e)
	}
}
