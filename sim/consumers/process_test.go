package consumers

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"simulate/sim/wire"
)

// FirstJoin is what a process sends first, to the byte: fidelity between a real consumer and one that only asks
// for a member id and vanishes.
func TestFirstJoin(t *testing.T) {
	plan := steadyPlan(0)
	plan.Config.Rack = "a"
	s := newScript(t)
	s.instance = "i"
	s.start(plan)
	for s.openOf(wire.JoinGroup) < 0 {
		s.advance(s.process.Wake())
	}
	sent := s.open[s.openOf(wire.JoinGroup)].request
	sent.Ticket = 0
	if diff := cmp.Diff(sent, FirstJoin(Identity{Name: "c", Instance: "i"}, &plan)); diff != "" {
		t.Errorf("FirstJoin differs from what the process sent (-sent +got):\n%s", diff)
	}
}
