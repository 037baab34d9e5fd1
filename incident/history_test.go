package incident

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/cockroachdb/datadriven"

	"simulate/incident/logs"
	"simulate/sim/metrics"
	"simulate/sim/trace"
	"simulate/sim/wire"
)

// TestHistory runs the transcripts: events in, histories out. An event is
//
//	12.345 b1 preparing orders generation=4 reason=session-expired member=m1
//
// that is: seconds, who wrote it (b1: broker 1; b?: a broker that does not say its id; else a client, which logs to a source of
// its own), the kind, the group ("-" for none), and what else it says. A member "m1" is short for "m1-" and a UUID.
//
// The command is "analyze" with arguments of Options: kept=N, groups=N, only=NAME, stuck-after=D, since=S, until=S; uncovered=(S,S) is a time that no source covers.
func TestHistory(t *testing.T) {
	datadriven.Walk(t, "testdata/history", func(t *testing.T, path string) {
		datadriven.RunTest(t, path, func(t *testing.T, d *datadriven.TestData) string {
			if d.Cmd != "analyze" {
				d.Fatalf(t, "unknown command %s", d.Cmd)
			}
			f := NewFold(transcriptOptions(t, d))
			for i, line := range strings.Split(strings.TrimSpace(d.Input), "\n") {
				if line == "" || strings.HasPrefix(line, "#") {
					continue
				}
				e, err := parseEvent(line)
				if err != nil {
					d.Fatalf(t, "event %d: %v", i+1, err)
				}
				e.Place.Line = int64(i + 1)
				f.Add(&e)
			}
			if d.HasArg("uncovered") {
				f.Uncovered([]logs.Gap{uncovered(t, d)})
			}
			var b strings.Builder
			write(&b, f.Analysis())
			return b.String()
		})
	})
}

func transcriptOptions(t *testing.T, d *datadriven.TestData) Options {
	var o Options
	for _, a := range d.CmdArgs {
		v := a.Vals[0]
		var err error
		switch a.Key {
		case "kept":
			o.MaxKept, err = strconv.Atoi(v)
		case "groups":
			o.MaxGroups, err = strconv.Atoi(v)
		case "uncovered": // FROM,UNTIL
		case "only":
			o.Groups = a.Vals
		case "stuck-after":
			o.StuckAfter, err = time.ParseDuration(v)
		case "since":
			o.Since, err = instantOf(v)
		case "until":
			o.Until, err = instantOf(v)
		default:
			err = fmt.Errorf("unknown argument %s", a.Key)
		}
		if err != nil {
			d.Fatalf(t, "%v", err)
		}
	}
	return o
}

func uncovered(t *testing.T, d *datadriven.TestData) (gap logs.Gap) {
	var from, to string
	d.ScanArgs(t, "uncovered", &from, &to)
	var err1, err2 error
	gap.From, err1 = instantOf(from)
	gap.To, err2 = instantOf(to)
	if err1 != nil || err2 != nil {
		d.Fatalf(t, "uncovered: %v %v", err1, err2)
	}
	return gap
}

// epoch is where the instants of transcripts begin.
var epoch = logs.Instant(time.Date(2026, time.March, 1, 0, 0, 0, 0, time.UTC).UnixNano())

func instantOf(s string) (logs.Instant, error) {
	if s == "-" {
		return logs.NoTime, nil
	}
	seconds, err := strconv.ParseFloat(s, 64)
	return epoch.Add(time.Duration(seconds*1000+0.5) * time.Millisecond), err
}

func kindNamed(name string) (logs.Kind, error) {
	for k := range logs.NumKinds {
		if k.String() == name && name != "" {
			return k, nil
		}
	}
	return 0, fmt.Errorf("no kind is called %q", name)
}

// memberID makes a member id of a short name; what holds a dash is one already.
func memberID(name string) wire.MemberID {
	if name == "" || strings.Contains(name, "-") {
		return wire.MemberID(name)
	}
	client, _, _ := strings.Cut(name, "/")
	return wire.MemberID(fmt.Sprintf("%s-%08x-0000-4000-8000-000000000000", client, sum(name)))
}

