package scenario

import (
	_ "embed"
	"math"
	"slices"
	"strings"
	"time"

	"simulate/sim/consumers"
	"simulate/sim/coordinator"
)

// setting is one of Kafka's keys that is modelled. Exactly one of the functions is set; it finds the field
// of the configuration C.
type setting[C any] struct {
	key   string
	least int64 // in the key's unit, as Kafka's ConfigDef has it
	most  int64

	millis func(*C) *time.Duration
	number func(*C) *int
	truth  func(*C) *bool
	text   func(*C) *string
	names  func(*C) *[]string // assignors
}

const maxLong = int64(longest / time.Millisecond) // Kafka allows more, the clock of a run does not

// consumerSettings are the settings of the Java consumer, in the order in which they are printed.
// Kafka: ConsumerConfig.CONFIG.
var consumerSettings = []setting[consumers.Config]{
	{key: "session.timeout.ms", most: math.MaxInt32, millis: func(c *consumers.Config) *time.Duration { return &c.SessionTimeout }},
	{key: "heartbeat.interval.ms", most: math.MaxInt32, millis: func(c *consumers.Config) *time.Duration { return &c.HeartbeatInterval }},
	{key: "max.poll.interval.ms", least: 1, most: math.MaxInt32, millis: func(c *consumers.Config) *time.Duration { return &c.MaxPollInterval }},
	{key: "request.timeout.ms", most: math.MaxInt32, millis: func(c *consumers.Config) *time.Duration { return &c.RequestTimeout }},
	{key: "retry.backoff.ms", most: maxLong, millis: func(c *consumers.Config) *time.Duration { return &c.RetryBackoff }},
	{key: "retry.backoff.max.ms", most: maxLong, millis: func(c *consumers.Config) *time.Duration { return &c.RetryBackoffMax }},
	{key: "reconnect.backoff.ms", most: maxLong, millis: func(c *consumers.Config) *time.Duration { return &c.ReconnectBackoff }},
	{key: "reconnect.backoff.max.ms", most: maxLong, millis: func(c *consumers.Config) *time.Duration { return &c.ReconnectMax }},
	{key: "metadata.max.age.ms", most: maxLong, millis: func(c *consumers.Config) *time.Duration { return &c.MetadataMaxAge }},
	{key: "default.api.timeout.ms", most: math.MaxInt32, millis: func(c *consumers.Config) *time.Duration { return &c.DefaultAPITimeout }},
	{key: "enable.auto.commit", truth: func(c *consumers.Config) *bool { return &c.AutoCommit }},
	{key: "auto.commit.interval.ms", most: math.MaxInt32, millis: func(c *consumers.Config) *time.Duration { return &c.AutoCommitInterval }},
	{key: "partition.assignment.strategy", names: func(c *consumers.Config) *[]string { return &c.Assignors }},
	{key: "client.rack", text: func(c *consumers.Config) *string { return &c.Rack }},
	{key: "connections.max.idle.ms", least: 1, most: maxLong, millis: func(c *consumers.Config) *time.Duration { return &c.IdleTimeout }},
	{key: "internal.leave.group.on.close", truth: func(c *consumers.Config) *bool { return &c.LeaveOnClose }},
}

// brokerSettings are the settings of the coordinator. Kafka: GroupCoordinatorConfig.
var brokerSettings = []setting[coordinator.Config]{
	{key: "group.min.session.timeout.ms", most: math.MaxInt32, millis: func(c *coordinator.Config) *time.Duration { return &c.MinSessionTimeout }},
	{key: "group.max.session.timeout.ms", most: math.MaxInt32, millis: func(c *coordinator.Config) *time.Duration { return &c.MaxSessionTimeout }},
	{key: "group.initial.rebalance.delay.ms", most: math.MaxInt32, millis: func(c *coordinator.Config) *time.Duration { return &c.InitialRebalanceDelay }},
	{key: "group.max.size", least: 1, most: math.MaxInt32, number: func(c *coordinator.Config) *int { return &c.MaxSize }},
	{key: "offsets.commit.timeout.ms", least: 1, most: math.MaxInt32, millis: func(c *coordinator.Config) *time.Duration { return &c.CommitTimeout }},
	{key: "offsets.topic.num.partitions", least: 1, most: math.MaxInt32, number: func(c *coordinator.Config) *int { return &c.OffsetsPartitions }},
}

// Every other key that Kafka 4 knows: it is without effect here, which is worth a warning, not an error.
var (
	//go:embed keys/consumer.txt
	consumerText string
	//go:embed keys/broker.txt
	brokerText string

	otherConsumerKeys = strings.Fields(consumerText)
	otherBrokerKeys   = strings.Fields(brokerText)
)

// elsewhere are keys of the consumer that a scenario says in another place.
var elsewhere = map[string]string{
	"group.id":          `group.id is the fleet's group; write group = "..." in [[fleet]]`,
	"client.id":         "client.id is always the member's name",
	"group.instance.id": "group.instance.id would be the same for all members; write static = true in [[fleet]], which takes the member's name, or give it to one member by an event that starts it",
}

