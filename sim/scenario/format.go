package scenario

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"simulate/sim/consumers"
	"simulate/sim/metrics"
	"simulate/sim/random"
)

// TOML writes the scenario with every default filled in; loading that gives an equal one. What a file
// cannot say is left out: Plan.JoinNotBefore, Event.AtOnce, Event.Back,
// Event.Closes, Event.Loads and lines.
func (s *Scenario) TOML() string {
	w := &writer{}
	w.pair("name", literal(s.Name))
	w.pair("description", literal(s.Description))
	w.pair("kafka", literal(s.Broker.Kafka))
	w.pair("seed", strconv.FormatUint(uint64(s.Seed), 10))
	w.pair("replications", strconv.Itoa(s.Replications))
	w.pair("duration", span(s.Duration))
	w.pair("stuck-after", span(s.StuckAfter))
	w.header("[broker]")
	if s.OffsetsLog != "" {
		w.pair(offsetsLog, literal(s.OffsetsLog))
	}
	writeSettings(w, brokerSettings, &s.Broker)
	w.header("[brokers]")
	w.pair("count", strconv.Itoa(s.Brokers))
	w.pair("append", distribution(s.Append))
	w.pair("load", distribution(s.Load))
	w.header("[network]")
	w.pair("latency", distribution(s.Latency))
	for _, t := range s.Topics {
		w.header("[[topic]]")
		w.pair("name", literal(t.Name))
		w.pair("partitions", strconv.Itoa(t.Partitions))
		if t.Rate.Records > 0 {
			w.pair("rate", literal(rate(t.Rate)))
		}
		if t.Backlog > 0 {
			w.pair("backlog", strconv.FormatInt(t.Backlog, 10))
		}
	}
	for i := range s.Fleets {
		w.fleet(&s.Fleets[i])
	}
	for i := range s.Events {
		w.event(&s.Events[i])
	}
	for i := range s.Expectations {
		w.expectation(&s.Expectations[i])
	}
	w.sweep(s.Sweep)
	w.tune(s.Tune)
	return w.String()
}

// writer collects the lines of a file.
type writer struct{ strings.Builder }

func (w *writer) header(name string)     { fmt.Fprintf(w, "\n%s\n", name) }
func (w *writer) pair(key, value string) { fmt.Fprintf(w, "%s = %s\n", key, value) }

func (w *writer) fleet(f *Fleet) {
	p := &f.Plan
	w.header("[[fleet]]")
	w.pair("name", literal(f.Name))
	w.pair("group", literal(p.Group))
	w.subscription(p.Topics, p.Pattern)
	w.pair("count", strconv.Itoa(f.Count))
	w.pair("client", literal(p.Client))
	w.pair("static", strconv.FormatBool(f.Static))
	w.pair("start", fmt.Sprintf("{ at = %s, every = %s }", span(f.StartAt), span(f.StartEvery)))
	w.pair("boot", distribution(p.Boot))
	w.pair("poll-timeout", span(p.PollTimeout))
	w.pair("poll-again", span(p.PollAgain))
	w.pair("processing", distribution(p.Processing))
	w.pair("per-record", distribution(p.PerRecord))
	w.pair("on-revoke", distribution(p.OnRevoke))
	w.pair("on-assign", distribution(p.OnAssign))
	w.pair("on-lost", distribution(p.OnLost))
	w.pauses(f.Pauses)
	if len(f.MemberIDs) > 0 {
		w.pair("member-ids", pinned(f.MemberIDs))
	}
	w.pod(f)
	w.header("[fleet.config]")
	writeSettings(w, settingsOf(p.Client), &p.Config)
}

func pinned(ids map[string][]string) string {
	var parts []string
	for _, member := range sortedKeys(ids) {
		parts = append(parts, literal(member)+" = "+list(ids[member]))
	}
	return "{ " + strings.Join(parts, ", ") + " }"
}

func (w *writer) event(e *Event) {
	w.header("[[event]]")
	w.pair("at", span(e.At))
	w.pair("do", literal(string(e.Do)))
	if v := verbNamed(string(e.Do)); v != nil {
		for _, key := range v.keys() {
			w.eventKey(e, key)
		}
	}
}

