package coordinator

import (
	"maps"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"simulate/sim/wire"
)

// TestTimelineMap compares a map with whole copies of it, one for each batch that is not settled.
func TestTimelineMap(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		h := &history{batch: 1}
		m := newTimelineMap[int32, int](h, intHash)
		committed, latest := map[int32]int{}, map[int32]int{}
		var written []map[int32]int // as it was after each batch that is not settled
		first := AppendID(1)
		for range rapid.IntRange(1, 80).Draw(t, "steps") {
			key := rapid.Int32Range(0, 12).Draw(t, "key")
			switch rapid.SampledFrom([]string{"put", "put", "put", "remove", "write", "settle", "refuse"}).Draw(t, "what") {
			case "put":
				value := rapid.Int().Draw(t, "value")
				m.put(key, value)
				latest[key] = value
			case "remove":
				m.remove(key)
				delete(latest, key)
			case "write":
				written = append(written, maps.Clone(latest))
				h.batch++
			case "settle":
				if len(written) > 0 {
					h.settle(first)
					committed, written = written[0], written[1:]
					first++
				}
			case "refuse": // the newest batch and what came after it
				if n := len(written) - 1; n >= 0 {
					h.revert(h.batch)
					h.revert(h.batch - 1)
					written = written[:n]
					latest = maps.Clone(committed)
					if n > 0 {
						latest = maps.Clone(written[n-1])
					}
					h.batch--
				}
			}
			compareTimeline(t, m, latest, committed)
		}
	})
}

func compareTimeline(t *rapid.T, m *timelineMap[int32, int], latest, committed map[int32]int) {
	if got := maps.Collect(m.all()); !maps.Equal(got, latest) || m.live != len(latest) {
		t.Fatalf("the latest values are %v, want %v", got, latest)
	}
	if got := maps.Collect(m.sorted(true)); !maps.Equal(got, latest) {
		t.Fatalf("sorted, the latest values are %v, want %v", got, latest)
	}
	if got := maps.Collect(m.sorted(false)); !maps.Equal(got, committed) {
		t.Fatalf("the committed values are %v, want %v", got, committed)
	}
}

// TestTimelineOrder spells out A-9: the table doubles before the third key, and a replaced key keeps its
// place, though replacing one of two keys doubles the table, too.
func TestTimelineOrder(t *testing.T) {
	h := &history{batch: 1}
	m := newTimelineMap[string, int](h, wire.StringHash)
	for _, topic := range []string{"a", "b", "c", "d", "e"} {
		m.put(topic, 1)
	}
	if len(m.slots) != 4 {
		t.Errorf("5 keys have %d slots, want 4", len(m.slots))
	}
	m.put("f", 1)
	if len(m.slots) != 8 {
		t.Errorf("6 keys have %d slots, want 8", len(m.slots))
	}
	order := keysOf(m)
	m.put("b", 2)
	again := keysOf(m)
	if !slices.Equal(order, again) {
		t.Errorf("replacing b changed %v to %v", order, again)
	}
	two := newTimelineMap[string, int](h, wire.StringHash)
	two.put("a", 1)
	two.put("b", 1)
	two.put("a", 2)
	if len(two.slots) != 4 {
		t.Errorf("replacing one of 2 keys leaves %d slots, want 4", len(two.slots))
	}
}

// TestTimelineRevertOrder checks that keys which a refused batch removed are the newest of their slot again,
// in the order in which it removed them: nogroup and g2 share a slot.
func TestTimelineRevertOrder(t *testing.T) {
	h := &history{batch: 1}
	m := newTimelineMap[string, int](h, wire.StringHash)
	for _, group := range []string{"g2", "nogroup", "g", "g3"} {
		m.put(group, 1)
	}
	h.batch = 2
	if got, want := keysOf(m), []string{"nogroup", "g2", "g", "g3"}; !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
	for _, group := range []string{"nogroup", "g2", "g", "g3"} {
		m.remove(group)
	}
	h.revert(2)
	if got, want := keysOf(m), []string{"g2", "nogroup", "g", "g3"}; !slices.Equal(got, want) {
		t.Errorf("after the batch was refused: got %v, want %v", got, want)
	}
}

func keysOf(m *timelineMap[string, int]) []string {
	var keys []string
	for k := range m.all() {
		keys = append(keys, k)
	}
	return keys
}
