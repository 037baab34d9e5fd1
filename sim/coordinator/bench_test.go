package coordinator

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"simulate/sim/clock"
	"simulate/sim/trace"
	"simulate/sim/wire"
)

// sequence hands out ids that look like Kafka's.
type sequence struct{ n int }

func (s *sequence) NewMemberID(wire.Request) wire.MemberID {
	s.n++
	return benchID(s.n)
}

func benchID(n int) wire.MemberID {
	return wire.MemberID(fmt.Sprintf("orders-consumer-%08x-f110-402b-9f2d-4537e977be59", uint32(n)*2654435761))
}

// stableGroup returns a shard whose group g is Stable with n members.
func stableGroup(n int) *Shard {
	s := New(Defaults(), &sequence{}, trace.Discard)
	join(s, n)
	s.Expire(clock.At(3*time.Second), TimerKey{Kind: JoinTimer, Group: "g"})
	s.Expire(clock.At(6*time.Second), TimerKey{Kind: JoinTimer, Group: "g"})
	for i := range n {
		sync := wire.Request{Ticket: 1, API: wire.SyncGroup, Version: 5, Group: "g", Member: benchID(i + 1), Generation: 1, Body: &wire.SyncGroupRequest{}}
		for _, e := range s.Handle(clock.At(6*time.Second), &sync) {
			if e.Kind == Append {
				s.Appended(clock.At(6*time.Second), e.Append, wire.None)
				break
			}
		}
	}
	return s
}

var orders = subscriptionTo([]string{"orders"}, "")

// join adds n members in the initial delay.
func join(s *Shard, n int) {
	body := &wire.JoinGroupRequest{
		SessionTimeoutMs: 45000, RebalanceTimeoutMs: 300000, ProtocolType: "consumer",
		Protocols: []wire.Protocol{{Name: "range", Metadata: orders}, {Name: "cooperative-sticky", Metadata: orders}},
	}
	for range n {
		r := wire.Request{Ticket: 1, API: wire.JoinGroup, Version: 3, Group: "g", Body: body}
		for _, e := range s.Handle(0, &r) {
			if e.Kind == Append {
				s.Appended(0, e.Append, wire.None)
				break
			}
		}
	}
}

func heartbeatOf(id wire.MemberID) wire.Request {
	return wire.Request{Ticket: 1, API: wire.Heartbeat, Version: 4, Group: "g", Member: id, Generation: 1}
}

// TestHeartbeatAllocates checks that the steady state costs no memory: almost every event of a run is a
// heartbeat.
func TestHeartbeatAllocates(t *testing.T) {
	s := stableGroup(1000)
	if state, _ := s.Snapshot("g"); state.State != wire.Stable {
		t.Fatalf("got state %v, want Stable", state.State)
	}
	r := heartbeatOf(benchID(500))
	now := clock.At(10 * time.Second)
	if n := testing.AllocsPerRun(100, func() {
		if got := s.Handle(now, &r); len(got) != 2 || got[1].Response.Err != wire.None {
			t.Fatalf("got %v, want a timer and NONE", got)
		}
	}); n != 0 {
		t.Errorf("got %v allocations a heartbeat, want 0", n)
	}
}

// commitOf returns a commit of one offset with this metadata.
func commitOf(id wire.MemberID, metadata string) wire.Request {
	r := heartbeatOf(id)
	r.API, r.Version = wire.OffsetCommit, 9
	r.Body = &wire.OffsetCommitRequest{
		RetentionTimeMs: -1, Offsets: []wire.OffsetToCommit{{LeaderEpoch: -1, Metadata: metadata}},
	}
	return r
}

// commit handles a commit, commits what it wrote, and returns the answer.
func commit(s *Shard, now clock.Time, r *wire.Request) *wire.OffsetCommitResponse {
	effects := s.Handle(now, r)
	i := slices.IndexFunc(effects, func(e Effect) bool { return e.Kind == Append })
	if i >= 0 {
		batch := effects[i]
		s.Reuse(batch.Records)
		effects = s.Appended(now, batch.Append, wire.None)
	}
	return effects[len(effects)-1].Response.Body.(*wire.OffsetCommitResponse)
}

