package sim

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"simulate/sim/coordinator"
	"simulate/sim/wire"
)

// TestCleaning: a log that is written to without end keeps the last record of each key, in order.
func TestCleaning(t *testing.T) {
	log := offsetsLog{kept: true}
	for n := range 5 * cleanAfter {
		log.add([]coordinator.Record{coordinator.GroupMetadataRecord{Group: []string{"a", "b"}[n%2], Generation: wire.Generation(n)}})
	}
	if n := len(log.records); n > 2*cleanAfter {
		t.Errorf("the log of two groups has %d records", n)
	}
	log.clean()
	var got []wire.Generation
	for _, r := range log.records {
		got = append(got, r.(coordinator.GroupMetadataRecord).Generation)
	}
	if diff := cmp.Diff([]wire.Generation{5*cleanAfter - 2, 5*cleanAfter - 1}, got); diff != "" {
		t.Error(diff)
	}
}
