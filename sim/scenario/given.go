package scenario

import (
	"slices"
	"sort"
	"strings"
	"time"
	"unicode"

	"simulate/sim/consumers"
	"simulate/sim/coordinator"
)

// KeyKind says what a scenario makes of one of Kafka's keys.
type KeyKind uint8

// The kinds. Those from MillisKey on are of a consumer and modelled.
const (
	UnknownKey   KeyKind = iota
	BrokerKey            // of a broker
	IdleKey              // of a consumer, and without effect on a group
	MillisKey            // a time in whole milliseconds
	NumberKey            // a whole number of something else
	TruthKey             // true or false
	TextKey              // any text
	AssignorsKey         // assignors, by name or class
)

// KindOf returns the kind of a key. group.id, client.id, group.instance.id and group.protocol, which a scenario says
// elsewhere or not at all, are unknown.
func KindOf(key string) KeyKind {
	for _, s := range consumerSettings {
		if s.key != key {
			continue
		}
		switch {
		case s.millis != nil:
			return MillisKey
		case s.number != nil:
			return NumberKey
		case s.truth != nil:
			return TruthKey
		case s.text != nil:
			return TextKey
		}
		return AssignorsKey
	}
	isBroker := func(s setting[coordinator.Config]) bool { return s.key == key }
	switch {
	case slices.Contains(otherConsumerKeys, key):
		return IdleKey
	case slices.Contains(otherBrokerKeys, key), slices.ContainsFunc(brokerSettings, isBroker):
		return BrokerKey
	}
	return UnknownKey
}

// HasKey reports whether a client has a setting of a key that is modelled.
func HasKey(client, key string) bool {
	profile, ok := consumers.FindProfile(client)
	return !ok || profile.Has(key)
}

// Given is a setting of a consumer as another file than a scenario gives it.
type Given struct {
	Key    string
	Value  any // as TOML has it: an int64, of milliseconds where it is a time, a bool or a string; nil if it is wrong
	Offset int // of the key in the text
}

// CheckGiven returns what is wrong with the settings of a consumer of that profile, by the rules for a scenario, with
// the places that they have in the text of the other file.
func CheckGiven(text []byte, client string, given []Given) []Mistake {
	const path = "fleet[0].config"
	places := &positions{text: text, lines: lineStarts(text), spots: map[string][]spot{}}
	l := &loader{raw: raw{places: places}, flags: map[string]string{}, bad: map[string]bool{}}
	t := &table{l: l, path: path, values: map[string]any{}, keys: fleetConfigKeys}
	for _, g := range given {
		places.spots[t.at(g.Key)] = []spot{{g.Offset, g.Offset}}
		if l.bad[t.at(g.Key)] = g.Value == nil; g.Value != nil {
			t.values[g.Key] = g.Value
		}
	}
	profile, ok := consumers.FindProfile(client)
	if !ok {
		profile, _ = consumers.FindProfile(consumers.Newest)
	}
	p := &consumers.Plan{Client: profile.Name, Config: l.config(t, profile.Name, profile.Config)}
	v := &validator{l, &Scenario{}}
	v.checkConfig(p, path)
	v.checkAssignors(p, t.at(strategy), "")
	sortMistakes(l.mistakes)
	return l.mistakes
}

// Lines says where the offsets of a text stand.
type Lines struct{ positions positions }

// LinesOf finds the lines of a text.
func LinesOf(text []byte) *Lines { return &Lines{positions{text: text, lines: lineStarts(text)}} }

// Place returns the line and the column, counted from 1, of an offset. It takes as long as the line is.
func (l *Lines) Place(offset int) (line, column int) { return l.positions.at(offset) }

// Line returns the line alone.
func (l *Lines) Line(offset int) int { return sort.SearchInts(l.positions.lines, offset+1) }

// Quote quotes text from a file, cut to a length that fits on a line: nothing in it is obeyed by a terminal.
func Quote(s string) string { return quote(s) }

// Brief is Quote without the quotes.
func Brief(s string) string { return brief(s) }

// Literal writes a text as TOML does.
func Literal(s string) string { return literal(s) }

// Span writes a duration as a scenario does, with a unit that every keyboard has.
func Span(d time.Duration) string { return span(d) }

// AssignorName returns the short name of an assignor that is given by name or class, if it is one that is modelled.
func AssignorName(text string) (string, bool) { return assignorName(text) }

// LegalName reports whether a topic, a fleet or a group.instance.id can be called that.
// Kafka: org.apache.kafka.common.internals.Topic.validate.
func LegalName(name string) bool {
	legal := func(c rune) bool {
		return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '.' || c == '_' || c == '-'
	}
	odd := strings.ContainsFunc(name, func(c rune) bool { return !legal(c) })
	return !odd && name != "" && name != "." && name != ".." && len(name) <= longestName
}

// LegalGroup reports whether expectations can name the group. Kafka takes any string but the empty one.
func LegalGroup(group string) bool {
	odd := func(c rune) bool { return unicode.IsSpace(c) || unicode.IsControl(c) || strings.ContainsRune("(),", c) }
	return group != "" && !strings.ContainsFunc(group, odd)
}
