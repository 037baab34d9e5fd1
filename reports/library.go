package reports

import (
	"cmp"
	"slices"
	"strings"

	"simulate/sim/consumers"
	"simulate/sim/trace"
)

// library is a client library in words: what of it sends heartbeats, and how it meets its application.
type library struct{ consumers.Profile }

// libraryOf returns the library of that name; "" is what is built on the Java consumer.
func libraryOf(client string) library {
	profile, _ := consumers.FindProfile(client)
	return library{profile}
}

// heartbeats is what sends heartbeats.
func (l library) heartbeats() string { return "its " + cmp.Or(l.Heartbeats, "heartbeat thread") }

// call is through which records and errors reach the application.
func (l library) call() string { return cmp.Or(l.Call, "poll()") }

// stalled says what an application does that asks for no records, in the past and in the present.
func (l library) stalled() (past, present string) {
	switch {
	case l.Handler:
		return "was inside its handler", "is inside its handler"
	case l.Call != "":
		return "did not call " + l.Call, "does not call " + l.Call
	}
	return "did not poll", "does not poll"
}

// processed says what an application does that handles records, in the past and in the present.
func (l library) processed() (past, present string) {
	if l.Handler {
		return l.stalled()
	}
	return "processed one batch", "processes one batch"
}

// tookTime says what an application did that handled records for long.
func (l library) tookTime() string {
	if l.Handler {
		return "was inside its handler"
	}
	return "processed what " + l.call() + " had returned"
}

// ended says that an error ended the application.
func (l library) ended() string { return l.threw() + "; the application ended" }

// wentOn says that an application goes on after an error.
func (l library) wentOn() string {
	if l.Call != "" {
		return l.threw() + "; the application went on"
	}
	return l.threw() + "; the application polled again"
}

func (l library) threw() string {
	if l.Call != "" {
		return l.Call + " failed"
	}
	return "poll() threw"
}

// rebalanceTimeoutWords names the rebalance timeout of a group whose processes run on these libraries.
func rebalanceTimeoutWords(clients []string) string {
	var keys []string
	for _, client := range clients {
		l := libraryOf(client)
		keys = append(keys, l.RebalanceTimeoutKey())
	}
	if keys == nil {
		keys = []string{trace.TimerPoll}
	}
	slices.Sort(keys)
	keys = slices.Compact(keys)
	return "the rebalance timeout (the longest " + strings.Join(keys, " or ") + " of the group)"
}
