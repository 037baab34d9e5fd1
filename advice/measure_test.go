package advice

import (
	"testing"
	"time"

	"simulate/reports"
)

// TestHolds has what a change must do, and must not do, to be advice.
func TestHolds(t *testing.T) {
	now := reports.Measured{Stay: time.Minute, Stuck: 2, Removed: 1}
	for _, test := range []struct {
		name string
		kind reports.AdviceKind
		then reports.Measured
		want bool
	}{
		{"as long as stuck-after", reports.EndsWait, reports.Measured{Stay: 30 * time.Second, Stuck: 1, Removed: 1}, true},
		{"longer", reports.EndsWait, reports.Measured{Stay: 30*time.Second + 1, Stuck: 1, Removed: 1}, false},
		{"another stay is stuck instead", reports.EndsWait, reports.Measured{Stuck: 2}, false},
		{"an application fails", reports.EndsWait, reports.Measured{Stuck: 1, Failures: 1}, false},
		{"the member stays", reports.SparesMember, reports.Measured{Stay: time.Hour, Stuck: 3}, true},
		{"the member is removed later", reports.SparesMember, reports.Measured{Stuck: 1, Removed: 1}, false},
		{"the member fails", reports.SparesMember, reports.Measured{Failures: 1}, false},
	} {
		trial := reports.Trial{Kind: test.kind, Now: now, Then: test.then}
		if got := holds(&trial, 30*time.Second); got != test.want {
			t.Errorf("%s: got %t, want %t", test.name, got, test.want)
		}
	}
}
