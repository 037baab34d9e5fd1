package scenario

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

// show prints a value of the file in a message.
func show(v any) string {
	switch v := v.(type) {
	case string:
		return quote(v)
	case int64:
		return strconv.FormatInt(v, 10)
	case float64:
		text := strconv.FormatFloat(v, 'g', -1, 64)
		if _, err := strconv.Atoi(text); err == nil {
			text += ".0" // tells it from a whole number
		}
		return text
	case bool:
		return strconv.FormatBool(v)
	case map[string]any:
		return "a table"
	case []any, []map[string]any:
		return "a list"
	}
	return "a date"
}

// quote quotes text from the file, cut to a length that fits on a line.
func quote(s string) string { return strconv.Quote(cut(s)) }

// brief is quote without the quotes: one line, nothing that a terminal obeys.
func brief(s string) string {
	quoted := quote(s)
	return strings.ReplaceAll(quoted[1:len(quoted)-1], `\"`, `"`)
}

func cut(s string) string {
	const most = 120
	if len(s) <= most {
		return s
	}
	end := most
	for end > 0 && !utf8.RuneStart(s[end]) {
		end--
	}
	return s[:end] + "..."
}
