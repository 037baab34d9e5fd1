package assignors

import (
	"fmt"
	"slices"
	"testing"
	"unicode/utf16"

	"pgregory.net/rapid"

	"simulate/sim/wire"
)

func TestCompareJava(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.StringOfN(rapid.RuneFrom([]rune{'a', 'b', 'é', '\ud7ff', '\ue000', '\uffff', '𐀀', '🜁'}), 0, 4, -1)
		a, b := text.Draw(t, "a"), text.Draw(t, "b")
		want := slices.Compare(utf16.Encode([]rune(a)), utf16.Encode([]rune(b)))
		if got := compareJava(a, b); got != want {
			t.Fatalf("compareJava(%q, %q) is %d, want %d", a, b, got, want)
		}
	})
}

// Rule A7: static members by instance id, then the others by member id.
func TestMemberOrder(t *testing.T) {
	members := []Member{{ID: "b"}, {ID: "1", Instance: "z"}, {ID: "a"}, {ID: "2", Instance: "y"}, {ID: "Z"}}
	var got []wire.MemberID
	for _, i := range memberOrder(members) {
		got = append(got, members[i].ID)
	}
	if want := []wire.MemberID{"2", "1", "Z", "a", "b"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestCooperative(t *testing.T) {
	for _, test := range []struct {
		names []string
		want  bool
	}{
		{nil, false},
		{[]string{"range"}, false},
		{[]string{"range", "cooperative-sticky"}, false},
		{[]string{"cooperative-sticky", "sticky"}, false},
		{[]string{"cooperative-sticky"}, true},
	} {
		if got := Cooperative(test.names); got != test.want {
			t.Errorf("Cooperative(%q) is %v, want %v", test.names, got, test.want)
		}
	}
}

// drawGroup draws a group of up to eight members with up to four topics; topic "c" may lack metadata.
func drawGroup(t *rapid.T, racks []string) Input {
	in := Input{Topics: map[string]Topic{}}
	rack := rapid.SampledFrom(racks)
	alike := rapid.Bool().Draw(t, "as many partitions in each topic")
	n := rapid.IntRange(0, 7)
	same := n.Draw(t, "partitions")
	for _, name := range []string{"a", "b", "c", "d"} {
		topic := Topic{Partitions: same}
		if !alike {
			topic.Partitions = n.Draw(t, name)
		}
		for range topic.Partitions {
			topic.Racks = append(topic.Racks, rapid.SliceOfN(rack, 1, 2).Draw(t, "racks"))
		}
		if topic.Partitions > 0 {
			in.Topics[name] = topic
		}
	}
	for i := range rapid.IntRange(1, 8).Draw(t, "members") {
		m := Member{ID: wire.MemberID(fmt.Sprintf("%d-%d", rapid.IntRange(0, 9).Draw(t, "id"), i))}
		if rapid.Bool().Draw(t, "static") {
			m.Instance = wire.InstanceID(fmt.Sprintf("%d-%d", rapid.IntRange(0, 9).Draw(t, "instance"), i))
		}
		m.Topics = rapid.SliceOfNDistinct(rapid.SampledFrom([]string{"a", "b", "c", "d"}), 0, 4, rapid.ID).Draw(t, "topics")
		m.Rack = rack.Draw(t, "rack")
		in.Members = append(in.Members, m)
	}
	return in
}

// owners maps each assigned partition to the index of its owner. It fails on a second owner and on one
// that does not subscribe.
func owners(t *rapid.T, in Input, out Output) map[wire.TopicPartition]int {
	owner := map[wire.TopicPartition]int{}
	for i, list := range out.Assigned {
		for _, tp := range list {
			if other, ok := owner[tp]; ok {
				t.Fatalf("%v belongs to members %d and %d", tp, other, i)
			}
			if !slices.Contains(in.Members[i].Topics, tp.Topic) || int(tp.Partition) >= in.Topics[tp.Topic].Partitions {
				t.Fatalf("member %d, which subscribes to %q, got %v", i, in.Members[i].Topics, tp)
			}
			owner[tp] = i
		}
	}
	return owner
}

// Laws I1 and I3: range gives every partition of a subscribed topic to one subscriber, and the shares of
// one topic differ by one at most, with racks or without.
func TestRangeIsFair(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		in := drawGroup(t, []string{"", "r1", "r2"})
		if rapid.Bool().Draw(t, "equal subscriptions") {
			for i := range in.Members {
				in.Members[i].Topics = in.Members[0].Topics
			}
		}
		out, err := assignRange(in)
		if err != nil {
			t.Fatal(err)
		}
		share := map[string]map[int]int{}
		for tp, i := range owners(t, in, out) {
			if share[tp.Topic] == nil {
				share[tp.Topic] = map[int]int{}
			}
			share[tp.Topic][i]++
		}
		for _, topic := range subscribedTopics(in, memberOrder(in.Members)) {
			given := 0
			for _, m := range topic.members {
				n := share[topic.name][m]
				given += n
				if q := topic.Partitions / len(topic.members); n < q || n > q+1 {
					t.Fatalf("member %d gets %d of the %d partitions of %s, which %d members share", m, n, topic.Partitions, topic.name, len(topic.members))
				}
			}
			if given != topic.Partitions {
				t.Fatalf("%d of the %d partitions of %s were given", given, topic.Partitions, topic.name)
			}
		}
	})
}

