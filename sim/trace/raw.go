package trace

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"simulate/sim/clock"
	"simulate/sim/wire"
)

// rawHeader and rawEvent mirror the text of a trace file; their fields parse and check themselves.

type rawHeader struct {
	Schema   string `json:"schema"`
	Scenario string `json:"scenario"`
	Seed     uint64 `json:"seed"`
	Duration millis `json:"duration_ms"`
	Kafka    string `json:"kafka"`

	ShuffleTies uint64 `json:"shuffle_ties"`

	StuckAfter millis     `json:"stuck_after_ms"`
	Topics     []rawTopic `json:"topics"`
	Fleets     []Fleet    `json:"fleets"`
}

type rawTopic struct {
	Name       string `json:"name"`
	Partitions int    `json:"partitions"`
	Records    int64  `json:"records"`
	Per        millis `json:"per_ms"`
	Backlog    int64  `json:"backlog"`
}

func (r *rawHeader) header() Header {
	h := Header{
		Scenario: r.Scenario, Seed: r.Seed, Duration: time.Duration(r.Duration), Kafka: r.Kafka, ShuffleTies: r.ShuffleTies,
		StuckAfter: time.Duration(r.StuckAfter), Fleets: r.Fleets,
	}
	for _, t := range r.Topics {
		h.Topics = append(h.Topics, Topic{t.Name, t.Partitions, t.Records, time.Duration(t.Per), t.Backlog})
	}
	return h
}

type rawEvent struct {
	At         instant         `json:"at_ms"`
	Kind       rawKind         `json:"kind"`
	Group      string          `json:"group"`
	Member     wire.MemberID   `json:"member"`
	Other      wire.MemberID   `json:"other"`
	Instance   wire.InstanceID `json:"instance"`
	Who        string          `json:"who"`
	Generation wire.Generation `json:"generation"`
	From       rawState        `json:"from"`
	To         rawState        `json:"to"`
	Reason     rawReason       `json:"reason"`
	Err        rawErr          `json:"err"`
	Members    int32           `json:"members"`
	Static     int32           `json:"static"`
	Since      instant         `json:"since_ms"`
	Until      instant         `json:"until_ms"`
	For        millis          `json:"for_ms"`
	Cause      int32           `json:"cause"`
	Text       string          `json:"text"`
	HasText    bool            `json:"has_text"`
	Protocol   string          `json:"protocol"`
	List       []wire.MemberID `json:"list"`
	Partitions []rawPartition  `json:"partitions"`
	Offsets    []int64         `json:"offsets"`
	Chain      []rawLink       `json:"chain"`
	Details    *MemberDetails  `json:"details"`
	Broker     int32           `json:"broker"`
	Operation  string          `json:"operation"`
	Offset     *OffsetDetails  `json:"offset"`
}

func (r *rawEvent) event() Event {
	e := Event{
		At: clock.Time(r.At), Kind: Kind(r.Kind),
		Group: r.Group, Member: r.Member, Other: r.Other, Instance: r.Instance, Who: r.Who,
		Generation: r.Generation, From: wire.GroupState(r.From), To: wire.GroupState(r.To),
		Reason: Reason(r.Reason), Err: wire.Err(r.Err), Members: r.Members, Static: r.Static,
		Since: clock.Time(r.Since), Until: clock.Time(r.Until), For: time.Duration(r.For), Cause: r.Cause,
		Text: r.Text, HasText: r.HasText, Protocol: r.Protocol, List: r.List, Offsets: r.Offsets, Details: r.Details,
		Broker: r.Broker, Operation: r.Operation, Offset: r.Offset,
	}
	for _, tp := range r.Partitions {
		e.Partitions = append(e.Partitions, wire.TopicPartition(tp))
	}
	for _, l := range r.Chain {
		link := l.Link
		link.Since, link.Until, link.Fires = clock.Time(l.Since), clock.Time(l.Until), clock.Time(l.Fires)
		e.Chain = append(e.Chain, link)
	}
	return e
}

