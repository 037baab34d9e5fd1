package coordinator

import (
	"fmt"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// TestOrder checks what a real HashMap prints: names of assignors, single letters, and a table that grew.
func TestOrder(t *testing.T) {
	tests := []struct {
		name string
		put  []string
		want []string
	}{
		{"assignors", []string{"cooperative-sticky", "roundrobin", "range", "sticky"}, []string{"sticky", "range", "roundrobin", "cooperative-sticky"}},
		{"letters", []string{"P", "C", "B", "A"}, []string{"P", "A", "B", "C"}},
		{"client ids", []string{"c-1a", "c-2f", "c-9z"}, []string{"c-2f", "c-9z", "c-1a"}},
		{"thirteen and more", numbered("m", 14), []string{"m0", "m1", "m2", "m3", "m4", "m5", "m6", "m7", "m8", "m9", "m11", "m10", "m13", "m12"}},
		{"no ASCII", []string{"é", "日", "a"}, []string{"a", "日", "é"}},
	}
	for _, test := range tests {
		m := newJavaMap[string, int]()
		for _, k := range test.put {
			m.put(k, 0)
		}
		if got := m.keys(); !slices.Equal(got, test.want) {
			t.Errorf("%s: got %v, want %v", test.name, got, test.want)
		}
	}
}

func numbered(prefix string, n int) []string {
	var names []string
	for i := range n {
		names = append(names, fmt.Sprintf("%s%d", prefix, i))
	}
	return names
}

// TestOrderTwin compares the map with the rule as it is written: the table has the size that the
// largest number of keys made it, buckets come in order, and inside a bucket the key that was put first.
// The numbers of keys cross every growth up to 96.
func TestOrderTwin(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := newJavaMap[string, int]()
		var keys []string // in the order in which they were put
		capacity := 16
		for range rapid.IntRange(1, 300).Draw(t, "steps") {
			k := fmt.Sprintf("client-%d", rapid.IntRange(0, 120).Draw(t, "key"))
			if rapid.IntRange(0, 9).Draw(t, "what") < 7 {
				m.put(k, 0)
				if !slices.Contains(keys, k) {
					keys = append(keys, k)
				}
				if 4*len(keys) > 3*capacity {
					capacity *= 2
				}
			} else {
				m.remove(k)
				keys = slices.DeleteFunc(keys, func(other string) bool { return other == k })
			}
			want := slices.Clone(keys)
			slices.SortStableFunc(want, func(a, b string) int { return slot(a, capacity) - slot(b, capacity) })
			if got := m.keys(); !slices.Equal(got, want) {
				t.Fatalf("capacity %d: got %v, want %v", capacity, got, want)
			}
			if m.len() != len(keys) {
				t.Fatalf("got %d keys, want %d", m.len(), len(keys))
			}
		}
	})
}

func slot(key string, capacity int) int {
	var h uint32
	for _, c := range []byte(key) {
		h = 31*h + uint32(c)
	}
	return int((h ^ h>>16) % uint32(capacity))
}
