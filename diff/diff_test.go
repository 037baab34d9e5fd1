package diff

import (
	"context"
	"strconv"
	"strings"
	"testing"
	"time"

	gocmp "github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"simulate/scenarios"
	"simulate/sim"
	"simulate/sim/clock"
	"simulate/sim/metrics"
	"simulate/sim/random"
	"simulate/sim/scenario"
	"simulate/sim/trace"
	"simulate/sim/wire"
)

// quick are shipped scenarios with stuck stays, evictions, static members, several groups and warnings.
var quick = []string{
	"gc-pause-long", "slow-poll", "crash-loop", "duplicate-instance-id", "broker-restart", "static-restart-too-long", "regex-new-topic",
}

// sideOf runs a shipped scenario.
func sideOf(t interface{ Fatal(...any) }, name string, seed uint64, sets ...string) Side {
	text, ok := scenarios.Read(name)
	if !ok {
		t.Fatal("there is no " + name)
	}
	var overrides []scenario.Override
	for _, set := range sets {
		o, err := scenario.ParseOverride(set)
		if err != nil {
			t.Fatal(err)
		}
		overrides = append(overrides, o)
	}
	s, _, err := scenario.Load(name, text, overrides...)
	if err != nil {
		t.Fatal(err)
	}
	s.Seed = random.Seed(seed)
	var events trace.Memory
	if _, err := sim.Run(context.Background(), s, &events); err != nil {
		t.Fatal(err)
	}
	h := trace.Header{Scenario: s.Name, Seed: seed, Duration: s.Duration, Kafka: s.Broker.Kafka, StuckAfter: s.StuckAfter}
	for _, topic := range s.Topics {
		h.Topics = append(h.Topics, trace.Topic{Name: topic.Name, Partitions: topic.Partitions})
	}
	for _, f := range s.MetricsOptions().Fleets {
		h.Fleets = append(h.Fleets, trace.Fleet(f))
	}
	return NewSide(name, h, events.Events)
}

func drawSide(t *rapid.T, label string) Side {
	name := rapid.SampledFrom(quick).Draw(t, label)
	stuckAfter := rapid.SampledFrom([]string{"stuck-after=30s", "stuck-after=5s"}).Draw(t, label+" stuck-after")
	return sideOf(t, name, rapid.Uint64Range(1, 3).Draw(t, label+" seed"), stuckAfter)
}

// TestSelf: a run does not differ from itself, nor from the same run of the same scenario.
func TestSelf(t *testing.T) {
	for _, name := range quick {
		r := Compare(sideOf(t, name, 1), sideOf(t, name, 1))
		if !r.Same() || !r.SameEvents() || r.Parting != nil {
			t.Errorf("%s differs from itself, at %+v", name, r.Parting)
		}
		for _, g := range r.Groups {
			if !g.InA || !g.InB || len(g.Numbers) > 0 {
				t.Errorf("%s: group %s differs in %+v", name, g.Name, g.Numbers)
			}
			equalPairs(t, g.Rebalances)
			equalPairs(t, g.Stuck)
			equalPairs(t, g.Evictions)
		}
	}
}

func equalPairs[T any](t *testing.T, pairs []Pair[T]) {
	t.Helper()
	for _, p := range pairs {
		if d := gocmp.Diff(p.A, p.B); d != "" {
			t.Errorf("not the same: %s", d)
		}
	}
}

// TestMirror: the other way round it is the same with the sides exchanged, and twice it is the same.
func TestMirror(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, b := drawSide(t, "a"), drawSide(t, "b")
		r := Compare(a, b)
		if d := gocmp.Diff(r, Compare(a, b)); d != "" {
			t.Fatalf("the second time it differs: %s", d)
		}
		if d := gocmp.Diff(mirrored(r), Compare(b, a)); d != "" {
			t.Fatalf("the other way round it differs: %s", d)
		}
	})
}

// mirrored exchanges A and B.
func mirrored(r Result) Result {
	r.A, r.B = r.B, r.A
	if p := r.Parting; p != nil {
		r.Parting = &Parting{p.Alike, p.B, p.A, p.DifferIn}
	}
	groups := []Group{}
	for _, g := range r.Groups {
		numbers := []Number{}
		for _, n := range g.Numbers {
			n.A, n.B = n.B, n.A
			c := &n.Change
			c.Count, c.Duration, c.Share = -c.Count, -c.Duration, -c.Share
			numbers = append(numbers, n)
		}
		groups = append(groups, Group{
			Name: g.Name, InA: g.InB, InB: g.InA, Numbers: numbers,
			Rebalances: exchanged(g.Rebalances), Stuck: exchanged(g.Stuck), Evictions: exchanged(g.Evictions),
		})
	}
	r.Groups = groups
	return r
}

