package logs

import (
	"bytes"
	"strings"
)

// addPartition adds "topic-0" to a list.
func addPartition(list []string, topic, partition []byte, n *names) []string {
	var room [64]byte
	return append(list, n.text(append(append(append(room[:0], topic...), '-'), partition...)))
}

// plainPartitions reads "a-0, a-1", with brackets or without.
func plainPartitions(list []string, text []byte, n *names) []string {
	text = bytes.Trim(text, "[] ")
	for len(text) > 0 {
		var one []byte
		one, text, _ = bytes.Cut(text, []byte(","))
		text = bytes.TrimLeft(text, " ")
		if dash := bytes.LastIndexByte(one, '-'); dash > 0 && wholly(one[dash+1:]) >= 0 {
			list = append(list, n.text(one))
		}
	}
	return list
}

// pythonPartitions reads "{TopicPartition(topic='a', partition=0), …}".
func pythonPartitions(list []string, text []byte, n *names) []string {
	const head = "TopicPartition("
	for {
		at := bytes.Index(text, []byte(head))
		if at < 0 {
			return list
		}
		text = text[at+len(head):]
		topic, after, ok := bytes.Cut(text, []byte("', partition="))
		at = bytes.Index(topic, []byte("topic='")) // not the first in a response
		if !ok || at < 0 {
			return list
		}
		topic, text = topic[at+len("topic='"):], after
		if d := digits(text); d > 0 {
			list = addPartition(list, topic, text[:d], n)
		}
	}
}

// goPartitions reads "a[0 1], b[2]" of franz-go, and "map[a:[0 1] b:[2]]".
func goPartitions(list []string, text []byte, n *names) []string {
	text = bytes.TrimPrefix(text, []byte("map["))
	for {
		open := bytes.IndexByte(text, '[')
		end := bytes.IndexByte(text, ']')
		if open < 0 || end < open {
			return list
		}
		topic := bytes.Trim(text[:open], ", :")
		for _, partition := range bytes.FieldsFunc(text[open+1:end], func(r rune) bool { return r == ' ' || r == ',' }) {
			if len(topic) > 0 && wholly(partition) >= 0 {
				list = addPartition(list, topic, partition, n)
			}
		}
		text = text[end+1:]
	}
}

// structPartitions reads "map[{topic:a partition:0}:-2 …]".
func structPartitions(list []string, text []byte, n *names) []string {
	const head, middle = "{topic:", " partition:"
	for {
		at := bytes.Index(text, []byte(head))
		if at < 0 {
			return list
		}
		text = text[at+len(head):]
		at = bytes.Index(text, []byte(middle))
		if at < 0 {
			return list
		}
		topic := text[:at]
		text = text[at+len(middle):]
		if d := digits(text); d > 0 {
			list = addPartition(list, topic, text[:d], n)
		}
	}
}

// topicFields reads an object of lists by topic, of which the fields are "key.topic" with "[0,1]".
func topicFields(list []string, m *message, key string) []string {
	for _, f := range m.fields {
		if topic, ok := strings.CutPrefix(f.key, key+"."); ok {
			list = goPartitions(list, []byte(topic+f.value), m.names)
		}
	}
	return list
}
