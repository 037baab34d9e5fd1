package fidelity

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

// Events name the member, generation and reason that they are compared by; what is not compared by
// design (claims of other clients, kinds of other protocols) and what lies in the last second is left out.
func TestReadObserved(t *testing.T) {
	got, err := ReadObserved([]byte(`{"id": "x/run1", "duration_ms": 10000, "topics": {"a": 2, "x-a": 2, "b": 2}, "observed": {
		"stable_is": "first SyncGroup answered",
		"events": [
			{"at_ms": 1000, "kind": "preparing", "old_generation": 3, "reason": "words", "reason_kind": "left"},
			{"at_ms": 1001.5, "kind": "static-replaced", "old": "c2#1", "instance": "i2", "state": "Stable"},
			{"at_ms": 2000, "kind": "not-rejoined", "evicted": ["c3#1", "c1#1"]},
			{"at_ms": 3000, "kind": "assignment-received", "leader": "c2#1", "generation": 4, "members": 2, "static": 1},
			{"at_ms": 3000, "kind": "ConsumerGroupEpoch", "epoch": 4},
			{"at_ms": 9000, "kind": "stable", "generation": 4}
		],
		"client_events": [
			{"at_ms": 4000, "who": "c2", "kind": "assigned", "partitions": ["run1-b-1", "a-0", "run1-x-a-1"]},
			{"at_ms": 4001, "who": "c1", "kind": "assigned", "partitions": []},
			{"at_ms": 4002, "who": "c1", "kind": "leave-sent"},
			{"at_ms": 4003, "who": "s1", "kind": "claim-started", "partitions": ["a-1"]},
			{"at_ms": 9000, "who": "c2", "kind": "revoked", "partitions": ["b-1"]}
		],
		"rebalances": 1, "completed": 2, "final_generation": 4, "final_state": "Stable"}}`))
	if err != nil {
		t.Fatal(err)
	}
	want := Timeline{
		Events: []Event{
			{At: millis(1000), Key: Key{Kind: preparing, Generation: 3, Reason: "left"}},
			{At: millis(1001.5), Key: Key{Kind: staticReplaced, Member: "c2#1"}},
			{At: millis(2000), Key: Key{Kind: notRejoined, Member: "c1#1,c3#1"}},
			{At: millis(3000), Leader: "c2#1", Key: Key{Kind: assignmentReceived, Generation: 4, Members: 2}},
		},
		Callbacks: []Callback{{millis(4000), "c2", "assigned", "a-0 b-1 x-a-1"}},
		Counts:    Counts{Rebalances: 1, Joined: 2, Generation: 4, State: "Stable"},
	}
	if diff := cmp.Diff(want, got.Timeline); diff != "" {
		t.Error(diff)
	}
	if !got.Kinds[stable] {
		t.Error("stable does not count in a run of Java clients")
	}
	other, err := ReadObserved([]byte(`{"observed": {"stable_is": "assignment-received"}}`))
	if err != nil {
		t.Fatal(err)
	}
	if other.Kinds[stable] || !other.Kinds[completing] {
		t.Error("stable counts in a run of other clients, or completing does not")
	}
}

// Recordings of other clients name member ids their own way, allow more where their broker was slow, and lack the
// callbacks that a library does not have.
func TestReadObservedOfOtherClients(t *testing.T) {
	got, err := ReadObserved([]byte(`{"id": "x", "client": "kafkajs", "duration_ms": 10000, "noise_ms": {"median": 2, "p95": 120}, "topics": {"t": 2},
		"members": {"A": {"client": "kafkajs"}, "B": {"client": "kafka-go"}, "C": {"client": "sarama"}}, "observed": {
		"stable_is": "assignment-received",
		"events": [
			{"at_ms": 1000, "kind": "not-rejoined", "evicted": ["C.1", "B.12"]},
			{"at_ms": 3000, "kind": "assignment-received", "leader": "A.2", "generation": 4, "members": 2}
		],
		"client_events": [
			{"at_ms": 4000, "who": "A", "kind": "assigned", "partitions": ["t-1"]},
			{"at_ms": 4001, "who": "C", "kind": "revoked", "partitions": ["t-0"]}
		],
		"rebalances": 2, "completed": 2, "final_generation": 4, "final_state": "Stable"}}`))
	if err != nil {
		t.Fatal(err)
	}
	want := []Event{
		{At: millis(1000), Key: Key{Kind: notRejoined, Member: "B#12,C#1"}},
		{At: millis(3000), Leader: "A#2", Key: Key{Kind: assignmentReceived, Generation: 4, Members: 2}},
	}
	if diff := cmp.Diff(want, got.Events); diff != "" {
		t.Error(diff)
	}
	if want := (Allowance{Time: millis(360), Count: 1}); got.Allowed != want {
		t.Errorf("allowed is %+v, want %+v", got.Allowed, want)
	}
	simulated := got.Timeline
	simulated.Counts.Rebalances++
	simulated.Callbacks = append(simulated.Callbacks,
		Callback{millis(4002), "A", "revoked", "t-1"}, Callback{millis(4003), "B", "assigned", "t-0"}, Callback{millis(4004), "C", "lost", "t-0"})
	c := Compare(got, []*Observed{got}, simulated)
	if f := c.Figures(); f.Ran != 2 || f.Callbacks != 3 || f.Wrong != 0 {
		t.Errorf("got %+v, want two callbacks of three, and a count that may be off by one", f)
	}
	simulated.Counts.Rebalances++
	if c := Compare(got, []*Observed{got}, simulated); c.Figures().Wrong != 1 {
		t.Error("a count that is off by two is right")
	}
}

// A quiet broker allows 300 ms and no other count.
func TestAllowanceOfAQuietBroker(t *testing.T) {
	for text, want := range map[string]Allowance{
		`{"client": "java", "observed": {}}`:                            {Time: millis(250)},
		`{"client": "sarama", "noise_ms": {"p95": 20}, "observed": {}}`: {Time: millis(300)},
		`{"client": "mixed", "observed": {}}`:                           {Time: millis(300)},
	} {
		got, err := ReadObserved([]byte(text))
		if err != nil {
			t.Fatal(err)
		}
		if got.Allowed != want {
			t.Errorf("%s: allowed is %+v, want %+v", text, got.Allowed, want)
		}
	}
}
