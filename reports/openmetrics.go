package reports

import (
	"bufio"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"

	"simulate/sim/clock"
	"simulate/sim/metrics"
	"simulate/sim/trace"
	"simulate/sim/wire"
)

// Names of Kafka's metrics as Prometheus has them: domain, type and attribute of the MBean, in lower case.
const (
	ofCoordinator = "kafka_server_group_coordinator_metrics_"
	ofConsumer    = "kafka_consumer_consumer_coordinator_metrics_"
	ofSimulate    = "simulate_"
)

// repeated is how often a number is said again: Prometheus forgets a series of which it has heard nothing for five minutes.
const repeated = 4 * time.Minute

// OpenMetrics writes the run as what monitoring would have stored of it, with time stamps from Epoch on: what brokers
// and Java consumers show under their own names, what only a simulator knows under "simulate_". A number has a sample
// when it changes, and at least every four minutes as long as there is something that has it.
//
// What is Kafka's is spelled as in KIP-1301; what a broker computes once a minute is up to date here, and all brokers
// are added up.
func OpenMetrics(w io.Writer, r Report) error {
	b := bufio.NewWriterSize(w, 1<<16)
	o := exposition{b: b, end: r.At}
	o.family("simulate_run", "info", "The run behind these numbers; time begins at 2026-01-01T00:00:00Z.")
	o.sample("simulate_run_info", labelled("scenario", r.Scenario.Name, "seed", strconv.FormatUint(r.Scenario.Seed, 10),
		"trace_digest", r.Digest, "outcome", r.Outcome.String()), "1", 0)
	o.coordinator(r.Curves)
	o.consumers(r.Clients)
	o.groups(r.Curves)
	b.WriteString("# EOF\n")
	return b.Flush()
}

// exposition writes families of metrics.
type exposition struct {
	b   *bufio.Writer
	end clock.Time
}

func (o *exposition) family(name, kind, help string) {
	o.b.WriteString("# TYPE " + name + " " + kind + "\n# HELP " + name + " " + help + "\n")
}

// labelled writes names and values, in pairs, as they stand behind the name of a metric.
func labelled(pairs ...string) string {
	var b strings.Builder
	for i := 0; i < len(pairs); i += 2 {
		b.WriteString(map[bool]string{true: "{", false: ","}[i == 0])
		b.WriteString(pairs[i] + `="` + labelEscapes.Replace(visible(pairs[i+1])) + `"`)
	}
	return b.String() + "}"
}

