package metrics

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"
	"time"

	"simulate/sim/trace"
	"simulate/sim/wire"
)

// Find returns the definition of a metric.
func Find(name string) (Definition, bool) {
	for _, d := range Definitions {
		if d.Name == name {
			return d, true
		}
	}
	return Definition{}, false
}

// AddsUp reports whether a metric grows with the time that it is about: what happens, and what lasts in sum.
func AddsUp(name string) bool {
	switch name {
	case "rebalances", "joined", "completed", "time_in", "evictions", "false_evictions", "pending_expired", "leaves", "fenced",
		"joins", "unassigned", "stopped", "stuck", "redelivered", "anomalies":
		return true
	}
	return false
}

// Value returns one metric of one subject. The error says, in words, that the metric has no sample, or
// that the query names nothing that exists.
func (s *Summary) Value(q Query) (Value, error) {
	d, ok := Find(q.Name)
	if !ok {
		return Value{}, fmt.Errorf("unknown metric %q", q.Name)
	}
	if d.Subject == OfMember {
		return counted(s.joins(q.Subject)), nil
	}
	if g := s.Group(q.Subject); g != nil {
		return g.value(d, q.Arg, s.To.Sub(s.From))
	}
	return Value{}, fmt.Errorf("no group %q", q.Subject)
}

func (s *Summary) joins(member string) int {
	for i := range s.Groups {
		for _, j := range s.Groups[i].Joins {
			if j.Who == member {
				return j.Count
			}
		}
	}
	return 0
}

func (g *Group) value(d Definition, arg string, observed time.Duration) (Value, error) {
	if d.Argument == StateArgument {
		return g.ofState(d, arg, observed)
	}
	switch d.Name {
	case "rebalances":
		return counted(g.RebalancesFor(arg)), nil
	case "joined":
		return counted(g.Joined), nil
	case "completed":
		return counted(g.Completed), nil
	case "members":
		return counted(g.Members), nil
	case "evictions":
		return counted(g.EvictionsBy(arg)), nil
	case "false_evictions":
		return counted(g.FalseEvictions()), nil
	case "detection":
		return lasting(g.Detection), nil
	case "pending_expired":
		return counted(g.PendingExpired), nil
	case "leaves":
		if arg == "poll-timeout" {
			return counted(g.LeftByPollTimeout()), nil
		}
		return counted(len(g.Leaves)), nil
	case "fenced":
		return counted(len(g.Fenced)), nil
	case "stuck":
		return counted(g.stuckInRebalance()), nil
	case "anomalies":
		return counted(g.AnomaliesOf(arg)), nil
	case "state":
		return Value{Type: StateType, State: g.State}, nil
	case "stopped":
		return lasting(g.Stopped), nil
	}
	return g.sampled(d)
}

// sampled returns the metrics that may have no sample.
func (g *Group) sampled(d Definition) (Value, error) {
	switch d.Name {
	case "generation":
		if g.State == wire.NoGroup {
			return Value{}, fmt.Errorf("group %s does not exist; it has no generation", g.Name)
		}
		return counted(int(g.Generation)), nil
	case "leader":
		if g.Leader.Member == "" {
			return Value{}, fmt.Errorf("nobody leads %s", g.Name)
		}
		return Value{Type: NameType, Name: g.Leader.String()}, nil
	case "lag", "max_lag", "redelivered":
		if g.Records == nil {
			return Value{}, fmt.Errorf("no topic of %s holds records; give it a rate", g.Name)
		}
		return g.Records.value(d.Name), nil
	case "unassigned":
		if !g.Assigned {
			return Value{}, fmt.Errorf("no join phase of %s ended; unassigned time counts from the first one on", g.Name)
		}
		return Value{Type: PartitionSeconds, Duration: g.Unassigned}, nil
	case "settled":
		if !g.IsSettled {
			return Value{}, fmt.Errorf("%s never settled; its state at the end is %v", g.Name, g.State)
		}
		return lasting(g.Settled), nil
	}
	panic("metrics: no value for " + d.Name)
}

