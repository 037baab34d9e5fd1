package scenario

import (
	"maps"
	"regexp"
	"slices"
	"strings"

	"simulate/sim/consumers"
	"simulate/sim/coordinator"
)

// Kafka's keys have dots. In TOML such a key is a table in a table, session = { timeout = { ms = 45000 } }, unless it
// is quoted; the loader takes every spelling. The schema has a table for each part of a key, and beside them the
// quoted keys.

// definitions are what the schema says once and refers to.
func definitions() schema {
	consumer := kafkaTable(slices.Concat(eventConfigKeys, clientKeys()), consumerSettings, consumers.Defaults(), otherConsumerKeys)
	consumer["description"] = "Kafka's keys of the consumer"
	all := shapeRules()
	all["consumer"] = consumer
	all["limit"] = aLimit()
	all["pauses"] = aKindOfPauses()
	all["without-effect"] = schema{"description": notModelled, "maxProperties": 0} // anything but a table with keys
	return all
}

// clientKeys are the keys that only some clients take: settings that Java has not, and the libraries' own names.
func clientKeys() []key {
	var keys []key
	add := func(name, whose string, s setting[consumers.Config]) {
		if find(keys, name) == nil {
			keys = append(keys, key{name: name, form: s.form, means: s.means, absent: "of " + whose})
		}
	}
	for _, p := range consumers.Profiles() {
		for _, o := range p.Options {
			s := settingOf(o)
			if !hasSetting(consumerSettings, o.Key) {
				add(o.Key, p.Name, s)
			}
			if o.Name != o.Key {
				add(o.Name, p.Name, s)
			}
		}
	}
	return keys
}

const notModelled = "not modelled and without effect"

func refer(definition string) schema { return schema{"$ref": "#/definitions/" + definition} }

func anEventConfig() schema { return refer("consumer") }

// aFleetConfig is that of an event but for group.instance.id, which would be the same for all members.
func aFleetConfig() schema {
	instance := strings.Split(instanceID.name, ".")
	nested := without(instance[len(instance)-1])
	for _, part := range slices.Backward(instance[:len(instance)-1]) {
		nested = schema{"properties": schema{part: nested}}
	}
	return schema{"allOf": []schema{refer("consumer"), without(instanceID.name), nested}}
}

func brokerTable() schema {
	return kafkaTable(brokerKeys, brokerSettings, coordinator.Defaults(), otherBrokerKeys)
}

// kafkaTable is a table with keys of ours, the settings, and keys without effect. Editors offer what stands in
// properties; so quoted keys, and keys without effect, are patterns.
func kafkaTable[C any](keys []key, settings []setting[C], defaults C, others []string) schema {
	root := &branch{}
	quoted := schema{}
	add := func(name string, described form) {
		root.add(name, described)
		if strings.Contains(name, ".") {
			quoted[anyOf(name)] = described()
		}
	}
	for _, k := range keys {
		if k.refused == "" {
			add(k.name, k.described)
		}
	}
	for _, s := range settings {
		add(s.key, func() schema { return s.described(&defaults) })
	}
	for _, name := range others {
		root.add(name, nil)
	}
	dotted := slices.DeleteFunc(slices.Clone(others), func(name string) bool { return !strings.Contains(name, ".") })
	quoted[anyOf(dotted...)] = schema{"description": notModelled}
	quoted[anyOf(root.beginnings("")...)] = schema{"type": "object", "description": "the beginning of a longer key"}

	table := root.schema()
	patterns := table["patternProperties"].(schema)
	delete(patterns, halfQuoted)
	maps.Copy(patterns, quoted)
	delete(table, "minProperties")
	return table
}

func anyOf(names ...string) string {
	quoted := make([]string, len(names))
	for i, name := range names {
		quoted[i] = regexp.QuoteMeta(name)
	}
	return "^(" + strings.Join(quoted, "|") + ")$"
}

// halfQuoted are keys such as "timeout.ms", with quotes, below session. Nobody writes them, and the schema does not
// look at them.
const halfQuoted = `\.`

// branch is a part of keys with dots: what may follow it, and what it is itself where a key ends with it.
type branch struct {
	below map[string]*branch
	leaf  form     // nil: without effect
	ends  bool     // a key ends here
	known []string // the keys with an effect that go through here
}

func (b *branch) add(name string, leaf form) {
	for part := range strings.SplitSeq(name, ".") {
		if b.below == nil {
			b.below = map[string]*branch{}
		}
		if b.below[part] == nil {
			b.below[part] = &branch{}
		}
		b = b.below[part]
		if leaf != nil {
			b.known = append(b.known, name)
		}
	}
	b.leaf, b.ends = leaf, true
}

// beginnings lists with what parts keys begin, but for those that are keys.
func (b *branch) beginnings(prefix string) []string {
	var all []string
	for _, part := range sortedKeys(b.below) {
		next := b.below[part]
		if next.below != nil && !next.ends {
			all = append(all, prefix+part)
		}
		all = append(all, next.beginnings(prefix+part+".")...)
	}
	return all
}

func (b *branch) schema() schema {
	if b.below == nil && b.leaf != nil {
		return b.leaf()
	}
	properties, patterns := schema{}, schema{halfQuoted: schema{}}
	var ends []string
	for _, part := range sortedKeys(b.below) {
		switch next := b.below[part]; {
		case next.known != nil:
			properties[part] = next.schema()
		case next.below != nil:
			patterns[anyOf(part)] = next.schema()
		default:
			ends = append(ends, part)
		}
	}
	if ends != nil {
		patterns[anyOf(ends...)] = refer("without-effect")
	}
	s := schema{"properties": properties, "patternProperties": patterns, "additionalProperties": false}
	if !b.ends { // else it may be no table at all
		s["type"], s["minProperties"] = "object", 1
	}
	if b.known != nil {
		s["description"] = "the beginning of " + strings.Join(b.known, ", ")
	}
	return s
}

// described is the form of a setting with what it means.
func (s setting[C]) described(defaults *C) schema {
	k := key{name: s.key, form: s.form, means: s.means, absent: "`" + s.literal(defaults) + "`"}
	return k.described()
}

func (s setting[C]) form() schema {
	switch {
	case s.millis != nil:
		return schema{"type": []string{"integer", "string"}, "minimum": s.least, "maximum": s.most, "pattern": durationForm.String()}
	case s.number != nil:
		return whole(s.least, s.most)()
	case s.truth != nil:
		return aTruth()
	case s.words != nil:
		return oneOfWords(s.words...)()
	case s.text != nil:
		return aText()
	}
	return someAssignors()
}