// TestCommitAllocates checks that commits, too, cost no memory as long as the host gives back their records.
func TestCommitAllocates(t *testing.T) {
	s := stableGroup(1000)
	r := commitOf(benchID(500), "")
	now := clock.At(10 * time.Second)
	commit(s, now, &r)
	if n := testing.AllocsPerRun(100, func() {
		if got := commit(s, now, &r); got.Partitions[0].Err != wire.None {
			t.Fatalf("got %v, want NONE", got)
		}
	}); n != 0 {
		t.Errorf("got %v allocations a commit, want 0", n)
	}
}

// TestAcceptedAnswer checks that an answer which is given again has no errors of other commits.
func TestAcceptedAnswer(t *testing.T) {
	s := stableGroup(1000)
	now := clock.At(10 * time.Second)
	var got []wire.Err
	for _, metadata := range []string{"", strings.Repeat("x", 5000), ""} {
		r := commitOf(benchID(500), metadata)
		got = append(got, commit(s, now, &r).Partitions[0].Err)
	}
	if want := []wire.Err{wire.None, wire.OffsetMetadataTooLarge, wire.None}; !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

// BenchmarkHeartbeat is to be read beside BenchmarkYardstick: what a heartbeat cannot do without.
func BenchmarkHeartbeat(b *testing.B) {
	s := stableGroup(1000)
	requests := make([]wire.Request, 1000)
	for i := range requests {
		requests[i] = heartbeatOf(benchID(i + 1))
	}
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		s.Handle(clock.At(10*time.Second), &requests[i%1000])
	}
}

// BenchmarkCommit commits one offset and waits for the log.
func BenchmarkCommit(b *testing.B) {
	s := stableGroup(1000)
	r := commitOf(benchID(500), "")
	b.ReportAllocs()
	for b.Loop() {
		commit(s, clock.At(10*time.Second), &r)
	}
}

// BenchmarkYardstick looks a member up in a map and re-arms its timer in the queue, which the host of a
// shard does after every heartbeat.
func BenchmarkYardstick(b *testing.B) {
	var q clock.Queue[TimerKey]
	timers := map[wire.MemberID]clock.Handle{}
	ids := make([]wire.MemberID, 1000)
	for i := range ids {
		ids[i] = benchID(i + 1)
		timers[ids[i]] = q.Schedule(clock.At(45*time.Second), TimerKey{Group: "g", Member: ids[i]})
	}
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		q.Reschedule(timers[ids[i%1000]], clock.At(45*time.Second).Add(time.Duration(i)))
	}
}

// BenchmarkLoad reads a log with 10,000 groups of 3 members and an offset each.
func BenchmarkLoad(b *testing.B) {
	var records []Record
	for i := range 10000 {
		group := fmt.Sprintf("group-%d", i)
		r := GroupMetadataRecord{Group: group, ProtocolType: "consumer", Generation: 1, Protocol: "range", Leader: benchID(3 * i)}
		for j := range 3 {
			r.Members = append(r.Members, MemberRecord{
				Member: benchID(3*i + j), SessionTimeoutMs: 45000, RebalanceTimeoutMs: 300000, Subscription: subscriptionTo([]string{"orders"}, ""),
			})
		}
		o := &OffsetCommitRecord{Group: group, ExpireTimestampMs: noTimestamp}
		o.Topic = "orders"
		records = append(records, r, o)
	}
	for b.Loop() {
		New(Defaults(), &sequence{}, trace.Discard).Load(0, records)
	}
}

// BenchmarkJoinStorm joins a whole group and ends the join phase. The cost of a member must not grow
// with the group.
func BenchmarkJoinStorm(b *testing.B) {
	for _, n := range []int{1000, 10000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			for b.Loop() {
				s := New(Defaults(), &sequence{}, trace.Discard)
				join(s, n)
				s.Expire(clock.At(3*time.Second), TimerKey{Kind: JoinTimer, Group: "g"})
				s.Expire(clock.At(6*time.Second), TimerKey{Kind: JoinTimer, Group: "g"})
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*n), "ns/member")
		})
	}
}