// Without racks, range is a formula: subscriber i of n owns from i*q + min(i, e) up to where the next one begins.
func TestRangeAgainstTheFormula(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		in := drawGroup(t, []string{""})
		out, _ := assignRange(in)
		want := make([][]wire.TopicPartition, len(in.Members))
		for _, topic := range subscribedTopics(in, memberOrder(in.Members)) {
			q, e := topic.Partitions/len(topic.members), topic.Partitions%len(topic.members)
			for i, m := range topic.members {
				for p := i*q + min(i, e); p < (i+1)*q+min(i+1, e); p++ {
					want[m] = append(want[m], wire.TopicPartition{Topic: topic.name, Partition: int32(p)})
				}
			}
		}
		for i := range want {
			if !slices.Equal(out.Assigned[i], want[i]) {
				t.Fatalf("member %d gets %v, want %v", i, out.Assigned[i], want[i])
			}
		}
	})
}

// Laws I1 and I2: roundrobin gives out everything, and with equal subscriptions shares differ by one at
// most.
func TestRoundRobinIsFair(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		in := drawGroup(t, []string{""})
		equal := rapid.Bool().Draw(t, "equal subscriptions")
		for i := range in.Members {
			if equal {
				in.Members[i].Topics = in.Members[0].Topics
			}
		}
		out, _ := assignRoundRobin(in)
		total := 0
		for _, topic := range subscribedTopics(in, memberOrder(in.Members)) {
			total += topic.Partitions
		}
		if got := len(owners(t, in, out)); got != total {
			t.Fatalf("%d of %d partitions were given", got, total)
		}
		for i, list := range out.Assigned {
			if n := len(list); equal && (n < total/len(in.Members) || n > total/len(in.Members)+1) {
				t.Fatalf("member %d of %d gets %d of %d partitions", i, len(in.Members), n, total)
			}
		}
	})
}

// Law I5: the order in which the leader received the members does not matter to range and roundrobin.
func TestOrderOfMembersDoesNotMatter(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		in := drawGroup(t, []string{"", "r1", "r2"})
		a := rapid.SampledFrom([]string{"range", "roundrobin"}).Draw(t, "assignor")
		assignor, _ := Find(a)
		out, _ := assignor.Assign(in)
		perm := rapid.Permutation(in.Members).Draw(t, "received")
		again, _ := assignor.Assign(Input{Topics: in.Topics, Members: perm})
		for i, m := range perm {
			j := slices.IndexFunc(in.Members, func(o Member) bool { return o.ID == m.ID })
			if !slices.Equal(again.Assigned[i], out.Assigned[j]) {
				t.Fatalf("%s: %s gets %v or %v", a, m.ID, out.Assigned[j], again.Assigned[i])
			}
		}
	})
}
