package starter

import (
	"fmt"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"simulate/clientconfig"
	"simulate/sim/coordinator"
	"simulate/sim/scenario"
)

// row is one key of a table.
type row struct{ key, value, comment string }

// rows writes keys with their values below one another.
func (d *draft) rows(header string, all ...row) {
	if header != "" {
		fmt.Fprintf(&d.text, "\n%s\n", header)
	}
	wide := 0
	for _, r := range all {
		wide = max(wide, len(r.key))
	}
	for _, r := range all {
		fmt.Fprintf(&d.text, "%-*s = %s", wide, r.key, r.value)
		if r.comment != "" {
			d.text.WriteString(" # " + r.comment)
		}
		d.text.WriteByte('\n')
	}
}

// width is how long lines of comments get.
const width = 110

// comment writes a paragraph, the first line of which begins with lead and the others with as many spaces.
func (d *draft) comment(lead, text string) {
	line := "# " + lead
	for word := range strings.FieldsSeq(text) {
		if utf8.RuneCountInString(line)+1+utf8.RuneCountInString(word) > width {
			fmt.Fprintln(&d.text, strings.TrimRight(line, " "))
			line = "# " + strings.Repeat(" ", len(lead))
		}
		if !strings.HasSuffix(line, " ") {
			line += " "
		}
		line += word
	}
	fmt.Fprintln(&d.text, strings.TrimRight(line, " "))
}

// header says what the scenario is, what to try with it, and what the configuration has besides.
func (d *draft) header() {
	from := ""
	if d.Config.Name != "" {
		from = ", as " + scenario.Brief(d.Config.Name) + " configures them"
	}
	d.comment("", "The consumers of group "+scenario.Brief(d.named())+from+", and "+d.shape.about+
		`. Written by "simulate init": look first at what is assumed.`)
	fmt.Fprintf(&d.text, "#\n# Turn it, with \"simulate run %s\" and\n", d.called())
	knobs, wide := d.knobs(), 0
	for _, k := range knobs {
		wide = max(wide, len(k.set))
	}
	for _, k := range knobs {
		fmt.Fprintf(&d.text, "#   --set %-*s  %s\n", wide, k.set, k.does)
	}
	d.comment("", fmt.Sprintf(`"simulate explain %[1]s" says where each rebalance came from and what it cost, `+
		`"simulate lint %[1]s" what is unwise.`, d.called()))
	d.left()
	d.rows("",
		row{key: "name", value: scenario.Literal(d.fleet)},
		row{key: "description", value: scenario.Literal(d.named() + ": " + d.shape.about)},
		row{key: "duration", value: scenario.Span(d.duration)},
	)
}

// knobs are those of the shape and those that every fleet has.
func (d *draft) knobs() []knob {
	all := []knob{d.sessionKnob()}
	if other, ok := d.assignorKnob(); ok {
		all = append(all, other)
	}
	if !d.profile.AlwaysDynamic {
		all = append(all, knob{"fleet.FLEET.static=" + strconv.FormatBool(!d.static()), "with or without group.instance.id"})
	}
	all = append(all, knob{"fleet.FLEET.count=" + strconv.Itoa(d.Members+d.batch), "more consumers"})
	all = append(all, d.shape.knobs...)
	for i := range all {
		all[i].set = d.filled(all[i].set)
	}
	return all
}

// sessionKnob is another session time-out, which heartbeats and brokers allow.
func (d *draft) sessionKnob() knob {
	session := d.time("session.timeout.ms", d.profile.Config.SessionTimeout)
	other := 2 * session
	if other > mostSession {
		heartbeat := d.time("heartbeat.interval.ms", d.profile.Config.HeartbeatInterval)
		other = session - (session-heartbeat)/2
	}
	return knob{"fleet.FLEET.config.session.timeout.ms=" + strconv.FormatInt(other.Milliseconds(), 10), "how soon a dead consumer is noticed"}
}

// assignorKnob is an assignor of the other kind, where the client has one.
func (d *draft) assignorKnob() (other knob, ok bool) {
	const key = "fleet.FLEET.config.partition.assignment.strategy="
	name, does := "cooperative-sticky", "only partitions that move stand still"
	if d.cooperative() {
		name, does = "range", "eager: each rebalance stops everybody"
	}
	_, ok = d.profile.Assignor(name)
	return knob{key + name, does}, ok
}

// groups say in which words what is not taken over is listed.
var groups = []struct {
	reason clientconfig.Reason
	words  string
}{
	{clientconfig.NoEffect, "Without effect on the group, and not copied:"},
	{clientconfig.Placeholder, "Known only where the client runs; write the value here:"},
	{clientconfig.NotModelled, "Not taken over:"},
	{clientconfig.Overridden, "Given twice:"},
	{clientconfig.OfProducer, "Keys of a producer:"},
	{clientconfig.OfBroker, "Keys of a broker, where they count in [broker]:"},
	{clientconfig.Unknown, "Unknown to Kafka's consumer:"},
}

// mostListed bounds how many keys of a kind are listed.
const mostListed = 50

