package logs

import (
	"bufio"
	"bytes"
	"compress/bzip2"
	"compress/gzip"
	"fmt"
	"io"
	"slices"
	"time"

	"github.com/klauspost/compress/zstd"
	"github.com/therootcompany/xz"
	"golang.org/x/text/encoding/unicode"
	"golang.org/x/text/transform"
)

// Source is a file or a stream, and what was in it.
type Source struct {
	Name       string
	Lines      int64
	Records    int64 // a record has one line or several
	Events     int64
	Duplicates int64   // events that were there already
	Unparsed   int64   // records about a group that nobody understood
	Cut        int64   // lines that were too long and lost their end, or of which only the beginning was logged
	CutAt      int64   // the last line, when it ends in its middle and says nothing of itself; 0: it does not
	CutAs      string  // the message that it was taken for; "": for none
	Late       int64   // events that came so much out of order that they stayed so
	Reversed   bool    // it has the newest first
	Dateless   bool    // its stamps have no day, or no year, and nobody said which: its instants are of 1970 or of 1972
	First      Instant // of the first event; NoTime
	Last       Instant
	marks      []int64       // of a plain file, at which byte the line after each markEvery lines begins
	Until      Instant       // of the last stamp in it, whatever it is of; NoTime while it is being read
	Unwanted   int64         // events that were not asked for: of other groups, or before Since
	Others     []string      // the first groups that were not asked for, up to maxOthers
	Back       time.Duration // the longest way that its stamps go back at once, while the newest comes last
	BackAt     int64         // in which line
	Jitter     time.Duration // how far stamps of neighbouring records are out of order, up to a second
	Seconds    bool          // it has stamps of whole seconds
	Outside    time.Duration // how far stamps outside of the records are ahead of those inside: of another zone, by quarters of an hour
	Warning    string        // what went wrong while it was read; "" when nothing did
}

// PassedOver returns how many events of some sources were not asked for, and the first groups of those that were not,
// sorted.
func PassedOver(sources []*Source) (events int64, groups []string) {
	for _, s := range sources {
		events += s.Unwanted
		groups = append(groups, s.Others...)
	}
	slices.Sort(groups)
	return events, slices.Compact(groups)
}

// byteOrderMark is what UTF-8 may begin with.
var byteOrderMark = []byte{0xEF, 0xBB, 0xBF}

// maxDictionary bounds what a compressed source may ask for.
const maxDictionary = 64 << 20

// decode opens what is inside of a stream: it takes off the compression, which it knows by the first bytes, and turns
// UTF-16 with a mark of its order into UTF-8. It says whether the stream was other than it is now.
func decode(name string, source io.Reader) (plain io.Reader, changed bool, err error) {
	b := bufio.NewReaderSize(source, 2*binaryProbe)
	magic, _ := b.Peek(6)
	plain, err = decompress(magic, b)
	if err != nil {
		return nil, false, fmt.Errorf("%s: %w", name, err)
	}
	if plain != io.Reader(b) {
		changed = true
		b = bufio.NewReaderSize(plain, 2*binaryProbe)
	}
	mark, _ := b.Peek(3)
	switch {
	case bytes.HasPrefix(mark, byteOrderMark):
		b.Discard(3)
	case bytes.HasPrefix(mark, []byte{0xFF, 0xFE}), bytes.HasPrefix(mark, []byte{0xFE, 0xFF}):
		return transform.NewReader(b, unicode.UTF16(unicode.LittleEndian, unicode.ExpectBOM).NewDecoder()), true, nil
	}
	head, _ := b.Peek(binaryProbe)
	return b, changed, notALog(name, head)
}

func decompress(magic []byte, b *bufio.Reader) (io.Reader, error) {
	switch {
	case bytes.HasPrefix(magic, []byte{0x1F, 0x8B}):
		return gzip.NewReader(b)
	case bytes.HasPrefix(magic, []byte("BZh")):
		return bzip2.NewReader(b), nil
	case bytes.HasPrefix(magic, []byte{0x28, 0xB5, 0x2F, 0xFD}):
		return zstd.NewReader(b, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxMemory(maxDictionary), zstd.WithDecoderLowmem(true))
	case bytes.HasPrefix(magic, []byte{0xFD, '7', 'z', 'X', 'Z', 0}):
		return xz.NewReader(b, maxDictionary)
	}
	return b, nil
}

const binaryProbe = 4 << 10

// foreignError says of a file that it is no log.
type foreignError struct{ name, is, instead string }

func (e *foreignError) Error() string { return e.name + ": " + e.is + "; " + e.instead }

// notALog refuses what nobody writes as a log: archives by their name, and whatever is mostly not text.
func notALog(name string, head []byte) error {
	switch {
	case bytes.HasPrefix(head, []byte("PK\x03\x04")):
		return &foreignError{name, "is a zip archive", "unpack it, and give the logs"}
	case len(head) > 262 && string(head[257:262]) == "ustar":
		return &foreignError{name, "is a tar archive", "unpack it, and give the logs"}
	}
	odd, nul := 0, 0
	for _, c := range head {
		switch {
		case c == 0:
			nul++
		case c < ' ' && c != '\n' && c != '\r' && c != '\t' && c != 0x1b:
			odd++
		}
	}
	// A file that was not closed before a crash has a run of NUL in it, at its begin too.
	if text := len(head) - nul; odd*10 > text && text > 0 || text > 0 && nul > text && bytes.IndexByte(head, '\n') < 0 {
		return &foreignError{name, "is not text", "give a log, as it is or compressed by gzip, bzip2, xz or zstd"}
	}
	return nil
}
