package reports

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"simulate/sim/clock"
	"simulate/sim/metrics"
	"simulate/sim/trace"
	"simulate/sim/wire"
)

// Every story that can be told about a stuck stay, in the past and in the present.
func TestStuckSentences(t *testing.T) {
	var got bytes.Buffer
	for _, cause := range constants(t, "Cause") {
		for _, open := range []bool{false, true} {
			s := held(cause)
			s.Open = open
			if !open {
				s.Freed = metrics.Freed{Reason: trace.JoinPhaseComplete, Who: "orders-3"}
			}
			tell(&got, fmt.Sprintf("%s, open %v", cause, open), &s)
		}
	}
	for name, freed := range ends() {
		s := held(trace.CauseFrozen)
		s.Freed = freed
		tell(&got, strconv.Itoa(name)+". ended by "+freed.Reason.String(), &s)
	}
	vanished := held(trace.CausePendingID)
	vanished.Blocked[0].Chain[0].Who = "orders-3"
	vanished.Open = true
	tell(&got, "a process vanished with its member id", &vanished)
	tell(&got, "only a member id is missing", new(onlyAnID()))
	tell(&got, "the earlier incarnation of a process", new(ghost()))
	tell(&got, "the one that can last longest is not the first", new(unequalHolders()))
	tell(&got, "the leader does not sync", new(leaderAway()))
	tell(&got, "the holder changes", new(twoHolders()))
	tell(&got, "the holder changes all the time", new(holdersInTurn()))
	tell(&got, "the steps by which a holder comes back", new(comesBack()))
	tell(&got, "many holders", new(manyHolders()))
	tell(&got, "nobody recorded why", &metrics.Stuck{State: wire.PreparingRebalance, Until: clock.At(time.Minute), Open: true})

	compareGolden(t, filepath.Join("testdata", "stuck-sentences.txt"), got.String())
}

// Each cause that a chain can name has words of its own.
func TestEveryCauseHasWords(t *testing.T) {
	nobody := map[string]bool{trace.CauseDelay: true, trace.CauseAppend: true} // the first line says it
	teller := teller{stay: &metrics.Stuck{}, blocked: &metrics.Blocked{}}
	for _, cause := range constants(t, "Cause") {
		if words := teller.doing(&trace.Link{Who: "orders-3", Because: cause}); (words == "") != nobody[cause] {
			t.Errorf("%s: %q", cause, words)
		}
	}
}

