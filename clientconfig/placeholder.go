package clientconfig

import (
	"regexp"
	"strings"
)

// placeholders replaces ${NAME} and ${NAME:default} as Spring does, with what the file itself says or with the
// default. What only the environment knows stays.
type placeholders struct {
	values map[string]string // by uniform name
	left   int               // replacements that may still be made
}

// Bounds on the work for one value: placeholders may stand in what others stand for.
const (
	mostReplacements = 20
	longestValue     = 1000
)

// secret matches names of settings whose values must never get anywhere.
var secret = regexp.MustCompile(`(?i)pass|secret|token|jaas|credential|private|(^|\.)(ssl|sasl|security)(\.|$)|key-?_?store|apikey|api[-_.]key`)

func newPlaceholders(entries []entry) *placeholders {
	p := &placeholders{values: map[string]string{}}
	for _, e := range entries {
		if !secret.MatchString(e.spelled) {
			p.values[uniform(e.spelled)] = e.value
		}
	}
	return p
}

// resolve replaces the placeholders of a value; one that nobody knows here stays as it is.
func (p *placeholders) resolve(e *entry) {
	if !hasPlaceholder(e.value) {
		return
	}
	p.left = mostReplacements
	if value, ok := p.text(e.value); ok {
		e.value, e.note = value, "from a placeholder"
	}
}

// hasPlaceholder reports whether a value is known only where the client runs.
func hasPlaceholder(value string) bool {
	return strings.Contains(value, "${") || strings.Contains(value, "#{")
}

// text replaces all placeholders in a text.
func (p *placeholders) text(text string) (string, bool) {
	var b strings.Builder
	for len(text) <= longestValue {
		before, rest, found := strings.Cut(text, "${")
		b.WriteString(before)
		if !found {
			return b.String(), !strings.Contains(b.String(), "#{")
		}
		end := closing(rest)
		if end < 0 {
			return "", false
		}
		value, ok := p.one(rest[:end])
		if !ok {
			return "", false
		}
		b.WriteString(value)
		text = rest[end+1:]
	}
	return "", false
}

// one returns what the inside of a placeholder stands for.
func (p *placeholders) one(inside string) (string, bool) {
	if p.left--; p.left < 0 {
		return "", false
	}
	name, otherwise, hasDefault := strings.Cut(inside, ":")
	if secret.MatchString(name) {
		return "", false
	}
	if value, ok := p.values[uniform(name)]; ok {
		return p.text(value)
	}
	if !hasDefault {
		return "", false
	}
	return p.text(otherwise)
}

// closing returns where the brace is that closes an open one; -1 when there is none.
func closing(text string) int {
	depth := 1
	for i := range len(text) {
		switch {
		case strings.HasPrefix(text[i:], "${"):
			depth++
		case text[i] == '}':
			if depth--; depth == 0 {
				return i
			}
		}
	}
	return -1
}
