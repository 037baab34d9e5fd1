// Package timeline turns the trace of a run into lanes: in which state each group and each consumer process was, from
// when to when. Pictures of a run are drawn from it, and such of what logs say; it knows nothing of how.
//
//	fold := timeline.NewFold()
//	... as a trace.Sink of the run ...
//	lanes := fold.Timeline(result.At)
package timeline

import (
	"strings"
	"time"

	"simulate/sim/clock"
	"simulate/sim/wire"
)

// Timeline is all lanes of a run, from its start to End.
type Timeline struct {
	End    clock.Time
	Groups []Group // sorted by name
}

// Group is the lane of a group and those of its processes.
type Group struct {
	Name    string
	States  []Segment
	Members []Lane // by fleet, and then in the order in which the processes started first
}

// Lane is what one process did. It outlives restarts.
type Lane struct {
	Who      string
	Segments []Segment
	Joins    []Arrow // from a JoinGroup to the end of the join phase
	Syncs    []Arrow // from the group's entry to Stable to the assignment
	Marks    []Mark
}

// Arrow leads from the lane of a process to that of its group, or back.
type Arrow struct{ Since, Until clock.Time }

// Mark is something that befell a process at an instant.
type Mark struct {
	At   clock.Time
	Text string // the verb of a fault, how the process ended, or PollTimeout
}

// PollTimeout marks that a process has not polled for too long.
const PollTimeout = "max.poll.interval.ms ran out"

// Segment is a time in one state. The segments of a lane follow each other without a gap from the start of the run to
// its end, and two that follow each other differ.
type Segment struct {
	Since, Until clock.Time
	State        State
	Count        int // the partitions that a process holds; the generation of a group
}

// For returns how long the segment is.
func (s *Segment) For() time.Duration { return s.Until.Sub(s.Since) }

// State is what a lane is in. Where several are true of a process, or share a pixel, the first of them counts.
type State uint8

// The states.
const (
	// Of a process.

	Down        State = iota // it does not run: it has not started yet, or it is gone
	Paused                   // frozen: a garbage collection, a stopped virtual machine
	Unreachable              // the network is cut, or it knows no coordinator
	Parked                   // it sent a JoinGroup and has no assignment yet
	Stalled                  // the application does not poll
	InCallback               // inside a rebalance callback
	Processing               // in a batch longer than heartbeat.interval.ms
	Consuming                // it holds partitions
	Idle                     // it runs and holds nothing

	// Of a member, as far as logs tell.

	Joining // its group rebalances
	Gone    // it has not joined yet, or it left or was removed
	InGroup

	// Of a group.

	PreparingRebalance
	CompletingRebalance
	NoCoordinator
	Empty
	Stable
	NoGroup

	// Of a group as logs tell, and Unknown also of a member.

	Reconciling // the consumer protocol: an epoch that not every member has reached
	Elsewhere   // no broker that logged coordinates it
	Unknown

	NumStates
)

var stateNames = [NumStates]string{
	Down: "down", Paused: "paused", Unreachable: "unreachable", Parked: "parked", Stalled: "stalled",
	InCallback: "callback", Processing: "processing", Consuming: "consuming", Idle: "idle",
	PreparingRebalance: "PreparingRebalance", CompletingRebalance: "CompletingRebalance",
	NoCoordinator: "no coordinator", Empty: "Empty", Stable: "Stable", NoGroup: "no group",
	Joining: "joining", Gone: "gone", InGroup: "in the group",
	Reconciling: "reconciling", Elsewhere: "elsewhere", Unknown: "unknown",
}

func (s State) String() string { return stateNames[s] }

// OfGroup reports whether the state is one of a group.
func (s State) OfGroup() bool { return s >= PreparingRebalance }

var groupStates = [wire.NumGroupStates]State{
	wire.NoGroup: NoGroup, wire.Empty: Empty, wire.PreparingRebalance: PreparingRebalance,
	wire.CompletingRebalance: CompletingRebalance, wire.Stable: Stable, wire.Dead: NoCoordinator,
}

// Segments returns how many segments all lanes have together.
func (t *Timeline) Segments() int {
	n := 0
	for i := range t.Groups {
		n += len(t.Groups[i].States)
		for j := range t.Groups[i].Members {
			n += len(t.Groups[i].Members[j].Segments)
		}
	}
	return n
}

// Fleet returns the fleet of a process, which is always called <fleet>-<n>.
func Fleet(process string) string {
	if dash := strings.LastIndexByte(process, '-'); dash > 0 {
		return process[:dash]
	}
	return process
}

// Times returns for how long a lane was in each state.
func Times(lane []Segment) [NumStates]time.Duration {
	var times [NumStates]time.Duration
	for i := range lane {
		times[lane[i].State] += lane[i].For()
	}
	return times
}
