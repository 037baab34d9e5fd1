// Package clientconfig reads the configuration of a real client: a consumer.properties, the application.yml or
// application.properties of Spring Boot, or the JSON that an application hands to librdkafka.
//
// Whatever the format, a Config says the same: Kafka's settings that a scenario models, each with its place in the
// file, and what the file says besides. Values of anything else than modelled settings are never kept, so that no
// password can get from the file into a scenario. Mistakes are reported all together, with their places.
//
// Not read: what the client adds where it runs, such as variables of the environment, profiles of Spring and settings in
// code; and several consumers with settings of their own in one file.
//
//	c, err := clientconfig.Read("consumer.properties", text, clientconfig.Detect("consumer.properties", text), "")
package clientconfig

import (
	"bytes"
	"cmp"
	"fmt"
	"strings"
	"time"

	"simulate/sim/scenario"
)

// Format is how a client is configured.
type Format string

// The formats.
const (
	Properties Format = "properties" // of the Java consumer
	Spring     Format = "spring"     // of Spring Boot, as YAML or as properties
	Librdkafka Format = "librdkafka" // JSON
)

// Formats lists the formats.
func Formats() []Format { return []Format{Properties, Spring, Librdkafka} }

// Config is what a file says of the consumers of a group.
type Config struct {
	Name   string // of the file
	Format Format
	Client string // of scenarios

	Group    *Setting  // group.id, a string; nil when the file does not say
	Static   *Setting  // group.instance.id; its value is not kept, for each process has another one
	Settings []Setting // Kafka's keys that are modelled, each once, in the order of the file

	// Of Spring's listener container; nil when the file does not say.
	Concurrency *Setting // consumers a process, an int64 of at least 1
	PollTimeout *Setting // a time.Duration
	Idle        *Setting // a time.Duration between polls

	Left  []Left   // what is not taken over, in the order of the file
	Notes []string // what else there is to know, one line each
}

// Setting is a value and where it came from.
type Setting struct {
	Key   string // Kafka's
	Value any    // int64 of milliseconds, int of something else, bool, string, or []string of assignors; of Spring as Config says
	Line  int    // in the file
	Note  string // how the value came about, when it is not there as it is
}

// Reason says why something is not taken over.
type Reason uint8

// The reasons.
const (
	NoEffect    Reason = iota // a key of the client that has no effect on its group
	Placeholder               // the value is known only where the client runs
	Overridden                // the file says it again, with more weight
	NotModelled               // what it says has no equal in a scenario
	OfBroker                  // a key of brokers; from here on a key of no consumer
	OfProducer                // a key of producers
	Unknown                   // a key that nobody knows
)

// Left is a key that is not taken over. Its value is not kept.
type Left struct {
	Key    string // as the file spells it, if it looks like a key
	Line   int
	Reason Reason
	Why    string // more about it, or ""
}

// MostBytes bounds a file: a configuration has a few kilobytes.
const MostBytes = 1 << 20

// Read reads the text of a file. client is that of scenarios whose defaults and rules count, "" for the one that goes
// with the format. The error is a *scenario.Errors with all mistakes.
func Read(name string, text []byte, format Format, client string) (*Config, error) {
	c := &Config{Name: name, Format: format, Client: cmp.Or(client, clientOf(format))}
	r := &reader{config: c, secrets: map[string]bool{}}
	if len(text) > MostBytes {
		r.mistakes = []scenario.Mistake{{Text: fmt.Sprintf("the file has more than %d bytes; no configuration has as many", MostBytes)}}
	} else if r.decode(text) {
		r.take(r.entries())
	}
	if len(r.mistakes) > 0 {
		return nil, scenario.NewErrors(name, r.mistakes)
	}
	return c, nil
}

// reader carries what the steps of reading share.
type reader struct {
	config   *Config
	text     []byte          // UTF-8
	lines    *scenario.Lines // of text
	secrets  map[string]bool // values that must not get anywhere, whatever key takes them too
	given    []scenario.Given
	mistakes []scenario.Mistake
}

// shortestSecret is below what anybody takes for a password; shorter values are "true" or a number of something else.
const shortestSecret = 6

// remember notes the values of secrets.
func (r *reader) remember(entries []entry) {
	for _, e := range entries {
		if value := strings.TrimSpace(e.value); len(value) >= shortestSecret && secret.MatchString(e.spelled) {
			r.secrets[value] = true
		}
	}
}

// entry is one key of the file with its value.
type entry struct {
	spelled string // as the file spells the key, in full
	key     string // Kafka's, or one of Spring's listener container; "" when it is neither
	value   string
	note    string
	offset  int // of the key
	weight  int // of two values for one key, the later of those with the greatest weight counts
	left    *Left
}

// entries reads the format.
func (r *reader) entries() []entry {
	switch r.config.Format {
	case Spring:
		return r.spring()
	case Librdkafka:
		return r.librdkafka()
	}
	return r.consumer()
}

// decode finds out in which characters the file is written.
func (r *reader) decode(text []byte) bool {
	text = bytes.TrimPrefix(text, []byte("\ufeff"))
	if bytes.IndexByte(text, 0) >= 0 {
		r.mistakes = []scenario.Mistake{{Text: "the file has bytes that are no text; save it as UTF-8"}}
		return false
	}
	r.text = utf8Of(text)
	r.lines = scenario.LinesOf(r.text)
	return true
}

// wrong reports a mistake at an offset.
func (r *reader) wrong(offset int, format string, args ...any) {
	line, column := r.lines.Place(offset)
	r.mistakes = append(r.mistakes, scenario.Mistake{Line: line, Column: column, Text: fmt.Sprintf(format, args...)})
}

// longestKey bounds names of settings; those in a file of garbage would fill the memory.
const longestKey = 300

// below joins keys; one in brackets is taken as it is.
func below(key, next string) string {
	switch {
	case len(key)+len(next) > longestKey:
		return "?" // a key of nobody, whatever is below
	case key == "" || (next != "" && next[0] == '['):
		return key + next
	}
	return key + "." + next
}

// clientOf returns the client of scenarios that a format configures.
func clientOf(format Format) string {
	switch format {
	case Spring:
		return "spring"
	case Librdkafka:
		return "librdkafka"
	}
	return "java"
}

// Find returns the setting of one of Kafka's keys.
func (c *Config) Find(key string) (Setting, bool) {
	for _, s := range c.Settings {
		if s.Key == key {
			return s, true
		}
	}
	return Setting{}, false
}

// Millis returns the time that a setting gives in milliseconds.
func (s Setting) Millis() time.Duration { return time.Duration(s.Value.(int64)) * time.Millisecond }
