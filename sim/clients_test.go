package sim

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"simulate/sim/clock"
	"simulate/sim/trace"
	"simulate/sim/wire"
)

// span is a time from, to; the zero span: it does not happen.
type span [2]time.Duration

// TestFaultsOfClients holds what recordings of real libraries say of each under three faults, with session.timeout.ms 8 s,
// heartbeat.interval.ms 2 s, and 15 s for max.poll.interval.ms or the rebalance timeout.
func TestFaultsOfClients(t *testing.T) {
	const ms, s = time.Millisecond, time.Second
	for _, c := range []struct {
		client  string
		config  string
		stalled span         // a stall of 27 s: until the member is removed
		reason  trace.Reason // and why
		held    span         // a stall of 40 s while a third one joins: how long the group waits
		oldID   bool         // a freeze of 16 s: joins with the old id first
		newID   span         // until it joins without any
	}{
		{"librdkafka", "max.poll.interval.ms", span{15 * s, 15500 * ms}, trace.Left, span{12700 * ms, 13300 * ms}, false, span{0, 100 * ms}},
		{"franz-go", "rebalance.timeout.ms", span{}, trace.NoReason, span{300 * ms, 800 * ms}, true, span{200 * ms, 400 * ms}},
		{"sarama", "rebalance.timeout.ms", span{}, trace.NoReason, span{14900 * ms, 15100 * ms}, true, span{0, 100 * ms}},
		{"kafkajs", "rebalance.timeout.ms", span{6 * s, 8100 * ms}, trace.SessionExpired, span{4 * s, 6100 * ms}, false, span{0, 100 * ms}},
		{"kafka-python", "max.poll.interval.ms", span{15 * s, 17100 * ms}, trace.Left, span{13 * s, 15 * s}, false, span{0, 200 * ms}},
		{"kafka-go", "fetch.max.wait.ms = 500\nrebalance.timeout.ms", span{}, trace.NoReason, span{0, 500 * ms}, true, span{5 * s, 5700 * ms}},
	} {
		t.Run(c.client, func(t *testing.T) {
			run := func(events string) []trace.Event { return runText(t, faultOf(c.client, c.config, events)) }
			stalled := run(`{ at = "30s", do = "stall", who = "a-2", for = "27s" }`)
			gone, why := removedAfter(stalled, "a-2", 30*s)
			c.stalled.holds(t, "removed when stalled, after", gone)
			if why != c.reason {
				t.Errorf("removed when stalled because of %v, want %v", why, c.reason)
			}
			held := run(`{ at = "30s", do = "stall", who = "a-2", for = "40s" }, { at = "32s", do = "scale", who = "a", to = 3 }`)
			c.held.holds(t, "the group waits", waitAfter(held, 32*s))
			old, without := joinsAfter(run(`{ at = "30s", do = "pause", who = "a-2", for = "16s" }`), "a-2", 46*s)
			c.newID.holds(t, "joins without an id, after", without)
			if old != c.oldID {
				t.Errorf("joins with its old id: %v, want %v", old, c.oldID)
			}
		})
	}
}

func faultOf(client, key, events string) string {
	return fmt.Sprintf(`
duration = "90s"
event    = [%s]
topic    = [{ name = "t", partitions = 6, rate = "12/s" }]
[[fleet]]
name   = "a"
topics = ["t"]
count  = 2
client = %q
poll-timeout = "100ms"
start.every  = "300ms"
[fleet.config]
session.timeout.ms    = 8000
heartbeat.interval.ms = 2000
%s = 15000
`, events, client, key)
}

func (s span) holds(t *testing.T, what string, got time.Duration) {
	t.Helper()
	if never := s == (span{}); never && got >= 0 || !never && (got < s[0] || got > s[1]) {
		t.Errorf("%s %v, want %v", what, got, s)
	}
}

// removedAfter returns how long after an instant a process ceases to be a member, and why; -1 when it does not.
func removedAfter(events []trace.Event, who string, from time.Duration) (time.Duration, trace.Reason) {
	for _, e := range events {
		if e.Kind == trace.MemberRemoved && strings.HasPrefix(string(e.Member), who+"-") && e.At >= clock.At(from) {
			return e.At.Sub(clock.At(from)), e.Reason
		}
	}
	return -1, trace.NoReason
}

// waitAfter returns how long the first stay in PreparingRebalance lasts that begins after an instant; -1 when none does.
func waitAfter(events []trace.Event, from time.Duration) time.Duration {
	began := clock.Never
	for _, e := range events {
		switch {
		case e.Kind != trace.GroupBecame || e.At < clock.At(from):
		case e.To == wire.PreparingRebalance:
			began = e.At
		case began != clock.Never:
			return e.At.Sub(began)
		}
	}
	return -1
}

// joinsAfter returns whether a process joins with a member id first, and how long after an instant it joins with none; -1
// when it does not.
func joinsAfter(events []trace.Event, who string, from time.Duration) (old bool, without time.Duration) {
	for _, e := range events {
		switch {
		case e.Kind != trace.JoinSent || e.Who != who || e.At < clock.At(from):
		case e.Member == "":
			return old, e.At.Sub(clock.At(from))
		default:
			old = true
		}
	}
	return old, -1
}