func sum(s string) (n int) {
	for _, c := range s {
		n = n*31%0xffff + int(c)
	}
	return n
}

func parseEvent(line string) (logs.Event, error) {
	e := logs.Event{
		Precision: time.Millisecond, Broker: logs.Unknown, Partition: logs.Unknown, Generation: logs.Unknown, Members: logs.Unknown, Static: logs.Unknown,
	}
	words := strings.Fields(line)
	if len(words) < 4 {
		return e, fmt.Errorf("%q has not when, who, what and the group", line)
	}
	var err error
	if e.At, err = instantOf(words[0]); err != nil {
		return e, err
	}
	e.Place.Source = int32(sum(words[1]) % 251)
	if id, ok := strings.CutPrefix(words[1], "b"); ok && len(words[1]) == 2 {
		e.Library = logs.Broker
		if id != "?" {
			n, err := strconv.Atoi(id)
			if err != nil {
				return e, err
			}
			e.Broker = int32(n)
		}
	} else {
		e.Library, e.Client = logs.Java, words[1]
	}
	if e.Kind, err = kindNamed(words[2]); err != nil {
		return e, err
	}
	if words[3] != "-" {
		e.Group = words[3]
	}
	for _, w := range words[4:] {
		if err := setField(&e, w); err != nil {
			return e, err
		}
	}
	return e, nil
}

// setField takes "key=value"; an underscore stands for a blank.
func setField(e *logs.Event, word string) error {
	key, value, ok := strings.Cut(word, "=")
	if !ok {
		return fmt.Errorf("%q is not key=value", word)
	}
	value = strings.ReplaceAll(value, "_", " ")
	number, numberErr := strconv.Atoi(value)
	switch key {
	case "generation":
		e.Generation = int32(number)
		return numberErr
	case "members":
		e.Members = int32(number)
		return numberErr
	case "partition":
		e.Partition = int32(number)
		return numberErr
	case "member":
		e.Member = memberID(value)
	case "other":
		e.Other = memberID(value)
	case "instance":
		e.Instance = wire.InstanceID(value)
	case "list":
		for m := range strings.SplitSeq(value, ",") {
			e.List = append(e.List, memberID(m))
		}
	case "said":
		e.ClientReason = value
	case "text":
		e.Text = value
	case "client": // "-": the record names none
		e.Client = strings.Trim(value, "-")
	case "source":
		e.Place.Source = int32(number)
		return numberErr
	case "for", "session", "timeout", "precision":
		return setTime(e, key, value)
	case "library":
		for l := range logs.NumLibraries {
			if l.String() == value {
				e.Library = l
			}
		}
	case "state":
		s, ok := wire.ParseGroupState(value)
		if !ok {
			return fmt.Errorf("no state is called %q", value)
		}
		e.State = s
	case "reason":
		for r := trace.NoReason; r <= trace.NotRejoinedInTime; r++ {
			if r.String() == value {
				e.Reason = r
				return nil
			}
		}
		return fmt.Errorf("no reason is called %q", value)
	default:
		return fmt.Errorf("unknown field %s", key)
	}
	return nil
}

func setTime(e *logs.Event, key, value string) error {
	d, err := time.ParseDuration(value)
	switch key {
	case "for":
		e.For = d
	case "precision":
		e.Precision = d
	default:
		if e.Details == nil {
			e.Details = &logs.MemberDetails{}
		}
		if key == "session" {
			e.Details.SessionTimeout = d
		} else {
			e.Details.RebalanceTimeout = d
		}
	}
	return err
}

// write writes an analysis for people who compare it with the events above it.
func write(b *strings.Builder, a *Analysis) {
	for _, w := range a.Warnings {
		fmt.Fprintf(b, "warning: %s\n", w)
	}
	for i := range a.Groups {
		writeGroup(b, &a.Groups[i])
	}
}

