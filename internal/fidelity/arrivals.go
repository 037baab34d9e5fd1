package fidelity

import (
	"bytes"
	"encoding/json"
	"fmt"
)

// wireRow is one request in the broker's log of a run, wire.json.
type wireRow struct {
	T      float64 `json:"t"` // seconds; when it arrived at the broker
	API    string  `json:"api"`
	Client string  `json:"client"`
}

// withArrivals returns the text of a case.json with every first_join_ms as it is defined: the instant at
// which the first JoinGroup of that start was at the broker. Many cases hold the instant at which the
// client logged the request instead, which is 11 ms earlier in the median and up to a second where many
// processes start at once; the broker's own log beside them is the evidence. A start whose request is not
// in that log keeps what the case says.
func withArrivals(text, wire []byte) ([]byte, error) {
	var rows []wireRow
	if err := json.Unmarshal(wire, &rows); err != nil {
		return nil, fmt.Errorf("wire.json: %w", err)
	}
	whole, actions, err := decodeCase(text)
	if err != nil {
		return nil, err
	}
	for _, action := range actions {
		sent, ok := action["first_join_ms"].(json.Number)
		if !ok {
			continue
		}
		at, err := sent.Float64()
		if err != nil {
			return nil, fmt.Errorf("case: first_join_ms: %w", err)
		}
		for _, row := range rows {
			if row.API == "JOIN_GROUP" && row.Client == action["who"] && row.T*1000 >= at-clockNoiseMs {
				action["first_join_ms"] = json.Number(fmt.Sprintf("%.0f", row.T*1000))
				break
			}
		}
	}
	return json.Marshal(whole)
}

// clockNoiseMs is how much earlier the broker may have noted a request than the client that sent it.
const clockNoiseMs = 2

// decodeCase returns the whole of a case.json and, of that, its actions, so that what is changed of them is changed of
// the whole.
func decodeCase(text []byte) (whole map[string]any, actions []map[string]any, err error) {
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.UseNumber()
	if err := decoder.Decode(&whole); err != nil {
		return nil, nil, fmt.Errorf("case: %w", err)
	}
	list, _ := whole["actions"].([]any)
	for _, a := range list {
		if action, ok := a.(map[string]any); ok {
			actions = append(actions, action)
		}
	}
	return whole, actions, nil
}
