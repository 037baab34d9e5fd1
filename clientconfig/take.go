package clientconfig

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"simulate/sim/scenario"
)

// producerKeys are keys of producers that no consumer has.
var producerKeys = []string{
	"acks", "batch.size", "buffer.memory", "compression.type", "delivery.timeout.ms", "enable.idempotence",
	"key.serializer", "linger.ms", "max.block.ms", "max.in.flight.requests.per.connection", "max.request.size",
	"message.send.max.retries", "partitioner", "partitioner.class", "queue.buffering.max.kbytes",
	"queue.buffering.max.messages", "queue.buffering.max.ms", "request.required.acks", "retries", "transaction.timeout.ms",
	"transactional.id", "value.serializer",
}

var security = regexp.MustCompile(`^(ssl|sasl|security|https)\.|^(ssl|enable\.ssl|enable\.sasl)`)

// securityKey reports whether a key says how a client connects and who it is.
func securityKey(key string) bool { return security.MatchString(key) }

// take makes the configuration of the entries: of each key the last one with the greatest weight.
func (r *reader) take(entries []entry) {
	winners := map[string]int{}
	for i, e := range entries {
		if e.key == "" || e.left != nil {
			continue
		}
		if last, ok := winners[e.key]; !ok || e.weight >= entries[last].weight {
			winners[e.key] = i
		}
	}
	taken := 0
	for i, e := range entries {
		if winner, ok := winners[e.key]; ok && e.left == nil && winner != i {
			e.left = &Left{Reason: Overridden, Why: fmt.Sprintf("line %d counts", r.lines.Line(entries[winner].offset))}
		}
		if e.left == nil {
			e.left = r.one(e)
		}
		if e.left != nil {
			r.leave(e)
		}
		if e.left == nil || e.left.Reason < OfBroker {
			taken++
		}
	}
	if taken == 0 && len(r.mistakes) == 0 {
		r.wrongFile("no key of a Kafka consumer is in it" + r.others())
		return
	}
	r.mistakes = append(r.mistakes, scenario.CheckGiven(r.text, r.config.Client, r.given)...)
}

