package reports

import (
	"bufio"
	"bytes"
	"encoding/json"
	"io"
	"strconv"
	"strings"
	"time"

	"simulate/sim/clock"
	"simulate/sim/metrics"
	"simulate/sim/trace"
	"simulate/sim/wire"
)

// RunSchema is the id of the form that JSON writes; Schema("run") describes it.
const RunSchema = "simulate.run/1"

// JSON writes the report for programs, in the form of RunSchema, followed by a line break.
func JSON(w io.Writer, r Report) error {
	return encode(w, newRunJSON(&r))
}

// encode writes a value as JSON with a key a line, followed by a line break. It is often printed to the log of a CI
// system, so what such a log would obey is written with escapes.
func encode(w io.Writer, v any) error {
	text, err := encoded(v, "")
	if err != nil {
		return err
	}
	_, err = w.Write(text)
	return err
}

// encodeEach writes as encode does an object with a list that is empty in it: its items are made and written one after the
// other, so that not all are in memory.
func encodeEach[T, J any](w io.Writer, v any, key string, items []T, newItem func(*T) J) error {
	text, err := encoded(v, "")
	if err != nil {
		return err
	}
	open := []byte("\n  \"" + key + "\": [")
	before, after, _ := bytes.Cut(text, append(open, ']'))
	out := bufio.NewWriter(w) // which keeps the first error
	out.Write(before)
	out.Write(open)
	for i := range items {
		item, err := encoded(newItem(&items[i]), "    ")
		if err != nil {
			return err
		}
		if i > 0 {
			out.WriteByte(',')
		}
		out.WriteString("\n    ")
		out.Write(bytes.TrimSuffix(item, []byte("\n")))
	}
	if len(items) > 0 {
		out.WriteString("\n  ")
	}
	out.WriteByte(']')
	out.Write(after)
	return out.Flush()
}

// encoded returns a value as JSON whose lines but the first are indented.
func encoded(v any, indent string) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent(indent, "  ")
	if err := e.Encode(v); err != nil {
		return nil, err
	}
	return escapedHashes(b.Bytes(), `\u0023`), nil
}

type runJSON struct {
	Schema            string            `json:"schema"`
	Scenario          string            `json:"scenario"`
	Description       string            `json:"description"`
	Seed              uint64            `json:"seed"`
	ShuffleTies       *uint64           `json:"shuffle_ties"`
	Replications      *replicationsJSON `json:"replications"`
	Kafka             string            `json:"kafka"`
	Recorded          bool              `json:"recorded"`
	Differences       []string          `json:"differences"`
	Outcome           string            `json:"outcome"`
	DurationMs        millis            `json:"duration_ms"`
	PlannedDurationMs millis            `json:"planned_duration_ms"`
	StuckAfterMs      millis            `json:"stuck_after_ms"`
	Thresholds        object[string]    `json:"anomaly_thresholds"`
	TraceDigest       string            `json:"trace_digest"`
	Groups            []groupJSON       `json:"groups"`
	Expectations      []expectationJSON `json:"expectations"`
	Warnings          []string          `json:"warnings"`
	NotModelled       []string          `json:"not_modelled"`
	Advice            *adviceJSON       `json:"advice"`
}

type groupJSON struct {
	Group              string           `json:"group"`
	State              string           `json:"state"`
	Generation         int32            `json:"generation"`
	Members            int              `json:"members"`
	Leader             *string          `json:"leader"`
	Rebalances         int              `json:"rebalances"`
	Joined             int              `json:"joined"`
	Completed          int              `json:"completed"`
	RebalancesByReason object[int]      `json:"rebalances_by_reason"`
	TimeInStateMs      object[millis]   `json:"time_in_state_ms"`
	LongestMs          object[millis]   `json:"longest_ms"`
	Transitions        []transitionJSON `json:"transitions"`
	RebalanceList      []rebalanceJSON  `json:"rebalance_list"`
	Evictions          []evictionJSON   `json:"evictions"`
	PendingExpired     int              `json:"pending_expired"`
	Leaves             int              `json:"leaves"`
	LeavesPollTimeout  int              `json:"leaves_poll_timeout"`
	Fenced             int              `json:"fenced"`
	Failures           []failureJSON    `json:"failures"`
	Thrown             []failureJSON    `json:"thrown"`
	Joins              object[int]      `json:"joins"`
	Stuck              []advisedJSON    `json:"stuck"`
	Anomalies          []anomalyJSON    `json:"anomalies"`
	UnassignedMs       *millis          `json:"unassigned_partition_ms"`
	StoppedMs          millis           `json:"stopped_ms"`
	Records            *recordsJSON     `json:"records,omitempty"`
	Routine            *routineJSON     `json:"routine,omitempty"`
	SettledMs          *millis          `json:"settled_ms"`
	LastEvent          *happeningJSON   `json:"last_event"`
}

