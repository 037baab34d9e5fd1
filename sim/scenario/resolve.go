package scenario

import (
	"math"
	"strings"
	"time"
	"unicode"

	"simulate/sim/coordinator"
	"simulate/sim/random"
)

// Defaults of a scenario.
const (
	defaultSeed       = 1
	defaultStuckAfter = 30 * time.Second
	defaultLatency    = 500 * time.Microsecond
	defaultAppend     = time.Millisecond
)

// Bounds that keep a slip of the pen from filling the memory.
const (
	mostMembers    = 100_000 // of one fleet
	mostPartitions = 100_000 // of one topic
	mostBacklog    = 1e12    // of one topic
)

// MostReplications bounds how many runs a scenario stands for.
const MostReplications = 10_000

// resolve maps the tree to a scenario, with every default filled in. What is wrong is reported and stands
// at its default; elements of Topics, Fleets, Events and Expectations have the index that they have in
// the file.
func (l *loader) resolve() *Scenario {
	t := &table{l: l, values: l.tree, keys: scenarioKeys}
	s := &Scenario{
		Name:        t.text("name", nameOf(l.name)),
		Description: t.text("description", ""),
		Broker:      coordinator.Defaults(),
	}
	l.checkPlain("name", "name", s.Name)
	l.checkPlain("description", "description", s.Description)
	s.Broker.Kafka = l.kafka(t)
	s.Seed = random.Seed(t.number("seed", defaultSeed, 0, math.MaxInt64))
	s.Replications = int(t.number("replications", 1, 1, MostReplications))
	t.must("duration")
	s.Duration = t.duration("duration", 0)
	l.duration = s.Duration
	s.StuckAfter = t.duration("stuck-after", defaultStuckAfter)
	broker := t.sub("broker", "[broker]", brokerKeys)
	s.OffsetsLog = broker.text(offsetsLog, "")
	readSettings(broker, brokerSettings, otherBrokerKeys, &s.Broker)
	l.readLog(broker, s)
	l.brokers(t.sub("brokers", "[brokers]", brokersKeys), s)
	network := t.sub("network", "[network]", networkKeys)
	s.Latency = network.distribution("latency", random.Constant(defaultLatency))
	network.done()

	for _, topic := range t.tables("topic", topicKeys) {
		s.Topics = append(s.Topics, l.topic(topic))
	}
	if !t.has("fleet") {
		l.wrongKey("", "the scenario has no [[fleet]]: the consumers")
	}
	fleets := t.tables("fleet", fleetKeys)
	for _, fleet := range fleets {
		s.Fleets = append(s.Fleets, l.fleet(fleet))
	}
	events := t.tables("event", eventKeys)
	l.cast = newCast(s.Fleets, events)
	l.cast.inLog = l.inLog
	if !l.bad["replications"] {
		l.cast.replications = s.Replications
	}
	l.cast.addTopics(s.Topics, events)
	for i, fleet := range fleets {
		l.memberIDs(fleet, &s.Fleets[i])
	}
	for _, event := range events {
		s.Events = append(s.Events, l.event(event))
	}
	for _, expect := range t.tables("expect", expectKeys) {
		s.Expectations = append(s.Expectations, l.expectation(expect))
	}
	s.Sweep = l.sweep(t)
	s.Tune = l.tune(t)
	t.done()
	return s
}

// kafka reads whose coordinator's behaviour is wanted.
func (l *loader) kafka(t *table) string {
	version := t.text("kafka", "4")
	if version != "4" && version != "3" {
		l.wrong("kafka", `kafka is %s; write "4" or "3"`, quote(version))
		return "4"
	}
	return version
}

func (l *loader) topic(t *table) Topic {
	t.must("name")
	t.must("partitions")
	topic := Topic{
		Name:       t.text("name", ""),
		Partitions: int(t.number("partitions", 1, 1, mostPartitions)),
		Rate:       t.rate("rate"),
		Backlog:    t.number("backlog", 0, 0, mostBacklog),
	}
	if t.has("name") && !l.bad[t.at("name")] {
		l.checkName(t.at("name"), "a topic", topic.Name)
	}
	t.done()
	return topic
}

// checkPlain reports text that a terminal would obey instead of showing it.
func (l *loader) checkPlain(path, key, text string) {
	if strings.ContainsFunc(text, unicode.IsControl) && !l.bad[path] {
		l.wrong(path, "%s has control characters; write one plain line", key)
	}
}

// longestName is Kafka's bound on names of topics and on group.instance.id.
const longestName = 249

// checkName reports a name that Kafka does not take for a topic or a group.instance.id.
func (l *loader) checkName(path, whose, name string) {
	if !LegalName(name) {
		l.wrong(path, "%s cannot be called %s; use 1 to %d letters, digits, dots, _ and -", whose, quote(name), longestName)
	}
}
