package metrics

import (
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/cockroachdb/datadriven"

	"simulate/sim/clock"
	"simulate/sim/records"
	"simulate/sim/trace"
	"simulate/sim/wire"
)

// Transcripts feed hand-made events, one a line ("3s group-became group=g to=Stable"), and print what
// the fold makes of them.
func TestTranscripts(t *testing.T) {
	paths, err := filepath.Glob("testdata/*.txt")
	if err != nil || len(paths) == 0 {
		t.Fatal("no transcripts", err)
	}
	for _, path := range paths {
		t.Run(filepath.Base(path), func(t *testing.T) {
			var s session
			datadriven.RunTest(t, path, s.run)
		})
	}
}

type session struct{ fold *Fold }

func (s *session) run(t *testing.T, d *datadriven.TestData) string {
	t.Helper()
	switch d.Cmd {
	case "fold":
		s.fold = NewFold(foldOptions(d))
		return ""
	case "events":
		for _, e := range parseEvents(d.Input) {
			s.fold.Record(e)
		}
		return ""
	case "values":
		return values(s.view(d), d.Input)
	case "moments":
		return s.moments(d)
	case "snapshot":
		return snapshots(s.fold.Snapshot(parseTime(argument(d, "at"))))
	case "rebalances", "stuck", "anomalies", "groups":
		view := s.view(d)
		var b strings.Builder
		for i := range view.Groups {
			g := &view.Groups[i]
			if d.HasArg("kind") {
				g.Anomalies = slices.DeleteFunc(g.Anomalies, func(a Anomaly) bool { return a.Kind.String() != argument(d, "kind") })
			}
			printers[d.Cmd](&b, g)
		}
		return b.String()
	}
	t.Fatalf("unknown command %q", d.Cmd)
	return ""
}

func foldOptions(d *datadriven.TestData) Options {
	o := Options{StuckAfter: 30 * time.Second, Topics: map[string]int{}}
	for _, line := range strings.Split(d.Input, "\n") {
		words := strings.Fields(line)
		if words[0] == "duration" {
			o.Duration, _ = time.ParseDuration(words[1])
			continue
		}
		if words[0] == "topic" {
			n, _ := strconv.Atoi(words[2])
			o.Topics[words[1]] = n
			if len(words) == 5 { // a rate a second, and a backlog
				rate, _ := strconv.ParseInt(words[3], 10, 64)
				backlog, _ := strconv.ParseInt(words[4], 10, 64)
				o.AddLoad(words[1], Load{records.Rate{Records: rate, Per: time.Second}, backlog})
			}
			continue
		}
		o.Fleets = append(o.Fleets, Fleet{Name: words[1], Group: words[2], Topics: words[3:]})
	}
	return o
}

// view is the summary at "at" or of the window "from" "to".
func (s *session) view(d *datadriven.TestData) Summary {
	if d.HasArg("at") {
		return s.fold.Summary(parseTime(argument(d, "at")))
	}
	return s.fold.Window(parseTime(argument(d, "from")), parseTime(argument(d, "to")))
}

func argument(d *datadriven.TestData, key string) string {
	for _, a := range d.CmdArgs {
		if a.Key == key {
			return a.Vals[0]
		}
	}
	panic("no argument " + key)
}

// values prints one line a query, such as "longest(orders, Stable)".
func values(s Summary, input string) string {
	var b strings.Builder
	for _, line := range strings.Split(input, "\n") {
		name, rest, _ := strings.Cut(strings.TrimSuffix(line, ")"), "(")
		subject, arg, _ := strings.Cut(rest, ", ")
		v, err := s.Value(Query{Name: name, Subject: subject, Arg: arg})
		if err != nil {
			fmt.Fprintf(&b, "%s: %v\n", line, err)
			continue
		}
		fmt.Fprintf(&b, "%s = %v\n", line, v)
	}
	return b.String()
}