type recordsJSON struct {
	Lag         int64  `json:"lag"`
	MaxLag      int64  `json:"max_lag"`
	MaxLagAtMs  millis `json:"max_lag_at_ms"`
	Redelivered int    `json:"redelivered"`
}

type routineJSON struct {
	Heartbeats int64 `json:"heartbeats"`
	Commits    int64 `json:"commits"`
	Polls      int64 `json:"polls"`
}

type transitionJSON struct {
	AtMs       millis `json:"at_ms"`
	From       string `json:"from"`
	To         string `json:"to"`
	Generation int32  `json:"generation"`
	Reason     string `json:"reason"`
}

type rebalanceJSON struct {
	AtMs       millis     `json:"at_ms"`
	DurationMs millis     `json:"duration_ms"`
	Reason     string     `json:"reason"`
	Member     *string    `json:"member"`
	MemberID   *string    `json:"member_id"`
	Generation int32      `json:"generation"`
	Ended      string     `json:"ended"`
	Stopped    []stopJSON `json:"stopped"`
	Sentence   string     `json:"sentence"`
}

type stopJSON struct {
	Member string `json:"member"`
	AtMs   millis `json:"at_ms"`
	ForMs  millis `json:"for_ms"`
	Open   bool   `json:"open"`
}

type evictionJSON struct {
	AtMs     millis `json:"at_ms"`
	Member   string `json:"member"`
	MemberID string `json:"member_id"`
	Cause    string `json:"cause"`
	HeardMs  millis `json:"last_heard_ms"`

	Event *happeningJSON `json:"event"`
}

type happeningJSON struct {
	AtMs millis `json:"at_ms"`
	Do   string `json:"do"`
}

type failureJSON struct {
	AtMs      millis  `json:"at_ms"`
	Member    string  `json:"member"`
	Error     *string `json:"error"`
	Exception *string `json:"exception"`
}

type stuckJSON struct {
	State      string        `json:"state"`
	Generation int32         `json:"generation"`
	SinceMs    millis        `json:"since_ms"`
	UntilMs    millis        `json:"until_ms"`
	Open       bool          `json:"open"`
	WaitingFor []waitingJSON `json:"waiting_for"`
	FreedBy    *string       `json:"freed_by"`
	Sentence   string        `json:"sentence"`
}

type waitingJSON struct {
	Member  string `json:"member"`
	On      string `json:"on"`
	Because string `json:"because"`
}

type anomalyJSON struct {
	Kind     string  `json:"kind"`
	Who      *string `json:"who"`
	SinceMs  millis  `json:"since_ms"`
	UntilMs  millis  `json:"until_ms"`
	Sentence string  `json:"sentence"`
}

type expectationJSON struct {
	That    string  `json:"that"`
	Pass    bool    `json:"pass"`
	Got     *string `json:"got"`
	Problem *string `json:"problem"`
	Line    *int    `json:"line"`

	Replications int     `json:"replications"`
	FailedIn     int     `json:"failed_in"`
	FailedSeed   *uint64 `json:"failed_seed"`
}

type replicationsJSON struct {
	Planned   int     `json:"planned"`
	Ended     int     `json:"ended"`
	SpinsSeed *uint64 `json:"spins_with_seed"`
}

// millis is a time in milliseconds, with as many decimals as it needs.
type millis time.Duration

// MarshalJSON writes it without an exponent and without trailing zeros.
func (m millis) MarshalJSON() ([]byte, error) {
	whole, part := m/millis(time.Millisecond), m%millis(time.Millisecond)
	s := strconv.FormatInt(int64(whole), 10)
	if part != 0 {
		s += "." + strings.TrimRight(strconv.FormatInt(int64(time.Millisecond)+int64(part), 10)[1:], "0")
	}
	return []byte(s), nil
}

