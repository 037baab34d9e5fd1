package scenario

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/BurntSushi/toml"
)

// Override is one --set KEY=VALUE, or one of another flag: a value that replaces one of the file's.
type Override struct {
	flag  string // as messages name it
	key   string
	value any
	each  bool // value is a list of texts, and the flag gave each of them
	unset bool // there is no value: the key has its default
}

// ParseOverride reads KEY=VALUE. KEY is the way to a value: elements of arrays by name or number, then
// the keys as in the file, such as "fleet.orders.config.session.timeout.ms", "event.1.for" or "duration".
// VALUE is read as TOML; what is not TOML is a string, so that 30s needs no quotes.
func ParseOverride(text string) (Override, error) { return ParseOverrideOf("--set", text) }

// ParseOverrideOf is ParseOverride for another flag, which messages name.
func ParseOverrideOf(flag, text string) (Override, error) {
	key, value, found := strings.Cut(text, "=")
	key = strings.TrimSpace(key)
	switch {
	case !found || key == "":
		return Override{}, fmt.Errorf("%s %s: write KEY=VALUE, such as duration=30m", flag, brief(text))
	case !utf8.ValidString(text):
		return Override{}, fmt.Errorf("%s %s: the text is not UTF-8", flag, brief(text))
	}
	return Override{flag: flag + " " + brief(text), key: key, value: overrideValue(value)}, nil
}

// OverrideText replaces the value at a key by a text that a flag gave.
func OverrideText(flag, key, text string) Override {
	return Override{flag: flag + " " + brief(text), key: key, value: text}
}

// OverrideDefault gives a key its default, whatever the file says.
func OverrideDefault(key string) Override { return Override{key: key, unset: true} }

// OverrideTexts replaces the list at a key by texts that a flag gave, one each time it was given.
func OverrideTexts(flag, key string, texts []string) Override {
	all := make([]any, len(texts))
	for i, text := range texts {
		all[i] = text
	}
	return Override{flag: flag, key: key, value: all, each: true}
}

func overrideValue(text string) any {
	var doc map[string]any
	if len(text) < mostBytes && tooDeep([]byte(text)) < 0 {
		if _, err := toml.Decode("v = "+text, &doc); err == nil && len(doc) == 1 && doc["v"] != nil {
			return doc["v"]
		}
	}
	return text
}

// override puts the value into the tree. What its key means is found out later, with everything else.
func (l *loader) override(o Override) {
	path, table, rest, problem := l.target(o.key)
	if problem != "" {
		l.mistakes = append(l.mistakes, Mistake{Flag: o.flag, Text: problem})
		return
	}
	for {
		here := join(path, rest)
		key, below, nested := strings.Cut(rest, ".")
		if !nested || isFlat(path) {
			if o.unset {
				delete(table, rest)
				return
			}
			value := o.value
			if t, ok := value.(map[string]any); ok && isFlat(here) {
				value = flatten(t, func(string) {})
			}
			table[rest] = value
			l.flagged(here, value, o.flag)
			if list, ok := value.([]any); ok && o.each {
				for i, text := range list {
					l.flags[indexed(here, i)] = o.flag + " " + brief(text.(string))
				}
			}
			return
		}
		path = join(path, key)
		inner, ok := table[key].(map[string]any)
		if !ok {
			inner = map[string]any{}
			table[key] = inner
			l.flags[path] = o.flag
		}
		table, rest = inner, below
	}
}

// flagged notes that a value, and everything in it, came from a flag.
func (l *loader) flagged(path string, value any, flag string) {
	l.flags[path] = flag
	if t, ok := value.(map[string]any); ok {
		for _, key := range sortedKeys(t) {
			l.flagged(join(path, key), t[key], flag)
		}
	}
}

// isFlat reports whether the table at the path holds Kafka's keys.
func isFlat(path string) bool {
	return path == "broker" || strings.HasSuffix(path, "].config")
}

func join(path, key string) string {
	if path == "" {
		return key
	}
	return path + "." + key
}

// target finds the table that a key begins in.
func (l *loader) target(key string) (path string, table map[string]any, rest, problem string) {
	array, rest, found := strings.Cut(key, ".")
	if !slices.Contains([]string{"topic", "fleet", "event", "expect"}, array) {
		return "", l.tree, key, ""
	}
	list := elements(l.tree[array])
	named := array == "topic" || array == "fleet"
	if !found {
		return "", nil, "", "name one " + array + " and one of its keys, such as " + example(array)
	}
	var names []string
	for i, t := range list {
		name := strconv.Itoa(i + 1)
		if named {
			name, _ = t["name"].(string)
		}
		names = append(names, name)
		if below, ok := strings.CutPrefix(rest, name+"."); ok && name != "" {
			return indexed(array, i), t, below, ""
		}
	}
	wrong, _, _ := strings.Cut(rest, ".")
	if slices.Contains(names, rest) {
		return "", nil, "", "name one of its keys too, such as " + example(array)
	}
	if !named {
		return "", nil, "", fmt.Sprintf("no %s %s; %s", array, quote(wrong), howMany(len(list)))
	}
	return "", nil, "", fmt.Sprintf("no %s %s%s", array, quote(wrong), didYouMean(wrong, names))
}

func example(array string) string {
	return map[string]string{
		"topic":  "topic.orders.partitions",
		"fleet":  "fleet.orders.count",
		"event":  "event.1.at",
		"expect": "expect.1.at",
	}[array]
}

// howMany says which numbers elements of an array go by.
func howMany(n int) string {
	switch n {
	case 0:
		return "the scenario has none"
	case 1:
		return "the only one is number 1"
	}
	return fmt.Sprintf("they go from 1 to %d", n)
}
