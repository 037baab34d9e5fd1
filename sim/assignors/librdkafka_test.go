package assignors

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"simulate/sim/wire"
)

// The assignments that librdkafka 2.16.0 was recorded with as leader, of a topic with six partitions.
func TestLibrdkafkaCooperativeSticky(t *testing.T) {
	type owned map[wire.MemberID][]int32
	for _, test := range []struct{ before, want owned }{
		{owned{"B": nil, "A": nil}, owned{"A": {0, 2, 4}, "B": {1, 3, 5}}},
		{owned{"B": {1, 3, 5}, "C": nil, "A": {0, 2, 4}}, owned{"A": {2, 4}, "B": {3, 5}}},
		{owned{"A": {2, 4}, "B": {3, 5}, "C": nil}, owned{"A": {2, 4}, "B": {3, 5}, "C": {1, 0}}},
		{owned{"A": {2, 4}, "C": nil}, owned{"A": {2, 4, 1}, "C": {5, 3, 0}}}, // B has left
		{owned{"A": {0, 3}, "B": {1, 4}}, owned{"A": {0, 3, 5}, "B": {1, 4, 2}}},
	} {
		in := Input{Topics: map[string]Topic{"t": {Partitions: 6}}, MaxGeneration: wire.NoGeneration}
		for _, id := range []wire.MemberID{"B", "C", "A"} {
			before, ok := test.before[id]
			if !ok {
				continue
			}
			s := Subscription{Topics: []string{"t"}, Generation: 1}
			for _, p := range before {
				s.Owned = append(s.Owned, wire.TopicPartition{Topic: "t", Partition: p})
			}
			in.Members = append(in.Members, Member{ID: id, Subscription: s})
		}
		a, _ := FindLibrdkafka("cooperative-sticky")
		out, err := a.Assign(in)
		if err != nil {
			t.Fatal(err)
		}
		got := owned{}
		for i, m := range in.Members {
			for _, tp := range out.Assigned[i] {
				got[m.ID] = append(got[m.ID], tp.Partition)
			}
		}
		if diff := cmp.Diff(test.want, got); diff != "" {
			t.Errorf("after %v: want (-), got (+):\n%s", test.before, diff)
		}
	}
}

// librdkafka has no eager sticky assignor.
func TestLibrdkafkaHasNoSticky(t *testing.T) {
	if _, ok := FindLibrdkafka("sticky"); ok {
		t.Error("it has")
	}
}
