package fidelity

import (
	"context"
	"slices"
	"strings"
	"testing"
	"time"

	"simulate/sim"
	"simulate/sim/clock"
	"simulate/sim/trace"
	"simulate/sim/wire"
)

// heldStay is a recorded stay that somebody held: the longest in its state, of those after the start. What was done
// to whom is in the case.
type heldStay struct {
	cause, recording string
	state            wire.GroupState
	do, who          string
	on, because      string // of the only link in the simulated chain
}

// heldStays has one for each cause that recordings show. No recording has a log that is slow or a request that waits
// for another one of its connection.
var heldStays = []heldStay{
	{"slow poll", "13-stall-shorter-than-mpi-eager/run1", wire.PreparingRebalance, "stall", "c2", trace.OwesJoin, trace.CauseStalled},
	{"blocked callback", "10c-slow-revoke-callback/run1", wire.PreparingRebalance, "slow-revoke", "c2", trace.OwesJoin, trace.CauseListener},
	{"frozen process", "11-sigstop-during-join/run1", wire.PreparingRebalance, "pause", "c2", trace.OwesJoin, trace.CauseFrozen},
	{"dead process with a live session", "14k-rolling-sigkill-dynamic/run1", wire.PreparingRebalance, "kill", "c3", trace.OwesJoin, trace.CauseDead},
	{"dead process with a parked join", "19k-sigkill-leader-while-preparing/run1", wire.CompletingRebalance, "kill", "c1", trace.OwesSync, trace.CauseDeadParked},
	{"unreachable network", "24-librdkafka-leader-sync-held-20s", wire.CompletingRebalance, "hold-leader-sync", "A", trace.OwesSync, trace.CauseUnreachable},
	{"pending member id", "20-librdkafka-abandoned-member-id", wire.PreparingRebalance, "kill", "C", trace.OwesJoin, trace.CausePendingID},
	{"static ghost", "16c-static-restart-during-rebalance/run1", wire.PreparingRebalance, "kill", "c2", trace.OwesJoin, trace.CauseStaticGhost},
	{"leader that never syncs", "43b-coordinator-moves-while-completing-election/run1", wire.CompletingRebalance, "slow-assign", "c1", trace.OwesSync, trace.CauseAssigning},
	{"coordinator loading", "23-broker-sigkill-15s/run1", wire.Dead, "broker-restart", "", trace.OwesCoordinator, trace.CauseLoading},
}

// TestHoldersAgree holds that a simulated group waits for whom the recorded one waited for, as long as that, and
// because of what was done to it.
func TestHoldersAgree(t *testing.T) {
	for _, h := range heldStays {
		t.Run(h.cause, func(t *testing.T) {
			r := recordingOf(t, h.recording)
			done := actionOf(t, r.Case, h)
			seen := longestStay(r.Observed.Events, h.state, done)
			if removed := removedAt(r.Observed.Events, seen.to); removed != "" && removed != h.who {
				t.Fatalf("the recorded stay ended with %s, not with %s", removed, h.who)
			}
			events := runOf(t, r.Case)
			ours := longestStay(Simulated(r.Case, events).Events, h.state, done)
			if off := (ours.length() - seen.length()).Abs(); seen.length() < time.Second || off > r.Observed.Allowed.Time {
				t.Errorf("simulated for %s, recorded for %s", ours.length(), seen.length())
			}
			if !slices.ContainsFunc(events, func(e trace.Event) bool { return blames(e, h, ours) }) {
				t.Errorf("nothing says that it waits for %s of %q alone because %s", h.on, h.who, h.because)
			}
		})
	}
}

// TestHoldersDisagree holds that the comparison tells one holder, or cause, from another.
func TestHoldersDisagree(t *testing.T) {
	h := heldStays[0]
	r := recordingOf(t, h.recording)
	events := runOf(t, r.Case)
	ours := longestStay(Simulated(r.Case, events).Events, h.state, actionOf(t, r.Case, h))
	other, because := h, h
	other.who, because.because = "c1", trace.CauseFrozen
	for _, wrong := range []heldStay{other, because} {
		if slices.ContainsFunc(events, func(e trace.Event) bool { return blames(e, wrong, ours) }) {
			t.Errorf("%s of %q because %s is blamed", wrong.on, wrong.who, wrong.because)
		}
	}
}

// recordingOf returns a kept recording.
func recordingOf(t *testing.T, id string) Recording {
	t.Helper()
	kept := keptRecordings(t)
	i := slices.IndexFunc(kept, func(r Recording) bool { return r.Case.ID == id })
	if i < 0 {
		t.Fatalf("no kept case %q", id)
	}
	return kept[i]
}

// actionOf returns the action that a stay is the effect of.
func actionOf(t *testing.T, c *Case, h heldStay) Action {
	t.Helper()
	i := slices.IndexFunc(c.Actions, func(a Action) bool { return a.Do == h.do && a.Who == h.who })
	if i < 0 {
		t.Fatalf("no %s of %q in %s", h.do, h.who, c.ID)
	}
	return c.Actions[i]
}

// runOf simulates a case and returns its trace, with the chains of all stays of more than half a second.
func runOf(t *testing.T, c *Case) []trace.Event {
	t.Helper()
	s, err := Build(c)
	if err != nil {
		t.Fatal(err)
	}
	s.StuckAfter = time.Second / 2
	var events trace.Memory
	if _, err := sim.Run(context.Background(), s, &events); err != nil {
		t.Fatal(err)
	}
	return events.Events
}

// span is a stay of a group in a state.
type span struct{ from, to time.Duration }

func (s span) length() time.Duration { return s.to - s.from }

var (
	begins = map[wire.GroupState]string{wire.PreparingRebalance: preparing, wire.CompletingRebalance: completing}
	ends   = map[wire.GroupState][]string{
		wire.PreparingRebalance:  {completing, empty, unloading},
		wire.CompletingRebalance: {stable, preparing, unloading},
		wire.Dead:                {loaded},
	}
)

// longestStay finds the longest stay in a state that did not begin with a new group. Nothing tells when a group is
// without a coordinator that was killed: that begins with the action.
func longestStay(events []Event, state wire.GroupState, done Action) span {
	var longest, current span
	inside := state == wire.Dead
	current.from = millis(done.AtMs)
	for _, e := range events {
		switch {
		case inside && e.At >= current.from && slices.Contains(ends[state], e.Kind):
			current.to, inside = e.At, false
			if current.length() > longest.length() {
				longest = current
			}
		case e.Kind == begins[state] && e.Generation > 0:
			current.from, inside = e.At, true
		}
	}
	return longest
}

// removedAt returns the member whose removal ended a stay, "" when something else did.
func removedAt(events []Event, end time.Duration) string {
	const sameInstant = 5 * time.Millisecond // the log writes one line after the other
	for _, e := range events {
		switch e.Kind {
		case left, sessionExpired, notRejoined, pendingExpired:
			if (end - e.At).Abs() <= sameInstant {
				return e.Member[:strings.IndexAny(e.Member, "#.")]
			}
		}
	}
	return ""
}

// blames reports whether an event says that during a stay the group waits for nobody but the holder.
func blames(e trace.Event, h heldStay, during span) bool {
	if e.Kind != trace.Blocked || len(e.Chain) != 1 || e.At < clock.At(during.from) || e.At > clock.At(during.to) {
		return false
	}
	l, who := e.Chain[0], ""
	if h.who != "" {
		who = process(h.who)
	}
	return l.On == h.on && l.Because == h.because && l.Who == who
}
