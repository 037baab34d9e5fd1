package logs

import (
	"bytes"
	"cmp"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"simulate/sim/wire"
)

// metric is one sample of a metric about groups.
type metric struct {
	name   string
	labels []byte // what stands in braces
	value  float64
	at     Instant // NoTime when it has no time of its own
}

// Metrics that name a group: of kafka_exporter, of kminion, and of simulate.
const (
	exporterMembers  = "kafka_consumergroup_members"
	kminionMembers   = "kminion_kafka_consumer_group_members"
	kminionInfo      = "kminion_kafka_consumer_group_info"
	simulateMembers  = "simulate_group_members"
	simulateEpoch    = "simulate_group_generation"
	brokerCount      = "kafka_server_group_coordinator_metrics_classic_group_count" // by state, of all groups of a broker
	olderBrokerCount = "kafka_coordinator_group_groupmetadatamanager_numgroups"     // and the state behind it
)

var groupMetrics = []string{exporterMembers, kminionMembers, kminionInfo, simulateMembers, simulateEpoch, brokerCount}

// metricOf reads a line such as "kafka_consumergroup_members{consumergroup=\"orders\"} 3 1767225600000"; false when it is of
// another metric, or of none.
func metricOf(line []byte) (m metric, ok bool) {
	end := bytes.IndexAny(line, "{ ")
	if end < 0 {
		return m, false
	}
	m.name, m.at = string(bytes.ToLower(line[:end])), NoTime
	if !slices.Contains(groupMetrics, m.name) && !strings.HasPrefix(m.name, olderBrokerCount) {
		return m, false
	}
	rest := line[end:]
	if rest[0] == '{' {
		closing := bytes.LastIndexByte(rest, '}')
		if closing < 0 {
			return m, false
		}
		m.labels, rest = rest[1:closing], rest[closing+1:]
	}
	numbers := bytes.Fields(rest)
	if len(numbers) == 0 {
		return m, false
	}
	var err error
	if m.value, err = strconv.ParseFloat(string(numbers[0]), 64); err != nil {
		return m, false
	}
	if len(numbers) > 1 {
		m.at = metricTime(string(numbers[1]))
	}
	return m, true
}

// metricTime reads seconds as OpenMetrics has them, or the milliseconds of Prometheus.
func metricTime(text string) Instant {
	seconds, err := strconv.ParseFloat(text, 64)
	if !strings.Contains(text, ".") && seconds > 1e11 {
		seconds /= 1000
	}
	if err != nil || !(math.Abs(seconds) < 1e10) {
		return NoTime
	}
	return Instant(math.Round(seconds*1000)) * Instant(time.Millisecond)
}

// label returns the value of the first of the labels that there is.
func (m *metric) label(names ...string) string {
	for _, name := range names {
		for rest := m.labels; len(rest) > 0; {
			key, after, ok := bytes.Cut(rest, []byte(`="`))
			if !ok {
				break
			}
			end := closingQuote(after)
			if string(bytes.Trim(key, ", ")) == name {
				return strings.NewReplacer(`\"`, `"`, `\\`, `\`, `\n`, "\n").Replace(string(after[:end]))
			}
			rest = after[min(end+1, len(after)):]
		}
	}
	return ""
}

func closingQuote(b []byte) int {
	for i := 0; i < len(b); i++ {
		switch b[i] {
		case '\\':
			i++
		case '"':
			return i
		}
	}
	return len(b)
}

// stateCount is how many groups of a broker are in a state.
type stateCount struct {
	at     Instant
	zoned  bool
	place  Place
	broker string
	state  wire.GroupState
	n      int
}

func (p *sampler) metric(m *metric) {
	at, zoned := p.at, p.zoned
	if m.at != NoTime {
		p.at, p.zoned = m.at, true
	}
	defer func() { p.at, p.zoned = at, zoned }()
	count := int32(min(max(m.value, 0), math.MaxInt32))
	if m.name == brokerCount || strings.HasPrefix(m.name, olderBrokerCount) {
		state, _, ok := stateNamed(cmp.Or(m.label("state"), strings.TrimPrefix(m.name, olderBrokerCount)))
		if ok && len(p.counts) < maxSamples {
			p.counts = append(p.counts, stateCount{p.at, p.zoned, p.place, m.label("instance", "broker"), state, int(count)})
		}
		return
	}
	group := m.label("consumergroup", "group_id", "group")
	if group == "" || m.value != m.value {
		return
	}
	switch m.name {
	case kminionInfo:
		state, other, ok := stateNamed(m.label("state"))
		if !ok || m.value == 0 {
			return
		}
		e := p.event(p.names.text([]byte(group)))
		e.State, e.Text = state, other
	case simulateEpoch:
		p.event(p.names.text([]byte(group))).Generation = count
	default:
		p.event(p.names.text([]byte(group))).Members = count
	}
}

// onlyGroup returns the name of the only group that was seen, "" when there are several or none.
func (p *sampler) onlyGroup() string {
	name := ""
	for i := range p.list {
		if group := p.list[i].Group; name != "" && group != name {
			return ""
		} else {
			name = group
		}
	}
	return name
}

// attribute makes observations of the counts of groups by state, at times at which there was one group and its name is
// known. It returns how many times there were more.
func (p *sampler) attribute() (unclear int) {
	type series struct {
		broker string
		state  wire.GroupState
	}
	name := p.onlyGroup()
	slices.SortStableFunc(p.counts, func(a, b stateCount) int { return cmp.Compare(a.at, b.at) })
	now := map[series]int{}
	for i, c := range p.counts {
		now[series{c.broker, c.state}] = c.n
		if i+1 < len(p.counts) && p.counts[i+1].at == c.at {
			continue
		}
		sum, state := 0, wire.NoGroup
		for s, n := range now { // in any order: with a sum of 1 there is one state
			if sum += n; n == 1 {
				state = s.state
			}
		}
		switch {
		case sum > 1 || sum == 1 && name == "":
			unclear++
		case sum == 1:
			p.at, p.zoned, p.place = c.at, c.zoned, c.place
			p.event(name).State = state
		}
	}
	return unclear
}
