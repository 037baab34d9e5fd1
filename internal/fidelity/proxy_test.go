package fidelity

import (
	"strings"
	"testing"
)

const proxiedCase = `{"id": "x", "actions": [
	{"do": "start", "who": "A", "at_ms": 1.0, "first_join_ms": 20.0},
	{"do": "start", "who": "B", "at_ms": 2.0, "first_join_ms": 30.0},
	{"do": "start", "who": "C", "at_ms": 3.0},
	{"do": "kill", "who": "A", "at_ms": 500.0},
	{"do": "broker-restart", "at_ms": 1000.0, "graceful": true},
	{"do": "start", "who": "A", "at_ms": 2000.0, "first_join_ms": 2020.0},
	{"do": "broker-restart", "at_ms": 9000.0, "graceful": true}], "observed": {}}`

const proxied = `{"t": 20.0, "client": "A", "conn": 1, "corr": 1, "dir": "req", "api": "JoinGroup"}
	{"t": 21.0, "client": "A", "conn": 1, "corr": 1, "dir": "resp", "api": "JoinGroup", "error": "COORDINATOR_LOAD_IN_PROGRESS"}
	{"t": 22.0, "client": "A", "conn": 2, "corr": 1, "dir": "req", "api": "JoinGroup"}
	{"t": 23.0, "client": "A", "conn": 2, "corr": 1, "dir": "resp", "api": "JoinGroup", "error": "NOT_COORDINATOR"}
	{"t": 30.0, "client": "B", "conn": 3, "corr": 1, "dir": "req", "api": "JoinGroup"}
	{"t": 80.5, "client": "A", "conn": 2, "corr": 2, "dir": "req", "api": "JoinGroup"}
	{"t": 81.0, "client": "A", "conn": 2, "corr": 2, "dir": "resp", "api": "JoinGroup", "error": "MEMBER_ID_REQUIRED"}
	{"t": 505.0, "dir": "conn", "what": "closed by client"}
	{"t": 1289.3, "dir": "conn", "what": "closed by broker"}
	{"t": 1290.0, "dir": "conn", "what": "closed by broker"}
	{"t": 2020.0, "client": "A", "conn": 5, "corr": 1, "dir": "req", "api": "JoinGroup"}
	{"t": 2021.0, "client": "A", "conn": 5, "corr": 1, "dir": "resp", "api": "JoinGroup", "error": "NOT_COORDINATOR"}
	{"t": 2080.0, "client": "A", "conn": 5, "corr": 2, "dir": "req", "api": "JoinGroup"}`

// Where the broker was not ready yet a client joins when it is, or by a request that nobody answered; later a refusal is
// the course of things. A broker that stops closes its connections later; one that closes none keeps the usual time.
func TestWithProxy(t *testing.T) {
	text, err := withProxy([]byte(proxiedCase), []byte(proxied))
	if err != nil {
		t.Fatal(err)
	}
	c, err := ReadCase(text)
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range map[int]float64{0: 80.5, 1: 30, 5: 2020} {
		if got := *c.Actions[i].FirstJoinMs; got != want {
			t.Errorf("action %d: the first JoinGroup is at %v ms, want %v", i, got, want)
		}
	}
	if c.Actions[2].FirstJoinMs != nil {
		t.Error("a start without a JoinGroup got one")
	}
	for i, want := range map[int]float64{3: 0, 4: 1289.3, 6: 0} {
		if got := c.Actions[i].ClosedMs; got != want {
			t.Errorf("action %d: the connections are closed at %v ms, want %v", i, got, want)
		}
	}
}

func TestWithProxyRefusesWhatItCannotRead(t *testing.T) {
	if _, err := withProxy([]byte(proxiedCase), []byte("{}\n{")); err == nil || !strings.HasPrefix(err.Error(), "wire.jsonl:2: ") {
		t.Errorf("got %v, want an error about the second line", err)
	}
	if _, err := withProxy([]byte("["), []byte("{}")); err == nil || !strings.HasPrefix(err.Error(), "case: ") {
		t.Errorf("got %v, want an error about the case", err)
	}
}
