package explain

import (
	"slices"
	"time"

	"simulate/sim/clock"
	"simulate/sim/metrics"
	"simulate/sim/trace"
	"simulate/sim/wire"
)

// StepKind says what happened in a step of a chain.
type StepKind uint8

// The kinds of steps. Those that can begin a chain come first.
const (
	Scripted   StepKind = iota // an event of the scenario: Text is its verb, Event its number
	Started                    // Who began; with nothing before it: because the scenario starts so
	Processing                 // Who handled what poll() had returned, For so long: drawn, or as many Records need
	InCallback                 // Who was inside the callback Text, For so long: drawn, or prolonged by an event
	Loaded                     // the group has a coordinator again; with nothing before it: the run starts from a log

	Stalled       // Who did not poll, For so long
	Ended         // Who is gone; Reason says how
	Failed        // poll() threw: Text; the application ended
	Threw         // poll() threw: Text; Who polls again
	TimedOut      // max.poll.interval.ms (For) of Who ran out
	Subscribed    // Who subscribes to Text from now on
	Lost          // Who lost its coordinator: Text says why
	Forgot        // Who forgot its membership: Text and Err say where
	Leaving       // Who sent a LeaveGroup: Text is its reason
	Rejoining     // Who wants to join again: Text is its reason
	Joining       // Who sent its JoinGroup
	Silent        // the coordinator heard of Who for the last time
	Removed       // the coordinator removed Who: Reason
	GivenUp       // a member id that was given out is not waited for any more: Reason
	Uncommitted   // the commits of Who were refused with Err, again and again; it commits before it rejoins
	Owing         // the group waited for the request Text of Who
	AppendRefused // the log did not store the assignment
	Unserved      // the group lost its coordinator
	Rebalanced    // the group began to rebalance: Reason; Rebalance is its number
)

// Step is one link of a chain. What its kind does not name is zero.
type Step struct {
	At        clock.Time
	Kind      StepKind
	Who       string
	Client    string // the library of Who, "" for what is built on the Java consumer
	Member    wire.MemberID
	Text      string
	Err       wire.Err
	Reason    trace.Reason
	Until     clock.Time    // of an event that lasts; clock.Never without an end
	For       time.Duration // of a removal by a timer: how long that was
	Event     int32         // the number of the scenario's event, from 1; that of a source from -1 downwards
	Source    string        // of what no event but a source of the scenario did: such as "pauses g1-young"
	Rebalance int           // the number of the rebalance in its group, from 1
	Records   int           // of Processing: how many those were, 0 where nobody says

	because  *Step
	began    int             // the number of the rebalance that a removal began
	group    string          // of an event that acts on one group as a whole
	instance wire.InstanceID // of the process that started, or that sent a LeaveGroup
	again    bool            // the process that started has run before
	lapsed   *Step           // of a rebalance that somebody began by joining: how its earlier self was removed by a timer
	protocol string          // of a rebalance: the assignor that was voted for, "" when it did not come to that
	passing  bool            // of what a source did: nobody noticed
	joining  *Step           // of a rebalance: the last JoinGroup that a process sent before the join phase ended
	freed    *Step           // of a rebalance: the removal that ended the join phase, nil when a JoinGroup did
	limit    Setting         // of a removal by the rebalance timeout: whose that was
}

// begins reports whether a chain may begin with the step.
func (s *Step) begins() bool { return s.because == nil && s.Kind < Stalled }

// Chain is how one rebalance came about, and what it cost.
type Chain struct {
	Rebalance metrics.Rebalance
	Number    int     // of the rebalance in its group, from 1
	Steps     []*Step // from the first cause to the rebalance itself
	Orphan    bool    // nothing that the trace holds explains the first step
	Parent    int     // the number of the last rebalance before it in the chain, 0 for none
	Children  []int   // those that have this one as Parent
	Loop      int     // how many rebalances in a row came from each other the same way, this one included; else 0
	Protocol  string  // the assignor that was voted for, "" when it did not come to that
	LastJoin  *Step   // how the last JoinGroup came that a process sent before the join phase ended; nil when there was none

	freed *Step // the removal that ended the join phase, nil when there was none

	// What it cost, from its beginning to its end.

	Stopped    time.Duration // of all consumers that gave up everything they had, together
	Idle       time.Duration // in which no running process of the group held anything, as metrics' stopped
	Unassigned time.Duration // partition x time without a process that holds the partition
}

// First returns the step with which the chain begins.
func (c *Chain) First() *Step { return c.Steps[0] }

// Events returns the numbers of the scenario's events in the chain, in order of time.
func (c *Chain) Events() []int32 {
	var numbers []int32
	for _, s := range c.Steps {
		if s.Kind == Scripted && !slices.Contains(numbers, s.Event) {
			numbers = append(numbers, s.Event)
		}
	}
	return numbers
}

// Since returns the steps after those that are also behind the Parent: all, when there is none.
func (c *Chain) Since() []*Step { return sinceRebalance(c.Steps) }

// sinceRebalance returns the steps after the last rebalance that is not their end.
func sinceRebalance(steps []*Step) []*Step {
	if len(steps) == 0 {
		return nil
	}
	end := steps[len(steps)-1].rebalance()
	for i := len(steps) - 2; i >= 0; i-- {
		if n := steps[i].rebalance(); n > 0 && n != end {
			return steps[i+1:]
		}
	}
	return steps
}

// rebalance returns the number of the rebalance that the step is or began; 0 for none.
func (s *Step) rebalance() int { return max(s.Rebalance, s.began) }

// Group is all chains of one group, in order of time.
type Group struct {
	Name   string
	Chains []Chain

	removed  []*Step // members and ids, in order of time
	failed   []*Step // what poll() threw, in order of time
	unserved []*Step // how it lost its coordinator, in order of time
}

// chainTo returns the steps that lead to s, the first cause first.
func chainTo(s *Step) []*Step {
	var steps []*Step
	for ; s != nil; s = s.because {
		steps = append(steps, s)
	}
	slices.Reverse(steps)
	return steps
}