// eventKey writes one of the keys that the verb takes.
func (w *writer) eventKey(e *Event, key string) {
	switch key {
	case "who":
		if len(e.Who) > 0 {
			w.pair(key, selectors(e.Who))
		}
	case "for":
		w.pair(key, distribution(e.For))
	case "down":
		w.pair(key, distribution(e.Down))
	case "gap":
		w.pair(key, span(e.Gap))
	case "batch":
		w.pair(key, strconv.Itoa(e.Batch))
	case "graceful":
		w.pair(key, strconv.FormatBool(e.Graceful))
	case "timeout":
		if e.Close.Timeout != nil {
			w.pair(key, span(*e.Close.Timeout))
		}
	case "group-membership-operation":
		if e.Close.Operation != consumers.LeaveByDefault {
			w.pair(key, literal(operations[e.Close.Operation]))
		}
	case "to":
		w.pair(key, strconv.Itoa(e.To))
	case "up":
		w.pair(key, distribution(e.Up))
	case "until":
		if e.Until > 0 {
			w.pair(key, span(e.Until))
		}
	case "direction":
		w.pair(key, literal(string(e.Direction)))
	case "held":
		w.pair(key, strconv.FormatBool(e.Held))
	case "add":
		w.pair(key, distribution(e.Add))
	case "broker":
		w.broker(e)
	case "append":
		w.pair(key, distribution(e.Append))
	case "error":
		w.pair(key, literal(e.Error.String()))
	case "group", "topic":
		if name := map[string]string{"group": e.Group, "topic": e.Topic}[key]; name != "" {
			w.pair(key, literal(name))
		}
	case "topics":
		w.subscription(e.Topics, e.Pattern)
	case "kind":
		w.pair(key, literal(string(e.Kind)))
	case "max-surge", "max-unavailable":
		if e.Kind == Deployment {
			w.pair(key, map[string]Portion{"max-surge": e.MaxSurge, "max-unavailable": e.MaxUnavailable}[key].literal())
		}
	case "min-ready":
		w.pair(key, span(e.MinReady))
	case "version":
		w.pair(key, strconv.Itoa(int(e.Version)))
	case "mode":
		w.pair(key, literal(string(e.Mode)))
	case "hold":
		if e.Mode == HoldAfterJoin {
			w.pair(key, distribution(e.Hold))
		}
	case "count":
		w.pair(key, strconv.Itoa(e.Count))
	case "every":
		if e.Every != nil {
			w.pair(key, distribution(*e.Every))
		}
	case "times":
		if e.Times > 0 {
			w.pair(key, strconv.Itoa(e.Times))
		}
	case "client":
		if e.Plan != nil {
			w.pair(key, literal(e.Plan.Client))
		}
	case "config":
		w.eventConfig(e)
	}
}

// subscription writes topics, or the pattern that stands for them.
func (w *writer) subscription(topics []string, pattern string) {
	switch {
	case pattern != "":
		w.pair("pattern", literal(pattern))
	case len(topics) > 0:
		w.pair("topics", list(topics))
	}
}

func (w *writer) broker(e *Event) {
	switch {
	case e.CoordinatorOf != "":
		w.pair("broker", literal("coordinator("+e.CoordinatorOf+")"))
	case e.Broker > 0:
		w.pair("broker", strconv.Itoa(int(e.Broker)))
	}
}

func (w *writer) eventConfig(e *Event) {
	if e.Plan == nil {
		return
	}
	w.WriteString("[event.config]\n")
	if e.Instance != nil {
		w.pair("group.instance.id", literal(*e.Instance))
	}
	writeSettings(w, settingsOf(e.Plan.Client), &e.Plan.Config)
}

func (w *writer) expectation(e *Expectation) {
	w.header("[[expect]]")
	w.pair("that", literal(e.That))
	for _, i := range []struct {
		key string
		at  *time.Duration
	}{{"at", e.At}, {"from", e.From}, {"to", e.To}} {
		if i.at != nil {
			w.pair(i.key, span(*i.at))
		}
	}
	if e.Snapshot {
		w.pair("snapshot", "true")
	}
}

func writeSettings[C any](w *writer, settings []setting[C], c *C) {
	for _, s := range settings {
		if !s.unset(c) {
			w.pair(s.key, s.literal(c))
		}
	}
}

// unset reports whether the setting has no value, which a file can only leave out.
func (s setting[C]) unset(c *C) bool {
	none := s.millis != nil && *s.millis(c) == 0 || s.number != nil && *s.number(c) == 0
	return none && s.least > 0
}

// literal writes the value of a setting.
func (s setting[C]) literal(c *C) string {
	switch {
	case s.millis != nil:
		return span(*s.millis(c))
	case s.number != nil:
		return strconv.Itoa(*s.number(c))
	case s.truth != nil:
		return strconv.FormatBool(*s.truth(c))
	case s.text != nil:
		return literal(*s.text(c))
	}
	return list(*s.names(c))
}

// span writes a duration, with a unit that every keyboard has.
func span(d time.Duration) string {
	return literal(strings.ReplaceAll(metrics.Duration(d), "µs", "us"))
}

func distribution(d random.Distribution) string {
	var shape string
	switch d.Kind {
	case random.ConstantKind:
		return span(d.A)
	case random.ExponentialKind:
		shape = "mean = " + span(d.A)
	case random.LogNormalKind:
		shape = "p50 = " + span(d.A) + ", p99 = " + span(d.B)
	case random.UniformKind:
		shape = "min = " + span(d.A) + ", max = " + span(d.B)
	case random.ChoiceKind:
		shape = "values = [" + strings.Join(spans(d.Values), ", ") + "]"
	}
	if d.Cap > 0 {
		shape += ", cap = " + span(d.Cap)
	}
	return "{ " + shape + " }"
}

func spans(all []time.Duration) []string {
	texts := make([]string, len(all))
	for i, d := range all {
		texts[i] = span(d)
	}
	return texts
}

// selectors writes who: one as a string, several as a list.
func selectors(who []Selector) string {
	if len(who) == 1 {
		return literal(who[0].String())
	}
	var names []string
	for _, s := range who {
		names = append(names, s.String())
	}
	return list(names)
}

func list(all []string) string {
	quoted := slices.Clone(all)
	for i := range quoted {
		quoted[i] = literal(quoted[i])
	}
	return "[" + strings.Join(quoted, ", ") + "]"
}

// literal writes a basic string of TOML.
func literal(s string) string {
	var b strings.Builder
	b.WriteByte('"')
	for _, c := range s {
		switch {
		case c == '"' || c == '\\':
			b.WriteByte('\\')
			b.WriteRune(c)
		case c < ' ' || c == 0x7f:
			fmt.Fprintf(&b, `\u%04X`, c)
		default:
			b.WriteRune(c)
		}
	}
	b.WriteByte('"')
	return b.String()
}