// object is a JSON object whose keys keep their order.
type object[V any] []entry[V]

type entry[V any] struct {
	key   string
	value V
}

// MarshalJSON writes the entries in their order.
func (o object[V]) MarshalJSON() ([]byte, error) {
	b := []byte{'{'}
	for i, e := range o {
		if i > 0 {
			b = append(b, ',')
		}
		key, err := json.Marshal(e.key)
		if err != nil {
			return nil, err
		}
		value, err := json.Marshal(e.value)
		if err != nil {
			return nil, err
		}
		b = append(append(append(b, key...), ':'), value...)
	}
	return append(b, '}'), nil
}

func newRunJSON(r *Report) runJSON {
	s := &r.Scenario
	return runJSON{
		Schema: RunSchema, Scenario: s.Name, Description: s.Description, Seed: s.Seed,
		ShuffleTies: numbered(r.ShuffleTies), Replications: newReplicationsJSON(&r.Replicated),
		Kafka: s.Kafka, Recorded: s.Kafka == "4",
		Differences: each(s.Differences, itself),
		Outcome:     r.Outcome.String(), DurationMs: at(r.Summary.To), PlannedDurationMs: millis(s.Duration),
		StuckAfterMs: millis(s.StuckAfter), TraceDigest: r.Digest,
		Thresholds:   thresholdsJSON(r.Thresholds),
		Groups:       each(r.Summary.Groups, func(g *metrics.Group) groupJSON { return newGroupJSON(g, r.Advice) }),
		Expectations: each(r.Expectations, newExpectationJSON),
		Warnings:     each(r.allWarnings(), itself),
		NotModelled:  each(r.NotModelled, itself),
		Advice:       newAdviceJSON(r.Advice),
	}
}

func newGroupJSON(g *metrics.Group, a *Advice) groupJSON {
	j := groupJSON{
		Group: g.Name, State: g.State.String(), Generation: int32(g.Generation),
		Members: g.Members, Leader: given(g.Leader.String()),
		Rebalances: len(g.Rebalances), Joined: g.Joined, Completed: g.Completed,
		Transitions: each(g.Transitions, newTransitionJSON), RebalanceList: each(g.Rebalances, newRebalanceJSON),
		Evictions: each(g.Evictions, newEvictionJSON), PendingExpired: g.PendingExpired,
		Leaves: len(g.Leaves), LeavesPollTimeout: g.LeftByPollTimeout(),
		Fenced: len(g.Fenced), Failures: each(g.Failures, newFailureJSON), Thrown: each(g.Thrown, newFailureJSON),
		Joins:     each(g.Joins, func(j *metrics.Joins) entry[int] { return entry[int]{j.Who, j.Count} }),
		Anomalies: each(g.Anomalies, newAnomalyJSON), StoppedMs: millis(g.Stopped),
		LastEvent: newHappeningJSON(g.LastEvent),
	}
	j.Stuck = []advisedJSON{}
	for i := range g.Stuck {
		j.Stuck = append(j.Stuck, newAdvisedJSON(newStuckJSON(g.Name, &g.Stuck[i]), a, a.stay(g.Name, i)))
	}
	for _, reason := range trace.RebalanceReasons() {
		j.RebalancesByReason = append(j.RebalancesByReason, entry[int]{reason.String(), g.RebalancesFor(reason.String())})
	}
	for s := wire.NoGroup; s < wire.NumGroupStates; s++ {
		j.TimeInStateMs = append(j.TimeInStateMs, entry[millis]{s.String(), millis(g.TimeIn[s])})
		j.LongestMs = append(j.LongestMs, entry[millis]{s.String(), millis(g.Longest[s])})
	}
	if g.Assigned {
		j.UnassignedMs = new(millis(g.Unassigned))
	}
	if r := g.Records; r != nil {
		j.Records = &recordsJSON{r.Lag, r.MaxLag, at(r.MaxAt), r.Redelivered}
	}
	if r := g.Routine; r != nil {
		j.Routine = &routineJSON{r.Heartbeats, r.Commits, r.Polls}
	}
	if g.IsSettled {
		j.SettledMs = new(millis(g.Settled))
	}
	return j
}