func exchanged[T any](pairs []Pair[T]) []Pair[T] {
	list := []Pair[T]{}
	for _, p := range pairs {
		list = append(list, Pair[T]{p.B, p.A})
	}
	return list
}

// TestNumbers: a metric is listed exactly when what an expectation would measure differs.
func TestNumbers(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, b := drawSide(t, "a"), drawSide(t, "b")
		listed := map[metrics.Query]bool{}
		for _, g := range Compare(a, b).Groups {
			for _, n := range g.Numbers {
				if listed[n.Query] {
					t.Fatalf("%+v is listed twice", n.Query)
				}
				listed[n.Query] = true
			}
		}
		for _, q := range everyQuery(&a.Summary, &b.Summary) {
			if got, want := listed[q], measuresApart(&a.Summary, &b.Summary, q); got != want {
				t.Fatalf("%+v: listed is %t, want %t", q, got, want)
			}
			delete(listed, q)
		}
		for q := range listed {
			t.Fatalf("%+v is listed; nobody can ask for it", q)
		}
	})
}

// everyQuery lists what can be asked about groups that both runs have, and about all members.
func everyQuery(a, b *metrics.Summary) []metrics.Query {
	names := map[string]bool{}
	members := map[string]bool{}
	for _, s := range []*metrics.Summary{a, b} {
		for _, g := range s.Groups {
			names[g.Name] = true
			for _, j := range g.Joins {
				members[j.Who] = true
			}
		}
	}
	var list []metrics.Query
	for _, d := range metrics.Definitions {
		subjects := names
		if d.Subject == metrics.OfMember {
			subjects = members
		}
		for subject := range subjects {
			if d.Argument != metrics.StateArgument {
				list = append(list, metrics.Query{Name: d.Name, Subject: subject})
			}
			for _, arg := range d.Argument.Values() {
				list = append(list, metrics.Query{Name: d.Name, Subject: subject, Arg: arg})
			}
		}
	}
	return list
}

// measuresApart asks the whole summaries; a group that one of them lacks never came to exist there.
func measuresApart(a, b *metrics.Summary, q metrics.Query) bool {
	measured := func(s *metrics.Summary) string {
		v, err := s.Value(q)
		if err != nil && strings.HasPrefix(err.Error(), "no group ") {
			v, err = absent(q, s)
		}
		switch {
		case err != nil:
			return "none"
		case v.Type == metrics.ShareType:
			return strconv.FormatFloat(v.Share, 'g', -1, 64)
		}
		return v.String()
	}
	return measured(a) != measured(b)
}

// absent is what a group comes to that nobody joins.
func absent(q metrics.Query, s *metrics.Summary) (metrics.Value, error) {
	none := metrics.NewFold(metrics.Options{Fleets: []metrics.Fleet{{Group: q.Subject}}}).Summary(s.To)
	return none.Value(q)
}

// TestAbsentGroup: a group that one run lacks is compared with one that never came to exist.
func TestAbsentGroup(t *testing.T) {
	a, b := sideOf(t, "gc-pause-long", 1), sideOf(t, "crash-loop", 1)
	r := Compare(a, b)
	if len(r.Groups) != 2 || r.Groups[0].Name != "mailer" || r.Groups[1].Name != "order-processor" {
		t.Fatalf("got the groups %+v", r.Groups)
	}
	g := r.Groups[0]
	if g.InA || !g.InB || g.Rebalances[0].A != nil || g.Rebalances[0].B == nil {
		t.Errorf("mailer: in A %t, in B %t, the first rebalance %+v", g.InA, g.InB, g.Rebalances[0])
	}
	if n := g.Numbers[0]; n.Query.Name != "rebalances" || n.A.Value.Count != 0 || n.A.Problem != "" || n.Change != n.B.Value {
		t.Errorf("mailer: the first number is %+v", n)
	}
}

