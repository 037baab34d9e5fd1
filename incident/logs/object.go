package logs

import (
	"bytes"
	"strings"

	"github.com/tidwall/gjson"
)

// Keys under which records in JSON have their text and their time, of the loggers and shippers that are met: logstash, ECS,
// log4j2, docker, journald, zap, zerolog, slog, kafkajs, GELF, Serilog, Google Cloud. The first one that is there is taken.
var (
	textKeys = [...]string{"message", "msg", "log", "MESSAGE", "@message", "short_message", "@m", "event.original", "textPayload", "jsonPayload.message", "body"}
	timeKeys = [...]string{
		"@timestamp", "timestamp", "time", "ts", "eventTimestamp", "timeMillis", "asctime", "datetime", "@t", "date", "t",
		"__REALTIME_TIMESTAMP",
	}
	tagKeys = [...]string{"kubernetes.pod.name", "kubernetes.pod_name", "pod", "container_name", "host.name", "hostname", "host", "_HOSTNAME"}
)

// Limits of what is read of a record in JSON.
const (
	maxFields = 256
	maxDepth  = 8
)

// object takes the text out of a record in JSON. What stands before it is an envelope; where the record has no text of its
// own, that is the text, as some loggers put an object behind a message.
func (r *record) object() bool {
	begin := bytes.Index(r.text, []byte(`{"`))
	if begin < 0 {
		return r.member()
	}
	body := r.text[begin:]
	if !bytes.Contains(body, []byte(`":`)) {
		return false
	}
	known := len(r.fields)
	r.flatten("", gjson.ParseBytes(body), 0)
	if len(r.fields) == known {
		return false
	}
	own := r.fields[known:]
	text, ok := firstOf(own, textKeys[:])
	if !ok && body[len(body)-1] != '}' { // its end is missing, perhaps within the text
		r.fields = r.fields[:known]
		r.flatten("", gjson.ParseBytes(append(bytes.Clone(body), `"}`...)), 0)
		own = r.fields[known:]
		text, ok = firstOf(own, textKeys[:])
	}
	r.objectTime(own)
	if tag, ok := firstOf(own, tagKeys[:]); ok {
		r.tag = []byte(tag)
	}
	if !ok {
		r.text = bytes.TrimRight(r.text[:begin], " \t")
		r.behind = r.hasOwn
		return false
	}
	r.head = append(append(r.head, ' '), r.text[:begin]...)
	r.setText(text, own)
	return true
}

// setText takes a text that may have several lines. One of docker that has no line feed goes on in the next record.
func (r *record) setText(text string, fields []field) {
	if _, docker := firstOf(fields, []string{"stream"}); docker {
		r.part = lastPart
		if !strings.HasSuffix(text, "\n") {
			r.part = goesOn
		}
	}
	first, rest, _ := strings.Cut(strings.TrimRight(text, "\r\n"), "\n")
	r.text = []byte(first)
	for line := range strings.Lines(rest) {
		if len(r.more) == maxMore {
			break
		}
		r.more = append(r.more, []byte(strings.TrimRight(line, "\r\n")))
	}
}

// member reads a line of a record in JSON that was printed over several lines: "message": "…",
func (r *record) member() bool {
	line := bytes.TrimSpace(r.text)
	key, value, ok := bytes.Cut(line, []byte(`": "`))
	if !ok || len(key) < 2 || key[0] != '"' || bytes.IndexByte(key[1:], '"') >= 0 {
		return false
	}
	switch string(key[1:]) {
	case "message", "msg", "log":
		r.setText(gjson.ParseBytes(append([]byte{'"'}, value...)).String(), nil)
		return true
	}
	return false
}

// flatten adds the members of an object, and those of objects in it with their keys joined by dots.
func (r *record) flatten(prefix string, v gjson.Result, depth int) {
	v.ForEach(func(key, value gjson.Result) bool {
		name := prefix + strings.ToValidUTF8(key.String(), "\uFFFD")
		if value.IsObject() && depth < maxDepth {
			r.flatten(name+".", value, depth+1)
		} else if name != "" {
			text := value.String()
			if value.Type == gjson.Number {
				text = value.Raw
			}
			r.fields = append(r.fields, field{name, strings.ToValidUTF8(text, "\uFFFD")})
		}
		return len(r.fields) < maxFields
	})
}

func firstOf(fields []field, keys []string) (string, bool) {
	for _, key := range keys {
		for _, f := range fields {
			if f.key == key {
				return f.value, true
			}
		}
	}
	return "", false
}

// objectTime reads when a record in JSON was logged. What is nearer to the message, in an object within, comes later and
// wins.
func (r *record) objectTime(fields []field) {
	if seconds, ok := firstOf(fields, []string{"instant.epochSecond"}); ok {
		nanos, _ := firstOf(fields, []string{"instant.nanoOfSecond"})
		if s, ok := epoch([]byte(seconds + "." + strings.Repeat("0", max(0, 9-len(nanos))) + nanos)); ok {
			r.own, r.hasOwn = s, true
			return
		}
	}
	for _, key := range timeKeys {
		value, ok := firstOf(fields, []string{key})
		if !ok {
			continue
		}
		if s, ok := lastStamp([]byte(value)); ok {
			r.own, r.hasOwn = s, true
			return
		}
	}
}

// table takes the text out of a row in CSV with quotes: the first cell that tells of a group, or else the longest. The
// stamps of the other cells are the envelope's.
func (r *record) table(related func([]byte) bool) bool {
	if len(r.text) == 0 || r.text[0] != '"' || !bytes.Contains(r.text, []byte(`","`)) {
		return false
	}
	cells := bytes.Split(bytes.TrimSuffix(r.text[1:], []byte{'"'}), []byte(`","`))
	text := -1
	for i, cell := range cells {
		cells[i] = bytes.ReplaceAll(cell, []byte(`""`), []byte{'"'})
		if text < 0 && related(cells[i]) {
			text = i
		}
	}
	if text < 0 {
		text = 0
		for i, cell := range cells {
			if len(cell) > len(cells[text]) {
				text = i
			}
		}
	}
	for i := len(cells) - 1; i >= 0; i-- { // the last stamp counts, which is that of the first cell that has one
		if i != text {
			r.head = append(append(r.head, ' '), cells[i]...)
		}
	}
	r.text = cells[text]
	return true
}
