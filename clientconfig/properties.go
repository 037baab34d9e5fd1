package clientconfig

import (
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// consumer reads the properties of a Java consumer: the keys are Kafka's.
func (r *reader) consumer() []entry {
	all := r.properties(0, len(r.text))
	r.remember(all)
	for i := range all {
		all[i].key = all[i].spelled
	}
	return all
}

// utf8Of returns a text that is UTF-8, or else ISO 8859-1, as UTF-8.
func utf8Of(text []byte) []byte {
	if utf8.Valid(text) {
		return text
	}
	runes := make([]rune, len(text))
	for i, c := range text {
		runes[i] = rune(c)
	}
	return []byte(string(runes))
}

// mostMistakes bounds how far a file is read that is wrong all over.
const mostMistakes = 1000

// properties reads the part of the text between two offsets as java.util.Properties.load does.
func (r *reader) properties(from, to int) []entry {
	var all []entry
	for from < to && len(r.mistakes) < mostMistakes {
		start := skip(r.text, from, to, " \t\f\r\n")
		if start == to {
			break
		}
		if c := r.text[start]; c == '#' || c == '!' {
			from = lineEnd(r.text, start, to)
			continue
		}
		line, end := logicalLine(r.text[:to], start)
		if line != "" {
			all = append(all, r.property(line, start))
		}
		from = end
	}
	return all
}

// skip returns the first offset from which none of the characters stands.
func skip(text []byte, from, to int, chars string) int {
	for from < to && strings.IndexByte(chars, text[from]) >= 0 {
		from++
	}
	return from
}

// lineEnd returns the offset of the end of the line.
func lineEnd(text []byte, from, to int) int {
	for from < to && text[from] != '\n' && text[from] != '\r' {
		from++
	}
	return from
}

// logicalLine joins a line with those that continue it: whose line before ends in an odd number of backslashes. White
// space in front of a continuation does not count. The line is "" when there is nothing but a backslash so far: what
// follows begins anew.
func logicalLine(text []byte, start int) (line string, end int) {
	var b strings.Builder
	for {
		end = lineEnd(text, start, len(text))
		part := string(text[start:end])
		slashes := len(part) - len(strings.TrimRight(part, `\`))
		if slashes%2 == 0 {
			b.WriteString(part)
			return b.String(), end
		}
		b.WriteString(part[:len(part)-1])
		end = afterBreak(text, end)
		if b.Len() == 0 {
			return "", end
		}
		start = skip(text, end, len(text), " \t\f")
	}
}

// afterBreak returns the offset behind the line break at the offset.
func afterBreak(text []byte, at int) int {
	if at+1 < len(text) && text[at] == '\r' && text[at+1] == '\n' {
		return at + 2
	}
	return min(at+1, len(text))
}

// property splits a logical line into key and value.
func (r *reader) property(line string, offset int) entry {
	end := 0
	for end < len(line) && strings.IndexByte(" \t\f=:", line[end]) < 0 {
		if line[end] == '\\' {
			end++
		}
		end++
	}
	end = min(end, len(line))
	value := strings.TrimLeft(line[end:], " \t\f")
	if value != "" && (value[0] == '=' || value[0] == ':') {
		value = strings.TrimLeft(value[1:], " \t\f")
	}
	e := entry{offset: offset}
	for _, part := range []struct {
		from string
		to   *string
	}{{line[:end], &e.spelled}, {value, &e.value}} {
		text, ok := unescaped(part.from)
		if !ok {
			r.wrong(offset, `\u needs four hexadecimal digits`)
		}
		*part.to = text
	}
	return e
}

// unescaped replaces what a backslash introduces; ok is false when a \u is wrong.
func unescaped(text string) (plain string, ok bool) {
	if !strings.Contains(text, `\`) {
		return text, true
	}
	var units []uint16 // as Java has them: \u may write half a character
	for i := 0; i < len(text); {
		c, size := utf8.DecodeRuneInString(text[i:])
		i += size
		if c != '\\' {
			units = utf16.AppendRune(units, c)
			continue
		}
		if i == len(text) {
			break
		}
		c, size = utf8.DecodeRuneInString(text[i:])
		i += size
		if c != 'u' {
			units = utf16.AppendRune(units, controlOr(c))
			continue
		}
		code, err := strconv.ParseUint(text[i:min(i+4, len(text))], 16, 16)
		if err != nil || i+4 > len(text) {
			return "", false
		}
		units = append(units, uint16(code))
		i += 4
	}
	return string(utf16.Decode(units)), true
}

// controlOr returns what a character means behind a backslash: most mean themselves.
func controlOr(c rune) rune {
	switch c {
	case 't':
		return '\t'
	case 'n':
		return '\n'
	case 'r':
		return '\r'
	case 'f':
		return '\f'
	}
	return c
}