// rawLink adds the instants, which encoding/json does not know.
type rawLink struct {
	Link
	Since instant `json:"since_ms"`
	Until instant `json:"until_ms"`
	Fires instant `json:"fires_ms"`
}

// millis is a time in nanoseconds that is written in milliseconds.
type millis int64

func (m *millis) UnmarshalJSON(text []byte) error {
	ns, ok := parseMillis(string(text))
	if !ok {
		return fmt.Errorf("%s is no number of milliseconds; write one such as 61200 or 61200.5", text)
	}
	*m = millis(ns)
	return nil
}

// instant is a millis that may be "never".
type instant int64

func (t *instant) UnmarshalJSON(text []byte) error {
	if string(text) == `"never"` {
		*t = instant(clock.Never)
		return nil
	}
	ns, ok := parseMillis(string(text))
	if !ok {
		return fmt.Errorf(`%s is no instant; write milliseconds such as 61200 or 61200.5, or "never"`, text)
	}
	*t = instant(ns)
	return nil
}

// parseMillis reads what appendMillis writes: no exponent, at most six decimals.
func parseMillis(text string) (int64, bool) {
	digits, negative := strings.CutPrefix(text, "-")
	whole, fraction, _ := strings.Cut(digits, ".")
	if len(fraction) > 6 {
		return 0, false
	}
	ns, err := strconv.ParseUint(whole+fraction+"000000"[len(fraction):], 10, 64)
	switch {
	case err != nil || ns > math.MaxInt64:
		return 0, false
	case negative:
		return -int64(ns), true
	}
	return int64(ns), true
}

type rawPartition wire.TopicPartition

func (p *rawPartition) UnmarshalJSON(text []byte) error {
	var s string
	err := json.Unmarshal(text, &s)
	dash := strings.LastIndexByte(s, '-')
	if err == nil && dash >= 0 {
		var n int64
		n, err = strconv.ParseInt(s[dash+1:], 10, 32)
		*p = rawPartition{Topic: s[:dash], Partition: int32(n)}
	}
	if err != nil || dash < 0 || p.Partition < 0 {
		return fmt.Errorf(`%s is no partition; write one such as "orders-0"`, text)
	}
	return nil
}

type rawKind Kind

func (k *rawKind) UnmarshalJSON(text []byte) error {
	return parseName(text, "kind of event", kindNames[1:], func(i int) { *k = rawKind(i + 1) })
}

type rawReason Reason

func (r *rawReason) UnmarshalJSON(text []byte) error {
	return parseName(text, "reason", reasonNames[1:], func(i int) { *r = rawReason(i + 1) })
}

type rawState wire.GroupState

func (s *rawState) UnmarshalJSON(text []byte) error {
	name, err := unquote(text)
	if err != nil {
		return err
	}
	state, ok := wire.ParseGroupState(name)
	if !ok {
		return fmt.Errorf("unknown group state %q", name)
	}
	*s = rawState(state)
	return nil
}

type rawErr wire.Err

func (e *rawErr) UnmarshalJSON(text []byte) error {
	name, err := unquote(text)
	if err != nil {
		return err
	}
	code, ok := wire.ParseErr(name)
	if !ok {
		return fmt.Errorf("unknown Kafka error %q", name)
	}
	*e = rawErr(code)
	return nil
}

func parseName(text []byte, what string, names []string, found func(int)) error {
	name, err := unquote(text)
	if err != nil {
		return err
	}
	for i, n := range names {
		if n == name {
			found(i)
			return nil
		}
	}
	return fmt.Errorf("unknown %s %q", what, name)
}

func unquote(text []byte) (string, error) {
	var s string
	if json.Unmarshal(text, &s) != nil {
		return "", errors.New(string(text) + " is no name; write a string")
	}
	return s, nil
}
