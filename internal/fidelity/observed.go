package fidelity

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"
)

// Observed is what happened in a recorded run. Only the comparison may see it.
type Observed struct {
	Timeline
	End     time.Duration   // length of the recording
	Kinds   map[string]bool // the kinds of events that were recorded
	Silent  map[string]bool // the callbacks that were not recorded, as "B assigned": of libraries that have none
	Allowed Allowance
}

// recordedRun is the part of a case.json that tells what happened.
type recordedRun struct {
	Client     string         `json:"client"`
	DurationMs float64        `json:"duration_ms"`
	Topics     map[string]int `json:"topics"`
	Noise      struct {
		P95 float64 `json:"p95"` // of how long the broker took to answer heartbeats, in milliseconds
	} `json:"noise_ms"`
	Members map[string]struct {
		Client string `json:"client"`
	} `json:"members"`
	Actions []struct {
		Topic string `json:"topic"` // of create-topic
	} `json:"actions"`
	Observed struct {
		StableIs        string             `json:"stable_is"`
		Events          []recordedEvent    `json:"events"`
		ClientEvents    []recordedCallback `json:"client_events"`
		Rebalances      int                `json:"rebalances"`
		Completed       int                `json:"completed"`
		FinalGeneration int                `json:"final_generation"`
		FinalState      string             `json:"final_state"`
	} `json:"observed"`
}

type recordedEvent struct {
	AtMs          float64  `json:"at_ms"`
	Kind          string   `json:"kind"`
	Member        string   `json:"member"`
	Old           string   `json:"old"`
	Evicted       []string `json:"evicted"`
	Leader        string   `json:"leader"`
	Generation    int      `json:"generation"`
	OldGeneration int      `json:"old_generation"`
	Members       int      `json:"members"`
	ReasonKind    string   `json:"reason_kind"`
}

type recordedCallback struct {
	AtMs       float64  `json:"at_ms"`
	Who        string   `json:"who"`
	Kind       string   `json:"kind"`
	Partitions []string `json:"partitions"`
}

// stableSeenByClients marks the recordings that saw every kind of event, those of Java clients.
const stableSeenByClients = "first SyncGroup answered"

// ReadObserved reads the observed part of a case.json. The error says what is not JSON of that form.
func ReadObserved(text []byte) (*Observed, error) {
	var run recordedRun
	if err := json.Unmarshal(text, &run); err != nil {
		return nil, fmt.Errorf("observed: %w", err)
	}
	seen := run.Observed
	o := Observed{End: millis(run.DurationMs), Kinds: setOf(everywhere), Silent: run.silent(), Allowed: run.allowance()}
	if seen.StableIs == stableSeenByClients {
		maps.Copy(o.Kinds, setOf(inJavaRuns))
	}
	o.Counts = Counts{seen.Rebalances, seen.Completed, seen.FinalGeneration, seen.FinalState}
	for _, e := range seen.Events {
		o.Events = append(o.Events, e.event())
	}
	if o.lacksUnloading() {
		delete(o.Kinds, unloading)
	}
	for _, e := range seen.ClientEvents {
		if isCallback[e.Kind] && len(e.Partitions) > 0 {
			o.Callbacks = append(o.Callbacks, Callback{millis(e.AtMs), e.Who, e.Kind, partitionList(run.given(e.Partitions))})
		}
	}
	o.trim()
	return &o, nil
}

// allowance returns how far a simulation may be off. Recordings of other clients than Java's alone were made beside
// others on the same two cores; each tells how long its broker took to answer.
func (r recordedRun) allowance() Allowance {
	switch {
	case r.Client == "" || r.Client == "java":
		return Allowance{Time: tolerance}
	case r.Noise.P95 > noisyMs:
		return Allowance{Time: max(toleranceOfOthers, millis(3*r.Noise.P95)), Count: 1}
	}
	return Allowance{Time: max(toleranceOfOthers, millis(3*r.Noise.P95))}
}

// silentCallbacks are the callbacks that a library does not have, so that no recording shows them.
var silentCallbacks = map[string][]string{
	"kafkajs":  {"revoked", "lost"},
	"kafka-go": {"assigned", "revoked", "lost"},
}

func (r recordedRun) silent() map[string]bool {
	all := map[string]bool{}
	for name, m := range r.Members {
		for _, kind := range silentCallbacks[m.Client] {
			all[name+" "+kind] = true
		}
	}
	return all
}

// lacksUnloading reports whether a group was loaded anew and nothing tells that it was unloaded: some logs of a
// broker that stopped lack its last lines (CASE-FORMAT.md, "Known gaps").
func (o *Observed) lacksUnloading() bool {
	has := func(kind string) bool {
		return slices.ContainsFunc(o.Events, func(e Event) bool { return e.Kind == kind })
	}
	return has(loaded) && !has(unloading)
}

// trim leaves out what does not count in a comparison.
func (o *Observed) trim() {
	o.Events = settled(o.Events, o.Kinds, o.End)
	o.Callbacks = o.heard(o.Callbacks)
}

// heard returns the callbacks that were recorded, or would have been, before the last second of the run.
func (o *Observed) heard(callbacks []Callback) []Callback {
	var kept []Callback
	for _, c := range callbacks {
		if c.At < o.End-unsettled && !o.Silent[c.Who+" "+c.Kind] {
			kept = append(kept, c)
		}
	}
	return kept
}

// given returns partitions under the names that the case gives to their topics.
func (r recordedRun) given(partitions []string) []string {
	topics := slices.Collect(maps.Keys(r.Topics))
	for _, a := range r.Actions {
		topics = append(topics, a.Topic)
	}
	all := slices.Clone(partitions)
	for i, name := range all {
		if n := strings.LastIndex(name, "-"); n >= 0 {
			all[i] = topicIn(topics, name[:n]) + name[n:]
		}
	}
	return all
}

func (e recordedEvent) event() Event {
	key := Key{Kind: e.Kind, Member: aliasOf(e.Member), Generation: e.Generation, Members: e.Members, Reason: e.ReasonKind}
	switch e.Kind {
	case preparing:
		key.Generation = e.OldGeneration
	case staticReplaced:
		key.Member = aliasOf(e.Old)
	case notRejoined:
		key.Member = memberList(e.Evicted)
	}
	return Event{At: millis(e.AtMs), Leader: aliasOf(e.Leader), Key: key}
}

var isCallback = setOf([]string{"assigned", "revoked", "lost"})

func setOf(list []string) map[string]bool {
	set := map[string]bool{}
	for _, item := range list {
		set[item] = true
	}
	return set
}

// memberList names several members in one string; their order is arbitrary.
func memberList(members []string) string {
	named := make([]string, len(members))
	for i, m := range members {
		named[i] = aliasOf(m)
	}
	slices.Sort(named)
	return strings.Join(named, ",")
}

// partitionList names partitions in one string.
func partitionList(partitions []string) string {
	return strings.Join(slices.Sorted(slices.Values(partitions)), " ")
}
