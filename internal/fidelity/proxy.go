package fidelity

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
)

// proxyLine is a line of wire.jsonl, what a proxy between client and broker saw.
type proxyLine struct {
	T      float64 `json:"t"` // milliseconds
	Client string  `json:"client"`
	Conn   int     `json:"conn"`
	Corr   int     `json:"corr"`
	Dir    string  `json:"dir"`
	API    string  `json:"api"`
	Error  string  `json:"error"` // of an answer
	What   string  `json:"what"`  // of a connection
}

// withProxy returns the text of a case.json with what only the proxy beside it saw: the instant at which a broker that
// was stopped or killed closed its connections, as closed_ms of the action, between none and five seconds after the
// signal; and as first_join_ms the first JoinGroup that a coordinator took, where the broker itself was not ready yet
// when the clients were started.
func withProxy(text, wire []byte) ([]byte, error) {
	seen, err := proxyLines(wire)
	if err != nil {
		return nil, err
	}
	whole, actions, err := decodeCase(text)
	if err != nil {
		return nil, err
	}
	joins, closed := joinsOf(seen), closedByBroker(seen)
	for _, action := range actions {
		switch action["do"] {
		case "start":
			joins.correct(action)
		case "broker-restart":
			setFirst(action, "closed_ms", "at_ms", closed)
		}
	}
	return json.Marshal(whole)
}

func proxyLines(wire []byte) ([]proxyLine, error) {
	var all []proxyLine
	for n, line := range bytes.Split(bytes.TrimSpace(wire), []byte("\n")) {
		var seen proxyLine
		if err := json.Unmarshal(line, &seen); err != nil {
			return nil, fmt.Errorf("wire.jsonl:%d: %w", n+1, err)
		}
		all = append(all, seen)
	}
	return all, nil
}

func closedByBroker(seen []proxyLine) []float64 {
	var closed []float64
	for _, l := range seen {
		if l.What == "closed by broker" {
			closed = append(closed, l.T)
		}
	}
	return closed
}

// notReady are the answers of a broker that does not coordinate the group yet.
var notReady = setOf([]string{"NOT_COORDINATOR", "COORDINATOR_LOAD_IN_PROGRESS", "COORDINATOR_NOT_AVAILABLE"})

// joins are the instants of the JoinGroups of each client that a coordinator took or nobody answered, and of those
// that a broker refused before any was taken.
type joins struct{ taken, refused map[string][]float64 }

func joinsOf(seen []proxyLine) joins {
	type ticket struct{ conn, corr int }
	answers := map[ticket]string{}
	for _, l := range seen {
		if l.API == "JoinGroup" && l.Dir == "resp" {
			answers[ticket{l.Conn, l.Corr}] = l.Error
		}
	}
	all := joins{map[string][]float64{}, map[string][]float64{}}
	for _, l := range seen {
		switch {
		case l.API != "JoinGroup" || l.Dir != "req":
		case !notReady[answers[ticket{l.Conn, l.Corr}]]:
			all.taken[l.Client] = append(all.taken[l.Client], l.T)
		case len(all.taken) == 0:
			all.refused[l.Client] = append(all.refused[l.Client], l.T)
		}
	}
	return all
}

// correct lets a start whose first JoinGroup was refused have the first one that was taken.
func (j joins) correct(start map[string]any) {
	who, _ := start["who"].(string)
	first, _ := start["first_join_ms"].(json.Number)
	at, err := first.Float64()
	if err == nil && slices.Contains(j.refused[who], at) {
		setFirst(start, "first_join_ms", "first_join_ms", j.taken[who])
	}
}

// setFirst gives a key of an action the first of some instants that is not before that of another key.
func setFirst(action map[string]any, key, after string, instants []float64) {
	from, _ := action[after].(json.Number)
	at, err := from.Float64()
	if err != nil {
		return
	}
	if i := slices.IndexFunc(instants, func(t float64) bool { return t >= at }); i >= 0 {
		action[key] = json.Number(fmt.Sprintf("%.1f", instants[i]))
	}
}
