package clientconfig

import (
	"strings"
	"testing"
)

// TestLarge reads files of 400 kB that are made to take long: if the time grew with the square of the length
// it would be hours.
func TestLarge(t *testing.T) {
	const size = 400_000
	long := strings.Repeat("x", size/2)
	fill := func(before, part, after string) string {
		return before + strings.Repeat(part, (size-len(before)-len(after))/len(part)) + after
	}
	for name, c := range map[string]struct{ file, text string }{
		"wrong escapes":    {"a.properties", fill("group.id=a\n", "a=\\uZ\n", "")},
		"wrong, one line":  {"a.properties", fill("group.id=a\r", "a=\\uZ\r", "")},
		"short lines":      {"a.properties", fill("group.id=a\n", "a.b=c\n", "")},
		"backslashes":      {"a.properties", fill("group.id=a\na=", `\\`, "\n")},
		"continuations":    {"a.properties", fill("group.id=a\na=", "b\\\n", "\n")},
		"dividers":         {"a.properties", fill("spring.kafka.consumer.group-id=a\n", "#---\n", "")},
		"placeholders":     {"a.properties", fill("spring.kafka.consumer.group-id=${a}\n", "a=${a}${a}\n", "")},
		"a long value":     {"a.properties", "a=" + long + "\n" + strings.Repeat("spring.kafka.consumer.group-id=${a}\n", 10_000)},
		"one line of YAML": {"a.yml", fill("spring: {kafka: {consumer: {group-id: a}}, a: [", "x, ", "x]}")},
		"aliases":          {"a.yml", fill("a: {x: &x [y], spring: {kafka: {consumer: {group-id: a}}}, l: [", "*x , ", "*x]}")},
		"a long key":       {"a.yml", fill("spring.kafka.consumer.group-id: a\n? "+long+"\n:\n", " a: b\n", "")},
		"documents":        {"a.yml", fill("spring.kafka.consumer.group-id: a\n", "---\na: b\n", "")},
		"one line of JSON": {"a.json", fill(`{"group.id": "a", `, `"a.b": 1, `, `"c": 2}`)},
		"nested JSON":      {"a.json", fill(`{"group.id": `, "[", "")},
		"a long JSON key":  {"a.json", fill(`{"group.id": "a", "`+long+`": {`, `"a": 1, `, `"c": 2}}`)},
	} {
		config, err := Read(c.file, []byte(c.text), Detect(c.file, []byte(c.text)), "")
		if err == nil && config.Group == nil && len(config.Left) == 0 {
			t.Errorf("%s: nothing was read", name)
		}
	}
}
