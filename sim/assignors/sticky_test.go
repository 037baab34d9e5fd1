package assignors

import (
	"fmt"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"simulate/sim/wire"
)

// drawOwners draws what each member owned in generation 5: nothing contradicts anything, some partitions
// belong to nobody.
func drawOwners(t *rapid.T, in Input) {
	for _, topic := range subscribedTopics(in, memberOrder(in.Members)) {
		for p := range topic.Partitions {
			if i := rapid.IntRange(-1, len(topic.members)-1).Draw(t, "owner"); i >= 0 {
				m := &in.Members[topic.members[i]]
				m.Owned = append(m.Owned, wire.TopicPartition{Topic: topic.name, Partition: int32(p)})
			}
		}
	}
	for i := range in.Members {
		m := &in.Members[i]
		m.Generation = 5
		m.UserData = EncodeStickyUserData(m.Owned, 5)
	}
}

// drawSticky draws a group whose members own something; everybody subscribes to something.
func drawSticky(t *rapid.T, racks []string, equal bool) Input {
	in := drawGroup(t, racks)
	in.MaxGeneration = wire.NoGeneration
	in.Ascending = rapid.Bool().Draw(t, "by id")
	for i := range in.Members {
		m := &in.Members[i]
		if len(m.Topics) == 0 {
			m.Topics = []string{"a"}
		}
		if equal {
			m.Topics = in.Members[0].Topics
		}
	}
	drawOwners(t, in)
	return in
}

// Law I1: everything is given to one subscriber, by sticky at once, by cooperative-sticky but for what it
// withholds; and what is withheld is owned by somebody else.
func TestStickyGivesEverythingOnce(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		in := drawSticky(t, []string{"", "r1", "r2"}, rapid.Bool().Draw(t, "equal"))
		total := 0
		for _, topic := range subscribedTopics(in, memberOrder(in.Members)) {
			total += topic.Partitions
		}
		eager, err := assignSticky(in)
		if err != nil {
			t.Fatal(err)
		}
		if got := len(owners(t, in, eager)); got != total {
			t.Fatalf("%d of %d partitions were given", got, total)
		}
		out, err := assignCooperativeSticky(in)
		if err != nil {
			t.Fatal(err)
		}
		given := owners(t, in, out)
		for i, list := range out.Withheld {
			for _, tp := range list {
				if _, ok := given[tp]; ok || slices.Contains(in.Members[i].Owned, tp) {
					t.Fatalf("%v is withheld from member %d though nobody else loses it", tp, i)
				}
				given[tp] = i
			}
		}
		if len(given) != total {
			t.Fatalf("%d of %d partitions were given or withheld", len(given), total)
		}
	})
}

// Laws I2 and I4: with equal subscriptions, shares differ by one at most, and without racks nobody loses
// a partition but who had more than its share.
func TestConstrainedIsFairAndSticky(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		in := drawSticky(t, []string{""}, true)
		out, err := assignSticky(in)
		if err != nil {
			t.Fatal(err)
		}
		n := len(in.Members)
		total := len(owners(t, in, out))
		for i, list := range out.Assigned {
			if len(list) < total/n || len(list) > (total+n-1)/n {
				t.Fatalf("member %d of %d gets %d of %d partitions", i, n, len(list), total)
			}
			for _, tp := range in.Members[i].Owned {
				if !slices.Contains(list, tp) && len(in.Members[i].Owned) <= total/n {
					t.Fatalf("member %d owned %v, no more than its share of %d, and lost %v", i, in.Members[i].Owned, total/n, tp)
				}
			}
		}
	})
}

// Law I6: when the losers have revoked, the next rebalance gives out what was withheld and moves nothing;
// the third changes nothing at all. With racks and different subscriptions it does not hold.
func TestCooperativeSettlesInTwoRebalances(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		in := drawSticky(t, []string{""}, true)
		first, err := assignCooperativeSticky(in)
		if err != nil {
			t.Fatal(err)
		}
		second, err := assignCooperativeSticky(rejoined(in, first, 6))
		if err != nil {
			t.Fatal(err)
		}
		for i := range in.Members {
			if len(second.Withheld[i]) > 0 {
				t.Fatalf("the second rebalance withholds %v from member %d", second.Withheld[i], i)
			}
			for _, tp := range first.Assigned[i] {
				if !slices.Contains(second.Assigned[i], tp) {
					t.Fatalf("the second rebalance takes %v from member %d", tp, i)
				}
			}
		}
		third, err := assignCooperativeSticky(rejoined(in, second, 7))
		if err != nil {
			t.Fatal(err)
		}
		for i := range in.Members {
			if a, b := setOf(second.Assigned[i]), setOf(third.Assigned[i]); fmt.Sprint(a) != fmt.Sprint(b) {
				t.Fatalf("the third rebalance changes member %d from %v to %v", i, a, b)
			}
		}
	})
}

// rejoined returns the input of the rebalance after out: everybody owns what it was given.
func rejoined(in Input, out Output, generation wire.Generation) Input {
	in.Members = slices.Clone(in.Members)
	in.MaxGeneration = out.MaxGeneration
	for i := range in.Members {
		in.Members[i].Owned, in.Members[i].Generation = out.Assigned[i], generation
	}
	return in
}

// Inputs are the caller's: no assignor changes them.
func TestInputIsLeftAlone(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		in := drawSticky(t, []string{"", "r1"}, rapid.Bool().Draw(t, "equal"))
		before := fmt.Sprint(in)
		for _, a := range known {
			if _, err := a.Assign(in); err != nil {
				t.Fatal(err)
			}
			if after := fmt.Sprint(in); after != before {
				t.Fatalf("%s changed its input from\n%s to\n%s", a.Name, before, after)
			}
		}
	})
}

func TestHashOf(t *testing.T) {
	for _, test := range []struct { // the right-hand sides were printed by Java
		text string
		want int32
	}{{"", 0}, {"orders", -1008770331}, {"Aa", 2112}, {"BB", 2112}, {"é", 233}, {"𐀀", 1770496}} {
		if got := wire.StringHash(test.text); got != test.want {
			t.Errorf("the hash of %q is %d, want %d", test.text, got, test.want)
		}
	}
}

// big is a group of 10 topics of 100 partitions. When subscriptions differ, member i lacks topic i mod 10.
func big(members int, differ bool) Input {
	in := Input{Topics: map[string]Topic{}, MaxGeneration: wire.NoGeneration}
	for i := range 10 {
		in.Topics[fmt.Sprintf("topic-%d", i)] = Topic{Partitions: 100}
	}
	for i := range members {
		m := Member{ID: wire.MemberID(fmt.Sprintf("orders-%d-%x", i, wire.StringHash(fmt.Sprint(i))))}
		for topic := range 10 {
			if !differ || i%10 != topic {
				m.Topics = append(m.Topics, fmt.Sprintf("topic-%d", topic))
			}
		}
		m.Generation = wire.NoGeneration
		in.Members = append(in.Members, m)
	}
	return in
}

func BenchmarkAssign(b *testing.B) {
	for _, a := range known {
		for _, differ := range []bool{false, true} {
			in := big(1000, differ)
			b.Run(fmt.Sprintf("%s/differ=%v", a.Name, differ), func(b *testing.B) {
				for b.Loop() {
					if _, err := a.Assign(in); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}
