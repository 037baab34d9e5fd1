package trace_test

import (
	"fmt"
	"strings"

	"simulate/sim/clock"
	"simulate/sim/trace"
	"simulate/sim/wire"
)

// A run records its events once; files, digests and metrics see the same ones, and reading the file gives
// them again.
func Example() {
	var file strings.Builder
	live := trace.NewDigest()
	sink := trace.Tee{live, trace.NewWriter(&file, trace.Header{Scenario: "first start", Seed: 7, Kafka: "4"})}

	sink.Record(trace.Event{Kind: trace.GroupCreated, Group: "orders", To: wire.Empty})
	sink.Record(trace.Event{
		At: clock.Time(3_000_500_000), Kind: trace.GroupBecame, Group: "orders",
		From: wire.Empty, To: wire.PreparingRebalance, Reason: trace.MemberJoined,
	})
	fmt.Print(file.String())

	read := trace.NewDigest()
	header, err := trace.Read(strings.NewReader(file.String()), read)
	fmt.Println(header.Scenario, err, read.Sum() == live.Sum())
	// Output:
	// {"schema":"simulate.trace/1","scenario":"first start","seed":7,"duration_ms":0,"kafka":"4"}
	// {"at_ms":0,"kind":"group-created","group":"orders","to":"Empty"}
	// {"at_ms":3000.5,"kind":"group-became","group":"orders","from":"Empty","to":"PreparingRebalance","reason":"member-joined"}
	// first start <nil> true
}
