package scenario

import "strings"

// Settings returns what a resolved scenario has at each KEY of --set, defaults included, as --set takes it: strings of one
// line, and lists of one, without their quotes. "" stands for nothing.
func (s *Scenario) Settings(keys []string) []string {
	text := []byte(s.TOML())
	values := make([]string, len(keys))
	file, bad := decode(text)
	if bad != nil {
		panic("scenario: " + bad.Text) // it is ours
	}
	l := &loader{raw: file}
	for i, key := range keys {
		path, _, rest, problem := l.target(key)
		if spots := l.places.spots[join(path, rest)]; problem == "" && len(spots) > 0 {
			begin := spots[0].value
			values[i] = unquoted(string(text[begin:valueEnd(text, begin)]))
		}
	}
	return values
}

// unquoted returns what a string of TOML says, or a list of one, where that needs no quotes.
func unquoted(value string) string {
	inside := strings.TrimSuffix(strings.TrimPrefix(value, "["), "]")
	text := strings.TrimSuffix(strings.TrimPrefix(inside, `"`), `"`)
	if tomlOf(text) == inside && literal(text) == inside {
		return text
	}
	return value
}
