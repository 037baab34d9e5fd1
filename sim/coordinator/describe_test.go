package coordinator

import (
	"testing"

	"simulate/sim/wire"
)

// TestFilters checks that blanks around a state do not count and around a type they do (D-11).
func TestFilters(t *testing.T) {
	if !(&Shard{}).stateListed([]string{" preparingrebalance "}, wire.PreparingRebalance) {
		t.Error("blanks around a state count")
	}
	if (&Shard{old: switchesOf("3")}).stateListed([]string{" preparingrebalance "}, wire.PreparingRebalance) {
		t.Error("blanks around a state do not count in Kafka 3 (VD-15)")
	}
	if typeListed([]string{" classic"}) || !typeListed([]string{"consumer", "Classic"}) {
		t.Error("blanks around a type do not count, or its case does")
	}
}
