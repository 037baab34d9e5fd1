package assignors

import (
	"bytes"
	"encoding/json"
	"slices"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"simulate/sim/wire"
)

// goldenBytes are the fields of the byte goldens: what was serialized, to which bytes, and what those
// read back as.
type goldenBytes struct {
	Version         int16
	Hex             hexBytes
	Input           json.RawMessage
	InputGeneration *wire.Generation // of user data
	Decoded         json.RawMessage
}

type goldenSubscription struct {
	Topics     []string
	UserData   *hexBytes
	Owned      runs
	Generation *wire.Generation
	Rack       *string
}

type goldenAssignment struct {
	Partitions runs
	UserData   *hexBytes
}

func (s goldenSubscription) subscription() Subscription {
	sub := Subscription{Topics: s.Topics, UserData: s.UserData.bytes(), Owned: s.Owned, Generation: orNone(s.Generation)}
	if s.Rack != nil {
		sub.Rack = *s.Rack
	}
	return sub
}

// byteKinds are the kinds of byte goldens, and what checks them.
var byteKinds = map[string]func(*testing.T, *golden){
	"subscription":                          checkSubscription,
	"subscription-decode":                   checkSubscription,
	"assignment":                            checkAssignment,
	"assignment-decode":                     checkAssignment,
	"sticky-userdata":                       checkStickyUserData,
	"sticky-userdata-malformed":             checkStickyUserData,
	"cooperative-userdata":                  checkCooperativeUserData,
	"cooperative-sticky-userdata-malformed": checkCooperativeUserData,
}

func isBytes(kind string) bool { return byteKinds[kind] != nil }

func parse[T any](t *testing.T, g *golden, text json.RawMessage) T {
	t.Helper()
	var v T
	if err := json.Unmarshal(text, &v); err != nil {
		t.Fatalf("%s: %v", g.ID, err)
	}
	return v
}

func TestBytes(t *testing.T) {
	compared := map[string]int{}
	forEachGolden(t, func(g *golden) {
		if check := byteKinds[g.Kind]; check != nil {
			compared[g.Kind]++
			check(t, g)
		}
	})
	report(t, compared)
	for kind := range byteKinds {
		if compared[kind] < 6 {
			t.Errorf("%d cases of %s were compared; testdata has more", compared[kind], kind)
		}
	}
}

func checkSubscription(t *testing.T, g *golden) {
	t.Helper()
	if g.Input != nil {
		input := parse[goldenSubscription](t, g, g.Input)
		want := g.Hex
		if g.Version == 3 && input.Rack != nil && *input.Rack == "" {
			// A rack of "" counts as none, and the Java consumer writes none: null.
			want = append(bytes.Clone(want[:len(want)-2]), 0xff, 0xff)
		}
		if got := EncodeSubscription(input.subscription(), g.Version); !bytes.Equal(got, want) {
			t.Errorf("%s: subscription is written\n%x, want\n%x", g.ID, got, []byte(want))
		}
	}
	got, err := DecodeSubscription(g.Hex)
	if (err != nil) != (g.Error != "") {
		t.Errorf("%s: error %v, want %q", g.ID, err, g.Error)
	}
	if err == nil {
		want := parse[goldenSubscription](t, g, g.Decoded).subscription()
		if diff := gocmp.Diff(want, got, emptyListIsNone); diff != "" {
			t.Errorf("%s (-want +got):\n%s", g.ID, diff)
		}
	}
}

func checkStickyUserData(t *testing.T, g *golden) {
	t.Helper()
	if g.Version == 1 { // only clients before Kafka 2.3 write version 0
		got := EncodeStickyUserData(parse[runs](t, g, g.Input), *g.InputGeneration)
		if !bytes.Equal(got, g.Hex) {
			t.Errorf("%s: user data is written\n%x, want\n%x", g.ID, got, []byte(g.Hex))
		}
	}
	got := stickyClaims(&Subscription{UserData: g.Hex})
	want := claims{parse[runs](t, g, g.Decoded), orNone(g.Generation)}
	if !slices.Equal(got.partitions, want.partitions) || got.generation != want.generation {
		t.Errorf("%s: read as %v, want %v", g.ID, got, want)
	}
}

func checkCooperativeUserData(t *testing.T, g *golden) {
	t.Helper()
	if g.InputGeneration != nil {
		if got := EncodeCooperativeUserData(*g.InputGeneration); !bytes.Equal(got, g.Hex) {
			t.Errorf("%s: user data is written %x, want %x", g.ID, got, []byte(g.Hex))
		}
	}
	got := cooperativeClaims(&Subscription{UserData: g.Hex, Generation: wire.NoGeneration})
	if want := orNone(g.Generation); got.generation != want {
		t.Errorf("%s: read as generation %d, want %d", g.ID, got.generation, want)
	}
}