func (g *Group) ofState(d Definition, arg string, observed time.Duration) (Value, error) {
	state, ok := wire.ParseGroupState(arg)
	if !ok {
		return Value{}, fmt.Errorf("unknown group state %q", arg)
	}
	switch d.Name {
	case "time_in":
		return lasting(g.TimeIn[state]), nil
	case "longest":
		if !g.Visited[state] {
			return Value{}, fmt.Errorf("%s was never in %v", g.Name, state)
		}
		return lasting(g.Longest[state]), nil
	}
	if observed == 0 {
		return Value{}, fmt.Errorf("no time passed; there is no share of it")
	}
	return Value{Type: ShareType, Share: g.Share[state]}, nil
}

// RebalancesFor counts the rebalances of a reason, or all when the reason is "".
func (g *Group) RebalancesFor(reason string) int {
	n := 0
	for _, r := range g.Rebalances {
		if reason == "" || r.Reason.String() == reason {
			n++
		}
	}
	return n
}

// EvictionsBy counts the evictions of a cause, or all when the cause is "".
func (g *Group) EvictionsBy(cause string) int {
	n := 0
	for _, e := range g.Evictions {
		if cause == "" || e.Cause.String() == cause {
			n++
		}
	}
	return n
}

// FalseEvictions counts the evictions of members whose process was alive.
func (g *Group) FalseEvictions() int {
	n := 0
	for _, e := range g.Evictions {
		if e.Alive {
			n++
		}
	}
	return n
}

// AnomaliesOf counts the anomalies of a kind, or all when the kind is "".
func (g *Group) AnomaliesOf(kind string) int {
	n := 0
	for _, a := range g.Anomalies {
		if kind == "" || a.Kind.String() == kind {
			n++
		}
	}
	return n
}

// LeftByPollTimeout counts the leaves because max.poll.interval.ms ran out.
func (g *Group) LeftByPollTimeout() int {
	n := 0
	for _, l := range g.Leaves {
		if l.PollTimeout {
			n++
		}
	}
	return n
}

// EvictionCauses lists the causes of evictions, in the order of reports.
func EvictionCauses() []trace.Reason {
	return []trace.Reason{trace.SessionExpired, trace.NewMemberExpired, trace.NotRejoinedInTime, trace.SyncExpired}
}

// String returns the process, or the member id when the process is unknown.
func (l Leader) String() string {
	if l.Who != "" {
		return l.Who
	}
	return string(l.Member)
}

func counted(n int) Value           { return Value{Type: CountType, Count: int64(n)} }
func lasting(d time.Duration) Value { return Value{Type: DurationType, Duration: d} }

// Compare orders two values of one type; the fields that the type does not use are zero.
func Compare(a, b Value) int {
	return cmp.Or(
		cmp.Compare(a.Count, b.Count),
		cmp.Compare(a.Duration, b.Duration),
		cmp.Compare(a.Share, b.Share),
		cmp.Compare(a.Number, b.Number),
		cmp.Compare(a.State, b.State),
		cmp.Compare(a.Name, b.Name),
	)
}

// Number writes a number with at most three decimals.
func Number(x float64) string {
	text := strings.TrimRight(strconv.FormatFloat(x, 'f', 3, 64), "0")
	return strings.TrimSuffix(text, ".")
}

// String writes the value as expectations and reports do: "17", "4m37s", "91.3 %", "2.75", "Stable", "orders-3".
func (v Value) String() string {
	switch v.Type {
	case DurationType, PartitionSeconds:
		return Duration(v.Duration)
	case ShareType:
		return strconv.FormatFloat(100*v.Share, 'f', 1, 64) + " %"
	case NumberType:
		return strconv.FormatFloat(v.Number, 'f', -1, 64)
	case StateType:
		return v.State.String()
	case NameType:
		return v.Name
	}
	return strconv.FormatInt(v.Count, 10)
}
