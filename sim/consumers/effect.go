package consumers

import (
	"time"

	"simulate/sim/trace"
	"simulate/sim/wire"
)

// Conn names one of the connections of a process.
type Conn uint8

// The connections of a Java consumer. The coordinator has one of its own, under the node id
// 2147483647 - broker id, so that a parked JoinGroup does not block fetches.
const (
	NodeConn Conn = iota
	CoordinatorConn
	NumConns
)

// EffectKind says what the world has to do for a process.
type EffectKind uint8

// The effects.
const (
	Connect    EffectKind = iota // open Conn to the broker (CoordinatorConn: to Broker)
	Send                         // send Request on Conn, which is connected
	Disconnect                   // close Conn
	Exit                         // the process ends, and with it its connections; Reason says why
	Freeze                       // the process is frozen as a whole, For so long
)

// Effect is one thing that a process wants done. The fields that its kind does not name are zero.
type Effect struct {
	Kind    EffectKind
	Conn    Conn          // Connect, Send, Disconnect
	Broker  int32         // Connect of CoordinatorConn: the node id of the broker
	Request wire.Request  // Send
	Reason  trace.Reason  // Exit
	For     time.Duration // Freeze: how long, from 0
}
