package coordinator

import "testing"

func TestPartitionOf(t *testing.T) {
	for group, want := range map[string]int32{"g": 3, "orders": 31, "payments": 13, "group-id": 13, "": 0} {
		if got := PartitionOf(group, 50); got != want {
			t.Errorf("PartitionOf(%q, 50) = %d, want %d", group, got, want)
		}
	}
}