func second(t logs.Instant) string {
	if t == logs.NoTime {
		return "?"
	}
	return strconv.FormatFloat(t.Sub(epoch).Seconds(), 'f', 3, 64)
}

func short(id wire.MemberID) string { return ClientOf(id) }

func shorts(ids []wire.MemberID) string {
	var list []string
	for _, id := range ids {
		list = append(list, short(id))
	}
	return strings.Join(list, " ")
}

func writeGroup(b *strings.Builder, g *Group) {
	fmt.Fprintf(b, "%s: %v, generation %d, members %d, rebalances %d, joined %d, completed %d", g.Name, g.State, g.Generation, g.Members, g.Count, g.Joined, g.Completed)
	if g.UnseenCount > 0 {
		fmt.Fprintf(b, ", unseen %d", g.UnseenCount)
	}
	if g.ClientView {
		b.WriteString(", as clients see it")
	}
	if g.Members < 0 && g.Known > 0 {
		fmt.Fprintf(b, ", known members %d", g.Known)
	}
	if len(g.Brokers) > 0 {
		fmt.Fprintf(b, ", brokers %v", g.Brokers)
	}
	b.WriteString("\n")
	for i := range g.Spans {
		s := &g.Spans[i]
		fmt.Fprintf(b, "  %s-%s %v%s\n", second(s.Since), second(s.Until), s.State, flags("cut", s.Cut, "lost", s.Lost, "open", s.Open))
	}
	for i := range g.Rebalances {
		writeRebalance(b, &g.Rebalances[i])
	}
	for _, u := range g.Unseen {
		fmt.Fprintf(b, "  unseen %d in %s-%s\n", u.Rebalances, second(u.Since), second(u.Until))
	}
	writeMembers(b, g)
	writeFindings(b, g)
	if s := g.Samples; s != nil {
		fmt.Fprintf(b, "  seen %d times in %s-%s, %s apart at most, rebalancing %d, changes >=%d, rebalances >=%d, members %d-%d\n", s.Count,
			second(s.From), second(s.To), metrics.Duration(s.Apart), s.Rebalancing, s.Changes, s.Rebalances, s.Least, s.Most)
		for _, one := range s.Seen {
			fmt.Fprintf(b, "    %s %v%s\n", second(one.At), one.State, flags("rebalancing", one.Rebalancing))
		}
	}
}

func flags(words ...any) string {
	text := ""
	for i := 0; i < len(words); i += 2 {
		if words[i+1].(bool) {
			text += " " + words[i].(string)
		}
	}
	return text
}

func writeRebalance(b *strings.Builder, r *Rebalance) {
	fmt.Fprintf(b, "  rebalance %s-%s %d>%d %v%s: %s", second(r.At), second(r.Until), r.Old, r.Generation, r.Ended, flags("headless", r.Headless, "lost", r.Lost), r.Reason)
	if r.Member != "" {
		fmt.Fprintf(b, " %s", short(r.Member))
	}
	if len(r.Leavers) > 0 {
		fmt.Fprintf(b, " without %s", shorts(r.Leavers))
	}
	if r.From != Unknown {
		fmt.Fprintf(b, " from %v", r.From)
	}
	if d, ok := r.Join(); ok {
		fmt.Fprintf(b, " join %s", metrics.Duration(d))
	}
	if d, ok := r.Sync(); ok {
		fmt.Fprintf(b, " sync %s", metrics.Duration(d))
	}
	if r.Evicted > 0 {
		fmt.Fprintf(b, " evicted %d", r.Evicted)
	}
	fmt.Fprintf(b, "%s; lines%s\n", flags("nobody-rejoined", r.NobodyRejoined), places(r.Lines))
}

func places(list []logs.Place) string {
	text := ""
	for _, p := range list {
		text += " " + strconv.FormatInt(p.Line, 10)
	}
	return text
}

