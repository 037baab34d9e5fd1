package random

import (
	"fmt"
	"math"
	"regexp"
	"testing"
	"time"

	"pgregory.net/rapid"
)

func TestUnitIsBetweenZeroAndOne(t *testing.T) {
	if lo, hi := unit(0), unit(math.MaxUint64); lo <= 0 || hi >= 1 {
		t.Errorf("the least unit is %v, the greatest %v; want both strictly between 0 and 1", lo, hi)
	}
}

// The first numbers of a stream, so that no change of the generator goes unnoticed: it would change every
// run that anybody has recorded.
func TestGoldenStream(t *testing.T) {
	s := Seed(7).Stream("consumer/orders-1", "processing")
	for i, want := range []uint64{0xdb90bb7f7af51158, 0x1142ab81333e4bed, 0xac163a9de3f488f3} {
		if got := s.Uint64(); got != want {
			t.Errorf("number %d is %#x, want %#x", i, got, want)
		}
	}
	if got, want := s.UUID(), "8035d453-e74d-4870-9879-c8f2de0ab5e4"; got != want {
		t.Errorf("the UUID is %s, want %s", got, want)
	}
}

func TestUUID(t *testing.T) {
	form := regexp.MustCompile(`^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$`)
	s := Seed(1).Stream("a", "b")
	for range 1000 {
		if id := s.UUID(); !form.MatchString(id) {
			t.Fatalf("%s is no UUID of type 4", id)
		}
	}
}

func TestStreamIsFoundByName(t *testing.T) {
	first := func(seed Seed, actor, purpose string) uint64 { return seed.Stream(actor, purpose).Uint64() }
	want := first(7, "a", "bc")
	if got := first(7, "a", "bc"); got != want {
		t.Errorf("the same name starts with %#x and %#x", got, want)
	}
	for _, test := range []struct {
		seed           Seed
		actor, purpose string
	}{{8, "a", "bc"}, {7, "ab", "c"}, {7, "bc", "a"}, {7, "abc", ""}, {7, "", "abc"}} {
		if first(test.seed, test.actor, test.purpose) == want {
			t.Errorf("%v starts like {7 a bc}", test)
		}
	}
}

// Streams of neighbouring names and seeds have nothing to do with each other: their first numbers are
// spread evenly, and two streams do not move together.
func TestStreamsAreIndependent(t *testing.T) {
	const streams, cells = 10_000, 10
	var spread [cells]int
	for i := range streams {
		s := Seed(i%10).Stream(fmt.Sprintf("consumer/orders-%d", i/10), "processing")
		spread[s.Below(cells)]++
	}
	for cell, n := range spread {
		if n < 850 || n > 1150 { // five standard deviations are 150
			t.Errorf("%d of %d streams start in cell %d, want about %d", n, streams, cell, streams/cells)
		}
	}
	for _, other := range []*Stream{
		Seed(7).Stream("orders-1", "latency"), Seed(7).Stream("orders-2", "batch"), Seed(6).Stream("orders-1", "batch"),
	} {
		s, product := Seed(7).Stream("orders-1", "batch"), 0.0
		for range streams {
			product += (s.Unit() - 0.5) * (other.Unit() - 0.5) * 12
		}
		if r := product / streams; math.Abs(r) > 0.05 { // five standard deviations
			t.Errorf("two streams correlate with %.3f, want about 0", r)
		}
	}
}

func TestBetween(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		lo := time.Duration(rapid.Int64Range(0, 1e12).Draw(t, "lo"))
		hi := lo + time.Duration(rapid.Int64Range(1, 1e5).Draw(t, "range"))
		s := Seed(rapid.Uint64().Draw(t, "seed")).Stream("a", "b")
		if got := s.Between(lo, hi); got < lo || got >= hi || (got-lo)%time.Microsecond != 0 {
			t.Fatalf("%v is not in [%v, %v) or not lo and whole microseconds", got, lo, hi)
		}
	})
}
