package scenario

import (
	_ "embed"
	"math"
	"slices"
	"strings"
	"time"

	"simulate/sim/assignors"
	"simulate/sim/consumers"
	"simulate/sim/coordinator"
)

// setting is one of Kafka's keys that is modelled. Exactly one of the functions is set; it finds the field
// of the configuration C.
type setting[C any] struct {
	key   string
	own   string // the name that a library has for it, "" where that is the key
	means string
	least int64 // in the key's unit, as Kafka's ConfigDef has it
	most  int64

	millis func(*C) *time.Duration
	number func(*C) *int
	truth  func(*C) *bool
	text   func(*C) *string
	words  []string           // all that text may be; nil: anything
	names  func(*C) *[]string // assignors
}

const maxLong = int64(longest / time.Millisecond) // Kafka allows more, the clock of a run does not

// consumerSettings are the settings of the Java consumer, in the order in which they are printed.
// Kafka: ConsumerConfig.CONFIG.
var consumerSettings = []setting[consumers.Config]{
	{key: "session.timeout.ms", means: "the coordinator removes a member of which it heard nothing for so long", most: math.MaxInt32, millis: func(c *consumers.Config) *time.Duration { return &c.SessionTimeout }},
	{key: "heartbeat.interval.ms", means: "how often a member says that it lives; the answer tells it of a rebalance", most: math.MaxInt32, millis: func(c *consumers.Config) *time.Duration { return &c.HeartbeatInterval }},
	{key: "max.poll.interval.ms", means: "a consumer that does not call `poll()` for so long leaves its group; also how long the group waits for its members in a rebalance", least: 1, most: math.MaxInt32, millis: func(c *consumers.Config) *time.Duration { return &c.MaxPollInterval }},
	{key: "request.timeout.ms", means: "how long a client waits for an answer before it gives the connection up", most: math.MaxInt32, millis: func(c *consumers.Config) *time.Duration { return &c.RequestTimeout }},
	{key: "retry.backoff.ms", means: "how long a client waits before it tries again, at first", most: maxLong, millis: func(c *consumers.Config) *time.Duration { return &c.RetryBackoff }},
	{key: "retry.backoff.max.ms", means: "how long it waits at most", most: maxLong, millis: func(c *consumers.Config) *time.Duration { return &c.RetryBackoffMax }},
	{key: "reconnect.backoff.ms", means: "how long a client waits before it connects again, at first; without reconnect.backoff.max.ms, always", most: maxLong, millis: func(c *consumers.Config) *time.Duration { return &c.ReconnectBackoff }},
	{key: "reconnect.backoff.max.ms", means: "how long it waits before it connects again at most", most: maxLong, millis: func(c *consumers.Config) *time.Duration { return &c.ReconnectMax }},
	{key: "metadata.max.age.ms", means: "how often a client asks for topics and partitions when nothing else makes it", most: maxLong, millis: func(c *consumers.Config) *time.Duration { return &c.MetadataMaxAge }},
	{key: "default.api.timeout.ms", means: "how long calls of the consumer without a time of their own may take", most: math.MaxInt32, millis: func(c *consumers.Config) *time.Duration { return &c.DefaultAPITimeout }},
	{key: "enable.auto.commit", means: "whether `poll()` commits offsets", truth: func(c *consumers.Config) *bool { return &c.AutoCommit }},
	{key: "auto.commit.interval.ms", means: "how often `poll()` commits offsets", most: math.MaxInt32, millis: func(c *consumers.Config) *time.Duration { return &c.AutoCommitInterval }},
	{key: "auto.offset.reset", means: "where a consumer begins for which nothing is committed", text: func(c *consumers.Config) *string { return &c.AutoOffsetReset }, words: []string{"earliest", "latest", "none"}},
	{key: "max.poll.records", means: "how many records `poll()` returns at most", least: 1, most: math.MaxInt32, number: func(c *consumers.Config) *int { return &c.MaxPollRecords }},
	{key: "partition.assignment.strategy", means: "the assignors that a member offers, the preferred one first, by name or by class", names: func(c *consumers.Config) *[]string { return &c.Assignors }},
	{key: "client.rack", means: "where the consumer stands", text: func(c *consumers.Config) *string { return &c.Rack }},
	{key: "connections.max.idle.ms", means: "a connection without traffic is closed after so long", least: 1, most: maxLong, millis: func(c *consumers.Config) *time.Duration { return &c.IdleTimeout }},
	{key: "internal.leave.group.on.close", means: "whether `close()` leaves the group; Kafka Streams sets it to false", truth: func(c *consumers.Config) *bool { return &c.LeaveOnClose }},
}

