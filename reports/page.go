package reports

import (
	"bytes"
	"strings"
	"unicode/utf8"
)

const width = 80

// page is text with lines of at most 80 columns where words allow.
type page struct {
	bytes.Buffer
	color bool
}

func (p *page) blank() { p.WriteByte('\n') }

// para writes text after a first indent and breaks it between words; the lines that follow begin with
// the other one. A word that is longer than a line is cut.
func (p *page) para(first, rest, text string) {
	line := first
	bare := true // nothing but the indent so far
	for _, word := range pieces(text, width-columns(rest)) {
		switch {
		case bare:
			line += word
		case columns(line)+columns(word)+1 > width:
			p.line(line)
			line = rest + strings.TrimLeft(word, " ")
		default:
			line += " " + word
		}
		bare = false
	}
	p.line(line)
}

// pair writes a left and a right text in one line, the right one in its own column, or in two lines.
func (p *page) pair(first, rest, left, right string) {
	const column = 52
	if gap := column - columns(first+left); gap > 0 && column+columns(right) <= width {
		p.line(first + left + strings.Repeat(" ", gap) + right)
		return
	}
	p.para(first, rest, left)
	p.para(rest, rest, right)
}

func (p *page) line(s string) {
	p.WriteString(strings.TrimRight(s, " "))
	p.WriteByte('\n')
}

// pieces splits a text at its blanks and cuts words that are wider than most.
func pieces(text string, most int) []string {
	var list []string
	for _, word := range strings.Split(text, " ") {
		for columns(word) > most {
			cut := len(string([]rune(word)[:most]))
			list = append(list, word[:cut])
			word = word[cut:]
		}
		list = append(list, word)
	}
	return list
}

func indent(n int) string { return strings.Repeat(" ", n) }

// Escape sequences of ANSI terminals.
const (
	red   = "\x1b[31m"
	green = "\x1b[32m"
	plain = "\x1b[0m"
)

func (p *page) bad(s string) string  { return p.painted(red, s) }
func (p *page) good(s string) string { return p.painted(green, s) }

func (p *page) painted(color, s string) string {
	if !p.color {
		return s
	}
	return color + s + plain
}

// columns counts the columns of a text, escape sequences aside.
func columns(s string) int {
	for _, sequence := range []string{red, green, plain} {
		s = strings.ReplaceAll(s, sequence, "")
	}
	return utf8.RuneCountInString(s)
}
