package metrics

import (
	"testing"
	"time"

	"simulate/sim/clock"
	"simulate/sim/trace"
	"simulate/sim/wire"
)

// Every metric that has a definition has a value, of the type that it says, or says that there is no
// sample.
func TestEveryDefinitionHasAValue(t *testing.T) {
	f := NewFold(Options{
		Fleets: []Fleet{{Name: "g", Group: "g", Topics: []string{"t"}}}, Topics: map[string]int{"t": 1},
		Loads: map[string]Load{"t": {Backlog: 1}},
	})
	empty := f.Summary(clock.At(time.Minute))
	f.Record(trace.Event{Kind: trace.GroupCreated, Group: "g", To: wire.Empty})
	f.Record(trace.Event{Kind: trace.MemberAdded, Group: "g", Member: "m"})
	f.Record(trace.Event{Kind: trace.LeaderElected, Group: "g", Member: "m"})
	for _, to := range []wire.GroupState{wire.PreparingRebalance, wire.CompletingRebalance, wire.Stable} {
		f.Record(trace.Event{Kind: trace.GroupBecame, Group: "g", To: to})
	}
	full := f.Summary(clock.At(time.Minute))
	for _, d := range Definitions {
		q := Query{Name: d.Name, Subject: "g"}
		if d.Argument == StateArgument {
			q.Arg = wire.Stable.String()
		}
		if v, err := full.Value(q); err != nil || v.Type != d.Type {
			t.Errorf("%s: %v of type %d, %v; want type %d", d.Name, v, v.Type, err, d.Type)
		}
		if v, err := empty.Value(q); err == nil && v.Type != d.Type {
			t.Errorf("%s of nothing: type %d, want %d", d.Name, v.Type, d.Type)
		}
	}
}

func TestDuration(t *testing.T) {
	tests := []struct {
		d    time.Duration
		want string
	}{
		{0, "0s"},
		{250 * time.Nanosecond, "0.25µs"},
		{1500 * time.Nanosecond, "1.5µs"},
		{time.Millisecond, "1ms"},
		{1500 * time.Microsecond, "1.5ms"},
		{time.Second, "1s"},
		{41250 * time.Millisecond, "41.25s"},
		{time.Minute, "1m"},
		{62500 * time.Millisecond, "1m02.5s"},
		{5*time.Minute + 51500*time.Millisecond, "5m51.5s"},
		{59*time.Minute + 59*time.Second + 999999*time.Microsecond, "59m59.999999s"},
		{2 * time.Hour, "2h"},
		{2*time.Hour + 3*time.Minute, "2h03m"},
		{time.Hour + 5*time.Second, "1h00m05s"},
		{-time.Second, "-1s"},
	}
	for _, test := range tests {
		if got := Duration(test.d); got != test.want {
			t.Errorf("%d: %s, want %s", test.d, got, test.want)
		}
		parsed, err := time.ParseDuration(Duration(test.d))
		if err != nil || parsed != test.d {
			t.Errorf("%s reads as %d, %v; want %d", Duration(test.d), parsed, err, test.d)
		}
	}
}

func TestBrief(t *testing.T) {
	for d, want := range map[time.Duration]string{
		0:                           "0s",
		1:                           "<1ms",
		952 * time.Microsecond:      "<1ms",
		9500 * time.Microsecond:     "9ms",
		32818876 * time.Microsecond: "32.818s",
		5 * time.Minute:             "5m",
	} {
		if got := Brief(d); got != want {
			t.Errorf("%d: %s, want %s", d, got, want)
		}
	}
}

// Heartbeats, commits and polls are most of a run's events; they cost nothing.
func TestRoutineEventsDoNotAllocate(t *testing.T) {
	f := NewFold(Options{Fleets: []Fleet{{Name: "g", Group: "g"}}})
	e := trace.Event{Kind: trace.HeartbeatAnswered, Who: "g-1", Member: "m"}
	if n := testing.AllocsPerRun(100, func() { f.Record(e) }); n != 0 {
		t.Errorf("%v allocations a heartbeat", n)
	}
}