// brokerSettings are the settings of the coordinator. Kafka: GroupCoordinatorConfig.
var brokerSettings = []setting[coordinator.Config]{
	{key: "group.min.session.timeout.ms", means: "members with a shorter session.timeout.ms are refused", most: math.MaxInt32, millis: func(c *coordinator.Config) *time.Duration { return &c.MinSessionTimeout }},
	{key: "group.max.session.timeout.ms", means: "members with a longer session.timeout.ms are refused", most: math.MaxInt32, millis: func(c *coordinator.Config) *time.Duration { return &c.MaxSessionTimeout }},
	{key: "group.initial.rebalance.delay.ms", means: "how long an empty group waits for more members before its first rebalance ends", most: math.MaxInt32, millis: func(c *coordinator.Config) *time.Duration { return &c.InitialRebalanceDelay }},
	{key: "group.max.size", means: "how many members a group takes", least: 1, most: math.MaxInt32, number: func(c *coordinator.Config) *int { return &c.MaxSize }},
	{key: "offsets.commit.timeout.ms", means: "how long the coordinator waits until a record is written", least: 1, most: math.MaxInt32, millis: func(c *coordinator.Config) *time.Duration { return &c.CommitTimeout }},
	{key: "offsets.topic.num.partitions", means: "how many partitions the topic of the groups' offsets has", least: 1, most: math.MaxInt32, number: func(c *coordinator.Config) *int { return &c.OffsetsPartitions }},
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

// readSettings reads the keys of a flat table into c. The rest of the table must be keys that Kafka knows.
func readSettings[C any](t *table, settings []setting[C], others []string, c *C) {
	known := slices.Concat(others, keyNames(t.keys))
	for _, s := range settings {
		known = append(known, s.key)
		if s.own != "" {
			known = append(known, s.own)
			t.rename(s.own, s.key)
		}
		if v, ok := t.get(s.key); ok {
			s.read(t, v, c)
		}
	}
	for _, key := range sortedKeys(t.values) {
		switch {
		case t.knows(key) || hasSetting(settings, key):
		case slices.Contains(others, key):
			t.l.ignored = append(t.l.ignored, key)
		default:
			t.unknown(key, known)
		}
	}
}

func hasSetting[C any](settings []setting[C], key string) bool {
	return slices.ContainsFunc(settings, func(s setting[C]) bool { return s.key == key || s.own == key })
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
		*s.text(c) = s.readText(t, *s.text(c))
	case s.names != nil:
		if names, ok := readAssignors(t, s.key); ok {
			*s.names(c) = names
		}
	}
}

// readText reads a text, which is one of the words if there are some.
func (s setting[C]) readText(t *table, absent string) string {
	text := t.text(s.key, absent)
	if s.words != nil && !slices.Contains(s.words, text) {
		t.l.wrong(t.at(s.key), "%s is %s; write one of %s", s.key, quote(text), strings.Join(s.words, ", "))
	}
	return text
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
			t.l.wrong(paths[i], "unknown assignor %s%s", quote(text), meantOrAll(text, assignors.Names(), assignors.Names()))
		}
		names = append(names, name)
	}
	if len(given) == 0 && !t.l.bad[t.at(key)] {
		t.l.wrong(t.at(key), "%s is empty; a consumer needs at least one assignor", key)
	}
	return names, len(given) > 0
}

func assignorName(text string) (string, bool) {
	for _, a := range assignorClasses {
		if text == a[0] || text == a[1] {
			return a[0], true
		}
	}
	return text, slices.Contains(assignors.Names(), text)
}