// left lists the keys that the configuration has besides, without their values.
func (d *draft) left() {
	var lines []string
	for _, g := range groups {
		var keys []string
		for _, l := range d.Config.Left {
			if l.Reason != g.reason {
				continue
			}
			key := fmt.Sprintf("%s (line %d", scenario.Brief(l.Key), l.Line)
			if l.Why != "" {
				key += ": " + l.Why
			}
			keys = append(keys, key+")")
		}
		if n := len(keys) - mostListed; n > 0 {
			keys = append(keys[:mostListed], fmt.Sprintf("and %d more", n))
		}
		if len(keys) > 0 {
			lines = append(lines, g.words+" "+strings.Join(keys, ", ")+".")
		}
	}
	for _, note := range d.Config.Notes {
		lines = append(lines, note+".")
	}
	if len(lines) == 0 {
		return
	}
	d.comment("", "")
	d.comment("", scenario.Brief(d.Config.Name)+" says more:")
	for _, line := range lines {
		d.comment("- ", line)
	}
}

// What brokers allow as session.timeout.ms unless told otherwise.
var (
	leastSession = coordinator.Defaults().MinSessionTimeout
	mostSession  = coordinator.Defaults().MaxSessionTimeout
)

// world writes the brokers and the topics.
func (d *draft) world() {
	session := d.time("session.timeout.ms", d.profile.Config.SessionTimeout)
	switch {
	case session < leastSession:
		d.rows("[broker]", row{"group.min.session.timeout.ms", strconv.FormatInt(session.Milliseconds(), 10),
			"brokers refuse such a short session unless told otherwise (6000)"})
	case session > mostSession:
		d.rows("[broker]", row{"group.max.session.timeout.ms", strconv.FormatInt(session.Milliseconds(), 10),
			"brokers refuse such a long session unless told otherwise (1800000)"})
	}
	if d.shape.name == "failover" {
		d.rows("[brokers]", row{"count", "3", "assumed"})
	}
	for _, topic := range d.Topics {
		d.rows("[[topic]]",
			row{"name", scenario.Literal(topic), assumedIf(d.assumed.topics)},
			row{"partitions", strconv.Itoa(d.Partitions), assumedIf(d.assumed.partitions)})
	}
}

// static reports whether each consumer has a group.instance.id, which not every client takes.
func (d *draft) static() bool {
	return !d.profile.AlwaysDynamic && (d.Static || d.Config.Static != nil)
}

// consumers writes the fleet.
func (d *draft) consumers() {
	every := 330 * time.Millisecond
	if d.Members > 100 {
		every = (33 * time.Second / time.Duration(d.Members)).Truncate(time.Millisecond)
	}
	var topics []string
	for _, t := range d.Topics {
		topics = append(topics, scenario.Literal(t))
	}
	all := []row{{"name", scenario.Literal(d.fleet), ""}}
	all = append(all, d.groupRows()...)
	all = append(all,
		row{"topics", "[" + strings.Join(topics, ", ") + "]", ""},
		d.countRow(),
		row{"client", scenario.Literal(d.profile.Name), ""},
		d.staticRow(),
		row{"start", "{ every = " + scenario.Span(every) + " }", "assumed"},
		row{"boot", `{ p50 = "3s", p99 = "6s" }`, "assumed: from the start of a process to its first poll()"},
	)
	if p := d.Config.PollTimeout; p != nil {
		all = append(all, row{"poll-timeout", scenario.Span(p.Value.(time.Duration)), d.source(*p)})
	}
	if i := d.Config.Idle; i != nil && i.Value.(time.Duration) > 0 {
		all = append(all, row{"processing", scenario.Span(i.Value.(time.Duration)), d.source(*i) + "; add what a batch takes"})
	} else {
		all = append(all, row{"processing", `{ p50 = "50ms", p99 = "1s", cap = "5s" }`, "assumed: what a batch takes"})
	}
	d.rows("[[fleet]]", all...)
}

func assumedIf(it bool) string {
	if it {
		return "assumed"
	}
	return ""
}

// groupRows says which group it is, where that is not the fleet's name or is from the configuration.
func (d *draft) groupRows() []row {
	group := d.group()
	comment := ""
	if g := d.Config.Group; g != nil && d.Group == "" {
		comment = d.source(*g)
	}
	switch {
	case group == "":
		return []row{{"group", scenario.Literal(d.fleet), "assumed"}}
	case !scenario.LegalGroup(group):
		return []row{{"group", scenario.Literal(d.fleet), "it is called otherwise (" + comment + "), which expectations cannot say"}}
	}
	return []row{{"group", scenario.Literal(group), comment}}
}

func (d *draft) countRow() row {
	comment := assumedIf(d.assumed.members)
	if c := d.Config.Concurrency; c != nil {
		comment = fmt.Sprintf("%d processes with up to %d consumers each: concurrency, %s", d.processes, d.concurrency, d.source(*c))
	}
	return row{"count", strconv.Itoa(d.Members), comment}
}

func (d *draft) staticRow() row {
	comment := ""
	if s := d.Config.Static; s != nil {
		comment = "group.instance.id, " + d.source(*s) + "; each process needs an id of its own"
	}
	return row{"static", strconv.FormatBool(d.static()), comment}
}
