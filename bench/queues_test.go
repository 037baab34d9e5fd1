package bench

import (
	"math"
	"math/rand/v2"
	"testing"
)

// TestStructuresAgree holds that all structures give the same events in the same order, with many of one instant.
func TestStructuresAgree(t *testing.T) {
	const n, steps = 64, 20_000
	type taken struct {
		id int32
		at int64
	}
	for _, moves := range []bool{false, true} {
		var want []taken
		for _, s := range structures {
			q := s.make(n)
			mover, ok := q.(timers)
			if moves && !ok {
				continue
			}
			random := rand.New(rand.NewPCG(1, 2))
			for id := range int32(n) {
				q.Schedule(id, random.Int64N(8))
			}
			var got []taken
			for range steps {
				id, now, ok := q.Next(math.MaxInt64)
				got = append(got, taken{id, now})
				if !ok {
					t.Fatalf("%s is empty", s.name)
				}
				q.Schedule(id, now+random.Int64N(8))
				if moves {
					mover.Rearm(random.Int32N(n), now+random.Int64N(8))
					again := random.Int32N(n)
					mover.Cancel(again)
					mover.Schedule(again, now+random.Int64N(8))
				}
			}
			if want == nil {
				want = got
			}
			for i := range want {
				if got[i] != want[i] {
					t.Fatalf("%s takes %v as event %d, %s %v", s.name, got[i], i, structures[0].name, want[i])
				}
			}
		}
	}
}

// TestQueueAllocatesNothing holds that our queue needs no memory for an event when it has grown to what is pending.
func TestQueueAllocatesNothing(t *testing.T) {
	const n = 1000
	for _, m := range models {
		step := m.start(structures[0].make(n), n)
		for range 2 * n {
			step()
		}
		if allocated := testing.AllocsPerRun(10_000, step); allocated != 0 {
			t.Errorf("%s: %v allocations an event, want none", m.name, allocated)
		}
	}
}
