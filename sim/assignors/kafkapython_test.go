package assignors

import (
	"fmt"
	"testing"

	"simulate/sim/wire"
)

// The cooperative-sticky of kafka-python, as recorded: with members that still name partitions which they have lost.
func TestKafkaPython(t *testing.T) {
	for _, test := range []struct {
		owned          [][]int
		want, withheld string
	}{
		{[][]int{nil, nil, nil}, "[[t-0 t-3] [t-1 t-4] [t-2 t-5]]", "[[] [] []]"},
		{[][]int{{0, 2, 4}, {1, 3, 5}, nil}, "[[t-0 t-2] [t-1 t-3] []]", "[[] [] [t-4 t-5]]"},
		{[][]int{{0, 3}, {1, 4}}, "[[t-0 t-2 t-3] [t-1 t-4 t-5]]", "[[] []]"},
		// C was frozen and has lost 2 and 5.
		{[][]int{{0, 2, 3}, {1, 4, 5}, {2, 5}}, "[[t-0] [t-1 t-4] [t-5]]", "[[t-2] [] [t-3]]"},
		// B was stalled and has lost 1, 3 and 5.
		{[][]int{{0, 2, 4}, {1, 3, 5}, {1, 3, 5}}, "[[t-0 t-2] [] [t-5]]", "[[] [t-1 t-3] [t-4]]"},
	} {
		var in Input
		in.Topics = map[string]Topic{"t": {Partitions: 6}}
		for i, list := range test.owned {
			s := Subscription{Topics: []string{"t"}, Generation: wire.NoGeneration}
			for _, n := range list {
				s.Owned = append(s.Owned, wire.TopicPartition{Topic: "t", Partition: int32(n)})
			}
			in.Members = append(in.Members, Member{ID: wire.MemberID(rune('a' + i)), Subscription: s})
		}
		a, _ := FindKafkaPython(cooperativeSticky)
		out, err := a.Assign(in)
		if err != nil {
			t.Fatal(err)
		}
		if got, withheld := fmt.Sprint(out.Assigned), fmt.Sprint(out.Withheld); got != test.want || withheld != test.withheld {
			t.Errorf("%v: %s and withheld %s, want %s and %s", test.owned, got, withheld, test.want, test.withheld)
		}
	}
}

// Where members subscribe to different topics, and for all other names, Java's stand in.
func TestKafkaPythonOtherwise(t *testing.T) {
	a, _ := FindKafkaPython(cooperativeSticky)
	out, err := a.Assign(Input{Topics: map[string]Topic{"t": {Partitions: 1}, "u": {Partitions: 1}}, Members: []Member{
		{ID: "a", Subscription: Subscription{Topics: []string{"t"}}}, {ID: "b", Subscription: Subscription{Topics: []string{"u"}}},
	}})
	if got := fmt.Sprint(out.Assigned); err != nil || got != "[[t-0] [u-0]]" {
		t.Error(got, err)
	}
	if a, ok := FindKafkaPython("range"); !ok || a.Name != "range" {
		t.Error("no range")
	}
}
