package logs

import (
	"bytes"
	"encoding/binary"
)

// fixed is a text that stands in many lines. Its first and its last bytes are compared as words, so that most texts that are no
// such are told apart without a call, and short ones wholly.
type fixed struct {
	text        []byte
	first, last uint64 // words of the text; where it is shorter than a word, both are all of it
	bits        uint64 // of a word that belong to the text
	at          int    // where the last word begins
}

const wordSize = 8

func newFixed(text []byte) fixed {
	var word, bits [wordSize]byte
	for i := range copy(word[:], text) {
		bits[i] = 0xFF
	}
	f := fixed{text: text, first: binary.LittleEndian.Uint64(word[:]), bits: binary.LittleEndian.Uint64(bits[:]), at: max(0, len(text)-wordSize)}
	copy(word[:], text[f.at:])
	f.last = binary.LittleEndian.Uint64(word[:])
	return f
}

// begins reports whether b begins with the text.
func (f *fixed) begins(b []byte) bool {
	if len(b) < f.at+wordSize {
		return bytes.HasPrefix(b, f.text)
	}
	if !f.may(b) {
		return false
	}
	return len(f.text) <= 2*wordSize || bytes.Equal(b[wordSize:f.at], f.text[wordSize:f.at])
}

// may reports whether b, which has a word more than where the second one begins, has both words of the text.
func (f *fixed) may(b []byte) bool {
	first, last := binary.LittleEndian.Uint64(b), binary.LittleEndian.Uint64(b[f.at:])
	return (first&f.bits^f.first)|(last&f.bits^f.last) == 0
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
