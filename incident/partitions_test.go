package incident

import (
	"fmt"
	"testing"

	"simulate/incident/logs"
)

// TestManyPartitions holds that partitions are counted also where there are more than are followed by name, and that no more names
// are kept then.
func TestManyPartitions(t *testing.T) {
	g := newGroup("invoices", &room{each: 10, left: 100}, &Options{})
	p := newPartitions()
	e := logs.Event{Kind: logs.PartitionsAssigned, Count: logs.Unknown}
	for i := range 3 * mostNamed {
		e.Partitions = []string{fmt.Sprint("in-", i)}
		p.moved(&e, logs.Instant(i), 0, g)
	}
	move := p.moves.last()
	if move.Count != 3*mostNamed || p.moves.count != 1 {
		t.Errorf("%d partitions in %d moves", move.Count, p.moves.count)
	}
	if len(p.held) > mostNamed || len(p.names) > mostNamed {
		t.Errorf("%d and %d names are kept", len(p.held), len(p.names))
	}
	e.Kind, e.Partitions = logs.PartitionsRevoked, []string{"in-0"}
	p.moved(&e, 1_000, 1_000, g)
	e.Kind, e.Partitions = logs.PartitionsAssigned, []string{"in-1000"}
	p.moved(&e, 2_000, 2_000, g)
	if move := p.moves.last(); move.Count != 1 || len(move.New) > 0 {
		t.Errorf("of %d partitions %v are new, though not all are known that it had", move.Count, move.New)
	}
}
