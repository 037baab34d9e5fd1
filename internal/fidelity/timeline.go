package fidelity

import (
	"fmt"
	"strings"
	"time"
)

// Timeline is what happened in one run, recorded or simulated, in order.
type Timeline struct {
	Events    []Event    // the coordinator's
	Callbacks []Callback // the applications'
	Counts    Counts
}

// Event is something that the coordinator did, in the words of the recordings.
type Event struct {
	At     time.Duration
	Leader string // of assignment-received
	Key
}

// Key is what two events must have in common to be the same one.
type Key struct {
	Kind       string
	Member     string // the alias, "c1#2"; of static-replaced the old id, of not-rejoined all that were dropped
	Generation int    // of preparing the old one
	Members    int
	Reason     string // of preparing
}

// Callback is a rebalance callback that ran in an application.
type Callback struct {
	At         time.Duration
	Who        string
	Kind       string // assigned, revoked or lost
	Partitions string // sorted by name
}

// Counts are the figures of a whole run.
type Counts struct {
	Rebalances int // entries to PreparingRebalance
	Joined     int // join phases that ended with members
	Generation int
	State      string
}

func (k Key) String() string {
	var b strings.Builder
	b.WriteString(k.Kind)
	if k.Member != "" {
		b.WriteString(" " + k.Member)
	}
	switch k.Kind {
	case preparing, completing, assignmentReceived, stable, empty, unloading:
		fmt.Fprintf(&b, " gen %d", k.Generation)
	}
	if k.Members > 0 {
		fmt.Fprintf(&b, " of %d", k.Members)
	}
	if k.Reason != "" {
		b.WriteString(": " + k.Reason)
	}
	return b.String()
}

func (e Event) String() string {
	if e.Leader == "" {
		return e.Key.String()
	}
	return e.Key.String() + " led by " + e.Leader
}

func (c Callback) String() string { return fmt.Sprintf("%s %s %s", c.Who, c.Kind, c.Partitions) }

// The kinds of events that count.
const (
	memberIDIssued     = "member-id-issued"
	memberAdded        = "member-added"
	preparing          = "preparing"
	completing         = "completing"
	assignmentReceived = "assignment-received"
	stable             = "stable"
	sessionExpired     = "session-expired"
	notRejoined        = "not-rejoined"
	pendingExpired     = "pending-expired"
	left               = "left"
	staticReplaced     = "static-replaced"
	staticNoRebalance  = "static-no-rebalance"
	leaderReplaced     = "leader-replaced"
	empty              = "empty"
	loaded             = "loaded"
	unloading          = "unloading"
	groupDeleted       = "group-deleted"
)

// everywhere are the kinds that all recordings have.
var everywhere = []string{
	memberIDIssued, memberAdded, preparing, completing, assignmentReceived, sessionExpired, notRejoined,
	pendingExpired, left, staticReplaced,
}

// inJavaRuns are the kinds that only the recordings of Java clients have.
var inJavaRuns = []string{
	stable, staticNoRebalance, leaderReplaced, empty, loaded, unloading, groupDeleted,
}

// unsettled is how much of the end of a recording is left out: what was under way there may be cut off.
const unsettled = time.Second

// settled returns the events of the given kinds that lie before the last second of a run.
func settled(events []Event, kinds map[string]bool, end time.Duration) []Event {
	var kept []Event
	for _, e := range events {
		if kinds[e.Kind] && e.At < end-unsettled {
			kept = append(kept, e)
		}
	}
	return kept
}

// spans returns for each event the time since the one before it, for the first since the run began.
func spans(events []Event) []time.Duration {
	all := make([]time.Duration, len(events))
	var before time.Duration
	for i, e := range events {
		all[i] = e.At - before
		before = e.At
	}
	return all
}
