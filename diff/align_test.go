package diff

import (
	"testing"
	"time"

	gocmp "github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"simulate/sim/clock"
)

func self(x *item) (clock.Time, string) { return x.at, x.key }

// seconds makes a list of items of "a3" (key a, at 3 s).
func seconds(words ...string) []item {
	list := []item{}
	for _, w := range words {
		list = append(list, item{clock.At(time.Duration(w[1]-'0') * time.Second), w[:1]})
	}
	return list
}

// shown writes an alignment as "a1=a2 b3- -c4".
func shown(pairs []Pair[item]) string {
	text := ""
	word := func(x *item) string {
		if x == nil {
			return "-"
		}
		return x.key + string('0'+byte(x.at/clock.Time(time.Second)))
	}
	for i, p := range pairs {
		if i > 0 {
			text += " "
		}
		text += word(p.A) + "=" + word(p.B)
	}
	return text
}

func TestAlign(t *testing.T) {
	for _, test := range []struct {
		a, b []item
		want string
	}{
		{seconds(), seconds(), ""},
		{seconds("a1"), seconds(), "a1=-"},
		{seconds("a1", "b2"), seconds("a1", "b2"), "a1=a1 b2=b2"},
		{seconds("a1", "b2", "c3"), seconds("a1", "c4"), "a1=a1 b2=- c3=c4"},
		{seconds("a1", "b2"), seconds("b2", "a3"), "a1=- b2=b2 -=a3"},               // the order is kept
		{seconds("a1", "a5", "a9"), seconds("a6"), "a1=- a5=a6 a9=-"},               // the closest one
		{seconds("b4", "a5"), seconds("c3", "a5", "d6"), "-=c3 b4=- a5=a5 -=d6"},    // by time between pairs
		{seconds("a1", "b2", "a3"), seconds("a2", "b3", "a4"), "a1=a2 b2=b3 a3=a4"}, // more pairs before less distance
	} {
		if got := shown(align(test.a, test.b, self)); got != test.want {
			t.Errorf("%v and %v: got %q, want %q", test.a, test.b, got, test.want)
		}
	}
}

// naive is the best score of what follows l and r, found by trying everything.
func naive(a, b []item) score {
	if len(a) == 0 || len(b) == 0 {
		return score{}
	}
	best := naive(a[1:], b)
	if s := naive(a, b[1:]); s.better(best) {
		best = s
	}
	if a[0].key == b[0].key {
		if s := naive(a[1:], b[1:]).plus(score{1, max(a[0].at.Sub(b[0].at), b[0].at.Sub(a[0].at))}); s.better(best) {
			best = s
		}
	}
	return best
}

// TestAlignLaws: every element is in one line, in order; pairs are equal; no alignment is better; and both directions
// say the same.
func TestAlignLaws(t *testing.T) {
	draw := rapid.Custom(func(t *rapid.T) []item {
		list := []item{}
		at := clock.Time(0)
		for range rapid.IntRange(0, 7).Draw(t, "length") {
			at = at.Add(time.Duration(rapid.IntRange(0, 3).Draw(t, "step")) * time.Second)
			list = append(list, item{at, rapid.SampledFrom([]string{"a", "b", "c"}).Draw(t, "key")})
		}
		return list
	})
	rapid.Check(t, func(t *rapid.T) {
		a, b := draw.Draw(t, "a"), draw.Draw(t, "b")
		pairs := align(a, b, self)
		var left, right []item
		var got score
		for _, p := range pairs {
			if p.A != nil {
				left = append(left, *p.A)
			}
			if p.B != nil {
				right = append(right, *p.B)
			}
			if p.A != nil && p.B != nil {
				if p.A.key != p.B.key {
					t.Fatalf("%v is paired with %v", *p.A, *p.B)
				}
				got = got.plus(score{1, max(p.A.at.Sub(p.B.at), p.B.at.Sub(p.A.at))})
			}
		}
		same := gocmp.AllowUnexported(item{})
		if d := gocmp.Diff(a, left, same); len(a) > 0 && d != "" {
			t.Fatalf("the left lines are not the left list: %s", d)
		}
		if d := gocmp.Diff(b, right, same); len(b) > 0 && d != "" {
			t.Fatalf("the right lines are not the right list: %s", d)
		}
		if want := naive(a, b); got != want {
			t.Fatalf("%s: got %v, want %v", shown(pairs), got, want)
		}
		mirrored := align(b, a, self)
		for i := range mirrored {
			mirrored[i] = Pair[item]{mirrored[i].B, mirrored[i].A}
		}
		if shown(mirrored) != shown(pairs) {
			t.Fatalf("%s, but the other way round %s", shown(pairs), shown(mirrored))
		}
	})
}

// A day of one rebalance every few seconds, twice: the lists are long and nothing is at the same instant.
func BenchmarkAlign(b *testing.B) {
	make := func(offset time.Duration) []item {
		var list []item
		for i := range 5_000 {
			list = append(list, item{clock.At(time.Duration(i)*17*time.Second + offset), string('a' + byte(i*i%7))})
		}
		return list
	}
	left, right := make(0), make(time.Second)
	for b.Loop() {
		align(left, right, self)
	}
}
