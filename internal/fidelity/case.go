package fidelity

import (
	"cmp"
	"encoding/json"
	"fmt"
	"strings"
	"time"
)

// Case is what was given in a recorded run, as case.json has it. Times are milliseconds since its start.
type Case struct {
	ID         string                `json:"id"` // "07-sigkill-leader/run1": the experiment and its repetition
	Title      string                `json:"title"`
	Client     string                `json:"client"`
	Protocol   string                `json:"protocol"` // "classic" or "consumer"
	DurationMs float64               `json:"duration_ms"`
	Broker     map[string]any        `json:"broker"` // what differs from the defaults
	Brokers    Brokers               `json:"brokers"`
	Topics     map[string]int        `json:"topics"` // partitions
	Feed       *Feed                 `json:"feed"`   // nil: the topics hold no records
	Failovers  []Failover            `json:"failovers"`
	Members    map[string]CaseMember `json:"members"`
	MemberIDs  map[string]string     `json:"member_ids"` // "c1#2", the second id of client c1, to the real id
	Actions    []Action              `json:"actions"`
}

// Brokers describes the cluster.
type Brokers struct {
	Count             int `json:"count"`
	OffsetsPartitions int `json:"offsets_partitions"`
	Coordinator       int `json:"coordinator_at_start"` // the broker that led the partition of the observed group
}

// Failover is what the cluster did when the coordinator moved, or came back.
type Failover struct {
	LoadFinishedMs *float64 `json:"loadFinishedAt"` // nil: not known
}

// Feed is how fast records arrived.
type Feed struct {
	PerSecond float64 `json:"records_per_second_per_partition"`
}

// CaseMember is a client that takes part: its settings and what its application does.
type CaseMember struct {
	Behaviour
	Pattern string `json:"pattern"`
	Group   string `json:"group"` // only where a case has two groups
}

// Behaviour is what one incarnation of a client is started with.
type Behaviour struct {
	Client string         `json:"client"`         // "java 4.4.0", "sarama"
	Config map[string]any `json:"config"`         // under Kafka's keys
	Passed map[string]any `json:"library_config"` // the same and more, as it was passed to another library than Java's
	PollMs *float64       `json:"poll_ms"`        // nil: the library has no poll() with a time-out
	ProcMs float64        `json:"proc_ms"`
	Topics []string       `json:"topics"`
}

// Action is one thing that was done, at the instant at which it really was.
type Action struct {
	AtMs    float64  `json:"at_ms"`
	Do      string   `json:"do"`
	Who     string   `json:"who"`
	ForMs   float64  `json:"for_ms"`
	BeganMs *float64 `json:"began_ms"` // when the application came to it

	Topics []string `json:"topics"` // subscribe
	Topic  string   `json:"topic"`
	Count  int      `json:"count"`
	DoneMs float64  `json:"done_ms"` // when what an administrator did was done
	How    string   `json:"how"`     // drop: "packets" or "held"
	What   string   `json:"what"`    // note: what was seen, which made the driver do the next thing

	// Of a raw-join.

	Version int     `json:"version"`
	Mode    string  `json:"mode"`
	HoldMs  float64 `json:"hold_ms"`

	// Of a broker-restart.

	Broker   int      `json:"broker"` // 0: the only one
	Graceful bool     `json:"graceful"`
	ClosedMs float64  `json:"closed_ms"` // when it closed its connections; 0: not known
	StartMs  float64  `json:"start_ms"`  // when its process was started again
	ReadyMs  *float64 `json:"ready_ms"`  // when it was back; not always known

	// Of a start.

	FirstJoinMs            *float64   `json:"first_join_ms"` // nil: its JoinGroup never reached the broker
	FirstFindCoordinatorMs *float64   `json:"first_find_coordinator_ms"`
	ConfigNow              *Behaviour `json:"config_now"`
	Instance               string     `json:"group.instance.id"`
}

// ReadCase reads the given part of a case.json. The error says what is not JSON of that form.
func ReadCase(text []byte) (*Case, error) {
	var c Case
	if err := json.Unmarshal(text, &c); err != nil {
		return nil, fmt.Errorf("case: %w", err)
	}
	if c.ID == "" {
		return nil, fmt.Errorf("case: no id")
	}
	ids := map[string]string{}
	for recorded, id := range c.MemberIDs {
		ids[aliasOf(recorded)] = id
	}
	c.MemberIDs = ids
	return &c, nil
}

// aliasOf returns the alias of a member id, "c1#2", which the recordings of other clients write "C.2".
func aliasOf(recorded string) string {
	dot := strings.LastIndex(recorded, ".")
	if dot < 0 || strings.Contains(recorded, "#") {
		return recorded
	}
	return recorded[:dot] + "#" + recorded[dot+1:]
}

// ObservedGroup is the name of the group that the recording is about, the only one in most cases.
const ObservedGroup = "a"

// group returns the name of the group that m belongs to.
func (m CaseMember) group() string {
	if m.Group == "" {
		return ObservedGroup
	}
	return m.Group
}

// topicIn returns the topic of a case that a recorded name stands for. Some recordings put a prefix of the run
// before the name ("e02r4q-orders").
func topicIn(topics []string, recorded string) string {
	found := ""
	for _, t := range topics {
		if strings.HasSuffix("-"+recorded, "-"+t) && len(t) > len(found) {
			found = t
		}
	}
	return cmp.Or(found, recorded)
}

// millis turns milliseconds of a recording into a duration.
func millis(ms float64) time.Duration { return time.Duration(ms * float64(time.Millisecond)) }
