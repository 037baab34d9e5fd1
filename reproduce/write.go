package reproduce

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"

	"simulate/incident/logs"
	"simulate/sim/consumers"
	"simulate/sim/scenario"
	"simulate/starter"
)

// pollTimeoutAssumed lets an application stall soon after it is told to.
const pollTimeoutAssumed = 100 * time.Millisecond

// usualPartitions are those of each topic, unless others fit better.
const usualPartitions = 12

func (d *draft) partitions() int { return cmp.Or(d.choices.partitions, usualPartitions) }

// group returns what the group is called in the scenario: by its own name, if expectations can say that.
func (d *draft) group() string {
	if scenario.LegalGroup(d.story.group) {
		return d.story.group
	}
	return starter.FleetName(d.story.group)
}

func memberName(fleet string, n int) string { return fleet + "-" + strconv.Itoa(n) }

// quoted writes a text as a string of TOML.
func quoted(text string) string { return scenario.Literal(strings.ToValidUTF8(text, "?")) }

// plain makes what logs say safe in a comment: what is not printable becomes U+FFFD, and the middle of a long text goes.
func plain(text string) string {
	text = strings.Map(func(c rune) rune {
		if unicode.IsPrint(c) {
			return c
		}
		return unicode.ReplacementChar
	}, text)
	if all := []rune(text); len(all) > longestNote {
		return string(all[:longestNote/2]) + "…" + string(all[len(all)-longestNote/2:])
	}
	return text
}

const longestNote = 200

func quotedList(all []string) string {
	var list []string
	for _, s := range all {
		list = append(list, quoted(s))
	}
	return "[" + strings.Join(list, ", ") + "]"
}

// span writes a duration, to the millisecond.
func span(d time.Duration) string { return quoted(max(d, 0).Round(time.Millisecond).String()) }

// text writes the scenario.
func (d *draft) text() []byte {
	var b strings.Builder
	line := func(format string, args ...any) { fmt.Fprintf(&b, format+"\n", args...) }
	line("name     = %s", quoted(d.story.group+", reproduced"))
	line("duration = %s", span(d.warmUp+d.duration))
	if len(d.broker) > 0 {
		line("\n[broker]")
		writeSettings(&b, d.broker)
	}
	if d.brokers > 1 {
		line("\n[brokers]\ncount = %d", d.brokers)
	}
	for n := range d.topics {
		line("\n[[topic]]\nname       = %s\npartitions = %d", quoted(fmt.Sprintf("topic-%d", n+1)), d.partitions())
	}
	for _, f := range d.fleets {
		d.writeFleet(&b, f)
	}
	for _, a := range d.events() {
		d.writeAct(&b, a)
	}
	return []byte(b.String())
}

func writeSettings(b *strings.Builder, settings []setting) {
	for _, s := range settings {
		fmt.Fprintf(b, "%s = %s  # %s: %s\n", s.key, s.value, s.origin, plain(s.why))
	}
}

// first returns the start of the first member of a fleet, which is no event; -1 when there is none.
func (d *draft) first(f *fleet) int {
	who := memberName(f.name, 1)
	return slices.IndexFunc(d.acts, func(a act) bool { return a.do == scenario.Start && a.who == who })
}

// throws reports whether poll() of a member throws because of a wrong topic.
func (d *draft) throws() bool {
	return slices.ContainsFunc(d.story.events, func(e logs.Event) bool { return strings.Contains(e.ClientReason, "InvalidTopicException") })
}

func (d *draft) writeFleet(b *strings.Builder, f *fleet) {
	line := func(format string, args ...any) { fmt.Fprintf(b, format+"\n", args...) }
	line("\n[[fleet]]\nname   = %s\ngroup  = %s\ntopics = [\"topic-1\"]\ncount  = %d", quoted(f.name), quoted(d.group()), len(f.members))
	line("client = %s  # %s: %s", quoted(f.client.value), f.client.origin, f.client.why)
	profile, _ := consumers.FindProfile(f.client.value)
	if profile.PollTimeout > pollTimeoutAssumed {
		line("poll-timeout = %s  # assumed: no log of a broker says it", span(pollTimeoutAssumed))
	}
	if d.throws() {
		line("poll-again = \"1s\"  # derived: an exception of poll() is caught, and it is called again")
	}
	if drain := d.story.drain(); drain > 0 && (profile.OnJava() || profile.Name == "franz-go") {
		line("on-revoke = %s  # derived: members rejoin so late after an assignment that takes partitions from them", span(drain))
	}
	if f.static {
		line("static = true")
	}
	end := d.warmUp + d.duration
	at := end
	if i := d.first(f); i >= 0 {
		at = min(d.warmUp+d.acts[i].at, end)
	}
	if len(f.members) == 1 {
		line("start  = { at = %s }", span(at))
	} else {
		line("start  = { at = %s, every = \"1000h\" }  # the others start by events", span(at))
	}
	line("[fleet.member-ids]")
	for n, p := range f.members {
		if ids := p.memberIDs(n); len(ids) > 0 {
			line("%s = %s", quoted(memberName(f.name, n+1)), quotedList(ids))
		}
	}
	line("[fleet.config]")
	writeSettings(b, f.settings)
}

// memberIDs are the ids of a process in order: as they were logged, and something else where one was not. Nothing is pinned
// for a process of which no id is known.
func (p *process) memberIDs(n int) []string {
	var ids []string
	for k, l := range p.lives {
		id := string(l.id)
		if id == "" && l.instance != "" {
			id = fmt.Sprintf("%s-00000000-0000-0000-%04d-%012d", l.instance, n, k)
		}
		if id != "" {
			ids = append(ids, id)
		}
	}
	return ids
}

// events are the acts in the order of time, without the starts that fleets say, and what comes after the end.
func (d *draft) events() []act {
	var all []act
	for i, a := range d.acts {
		if a.at < d.duration && !slices.ContainsFunc(d.fleets, func(f *fleet) bool { return d.first(f) == i }) {
			all = append(all, a)
		}
	}
	slices.SortStableFunc(all, func(a, b act) int { return int(a.at - b.at) })
	return all
}

func (d *draft) writeAct(b *strings.Builder, a act) {
	line := func(format string, args ...any) { fmt.Fprintf(b, format+"\n", args...) }
	line("")
	if a.note != "" {
		line("# %s", plain(a.note))
	}
	line("[[event]]\nat  = %s\ndo  = %s", span(d.warmUp+a.at), quoted(string(a.do)))
	if a.who != "" {
		line("who = %s", quoted(a.who))
	}
	if a.lasts != 0 {
		key := "for"
		if a.do == scenario.BrokerRestart {
			key = "down"
		}
		line("%s = %s", key, span(max(a.lasts, time.Millisecond)))
	}
	for _, p := range a.keys {
		line("%s = %s", p.key, p.value)
	}
}