// constants returns the values of the constants of sim/trace/blocked.go whose names begin so.
func constants(t *testing.T, prefix string) []string {
	t.Helper()
	file, err := parser.ParseFile(token.NewFileSet(), "../sim/trace/blocked.go", nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	var values []string
	ast.Inspect(file, func(n ast.Node) bool {
		if spec, ok := n.(*ast.ValueSpec); ok && strings.HasPrefix(spec.Names[0].Name, prefix) {
			value, err := strconv.Unquote(spec.Values[0].(*ast.BasicLit).Value)
			if err != nil {
				t.Fatal(err)
			}
			values = append(values, value)
		}
		return true
	})
	if len(values) == 0 {
		t.Fatalf("no constants %s...", prefix)
	}
	return values
}

func tell(b *bytes.Buffer, title string, s *metrics.Stuck) {
	fmt.Fprintf(b, "# %s\n%s\n\n", title, strings.Join(stuckLines("orders", s), "\n  "))
}

// held is a stay of two minutes that orders-3 is to blame for.
func held(cause string) metrics.Stuck {
	l := trace.Link{
		Who: "orders-3", Member: "orders-3-id", On: trace.OwesJoin, Because: cause,
		Since: clock.At(50 * time.Second), Until: clock.At(200 * time.Second),
		Timer: trace.TimerSession, Fires: clock.At(300 * time.Second), Parked: 11,
	}
	switch cause {
	case trace.CauseProcessing, trace.CauseStalled:
		l.Timer = trace.TimerPoll
	case trace.CauseListener:
		l.Timer, l.Until = trace.TimerRebalance, clock.Never
	case trace.CauseAssigning:
		l.Until = clock.Never
	case trace.CausePendingID:
		l.Who = ""
	case trace.CauseDelay:
		l.Who, l.Member, l.Timer = "", "", trace.TimerDelay
	case trace.CauseLoading, trace.CauseDeadBroker:
		l.Who, l.Member, l.On, l.Timer, l.Parked = "", "", trace.OwesCoordinator, trace.TimerNone, 0
	case trace.CauseAppend:
		l.Who, l.Member, l.On, l.Timer = "", "", trace.OwesAppend, trace.TimerNone
	}
	state := wire.PreparingRebalance
	if l.On == trace.OwesCoordinator {
		state = wire.Dead
	}
	return metrics.Stuck{
		State: state, Generation: 7, Since: clock.At(time.Minute), Until: clock.At(3 * time.Minute),
		Blocked: []metrics.Blocked{{At: clock.At(90 * time.Second), Chain: []trace.Link{l}}},
	}
}

func ends() []metrics.Freed {
	named := func(f metrics.Freed) metrics.Freed {
		f.Who, f.Member = "orders-3", "orders-3-id"
		return f
	}
	return []metrics.Freed{
		{Reason: trace.JoinPhaseComplete},
		{Reason: trace.NoMembersLeft},
		named(metrics.Freed{Reason: trace.Left, Alike: 1}),
		named(metrics.Freed{Reason: trace.Left, Alike: 3}),
		named(metrics.Freed{Reason: trace.Left, PollTimeout: true, Limit: 5 * time.Minute}),
		named(metrics.Freed{Reason: trace.Left, PollTimeout: true}),
		named(metrics.Freed{Reason: trace.Left, Pending: true}),
		named(metrics.Freed{Reason: trace.SessionExpired}),
		{Reason: trace.SessionExpired, Who: "orders-2", Member: "orders-2-id"},
		{Reason: trace.SessionExpired, Pending: true},
		{Reason: trace.SessionExpired, Pending: true, Limit: 45 * time.Second},
		named(metrics.Freed{Reason: trace.SessionExpired, Limit: 45 * time.Second}),
		named(metrics.Freed{Reason: trace.NewMemberExpired}),
		named(metrics.Freed{Reason: trace.NotRejoinedInTime, Alike: 2}),
		{Reason: trace.NotRejoinedInTime, Member: "stranger-id", Alike: 1},
		named(metrics.Freed{Reason: trace.PendingJoined, Alike: 1}),
		named(metrics.Freed{Reason: trace.StaticReplaced}),
	}
}

func onlyAnID() metrics.Stuck {
	s := held(trace.CausePendingID)
	s.Blocked[0].Pending = []wire.MemberID{"orders-3-id"}
	s.Freed = metrics.Freed{Reason: trace.SessionExpired, Pending: true, Limit: 45 * time.Second}
	return s
}

func ghost() metrics.Stuck {
	s := held(trace.CauseDead)
	s.Blocked[0].Ghosts = []wire.MemberID{"orders-3-id"}
	s.Freed = metrics.Freed{
		Reason: trace.SessionExpired, Who: "orders-3", Member: "orders-3-id", Ghost: true, Limit: 45 * time.Second,
	}
	return s
}

// unequalHolders waits for two, whose sessions end one after the other.
func unequalHolders() metrics.Stuck {
	s := held(trace.CauseDead)
	later := s.Blocked[0].Chain[0]
	later.Who, later.Member, later.Fires = "orders-4", "orders-4-id", clock.At(6*time.Minute)
	s.Blocked[0].Chain, s.Open = append(s.Blocked[0].Chain, later), true
	return s
}

func leaderAway() metrics.Stuck {
	s := held(trace.CauseProcessing)
	s.State = wire.CompletingRebalance
	s.Blocked[0].Chain[0].On = trace.OwesSync
	s.Freed = metrics.Freed{Reason: trace.SyncExpired, Who: "orders-3", Member: "orders-3-id", Alike: 4}
	return s
}

func twoHolders() metrics.Stuck {
	s := held(trace.CauseProcessing)
	later := held(trace.CauseFrozen).Blocked[0]
	later.At = clock.At(2 * time.Minute)
	s.Blocked, s.Open = append(s.Blocked, later), true
	return s
}

// comesBack has a callback and, for the last 150 ms, what its process did between that and its JoinGroup.
func comesBack() metrics.Stuck {
	s := held(trace.CauseListener)
	for i, because := range []string{trace.CauseRejoining, trace.CauseProcessing} {
		b := held(because).Blocked[0]
		b.At = s.Until.Add(time.Duration(50*i-150) * time.Millisecond)
		s.Blocked = append(s.Blocked, b)
	}
	s.Freed = metrics.Freed{Reason: trace.JoinPhaseComplete, Who: "orders-3"}
	return s
}

func holdersInTurn() metrics.Stuck {
	s := twoHolders()
	for n := 4; n <= 9; n++ {
		b := held(trace.CauseFrozen).Blocked[0]
		b.At, b.Chain[0].Who = clock.At(time.Duration(120+n)*time.Second), "orders-"+strconv.Itoa(n)
		s.Blocked = append(s.Blocked, b)
	}
	return s
}

func manyHolders() metrics.Stuck {
	s := held(trace.CauseUnaware)
	for n := 4; n <= 9; n++ {
		l := s.Blocked[0].Chain[0]
		l.Who, l.Parked = "orders-"+strconv.Itoa(n), 1
		s.Blocked[0].Chain = append(s.Blocked[0].Chain, l)
	}
	s.Blocked[0].Chain[0].Parked = 1
	s.Freed = metrics.Freed{Reason: trace.JoinPhaseComplete, Who: "orders-9"}
	return s
}