func newTransitionJSON(t *metrics.Transition) transitionJSON {
	reason := t.Reason.String()
	if t.From == wire.NoGroup || t.From == wire.Dead {
		reason = "created"
	}
	return transitionJSON{at(t.At), t.From.String(), t.To.String(), int32(t.Generation), reason}
}

func newRebalanceJSON(r *metrics.Rebalance) rebalanceJSON {
	return rebalanceJSON{
		AtMs: at(r.At), DurationMs: millis(r.For()), Reason: r.Reason.String(),
		Member: given(r.Who), MemberID: given(string(r.Member)),
		Generation: int32(r.Generation), Ended: r.Ended.String(),
		Stopped:  each(r.Stopped, func(s *metrics.Stop) stopJSON { return stopJSON{s.Who, at(s.At), millis(s.For), s.Open} }),
		Sentence: rebalanceSentence(r),
	}
}

func newEvictionJSON(e *metrics.Eviction) evictionJSON {
	return evictionJSON{
		AtMs: at(e.At), Member: memberOf(e.Who, e.Member), MemberID: string(e.Member), Cause: e.Cause.String(),
		HeardMs: at(e.Heard), Event: newHappeningJSON(e.Event),
	}
}

// newHappeningJSON returns nil when nothing happened.
func newHappeningJSON(h metrics.Happening) *happeningJSON {
	if h.Verb == "" {
		return nil
	}
	return &happeningJSON{at(h.At), h.Verb}
}

func newFailureJSON(f *metrics.Failure) failureJSON {
	j := failureJSON{AtMs: at(f.At), Member: f.Who, Exception: given(f.Exception)}
	if f.Err != wire.None {
		j.Error = given(f.Err.String())
	}
	return j
}

func newStuckJSON(group string, s *metrics.Stuck) stuckJSON {
	j := stuckJSON{
		State: s.State.String(), Generation: int32(s.Generation), SinceMs: at(s.Since), UntilMs: at(s.Until), Open: s.Open,
		WaitingFor: []waitingJSON{}, Sentence: strings.Join(stuckLines(group, s), "; "),
	}
	for i := range s.Blocked {
		for _, l := range s.Blocked[i].Chain {
			j.WaitingFor = append(j.WaitingFor, waitingJSON{memberOf(l.Who, l.Member), l.On, l.Because})
		}
	}
	if !s.Open {
		j.FreedBy = given(freedWords(s))
	}
	return j
}

func newAnomalyJSON(a *metrics.Anomaly) anomalyJSON {
	return anomalyJSON{a.Kind.String(), given(memberOf(a.Who, a.Member)), at(a.Since), at(a.Until), anomalyWords(a)}
}

func newReplicationsJSON(r *Replicated) *replicationsJSON {
	if r.Planned == 0 {
		return nil
	}
	j := &replicationsJSON{Planned: r.Planned, Ended: r.Ended}
	if r.Spins != nil {
		j.SpinsSeed = &r.Spins.Seed
	}
	return j
}

func newExpectationJSON(e *Expectation) expectationJSON {
	j := expectationJSON{That: e.That, Pass: e.Pass, Problem: given(e.Problem), Replications: e.Replications, FailedIn: e.FailedIn}
	if e.FailedIn > 0 {
		j.FailedSeed = &e.Seed
	}
	if e.Problem == "" {
		j.Got = &e.Got
	}
	if e.Line > 0 {
		j.Line = &e.Line
	}
	return j
}

// memberOf names a member by its process, or else by its id, in full.
func memberOf(who string, member wire.MemberID) string {
	if who != "" {
		return who
	}
	return string(member)
}

func at(t clock.Time) millis { return millis(t.SinceStart()) }

// given turns "" into null.
func given(s string) *string {
	if s == "" {
		return nil
	}
	return &s
}

// numbered turns 0 into null.
func numbered(n uint64) *uint64 {
	if n == 0 {
		return nil
	}
	return &n
}

// each maps a list to one that is never null.
func each[T, J any](list []T, f func(*T) J) []J {
	mapped := make([]J, len(list))
	for i := range list {
		mapped[i] = f(&list[i])
	}
	return mapped
}
