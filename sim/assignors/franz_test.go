package assignors

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"simulate/sim/wire"
)

// held is what a member of a table claims: partitions of topic t that it got in a generation.
type held struct {
	generation wire.Generation
	partitions []int32
}

func (h held) subscription() Subscription {
	owned := numbered(h.partitions...)
	return Subscription{Topics: []string{"t"}, Owned: owned, Generation: h.generation, UserData: EncodeStickyUserData(owned, h.generation)}
}

func numbered(partitions ...int32) []wire.TopicPartition {
	var list []wire.TopicPartition
	for _, p := range partitions {
		list = append(list, wire.TopicPartition{Topic: "t", Partition: p})
	}
	return list
}

// TestFranz has what leaders with franz-go 1.22.3 assigned in recordings, and where those have nothing of the kind what
// its own planner answers.
func TestFranz(t *testing.T) {
	none := held{generation: wire.NoGeneration}
	for _, c := range []struct {
		name     string
		assignor string
		members  []held // in the order of their ids
		topic    int    // partitions
		want     [][]int32
	}{
		{"two start", cooperativeSticky, []held{none, none}, 6, [][]int32{{0, 3, 4}, {1, 2, 5}}},
		{"three start", cooperativeSticky, []held{none, none, none}, 6, [][]int32{{0, 4}, {1, 5}, {2, 3}}},
		{"a third joins", cooperativeSticky, []held{{1, []int32{0, 3, 4}}, {1, []int32{1, 2, 5}}, none}, 6, [][]int32{{0, 3}, {1, 2}, nil}},
		{"and gets its share", cooperativeSticky, []held{{2, []int32{0, 3}}, {2, []int32{1, 2}}, {2, nil}}, 6, [][]int32{{0, 3}, {1, 2}, {4, 5}}},
		{"one leaves", cooperativeSticky, []held{{1, []int32{0, 3}}, {1, []int32{1, 2}}}, 6, [][]int32{{0, 3, 4}, {1, 2, 5}}},
		{"partitions are added", cooperativeSticky, []held{{1, []int32{0, 4}}, {1, []int32{1, 5}}, {1, []int32{2, 3}}}, 9, [][]int32{{0, 4, 6}, {1, 5, 7}, {2, 3, 8}}},
		{"a fourth joins, and the first loses one", cooperativeSticky, []held{{1, []int32{0, 4}}, {1, []int32{1, 5}}, {1, []int32{2, 3}}, none}, 6, [][]int32{{0}, {1, 5}, {2, 3}, nil}},
		{"the later generation counts", cooperativeSticky, []held{{1, []int32{0, 1}}, {2, []int32{1}}}, 2, [][]int32{{0}, {1}}},
		{"an old claim is better than none", cooperativeSticky, []held{{1, []int32{0}}, {2, []int32{0, 1}}}, 2, [][]int32{nil, {1}}},
		{"nothing is withheld from eager members", "sticky", []held{{1, []int32{0, 3, 4}}, {1, []int32{1, 2, 5}}, none}, 6, [][]int32{{0, 3}, {1, 2}, {4, 5}}},
	} {
		t.Run(c.name, func(t *testing.T) {
			a, _ := FindFranz(c.assignor)
			in := Input{Topics: map[string]Topic{"t": {Partitions: c.topic}}, MaxGeneration: wire.NoGeneration}
			var want [][]wire.TopicPartition
			for i, m := range c.members {
				in.Members = append(in.Members, Member{ID: wire.MemberID("abcd"[i : i+1]), Subscription: m.subscription()})
				want = append(want, numbered(c.want[i]...))
			}
			out, err := a.Assign(in)
			if err != nil {
				t.Fatal(err)
			}
			for i := range out.Assigned {
				if len(out.Assigned[i]) == 0 {
					out.Assigned[i] = nil
				}
			}
			if diff := cmp.Diff(want, out.Assigned); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
		})
	}
}

// Where members differ Java's algorithm stands in.
func TestFranzOtherwise(t *testing.T) {
	in := Input{Topics: map[string]Topic{"t": {Partitions: 3}, "u": {Partitions: 1}}, MaxGeneration: wire.NoGeneration, Members: []Member{
		{ID: "a", Subscription: Subscription{Topics: []string{"t"}, Generation: wire.NoGeneration}},
		{ID: "b", Subscription: Subscription{Topics: []string{"t", "u"}, Generation: wire.NoGeneration}},
	}}
	for _, name := range []string{"sticky", cooperativeSticky, "range", "roundrobin"} {
		franz, _ := FindFranz(name)
		java, _ := Find(name)
		got, _ := franz.Assign(in)
		want, _ := java.Assign(in)
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s: (-java +franz-go)\n%s", name, diff)
		}
	}
	if _, ok := FindFranz("nope"); ok {
		t.Error("there is no such assignor")
	}
}
