package coordinator

import (
	"simulate/sim/clock"
	"simulate/sim/wire"
)

// EffectKind says what the host has to do.
type EffectKind uint8

// The kinds of effects.
const (
	Reply     EffectKind = iota // send Response
	SetTimer                    // call Expire(Timer) at At; replaces the timer of that key
	StopTimer                   // forget the timer of that key, if there is one
	Append                      // write Records as one batch, then call Appended(Append) once
)

// Effect is one thing that an input made the shard want from its host. Effects count in their order.
type Effect struct {
	Kind     EffectKind
	Response wire.Response
	Timer    TimerKey
	At       clock.Time
	Append   AppendID
	Records  []Record
}

// TimerKind names a purpose of a timer.
type TimerKind uint8

// The timers of a shard.
const (
	SessionTimer   TimerKind = iota // Kafka's heartbeat-<group>-<member>: session, first join, or pending id
	JoinTimer                       // Kafka's join-<group>: initial rebalance delay, then rebalance timeout
	SyncTimer                       // Kafka's sync-<group>: members that joined must sync
	WriteTimer                      // offsets.commit.timeout.ms of an event that waits for the log
	RetentionTimer                  // Kafka's expire-group-metadata: looks for offsets and groups that nobody needs
)

var timerKinds = [...]string{"session", "join", "sync", "write", "retention"}

func (k TimerKind) String() string { return timerKinds[k] }

// TimerKey names a timer. A shard has at most one timer of each key.
type TimerKey struct {
	Kind   TimerKind
	Group  string
	Member wire.MemberID // SessionTimer
	Event  EventID       // WriteTimer
}

// AppendID names a batch that was handed to the log. Batches are numbered from 1 in their order.
type AppendID uint64

// EventID names an event of the shard that waits for the log.
type EventID uint64