func checkAssignment(t *testing.T, g *golden) {
	t.Helper()
	if g.Input != nil {
		input := parse[goldenAssignment](t, g, g.Input)
		if got := EncodeAssignment(input.Partitions, input.UserData.bytes(), g.Version); !bytes.Equal(got, g.Hex) {
			t.Errorf("%s: assignment is written\n%x, want\n%x", g.ID, got, []byte(g.Hex))
		}
	}
	partitions, userData, err := DecodeAssignment(g.Hex)
	if (err != nil) != (g.Error != "") {
		t.Errorf("%s: error %v, want %q", g.ID, err, g.Error)
	}
	if err == nil {
		want := parse[goldenAssignment](t, g, g.Decoded)
		if diff := gocmp.Diff([]wire.TopicPartition(want.Partitions), partitions, emptyListIsNone); diff != "" {
			t.Errorf("%s (-want +got):\n%s", g.ID, diff)
		}
		if w := want.UserData.bytes(); !bytes.Equal(userData, w) || (userData == nil) != (w == nil) {
			t.Errorf("%s: user data is %#v, want %#v", g.ID, userData, w)
		}
	}
}

// emptyListIsNone equates empty lists; user data, for which it matters, it leaves alone.
var emptyListIsNone = gocmp.Options{
	gocmp.FilterValues(func(a, b []wire.TopicPartition) bool { return len(a)+len(b) == 0 }, gocmp.Ignore()),
	gocmp.FilterValues(func(a, b []string) bool { return len(a)+len(b) == 0 }, gocmp.Ignore()),
}

func TestNegativeVersion(t *testing.T) {
	b := EncodeSubscription(Subscription{Topics: []string{"orders"}}, SubscriptionVersion)
	b[0] = 0xff
	if s, err := DecodeSubscription(b); err == nil {
		t.Errorf("version -253 was read as %+v", s)
	}
}

// Bytes of anybody: reading them never panics, and what they read as is written and read again alike.
func TestDecodeHostileBytes(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		b := EncodeSubscription(drawSubscription(t), rapid.Int16Range(0, 3).Draw(t, "version"))
		b = b[:rapid.IntRange(0, len(b)).Draw(t, "cut")]
		for _, i := range rapid.SliceOfN(rapid.IntRange(0, 200), 0, 3).Draw(t, "flipped") {
			if i < len(b) {
				b[i] ^= rapid.Byte().Draw(t, "by")
			}
		}
		if s, err := DecodeSubscription(b); err == nil {
			first := EncodeSubscription(s, SubscriptionVersion)
			again, err := DecodeSubscription(first)
			if err != nil || !bytes.Equal(first, EncodeSubscription(again, SubscriptionVersion)) {
				t.Fatalf("%x reads as %+v and then as %+v (%v)", b, s, again, err)
			}
		}
		if list, _, err := DecodeAssignment(b); err == nil {
			again, _, err := DecodeAssignment(EncodeAssignment(list, nil, 0))
			if err != nil || len(again) != len(list) {
				t.Fatalf("%x reads as %v and then as %v (%v)", b, list, again, err)
			}
		}
	})
}

// Law: a subscription is read as it was written, but for its order.
func TestSubscriptionRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		want := drawSubscription(t)
		got, err := DecodeSubscription(EncodeSubscription(want, SubscriptionVersion))
		if err != nil {
			t.Fatal(err)
		}
		slices.SortFunc(want.Topics, compareJava[string])
		slices.SortFunc(want.Owned, compareByTopic)
		if diff := gocmp.Diff(want, got, emptyListIsNone); diff != "" {
			t.Fatalf("(-want +got):\n%s", diff)
		}
	})
}

func drawSubscription(t *rapid.T) Subscription {
	topic := rapid.SampledFrom([]string{"orders", "t1", "t10", "télé-中"})
	s := Subscription{
		Topics:     rapid.SliceOfNDistinct(topic, 0, 4, rapid.ID).Draw(t, "topics"),
		Generation: wire.Generation(rapid.Int32Min(-1).Draw(t, "generation")),
		Rack:       rapid.SampledFrom([]string{"", "a"}).Draw(t, "rack"),
	}
	if rapid.Bool().Draw(t, "has user data") {
		s.UserData = rapid.SliceOf(rapid.Byte()).Draw(t, "user data")
	}
	for range rapid.IntRange(0, 5).Draw(t, "owned") {
		s.Owned = append(s.Owned, wire.TopicPartition{Topic: topic.Draw(t, "topic"), Partition: rapid.Int32Min(0).Draw(t, "partition")})
	}
	return s
}