// TestSameEventsOtherNumbers: what is stuck depends on a setting beside the events.
func TestSameEventsOtherNumbers(t *testing.T) {
	events := []trace.Event{
		{Kind: trace.GroupCreated, Group: "orders", To: wire.Empty},
		{Kind: trace.GroupBecame, Group: "orders", From: wire.Empty, To: wire.PreparingRebalance, Reason: trace.MemberJoined},
		{At: clock.At(time.Minute), Kind: trace.RunEnded},
	}
	a := NewSide("a", trace.Header{StuckAfter: 30 * time.Second}, events)
	b := NewSide("b", trace.Header{StuckAfter: 2 * time.Minute}, events)
	r := Compare(a, b)
	if !r.SameEvents() || r.Same() || r.Parting != nil {
		t.Errorf("the same events: %t, the same: %t, parting at %+v", r.SameEvents(), r.Same(), r.Parting)
	}
	if n := r.Groups[0].Numbers; len(n) != 1 || n[0].Query.Name != "stuck" || n[0].Change.Count != -1 {
		t.Errorf("got the numbers %+v", n)
	}
	if s := r.Groups[0].Stuck; len(s) != 1 || s[0].A == nil || s[0].B != nil {
		t.Errorf("got the stuck stays %+v", s)
	}
}

// TestZeroIsNoSample: a number that is 0 differs from one that is not there.
func TestZeroIsNoSample(t *testing.T) {
	h := trace.Header{StuckAfter: time.Second}
	end := trace.Event{At: clock.At(time.Minute), Kind: trace.RunEnded}
	created := trace.Event{At: clock.At(time.Minute), Kind: trace.GroupCreated, Group: "orders", To: wire.Empty}
	for _, n := range Compare(NewSide("a", h, []trace.Event{created, end}), NewSide("b", h, []trace.Event{end})).Groups[0].Numbers {
		if n.Query.Name == "generation" {
			if n.A.Problem != "" || n.A.Value.Count != 0 || n.B.Problem == "" || n.HasChange() {
				t.Errorf("got %+v", n)
			}
			return
		}
	}
	t.Error("the generation is not listed")
}

// TestKeys: what makes things of two runs the same.
func TestKeys(t *testing.T) {
	left := metrics.Rebalance{Reason: trace.Left, Who: "orders-1", Member: oneID}
	timedOut := left
	timedOut.PollTimeout = true
	unknown := metrics.Rebalance{Reason: trace.Left, Member: oneID}
	same := unknown
	same.Member = anotherID
	for _, test := range []struct {
		a, b metrics.Rebalance
		want bool
	}{
		{left, left, true},
		{left, timedOut, false},
		{left, metrics.Rebalance{Reason: trace.SessionExpired, Who: "orders-1"}, false},
		{left, metrics.Rebalance{Reason: trace.Left, Who: "orders-2"}, false},
		{unknown, same, true},
	} {
		_, a := rebalanceKey(&test.a)
		_, b := rebalanceKey(&test.b)
		if (a == b) != test.want {
			t.Errorf("%q and %q: want the same %t", a, b, test.want)
		}
	}
	dead := metrics.Stuck{State: wire.PreparingRebalance, Blocked: []metrics.Blocked{{Chain: []trace.Link{{Who: "orders-1", On: trace.OwesJoin, Because: trace.CauseDead}}}}}
	frozen := metrics.Stuck{State: wire.PreparingRebalance, Blocked: []metrics.Blocked{{Chain: []trace.Link{{Who: "orders-1", On: trace.OwesJoin, Because: trace.CauseFrozen}}}}}
	_, a := stuckKey(&dead)
	_, b := stuckKey(&frozen)
	if a == b {
		t.Errorf("dead and frozen are both %q", a)
	}
}

// TestEvictionsOfOneInstant: they come in the order of ids, which are drawn; that makes no difference.
func TestEvictionsOfOneInstant(t *testing.T) {
	gone := func(who string) trace.Event {
		return trace.Event{At: clock.At(time.Second), Kind: trace.MemberRemoved, Group: "g", Who: who, Member: wire.MemberID(who), Reason: trace.NotRejoinedInTime}
	}
	h := trace.Header{StuckAfter: time.Second}
	a := NewSide("a", h, []trace.Event{gone("g-1"), gone("g-2")})
	b := NewSide("b", h, []trace.Event{gone("g-2"), gone("g-1")})
	for _, p := range Compare(a, b).Groups[0].Evictions {
		if p.A == nil || p.B == nil || p.A.Who != p.B.Who {
			t.Errorf("got %+v and %+v", p.A, p.B)
		}
	}
}

// TestCut: the last event says how a run ended.
func TestCut(t *testing.T) {
	for _, text := range []string{"", "interrupted", "event limit"} {
		s := NewSide("a", trace.Header{}, []trace.Event{{At: clock.At(time.Minute), Kind: trace.RunEnded, Text: text}})
		if s.Cut() != text || s.Summary.To != clock.At(time.Minute) {
			t.Errorf("got %q at %v", s.Cut(), s.Summary.To)
		}
	}
	if s := NewSide("a", trace.Header{}, nil); s.Cut() != "" {
		t.Errorf("nothing was cut by %q", s.Cut())
	}
}
