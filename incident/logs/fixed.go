package logs

import (
	"bytes"
	"encoding/binary"
)

// fixed is a text that stands in many lines. Its first bytes are compared as words, so that most texts that are no such
// are told apart without a call, and short ones wholly.
type fixed struct {
	text        []byte
	words, bits [2]uint64 // of the first 16 bytes; bits that do not belong to the text are 0 in both
}

const fixedSize = 16

func newFixed(text []byte) fixed {
	var first, bits [fixedSize]byte
	for i := range copy(first[:], text) {
		bits[i] = 0xFF
	}
	f := fixed{text: text}
	for i := range f.words {
		f.words[i], f.bits[i] = binary.LittleEndian.Uint64(first[8*i:]), binary.LittleEndian.Uint64(bits[8*i:])
	}
	return f
}

// begins reports whether b begins with the text.
func (f *fixed) begins(b []byte) bool {
	if len(b) < fixedSize {
		return bytes.HasPrefix(b, f.text)
	}
	if binary.LittleEndian.Uint64(b)&f.bits[0] != f.words[0] || binary.LittleEndian.Uint64(b[8:])&f.bits[1] != f.words[1] {
		return false
	}
	return len(f.text) <= fixedSize || bytes.HasPrefix(b[fixedSize:], f.text[fixedSize:])
}

// cut returns what stands in b before the text and behind it, as bytes.Cut does.
func (f *fixed) cut(b []byte) (before, after []byte, found bool) {
	if i := f.index(b); i >= 0 {
		return b[:i], b[i+len(f.text):], true
	}
	return b, nil, false
}

// index returns where in b the text first stands; -1 where it does not. It mostly is where its first byte is: few ids
// have blanks.
func (f *fixed) index(b []byte) int {
	n := bytes.IndexByte(b, f.text[0])
	if n < 0 || f.begins(b[n:]) {
		return n
	}
	if more := bytes.Index(b[n+1:], f.text); more >= 0 {
		return n + 1 + more
	}
	return -1
}