// snapshots prints two lines a group.
func snapshots(all []Snapshot) string {
	var b strings.Builder
	for _, s := range all {
		fmt.Fprintf(&b, "%s  %v since %v for %s  gen %d  %d members  %d rebalances\n",
			s.Name, s.State, s.Since, Duration(s.For), s.Generation, s.Members, s.Rebalances)
		if s.Last != nil {
			fmt.Fprintf(&b, "  last at %v took %s, %v\n", s.Last.At, Duration(s.Last.For()), s.Last.Ended)
		}
	}
	return b.String()
}

var printers = map[string]func(*strings.Builder, *Group){
	"rebalances": func(b *strings.Builder, g *Group) {
		for _, r := range g.Rebalances {
			fmt.Fprintf(b, "%v  %v by %s%s  gen %d -> %d  took %s, %v\n", r.At, r.Reason, orDash(r.Who)+timeoutMark(r), leavers(r),
				r.Old, r.Generation, Duration(r.For()), r.Ended)
			for _, s := range r.Stopped {
				fmt.Fprintf(b, "  stopped %s at %v for %s%s\n", s.Who, s.At, Duration(s.For), openMark(s.Open))
			}
		}
	},
	"stuck": func(b *strings.Builder, g *Group) {
		for _, s := range g.Stuck {
			fmt.Fprintf(b, "%v gen %d  %v to %v (%s)%s\n", s.State, s.Generation, s.Since, s.Until, Duration(s.For()), openMark(s.Open))
			for _, blocked := range s.Blocked {
				for _, l := range blocked.Chain {
					fmt.Fprintf(b, "  from %v %s owes %s: %s\n", blocked.At, l.Who, l.On, l.Because)
				}
				for _, id := range blocked.Ghosts {
					fmt.Fprintf(b, "    %s is of an earlier incarnation\n", id)
				}
				for _, id := range blocked.Pending {
					fmt.Fprintf(b, "    %s is no member yet\n", id)
				}
			}
			if !s.Open {
				f := &s.Freed
				fmt.Fprintf(b, "  freed by %v of %s pending=%v poll-timeout=%v ghost=%v limit=%s alike=%d\n",
					f.Reason, orDash(f.Who), f.Pending, f.PollTimeout, f.Ghost, Duration(f.Limit), f.Alike)
			}
		}
	},
	"anomalies": func(b *strings.Builder, g *Group) {
		for _, a := range g.Anomalies {
			fmt.Fprintf(b, "%v  %v to %v (%s)  %d%s\n", a.Kind, a.Since, a.Until, Duration(a.For()), a.Count, subject(a))
		}
	},
	"groups": func(b *strings.Builder, g *Group) {
		fmt.Fprintf(b, "%s  %v gen %d  %d members, leader %s\n", g.Name, g.State, g.Generation, g.Members, orDash(g.Leader.String()))
		for _, t := range g.Transitions {
			fmt.Fprintf(b, "  %v  %v -> %v  gen %d  %v\n", t.At, t.From, t.To, t.Generation, t.Reason)
		}
		for _, e := range g.Evictions {
			fmt.Fprintf(b, "  %v  evicted %s: %v, heard at %v, meanwhile %s\n",
				e.At, orDash(e.Who), e.Cause, e.Heard, orDash(e.Event.Verb))
		}
		for _, l := range g.Leaves {
			fmt.Fprintf(b, "  %v  %s left, poll-timeout=%v\n", l.At, orDash(l.Who), l.PollTimeout)
		}
		for _, f := range g.Fenced {
			fmt.Fprintf(b, "  %v  fenced %s\n", f.At, orDash(f.Who))
		}
		for _, f := range g.Thrown {
			fmt.Fprintf(b, "  threw %v %s %v %s\n", f.At, f.Who, f.Err, f.Exception)
		}
		for _, f := range g.Failures {
			fmt.Fprintf(b, "  %v  %s failed: %v, %s\n", f.At, f.Who, f.Err, f.Exception)
		}
	},
}

