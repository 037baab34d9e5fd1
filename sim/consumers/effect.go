package consumers

import (
	"time"

	"simulate/sim/trace"
	"simulate/sim/wire"
)

// Conn names one of the connections of a process.
type Conn uint8

// The connections. In Java the coordinator has one of its own, under the node id 2147483647 - broker id, so that a
// parked JoinGroup does not block fetches; other clients share more, or less.
const (
	NodeConn        Conn = iota // to any broker
	CoordinatorConn             // to the coordinator
	JoinConn                    // to it too: JoinGroup and SyncGroup of clients that keep them off their heartbeats
	NumConns
)

// EffectKind says what the world has to do for a process.
type EffectKind uint8

// The effects.
const (
	Connect    EffectKind = iota // open Conn to a broker, all but NodeConn to Broker
	Send                         // send Request on Conn, which is connected
	Disconnect                   // close Conn
	Exit                         // the process ends, and with it its connections; Reason says why
	Freeze                       // the process is frozen as a whole, For so long
)

// Effect is one thing that a process wants done. The fields that its kind does not name are zero.
type Effect struct {
	Kind    EffectKind
	Conn    Conn          // Connect, Send, Disconnect
	Broker  int32         // Connect of other than NodeConn: the node id of the broker
	Request wire.Request  // Send
	Reason  trace.Reason  // Exit
	For     time.Duration // Freeze: how long, from 0
}
