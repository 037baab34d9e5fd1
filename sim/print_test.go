package sim

import (
	"fmt"
	"strings"

	"simulate/sim/trace"
	"simulate/sim/wire"
)

// printer prints events for people, one line each and one more for each link of a chain. What is zero is
// left out, and so is what hangs on a renderer's taste: details of members, counts, booleans.
type printer struct {
	strings.Builder
	ids bool // whole member ids, not only the name in them
}

func (p *printer) event(e trace.Event) {
	fmt.Fprintf(p, "%8v  %-16v %-5s", e.At, e.Kind, e.Who)
	p.say(e.From != wire.NoGroup || e.Kind == trace.GroupBecame, "%v -> %v", e.From, e.To)
	p.say(e.Kind == trace.Blocked, "in %v", e.To)
	p.say(e.Generation > 0, "gen=%d", e.Generation)
	p.say(e.Reason != trace.NoReason, "%v", e.Reason)
	p.say(p.ids && e.Member != "", "id=%s", e.Member)
	p.say(e.Other != "", "other=%s", p.id(e.Other))
	p.say(e.Instance != "", "instance=%s", e.Instance)
	p.say(e.Err != wire.None, "%v", e.Err)
	p.say(e.Text != "", "%q", e.Text)
	p.say(e.Operation != "" && e.Kind == trace.FaultBegan, "by %s", e.Operation)
	p.say(e.List != nil, "(%s)", p.list(e.List))
	p.say(e.Partitions != nil, "%s", partitions(e.Partitions))
	p.say(e.Offsets != nil, "at %v", e.Offsets)
	p.say(e.Kind == trace.RecordsRedelivered, "%d records", e.Members)
	p.say(e.For != 0, "for %v", e.For)
	p.say(e.Since != 0, "since %v", e.Since)
	p.say(e.Until > e.At, "until %v", e.Until)
	p.say(e.Cause != 0, "event=%d", e.Cause)
	p.WriteByte('\n')
	for _, l := range e.Chain {
		p.link(l)
	}
}

func (p *printer) link(l trace.Link) {
	who := l.Who
	if who == "" {
		who = "nobody"
	}
	fmt.Fprintf(p, "%8s  %s owes %s: %s since %v until %v; ", "", who, l.On, l.Because, l.Since, l.Until)
	if l.Timer == trace.TimerNone {
		fmt.Fprintf(p, "no timer ends it; %d parked\n", l.Parked)
		return
	}
	fmt.Fprintf(p, "%s ends it at %v; %d parked\n", l.Timer, l.Fires, l.Parked)
}

func (p *printer) say(when bool, format string, args ...any) {
	if when {
		fmt.Fprintf(p, " "+format, args...)
	}
}

func (p *printer) id(m wire.MemberID) string {
	const uuid = 37 // with its hyphen
	if !p.ids && len(m) > uuid {
		m = m[:len(m)-uuid]
	}
	return string(m)
}

func (p *printer) list(ids []wire.MemberID) string {
	var names []string
	for _, m := range ids {
		names = append(names, p.id(m))
	}
	return strings.Join(names, " ")
}

// partitions prints "t 0 1 2" for each topic.
func partitions(all []wire.TopicPartition) string {
	var out strings.Builder
	for i, tp := range all {
		if i == 0 || all[i-1].Topic != tp.Topic {
			fmt.Fprintf(&out, "%s ", tp.Topic)
		}
		fmt.Fprintf(&out, "%d ", tp.Partition)
	}
	if out.Len() == 0 {
		return "none"
	}
	return strings.TrimSpace(out.String())
}