// subject says whom an anomaly is about.
func subject(a Anomaly) string {
	switch {
	case a.Skew != (Skew{}):
		return fmt.Sprintf("  %s holds %d, %s %d", a.Skew.Most, a.Skew.Held, a.Skew.Least, a.Skew.Fewest)
	case a.Pending:
		return fmt.Sprintf("  id %s of %s", a.Member, orDash(a.Who))
	case a.Member != "":
		return fmt.Sprintf("  %s of %s", a.Member, orDash(a.Who))
	case a.Who != "":
		return "  " + a.Who
	}
	return ""
}

func orDash(s string) string {
	if s == "" {
		return "-"
	}
	return s
}

func leavers(r Rebalance) string {
	if len(r.Leavers) == 0 {
		return ""
	}
	return fmt.Sprint(" ", r.Leavers)
}

func timeoutMark(r Rebalance) string {
	if r.PollTimeout {
		return " (poll timeout)"
	}
	return ""
}

func openMark(open bool) string {
	if open {
		return ", open"
	}
	return ""
}

// parseEvents reads "<instant> <kind> key=value ..."; "_" stands for a blank in values.
func parseEvents(input string) []trace.Event {
	var events []trace.Event
	for _, line := range strings.Split(input, "\n") {
		words := strings.Fields(line)
		e := trace.Event{At: parseTime(words[0]), Kind: named(words[1], trace.Kind(0), trace.Polled)}
		for _, w := range words[2:] {
			key, value, _ := strings.Cut(w, "=")
			setField(&e, key, strings.ReplaceAll(value, "_", " "))
		}
		events = append(events, e)
	}
	return events
}

func setField(e *trace.Event, key, value string) {
	switch key {
	case "group":
		e.Group = value
	case "member":
		e.Member = wire.MemberID(value)
	case "other":
		e.Other = wire.MemberID(value)
	case "instance":
		e.Instance = wire.InstanceID(value)
	case "who":
		e.Who = value
	case "gen":
		n, _ := strconv.Atoi(value)
		e.Generation = wire.Generation(n)
	case "from":
		e.From, _ = wire.ParseGroupState(value)
	case "to":
		e.To, _ = wire.ParseGroupState(value)
	case "reason":
		e.Reason = named(value, trace.Reason(0), trace.Failed)
	case "since":
		e.Since = parseTime(value)
	case "until":
		e.Until = parseTime(value)
	case "for":
		e.For = parseTime(value).SinceStart()
	case "text":
		e.Text = value
	case "list":
		for _, id := range strings.Split(value, ",") {
			e.List = append(e.List, wire.MemberID(id))
		}
	case "members":
		n, _ := strconv.Atoi(value)
		e.Members = int32(n)
	case "holds":
		for _, tp := range strings.Split(value, ",") {
			topic, n, _ := strings.Cut(tp, ":")
			p, _ := strconv.Atoi(n)
			e.Partitions = append(e.Partitions, wire.TopicPartition{Topic: topic, Partition: int32(p)})
		}
	case "offsets":
		for _, text := range strings.Split(value, ",") {
			n, _ := strconv.ParseInt(text, 10, 64)
			e.Offsets = append(e.Offsets, n)
		}
	case "error":
		e.Err, _ = wire.ParseErr(strings.ReplaceAll(value, " ", "_"))
	case "chain": // who/owes/because, and member/since where they matter
		parts := append(strings.Split(value, "/"), "", "0s")
		l := trace.Link{Who: parts[0], On: parts[1], Because: parts[2], Member: wire.MemberID(parts[3])}
		l.Since = parseTime(parts[4])
		e.Chain = append(e.Chain, l)
	default:
		panic("unknown key " + key)
	}
}

// named finds the constant that prints as the name.
func named[T interface {
	~uint8
	fmt.Stringer
}](name string, first, last T) T {
	for c := first; c <= last; c++ {
		if c.String() == name {
			return c
		}
	}
	panic("unknown name " + name)
}

func parseTime(s string) clock.Time {
	if s == "never" {
		return clock.Never
	}
	d, err := time.ParseDuration(s)
	if err != nil {
		panic(err)
	}
	return clock.At(d)
}