func writeMembers(b *strings.Builder, g *Group) {
	for _, ev := range g.Evictions {
		fmt.Fprintf(b, "  evicted %s %s %v%s", second(ev.At), short(ev.Member), ev.Cause, flags("seen", ev.Seen))
		if ev.Silent > 0 {
			fmt.Fprintf(b, " %s after %v", metrics.Duration(ev.Silent), ev.After)
		}
		b.WriteString("\n")
	}
	for _, l := range g.Leaves {
		fmt.Fprintf(b, "  left %s %s%s %s\n", second(l.At), short(l.Member), flags("poll-timeout", l.PollTimeout), l.ClientReason)
	}
	if g.PendingExpired > 0 {
		fmt.Fprintf(b, "  pending ids that ran out: %d\n", g.PendingExpired)
	}
	for i := range g.Epochs {
		e := &g.Epochs[i]
		fmt.Fprintf(b, "  epoch %d %s-%s%s members %d", e.Epoch, second(e.At), second(e.Until), flags("superseded", e.Superseded, "open", e.Open), e.Members)
		for _, r := range e.Reached {
			fmt.Fprintf(b, " %s@%s", short(r.Member), second(r.At))
		}
		b.WriteString("\n")
	}
	for i := range g.Clients {
		writeClient(b, &g.Clients[i])
	}
}

func writeClient(b *strings.Builder, c *Client) {
	fmt.Fprintf(b, "  client %s (%v) joins %d", c.Name, c.Library, c.JoinCount)
	for _, n := range []struct {
		n    int
		what string
	}{{c.PollTimeouts, "poll timeouts"}, {c.SessionsLost, "sessions lost"}, {c.Evicted, "evicted"}, {c.Fenced, "fenced"}, {c.Asked, "asked"}} {
		if n.n > 0 {
			fmt.Fprintf(b, ", %s %d", n.what, n.n)
		}
	}
	if o := c.Offset; o != nil {
		fmt.Fprintf(b, ", offset %v to %v zone %v of %d%s", o.Low, o.High, o.Zone, o.Rounds, flags("broken", o.Broken))
	}
	b.WriteString("\n")
	for _, j := range c.Joins {
		fmt.Fprintf(b, "    join %s %s %s generation %d %s\n", second(j.Sent), second(j.Answered), second(j.Synced), j.Generation, j.Failed)
	}
}

func writeFindings(b *strings.Builder, g *Group) {
	for i := range g.Stuck {
		s := &g.Stuck[i]
		fmt.Fprintf(b, "  stuck %v %s-%s%s missing %s; lines%s\n", s.State, second(s.Since), second(s.Until), flags("evident", s.Evident, "open", s.Open), shorts(s.Missing), places(s.Lines))
	}
	for _, a := range g.Anomalies {
		fmt.Fprintf(b, "  anomaly %v %s-%s %d %s\n", a.Kind, second(a.Since), second(a.Until), a.Count, a.Who)
	}
	for _, c := range g.Causes {
		fmt.Fprintf(b, "  cause %v %d: %s; lines%s\n", c.Kind, c.Rebalances, c.Text, places(c.Lines))
	}
	for _, m := range g.Missing {
		fmt.Fprintf(b, "  missing: %s\n", m)
	}
}

// Each list of a group keeps the last, in order.
func TestKept(t *testing.T) {
	r := room{each: 10, left: 5}
	var k kept[int]
	for i := range 25 {
		k.add(i, &r)
	}
	if got := k.list(); k.count != 25 || len(got) != leastKept || got[0] != 25-leastKept || !slices.IsSorted(got) || *k.last() != 24 {
		t.Errorf("got %v, %d of them", got, k.count)
	}
	seen := 0
	k.backwards(func(i *int) bool {
		if *i != 24-seen {
			t.Errorf("backwards: got %d, want %d", *i, 24-seen)
		}
		seen++
		return true
	})
	if seen != leastKept {
		t.Errorf("went through %d items", seen)
	}
}
