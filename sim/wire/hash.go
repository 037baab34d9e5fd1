package wire

import "unicode/utf16"

// StringHash is java.lang.String.hashCode, a polynomial over UTF-16 units. Kafka's order of members, of
// partitions and of assignments hangs on it.
func StringHash(s string) int32 {
	var h int32
	for i := range len(s) {
		if s[i] >= 0x80 {
			return hashUTF16(s)
		}
		h = 31*h + int32(s[i])
	}
	return h
}

func hashUTF16(s string) int32 {
	var h int32
	for _, unit := range utf16.Encode([]rune(s)) {
		h = 31*h + int32(unit)
	}
	return h
}
