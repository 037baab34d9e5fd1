package fidelity

import (
	"strings"
	"testing"
)

const loggedCase = `{"id": "x", "actions": [
	{"do": "start", "who": "c1", "at_ms": 1000.0, "first_join_ms": 1010.0},
	{"do": "kill", "who": "c1", "at_ms": 2000.0},
	{"do": "start", "who": "c1", "at_ms": 3000.0, "first_join_ms": 3010.0},
	{"do": "start", "who": "c2", "at_ms": 1000.0, "first_join_ms": 1020.0},
	{"do": "start", "who": "c3", "at_ms": 1000.0}], "observed": {}}`

// Each start takes the next JoinGroup of its client; one that the broker never answered keeps its own.
func TestWithArrivals(t *testing.T) {
	wire := `[
		{"t": 1.009, "api": "FIND_COORDINATOR", "client": "c1"},
		{"t": 1.083, "api": "JOIN_GROUP", "client": "c1"},
		{"t": 1.090, "api": "JOIN_GROUP", "client": "c1"},
		{"t": 3.009, "api": "JOIN_GROUP", "client": "c1"}]`
	text, err := withArrivals([]byte(loggedCase), []byte(wire))
	if err != nil {
		t.Fatal(err)
	}
	c, err := ReadCase(text)
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range map[int]float64{0: 1083, 2: 3009, 3: 1020} {
		if got := *c.Actions[i].FirstJoinMs; got != want {
			t.Errorf("action %d: the first JoinGroup is at %v ms, want %v", i, got, want)
		}
	}
	if c.Actions[4].FirstJoinMs != nil {
		t.Error("a start without a JoinGroup got one")
	}
}

func TestWithArrivalsRefusesWhatItCannotRead(t *testing.T) {
	if _, err := withArrivals([]byte(loggedCase), []byte("{")); err == nil || !strings.HasPrefix(err.Error(), "wire.json: ") {
		t.Errorf("got %v, want an error about wire.json", err)
	}
	if _, err := withArrivals([]byte("["), []byte("[]")); err == nil || !strings.HasPrefix(err.Error(), "case: ") {
		t.Errorf("got %v, want an error about the case", err)
	}
}