// looksLikeKey matches what is a name of a setting for sure. Where a line is broken that was to be continued, parts of a
// certificate, of a token or of a login module look like keys.
var looksLikeKey = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9_-]{0,29}([.\[][A-Za-z0-9_\]-]{1,30})*$`)

// wrongFile reports what is wrong with the file as a whole.
func (r *reader) wrongFile(text string) {
	r.mistakes = append(r.mistakes, scenario.Mistake{Text: text})
}

// others says whose keys the file has instead.
func (r *reader) others() string {
	for _, l := range r.config.Left {
		switch l.Reason {
		case OfBroker:
			return ", but keys of a broker, such as " + scenario.Quote(l.Key)
		case OfProducer:
			return ", but keys of a producer, such as " + scenario.Quote(l.Key)
		}
	}
	return ""
}

// leave lists a key.
func (r *reader) leave(e entry) {
	left := *e.left
	left.Key = e.spelled
	if !looksLikeKey.MatchString(e.spelled) || left.Reason == Unknown && !strings.Contains(e.spelled, ".") {
		left.Key = "a key that is not shown"
	}
	left.Line = r.lines.Line(e.offset)
	r.config.Left = append(r.config.Left, left)
}

func (r *reader) note(format string, args ...any) {
	r.config.Notes = append(r.config.Notes, fmt.Sprintf(format, args...))
}

// ofStreams is why settings of Kafka Streams are not taken over.
const ofStreams = "it is of Kafka Streams; --client streams has its defaults, --group takes its application.id"

func (r *reader) setting(e entry, value any) *Setting {
	return &Setting{Key: e.key, Value: value, Line: r.lines.Line(e.offset), Note: e.note}
}

// unmodelled are keys that are taken over and are no settings of a scenario.
var unmodelled = []string{"group.id", "group.protocol", concurrency, pollTimeout, idle}

// one takes one entry over, or says why not.
func (r *reader) one(e entry) *Left {
	value := strings.TrimSpace(e.value) // as Kafka's ConfigDef reads it
	switch e.key {
	case "group.instance.id":
		r.config.Static = r.setting(e, "")
		return nil
	case "client.id":
		return &Left{Reason: NoEffect}
	case "application.id":
		return &Left{Reason: NotModelled, Why: ofStreams}
	}
	kind := scenario.KindOf(e.key)
	switch {
	case kind == scenario.IdleKey, securityKey(e.key):
		return &Left{Reason: NoEffect}
	case kind == scenario.BrokerKey:
		return &Left{Reason: OfBroker}
	case slices.Contains(producerKeys, e.key):
		return &Left{Reason: OfProducer}
	case kind >= scenario.MillisKey && !scenario.HasKey(r.config.Client, e.key):
		return &Left{Reason: NotModelled, Why: r.config.Client + " has no such setting"}
	case kind == scenario.UnknownKey && !slices.Contains(unmodelled, e.key):
		return &Left{Reason: Unknown}
	case r.secrets[value]:
		return &Left{Reason: NotModelled, Why: "its value is that of a secret"}
	case hasPlaceholder(value):
		return &Left{Reason: Placeholder}
	}
	switch e.key {
	case "group.id":
		r.config.Group = r.setting(e, value)
	case "group.protocol":
		r.given = append(r.given, scenario.Given{Key: e.key, Value: value, Offset: e.offset})
	case concurrency, pollTimeout, idle:
		r.listener(e, value)
	default:
		return r.modelled(e, kind, value)
	}
	return nil
}

// modelled takes over a setting that scenarios model.
func (r *reader) modelled(e entry, kind scenario.KeyKind, text string) *Left {
	var value, raw any
	switch kind {
	case scenario.MillisKey:
		if n, ok := r.millis(e, text); ok {
			value, raw = n, n
		}
	case scenario.NumberKey:
		if n, err := strconv.ParseInt(text, 10, 64); err == nil {
			value, raw = int(n), n
		} else {
			r.wrong(e.offset, "%s is %s; write a whole number", e.key, scenario.Quote(text))
		}
	case scenario.TruthKey:
		if truth, ok := r.truth(text); ok {
			value, raw = truth, truth
		} else {
			r.wrong(e.offset, "%s is %s; write true or false", e.key, scenario.Quote(text))
		}
	case scenario.TextKey:
		value, raw = text, text
	case scenario.AssignorsKey:
		names, left := assignors(text)
		if left != nil {
			return left
		}
		value, raw = names, strings.Join(names, ",")
	}
	r.given = append(r.given, scenario.Given{Key: e.key, Value: raw, Offset: e.offset})
	r.config.Settings = append(r.config.Settings, *r.setting(e, value))
	return nil
}

// truth reads true or false, for which YAML and Spring have more words than Kafka.
func (r *reader) truth(text string) (truth, ok bool) {
	yes, no := []string{"true"}, []string{"false"}
	if r.config.Format == Spring {
		yes, no = []string{"true", "on", "yes", "1"}, []string{"false", "off", "no", "0"}
	}
	text = strings.ToLower(text)
	truth = slices.Contains(yes, text)
	return truth, truth || slices.Contains(no, text)
}

// assignors reads names or classes with commas between. A list with one of its own making is not taken: no other
// stands for it.
func assignors(text string) ([]string, *Left) {
	var names []string
	for name := range strings.SplitSeq(text, ",") {
		name, known := scenario.AssignorName(strings.TrimSpace(name))
		if !known {
			return nil, &Left{Reason: NotModelled, Why: "assignor " + scenario.Quote(name) + "; the default stands in"}
		}
		names = append(names, name)
	}
	return names, nil
}

// millis reads a number of milliseconds, which Spring takes as a duration for some keys.
func (r *reader) millis(e entry, text string) (int64, bool) {
	if e.weight == named && r.config.Format == Spring && slices.Contains(springDurations, e.key) {
		d, ok := springDuration(text)
		if !ok {
			r.wrong(e.offset, "%s is %s; write a duration such as 3000, 3s or PT3S", scenario.Quote(e.spelled), scenario.Quote(text))
		}
		return d.Milliseconds(), ok
	}
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil {
		hint := ""
		if strings.Contains(text, "#") {
			hint = "; a comment needs a line of its own"
		}
		r.wrong(e.offset, "%s is %s; Kafka takes a whole number of milliseconds, such as 45000%s", e.key, scenario.Quote(text), hint)
		return 0, false
	}
	return n, true
}

// mostConcurrency bounds how many consumers a process of Spring has.
const mostConcurrency = 500

// listener takes over what Spring says of its listener containers.
func (r *reader) listener(e entry, text string) {
	if e.key == concurrency {
		n, err := strconv.ParseInt(text, 10, 64)
		if err != nil || n < 1 || n > mostConcurrency {
			r.wrong(e.offset, "%s is %s; write a number from 1 to %d", scenario.Quote(e.spelled), scenario.Quote(text), mostConcurrency)
			return
		}
		r.config.Concurrency = r.setting(e, n)
		return
	}
	d, ok := springDuration(text)
	if !ok {
		r.wrong(e.offset, "%s is %s; write a duration such as 3000, 3s or PT3S", scenario.Quote(e.spelled), scenario.Quote(text))
		return
	}
	if e.key == pollTimeout {
		r.config.PollTimeout = r.setting(e, d)
	} else {
		r.config.Idle = r.setting(e, d)
	}
}

var (
	simpleDuration = regexp.MustCompile(`^(\d+)(NS|US|MS|S|M|H|D)?$`)
	isoDuration    = regexp.MustCompile(`^P(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?(?:(\d+)(?:[.,](\d{1,9}))?S)?)?$`)

	durationUnits = map[string]time.Duration{
		"NS": time.Nanosecond, "US": time.Microsecond, "MS": time.Millisecond,
		"S": time.Second, "M": time.Minute, "H": time.Hour, "D": 24 * time.Hour,
	}
)

// longest bounds a duration as scenarios do.
const longest = 10 * 365 * 24 * time.Hour

// springDuration reads a duration as Spring Boot does: a number of milliseconds, a number with a unit, or ISO 8601.
// What is finer than a millisecond is dropped.
// Spring: org.springframework.boot.convert.DurationStyle.
func springDuration(text string) (time.Duration, bool) {
	text = strings.ToUpper(strings.TrimPrefix(text, "+"))
	var parts [][2]string // numbers and their units
	if p := simpleDuration.FindStringSubmatch(text); p != nil {
		parts = [][2]string{{p[1], cmp.Or(p[2], "MS")}}
	} else if p := isoDuration.FindStringSubmatch(text); p != nil && strings.Trim(text, "PT") != "" {
		parts = [][2]string{{p[1], "D"}, {p[2], "H"}, {p[3], "M"}, {p[4], "S"}, {(p[5] + "000000000")[:9], "NS"}}
	}
	var sum time.Duration
	for _, part := range parts {
		unit := durationUnits[part[1]]
		n, err := strconv.ParseInt(cmp.Or(part[0], "0"), 10, 64)
		if err != nil || n > int64(longest/unit) {
			return 0, false
		}
		sum += time.Duration(n) * unit
	}
	return sum.Truncate(time.Millisecond), len(parts) > 0 && sum <= longest
}
