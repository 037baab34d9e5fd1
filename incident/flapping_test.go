package incident

import (
	"fmt"
	"testing"
	"time"

	"simulate/incident/logs"
	"simulate/sim/metrics"
	"simulate/sim/trace"
	"simulate/sim/wire"
)

// TestManyProcesses adds one member again and again before and after more others than are followed: each time it flaps, also with the
// id that it had, and also where its first series was ended for the others.
func TestManyProcesses(t *testing.T) {
	f := NewFold(Options{})
	at := logs.Instant(0)
	said := func(kind logs.Kind, id wire.MemberID) {
		at = at.Add(20 * time.Millisecond)
		e := logs.Event{Kind: kind, At: at, Library: logs.Broker, Broker: 1, Group: "orders", Member: id, Reason: trace.PendingJoined}
		e.Partition, e.Generation, e.Members, e.Static = logs.Unknown, logs.Unknown, logs.Unknown, logs.Unknown
		f.Add(&e)
	}
	id := func(client string, n int) wire.MemberID {
		return wire.MemberID(fmt.Sprintf("%s-6f1c0000-0000-4000-8000-%012d", client, n))
	}
	flap := func() {
		for range 8 {
			said(logs.MemberAdded, id("a", 1))
			said(logs.MemberFailed, id("a", 1))
		}
	}
	flap()
	said(logs.MemberAdded, id("a", 1))
	for n := range mostLive {
		said(logs.MemberAdded, id(fmt.Sprint("b", n), n))
		said(logs.MemberFailed, id(fmt.Sprint("b", n), n))
	}
	at = at.Add(time.Hour)
	said(logs.MemberFailed, id("a", 1))
	flap()
	g := f.Analysis().Groups[0]
	var who []string
	for _, a := range g.Anomalies {
		if a.Kind == metrics.FlappingMember {
			who = append(who, a.Who)
		}
	}
	if n := g.AnomalyCount[metrics.FlappingMember]; n != 2 || len(who) != 2 || who[0] != "a" || who[1] != "a" {
		t.Errorf("%d flapping members are counted and %q listed, want a twice", n, who)
	}
}
