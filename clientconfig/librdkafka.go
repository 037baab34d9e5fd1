package clientconfig

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"errors"
	"slices"
	"strconv"
	"strings"

	"simulate/sim/scenario"
)

// Keys that librdkafka knows and that have no effect on a group, or none that is modelled.
//
//go:embed librdkafka.txt
var librdkafkaText string

var librdkafkaKeys = strings.Fields(librdkafkaText)

// sameMeaning lists librdkafka's keys that scenarios know by the same names.
var sameMeaning = []string{
	"group.id", "group.instance.id", "group.protocol", "session.timeout.ms", "heartbeat.interval.ms",
	"max.poll.interval.ms", "enable.auto.commit", "auto.commit.interval.ms", "partition.assignment.strategy",
	"retry.backoff.ms", "retry.backoff.max.ms", "reconnect.backoff.ms", "reconnect.backoff.max.ms", "client.rack",
}

// renamed are librdkafka's keys that scenarios call otherwise.
var renamed = map[string]string{
	"topic.metadata.refresh.interval.ms": "metadata.max.age.ms",
	"socket.timeout.ms":                  "request.timeout.ms",
}

// resets are librdkafka's words for where a consumer begins. librdkafka: CONFIGURATION.md, auto.offset.reset.
var resets = map[string]string{
	"smallest": "earliest", "earliest": "earliest", "beginning": "earliest",
	"largest": "latest", "latest": "latest", "end": "latest", "error": "none",
}

// wrappers are objects around the keys that say nothing.
var wrappers = []string{"kafka", "consumer", "config", "librdkafka", "rdkafka", "consumerconfig", "global", "settings"}

// librdkafka reads an object of librdkafka's keys.
func (r *reader) librdkafka() []entry {
	all := r.json()
	r.remember(all)
	for i := range all {
		e := &all[i]
		name := unwrapped(e.spelled)
		switch {
		case strings.HasPrefix(uniform(name), "producer."):
			e.left = &Left{Reason: OfProducer}
		case name == "auto.commit.interval.ms" && strings.TrimSpace(e.value) == "0":
			e.key, e.value, e.note = "enable.auto.commit", "false", "auto.commit.interval.ms = 0 switches it off"
		case renamed[name] != "" && !strings.HasPrefix(e.value, "-"):
			e.key, e.note = renamed[name], name
		case name == "auto.offset.reset" && resets[e.value] != "":
			e.key, e.value = name, resets[e.value]
		case name == "metadata.max.age.ms":
			e.left = &Left{Reason: NotModelled, Why: "in librdkafka it is how long metadata count, not how often they are refreshed"}
		case slices.Contains(sameMeaning, name):
			e.key = name
		case slices.Contains(librdkafkaKeys, name):
			e.left = &Left{Reason: NoEffect}
		case securityKey(name):
			e.left = &Left{Reason: NoEffect}
		case slices.Contains(producerKeys, name):
			e.left = &Left{Reason: OfProducer}
		default:
			e.left = &Left{Reason: Unknown}
		}
	}
	return all
}

// unwrapped drops the objects around a key.
func unwrapped(name string) string {
	for {
		first, rest, found := strings.Cut(name, ".")
		if !found || !slices.Contains(wrappers, uniform(first)) {
			return name
		}
		name = rest
	}
}

// json reads an object, flat.
func (r *reader) json() []entry {
	var syntax *json.SyntaxError
	if err := json.Unmarshal(r.text, new(json.RawMessage)); errors.As(err, &syntax) {
		r.wrong(min(max(int(syntax.Offset)-1, 0), len(r.text)), "not JSON: %s", scenario.Quote(err.Error()))
		return nil
	}
	j := &jsonReader{reader: r, decoder: json.NewDecoder(bytes.NewReader(r.text))}
	j.decoder.UseNumber()
	err := j.value("", 0, 0)
	switch {
	case err != nil:
		r.wrong(int(j.decoder.InputOffset()), "%s", err)
		return nil
	case len(j.entries) == 0:
		r.wrong(0, "write an object of librdkafka's keys, such as {\"group.id\": \"orders\"}")
	}
	return j.entries
}

// jsonReader walks through the tokens of a text that is JSON: of one that is none, the decoder's tokens do not say where
// it is wrong.
type jsonReader struct {
	reader  *reader
	decoder *json.Decoder
	entries []entry
}

// value reads one value, whose key stands at the offset.
func (j *jsonReader) value(key string, offset, depth int) error {
	token, err := j.decoder.Token()
	switch {
	case err != nil:
		return err
	case depth > mostDepth:
		return errors.New("it is nested too deep")
	}
	add := func(value string) { j.entries = append(j.entries, entry{spelled: key, value: value, offset: offset}) }
	switch token := token.(type) {
	case json.Delim:
		return j.inside(token, key, offset, depth)
	case string:
		add(token)
	case json.Number:
		add(token.String())
	case bool:
		add(strconv.FormatBool(token))
	}
	return nil
}

// inside reads the parts of an object or a list. A list of plain values stands for a text with commas.
func (j *jsonReader) inside(open json.Delim, key string, offset, depth int) error {
	if open == '[' {
		return j.list(key, offset, depth)
	}
	for j.decoder.More() {
		at := skip(j.reader.text, int(j.decoder.InputOffset()), len(j.reader.text), " \t\r\n,")
		token, err := j.decoder.Token()
		if err != nil {
			return err
		}
		name, _ := token.(string)
		if err := j.value(below(key, name), at, depth+1); err != nil {
			return err
		}
	}
	_, err := j.decoder.Token()
	return err
}

func (j *jsonReader) list(key string, offset, depth int) error {
	before := len(j.entries)
	for j.decoder.More() {
		if err := j.value(key, offset, depth+1); err != nil {
			return err
		}
	}
	var parts []string
	for _, e := range j.entries[before:] {
		if e.spelled == key {
			parts = append(parts, e.value)
		}
	}
	if len(parts) > 0 && len(parts) == len(j.entries)-before {
		j.entries = append(j.entries[:before], entry{spelled: key, value: strings.Join(parts, ","), offset: offset})
	}
	_, err := j.decoder.Token()
	return err
}