// labelEscapes is for what may not stand in a value.
var labelEscapes = strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`)

// visible writes what does not print, but for a line's end, as Go does, "\x1b" and "\u202e": two names stay two.
func visible(s string) string {
	var b strings.Builder
	for _, r := range s {
		if r == '\n' || unicode.IsPrint(r) {
			b.WriteRune(r)
			continue
		}
		quoted := strconv.QuoteRune(r)
		b.WriteString(quoted[1 : len(quoted)-1])
	}
	return b.String()
}

func (o *exposition) sample(name, labels, value string, at clock.Time) {
	stamp := Epoch.Add(at.SinceStart()).UnixMilli()
	o.b.WriteString(name + labels + " " + value + " " + strconv.FormatInt(stamp/1000, 10) + "." +
		strconv.FormatInt(1000+stamp%1000, 10)[1:] + "\n")
}

// levels writes a whole number that changes at these instants.
func (o *exposition) levels(name, labels string, list []metrics.Level) {
	readings := make([]metrics.Reading, len(list))
	for i, l := range list {
		readings[i] = metrics.Reading{At: l.At, Value: float64(l.N)}
	}
	o.readings(name, labels, readings)
}

// readings writes a number that changes at these instants; of one millisecond the last value counts. It has no samples
// while it is metrics.Gone.
func (o *exposition) readings(name, labels string, list []metrics.Reading) {
	for i, r := range list {
		until := o.end
		if i+1 < len(list) {
			until = list[i+1].At
		}
		if r.Value == metrics.Gone || i+1 < len(list) && r.At.Millis() == until.Millis() {
			continue
		}
		value := strconv.FormatFloat(r.Value, 'f', -1, 64)
		for at := r.At; ; at = at.Add(repeated) {
			o.sample(name, labels, value, at)
			if at.Add(repeated) >= until {
				break
			}
		}
		if i+1 == len(list) && r.At.Millis() < o.end.Millis() {
			o.sample(name, labels, value, o.end)
		}
	}
}

// classicStates are the states of groups that a broker has. None ever counts one in Dead: a group without a coordinator,
// which the trace calls so, is nobody's.
var classicStates = []wire.GroupState{wire.Empty, wire.PreparingRebalance, wire.CompletingRebalance, wire.Stable}

// coordinator writes what brokers show of all groups together.
func (o *exposition) coordinator(all []metrics.Curves) {
	name := ofCoordinator + "group_count"
	o.family(name, "gauge", "The total number of groups using the classic rebalance protocol.")
	o.levels(name, labelled("protocol", "classic"), metrics.GroupsIn(all, classicStates...))

	name = ofCoordinator + "classic_group_count"
	o.family(name, "gauge", "The number of classic groups in each state.")
	for _, s := range classicStates {
		o.levels(name, labelled("state", strings.ToLower(s.String())), metrics.GroupsIn(all, s))
	}
	o.levels(name, labelled("state", "dead"), metrics.GroupsIn(nil))

	completed := metrics.AllCompleted(all)
	name = ofCoordinator + "group_completed_rebalance_count"
	o.family(name, "unknown", "The total number of classic group completed rebalances.")
	o.levels(name, "", metrics.Counted(completed))

	name = ofCoordinator + "group_completed_rebalance_rate"
	o.family(name, "gauge", "The rate of classic group completed rebalances, a second.")
	for _, rate := range metrics.Rates(completed, metrics.Scraped, o.end) {
		o.sample(name, "", strconv.FormatFloat(rate.Value, 'f', -1, 64), rate.At)
	}
}

// clientMetrics are the metrics of Java consumers. Suffixes are those that OpenMetrics wants of counters.
var clientMetrics = []struct {
	name, suffix, help string
	curve              func(*metrics.ClientCurves) []metrics.Reading
}{
	{"assigned_partitions", "", "The number of partitions currently assigned to this consumer.",
		func(c *metrics.ClientCurves) []metrics.Reading { return c.Assigned }},
	{"rebalance", "_total", "The total number of successful rebalance events of this consumer.",
		func(c *metrics.ClientCurves) []metrics.Reading { return c.Rebalances.Total }},
	{"rebalance_rate_per_hour", "", "The number of successful rebalance events of this consumer, an hour.",
		func(c *metrics.ClientCurves) []metrics.Reading { return c.Rebalances.Hourly() }},
	{"rebalance_latency_avg", "", "The average time in milliseconds that this consumer took for a successful rebalance.",
		func(c *metrics.ClientCurves) []metrics.Reading { return c.Rebalances.Mean }},
	{"rebalance_latency_max", "", "The most milliseconds that this consumer took for a successful rebalance.",
		func(c *metrics.ClientCurves) []metrics.Reading { return c.Rebalances.Most }},
	{"rebalance_latency", "_total", "The total number of milliseconds this consumer has spent in successful rebalances.",
		func(c *metrics.ClientCurves) []metrics.Reading { return c.Rebalances.Sum }},
	{"failed_rebalance", "_total", "The total number of failed rebalance events of this consumer.",
		func(c *metrics.ClientCurves) []metrics.Reading { return c.Failed.Total }},
	{"failed_rebalance_rate_per_hour", "", "The number of failed rebalance events of this consumer, an hour.",
		func(c *metrics.ClientCurves) []metrics.Reading { return c.Failed.Hourly() }},
	{"last_rebalance_seconds_ago", "", "The number of seconds since the last successful rebalance event, -1 before the first.",
		func(c *metrics.ClientCurves) []metrics.Reading { return c.SinceRebalance }},
	{"heartbeat", "_total", "The total number of heartbeats.",
		func(c *metrics.ClientCurves) []metrics.Reading { return c.Heartbeats.Total }},
	{"heartbeat_rate", "", "The number of heartbeats, a second.",
		func(c *metrics.ClientCurves) []metrics.Reading { return c.Heartbeats.Rate }},
	{"commit", "_total", "The total number of commit calls.",
		func(c *metrics.ClientCurves) []metrics.Reading { return c.Commits.Total }},
	{"commit_rate", "", "The number of commit calls, a second.",
		func(c *metrics.ClientCurves) []metrics.Reading { return c.Commits.Rate }},
}

// consumers writes what Java consumers show of themselves.
func (o *exposition) consumers(all []*metrics.ClientCurves) {
	for _, m := range clientMetrics {
		kind := "gauge"
		if m.suffix != "" {
			kind = "counter"
		}
		o.family(ofConsumer+m.name, kind, m.help)
		for _, c := range all {
			o.readings(ofConsumer+m.name+m.suffix, labelled("client_id", c.Who), m.curve(c))
		}
	}
}

// groups writes what only a simulator knows of each group.
func (o *exposition) groups(all []metrics.Curves) {
	for _, m := range []struct {
		name, help string
		curve      func(*metrics.Curves) []metrics.Level
	}{
		{"group_members", "Members of the group.", func(c *metrics.Curves) []metrics.Level { return c.Members }},
		{"group_generation", "Generation of the group.", func(c *metrics.Curves) []metrics.Level { return c.Generation }},
		{"unassigned_partitions", "Partitions that the group subscribes to and nobody holds.", func(c *metrics.Curves) []metrics.Level { return c.Unassigned }},
		{"lag_records", "Records that have arrived and that the group has not committed.", func(c *metrics.Curves) []metrics.Level { return c.Lag }},
	} {
		o.family(ofSimulate+m.name, "gauge", m.help)
		for i := range all {
			o.levels(ofSimulate+m.name, labelled("group", all[i].Group), m.curve(&all[i]))
		}
	}
	o.reasons("group_rebalances", "reason", "Rebalances that began, by why.", all,
		func(c *metrics.Curves) map[trace.Reason][]metrics.Level { return c.Began })
	o.reasons("group_evictions", "cause", "Members that the coordinator removed without a request, by why.", all,
		func(c *metrics.Curves) map[trace.Reason][]metrics.Level { return c.Evicted })
}

// reasons writes counters with a label for the reason, of those that there were.
func (o *exposition) reasons(name, label, help string, all []metrics.Curves, of func(*metrics.Curves) map[trace.Reason][]metrics.Level) {
	o.family(ofSimulate+name, "counter", help)
	for i := range all {
		by := of(&all[i])
		for _, reason := range slices.Sorted(maps.Keys(by)) {
			o.levels(ofSimulate+name+"_total", labelled("group", all[i].Group, label, reason.String()), by[reason])
		}
	}
}
