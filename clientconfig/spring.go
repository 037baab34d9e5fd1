package clientconfig

import (
	"regexp"
	"strings"

	"simulate/sim/scenario"
)

// Keys for Spring's settings that are none of Kafka's. No client has keys like these.
const (
	concurrency = "\x00concurrency"
	pollTimeout = "\x00poll-timeout"
	idle        = "\x00idle-between-polls"
)

// springKeys maps Spring Boot's names, as uniform writes them, to Kafka's keys or to the keys above.
// Spring: org.springframework.boot.kafka.autoconfigure.KafkaProperties.
var springKeys = map[string]string{
	"consumer.groupid":            "group.id",
	"consumer.heartbeatinterval":  "heartbeat.interval.ms",
	"consumer.maxpollinterval":    "max.poll.interval.ms",
	"consumer.autocommitinterval": "auto.commit.interval.ms",
	"consumer.enableautocommit":   "enable.auto.commit",
	"consumer.maxpollrecords":     "max.poll.records",
	"consumer.autooffsetreset":    "auto.offset.reset",
	"consumer.clientid":           "client.id",
	"consumer.fetchmaxwait":       "fetch.max.wait.ms",
	"consumer.fetchminsize":       "fetch.min.bytes",
	"consumer.isolationlevel":     "isolation.level",
	"consumer.keydeserializer":    "key.deserializer",
	"consumer.valuedeserializer":  "value.deserializer",
	"consumer.bootstrapservers":   "bootstrap.servers",
	"bootstrapservers":            "bootstrap.servers",
	"clientid":                    "client.id",
	"listener.concurrency":        concurrency,
	"listener.polltimeout":        pollTimeout,
	"listener.idlebetweenpolls":   idle,
}

// springDurations are Kafka's times that Spring reads as durations.
var springDurations = []string{"heartbeat.interval.ms", "max.poll.interval.ms", "auto.commit.interval.ms"}

// How much the places count in which Spring Boot finds a setting of a consumer.
const (
	commonProperties   = iota // spring.kafka.properties
	named                     // spring.kafka.consumer
	consumerProperties        // spring.kafka.consumer.properties
)

// spring reads what Spring Boot hands to its consumers and listener containers.
func (r *reader) spring() []entry {
	var documents [][]entry
	if isYAML(r.config.Name, r.text) {
		documents = r.yaml()
	} else {
		documents = r.propertyDocuments()
	}
	var all []entry
	for _, d := range documents {
		if profile := activation(d); profile != nil {
			r.note("the document with %s = %s (line %d) is not taken; what it says counts only there",
				scenario.Brief(profile.spelled), scenario.Quote(profile.value), r.lines.Line(profile.offset))
			continue
		}
		all = append(all, d...)
	}
	r.remember(all)
	p := newPlaceholders(all)
	var ours []entry
	for _, e := range all {
		rest, ok := strings.CutPrefix(uniform(e.spelled), "spring.kafka.")
		if !ok {
			continue
		}
		e = springEntry(e, rest)
		p.resolve(&e)
		ours = append(ours, e)
	}
	if len(ours) == 0 && len(r.mistakes) == 0 {
		r.wrongFile("there is nothing of spring.kafka in it")
	}
	return ours
}

// propertyDocuments reads properties that lines of "#---" or "!---" divide into documents.
func (r *reader) propertyDocuments() [][]entry {
	var all [][]entry
	from := 0
	for _, at := range append(divider.FindAllIndex(r.text, -1), []int{len(r.text), len(r.text)}) {
		all = append(all, r.properties(from, at[0]))
		from = at[1]
	}
	return all
}

var divider = regexp.MustCompile(`(?m)^[#!]---[ \t]*\r?$`)

// activation returns what makes a document count for some profiles or platforms only.
func activation(entries []entry) *entry {
	for i, e := range entries {
		name, _, _ := strings.Cut(uniform(e.spelled), "[")
		if name == "spring.profiles" || strings.HasPrefix(name, "spring.config.activate.") {
			return &entries[i]
		}
	}
	return nil
}

// uniform writes a name of Spring's in the one way that stands for all (relaxed binding): lower case, without dashes
// and underscores.
func uniform(name string) string {
	return strings.ToLower(strings.NewReplacer("-", "", "_", "").Replace(name))
}

// mapEntry matches an entry of the maps of Kafka's own keys, which Spring takes as they are written, also in brackets.
var mapEntry = regexp.MustCompile(`(?i)^spring\.kafka\.(consumer\.)?properties(?:\.|\[([^\]]+)\])(.*)$`)

var securitySection = regexp.MustCompile(`^consumer\.(ssl|security)\b`)

// springEntry says what an entry is, whose name below spring.kafka is rest in uniform.
func springEntry(e entry, rest string) entry {
	if found := mapEntry.FindStringSubmatch(e.spelled); found != nil {
		e.key, e.weight = found[2]+found[3], commonProperties
		if found[1] != "" {
			e.weight = consumerProperties
		}
		return e
	}
	e.weight = named
	name, _, _ := strings.Cut(rest, "[")
	key, known := springKeys[name]
	section, _, _ := strings.Cut(rest, ".")
	switch {
	case known:
		e.key = key
	case section == "streams":
		e.left = &Left{Reason: NotModelled, Why: ofStreams}
	case section == "producer":
		e.left = &Left{Reason: OfProducer}
	case section == "consumer" && !securitySection.MatchString(rest):
		e.left = &Left{Reason: Unknown}
	default:
		e.left = &Left{Reason: NoEffect}
	}
	return e
}
