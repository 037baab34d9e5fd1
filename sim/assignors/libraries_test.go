package assignors

import (
	"fmt"
	"testing"

	"simulate/sim/wire"
)

// What the libraries' own assignors answer, checked against their sources.
func TestLibraries(t *testing.T) {
	members := func(n int, topics ...string) []Member {
		list := make([]Member, n)
		for i := range list {
			id := string(rune('a' + n - 1 - i)) // not in the order of ids
			list[i] = Member{ID: wire.MemberID(id), Instance: wire.InstanceID(rune('a' + i)), Subscription: Subscription{Topics: topics}}
		}
		return list
	}
	for _, test := range []struct {
		find    func(string) (Assignor, bool)
		name    string
		topics  map[string]Topic
		members []Member
		want    string
	}{
		{FindKafkaGo, "range", map[string]Topic{"t": {Partitions: 5}}, members(2, "t"), "[[t-2 t-3 t-4] [t-0 t-1]]"},
		{FindKafkaGo, "range", map[string]Topic{"t": {Partitions: 5}}, members(3, "t"), "[[t-3 t-4] [t-1 t-2] [t-0]]"},
		{FindKafkaGo, "range", map[string]Topic{"t": {Partitions: 1}}, members(2, "t"), "[[t-0] []]"},
		{FindKafkaGo, "range", map[string]Topic{"t": {Partitions: 2}, "u": {Partitions: 2}}, members(2, "u"), "[[u-1] [u-0]]"},
		{FindKafkaGo, "roundrobin", map[string]Topic{"t": {Partitions: 3}, "u": {Partitions: 3}}, members(2, "t", "u"),
			"[[t-1 u-1] [t-0 t-2 u-0 u-2]]"},
		{FindKafkaJS, "RoundRobinAssigner", map[string]Topic{"t": {Partitions: 3}, "u": {Partitions: 3}}, members(2, "t"),
			"[[t-1 u-0 u-2] [t-0 t-2 u-1]]"},
	} {
		a, ok := test.find(test.name)
		if !ok {
			t.Fatalf("no %s", test.name)
		}
		out, err := a.Assign(Input{Topics: test.topics, Members: test.members})
		if err != nil {
			t.Fatal(err)
		}
		if got := fmt.Sprint(out.Assigned); got != test.want {
			t.Errorf("%s: %s, want %s", test.name, got, test.want)
		}
	}
	for _, name := range []string{"sticky", "cooperative-sticky"} {
		if _, ok := FindKafkaGo(name); ok {
			t.Errorf("kafka-go has %s", name)
		}
	}
}