// readSettings reads the keys of a flat table into c. The rest of the table must be keys that Kafka knows.
func readSettings[C any](t *table, settings []setting[C], others []string, c *C) {
	known := slices.Concat(others, t.asked)
	for _, s := range settings {
		known = append(known, s.key)
		if v, ok := t.get(s.key); ok {
			s.read(t, v, c)
		}
	}
	for _, key := range sortedKeys(t.values) {
		switch {
		case slices.Contains(t.asked, key):
		case slices.Contains(others, key):
			t.l.ignored = append(t.l.ignored, key)
		default:
			t.unknown(key, known)
		}
	}
}

func (s setting[C]) read(t *table, v any, c *C) {
	switch {
	case s.millis != nil:
		if d, ok := s.readMillis(t, v); ok {
			*s.millis(c) = d
		}
	case s.number != nil:
		*s.number(c) = int(t.number(s.key, int64(*s.number(c)), s.least, s.most))
	case s.truth != nil:
		*s.truth(c) = t.truth(s.key, *s.truth(c))
	case s.text != nil:
		*s.text(c) = t.text(s.key, *s.text(c))
	case s.names != nil:
		if names, ok := readAssignors(t, s.key); ok {
			*s.names(c) = names
		}
	}
}

// keep copies the setting from one configuration to another where it differs from the default.
func (s setting[C]) keep(to, from, standard *C) {
	switch {
	case s.millis != nil:
		keep(s.millis(to), *s.millis(from), *s.millis(standard))
	case s.number != nil:
		keep(s.number(to), *s.number(from), *s.number(standard))
	case s.truth != nil:
		keep(s.truth(to), *s.truth(from), *s.truth(standard))
	case s.text != nil:
		keep(s.text(to), *s.text(from), *s.text(standard))
	case s.names != nil && !slices.Equal(*s.names(from), *s.names(standard)):
		*s.names(to) = *s.names(from)
	}
}

func keep[T comparable](to *T, from, standard T) {
	if from != standard {
		*to = from
	}
}

// readMillis reads a number of milliseconds or a duration.
func (s setting[C]) readMillis(t *table, v any) (time.Duration, bool) {
	path := t.at(s.key)
	n, isNumber := v.(int64)
	if _, isFloat := v.(float64); isFloat {
		t.l.wrong(path, "%s is %s; write a whole number of milliseconds, or a duration such as \"45s\"", s.key, show(v))
		return 0, false
	}
	if !isNumber {
		d, err := asDuration(v)
		if err != nil {
			t.l.wrong(path, "%v", err)
			return 0, false
		}
		if d%time.Millisecond != 0 {
			t.l.wrong(path, "%s is %s; Kafka counts it in whole milliseconds", s.key, shown(v))
			return 0, false
		}
		n = d.Milliseconds()
	}
	switch {
	case n < s.least:
		t.l.wrong(path, "%s is %s; Kafka requires at least %d", s.key, shown(v), s.least)
	case n > s.most:
		t.l.wrong(path, "%s is %s; it can be at most %d ms", s.key, shown(v), s.most)
	default:
		return time.Duration(n) * time.Millisecond, true
	}
	return 0, false
}

// shown is show without quotes.
func shown(v any) string {
	if s, ok := v.(string); ok {
		return brief(s)
	}
	return show(v)
}

// assignorClasses maps the names of the assignors to the class names that Java takes.
var assignorClasses = [][2]string{
	{"range", "org.apache.kafka.clients.consumer.RangeAssignor"},
	{"roundrobin", "org.apache.kafka.clients.consumer.RoundRobinAssignor"},
	{"sticky", "org.apache.kafka.clients.consumer.StickyAssignor"},
	{"cooperative-sticky", "org.apache.kafka.clients.consumer.CooperativeStickyAssignor"},
}

// readAssignors reads a list of assignors, or the comma string that Kafka takes, by name or by class.
func readAssignors(t *table, key string) ([]string, bool) {
	given, paths := t.texts(key)
	if len(given) == 1 && strings.Contains(given[0], ",") {
		given = strings.Split(given[0], ",")
		paths = slices.Repeat(paths, len(given))
	}
	var names []string
	for i, text := range given {
		text = strings.TrimSpace(text)
		name, ok := assignorName(text)
		if !ok {
			t.l.wrong(paths[i], "unknown assignor %s%s", quote(text), meantOrAll(text, assignorNames(), assignorNames()))
		}
		names = append(names, name)
	}
	if len(given) == 0 && !t.l.bad[t.at(key)] {
		t.l.wrong(t.at(key), "%s is empty; the Java client requires at least one assignor", key)
	}
	return names, len(given) > 0
}

func assignorName(text string) (string, bool) {
	for _, a := range assignorClasses {
		if text == a[0] || text == a[1] {
			return a[0], true
		}
	}
	return text, false
}

func assignorNames() []string {
	var names []string
	for _, a := range assignorClasses {
		names = append(names, a[0])
	}
	return names
}
