package trace

import (
	"io"
	"strconv"
	"time"
	"unicode/utf8"

	"simulate/sim/clock"
	"simulate/sim/wire"
)

// Schema names the format of a trace file; the number grows when a reader of the old one would
// misunderstand it.
const Schema = "simulate.trace/1"

// Header is the first line of a trace file: which run it recorded, and what metrics need to know beside its events.
type Header struct {
	Scenario string
	Seed     uint64
	Duration time.Duration // of the scenario; a run may end earlier
	Kafka    string        // behaviour of the coordinator, "4" or "3"

	ShuffleTies uint64 // the seed that decided the order of equal instants; 0: none

	// A header without StuckAfter has no Topics and Fleets either.
	StuckAfter time.Duration
	Topics     []Topic // as the run began
	Fleets     []Fleet // as the run began
}

// Topic is a topic of a recorded run.
type Topic struct {
	Name       string
	Partitions int
	Records    int64         // that arrive in all partitions together in each Per; 0: none
	Per        time.Duration // of Records; a second or longer
	Backlog    int64         // records at the start
}

// Fleet says to which group the processes <Name>-1, <Name>-2, ... belong and what they subscribe to.
type Fleet struct {
	Name   string   `json:"name"`
	Group  string   `json:"group"`
	Topics []string `json:"topics"`
}

// Writer records events as JSON Lines: the header, then one object an event (AppendJSON), each line in
// one Write. Files want a bufio.Writer between.
type Writer struct {
	// OmitRoutine leaves out the events that Kind.Routine reports.
	OmitRoutine bool

	out  io.Writer
	line []byte
	err  error
}

// NewWriter returns a Writer to out that has written the header h.
func NewWriter(out io.Writer, h Header) *Writer {
	w := &Writer{out: out}
	w.line = appendHeader(w.line, h)
	w.flush()
	return w
}

// Record writes e. After a failed write it does nothing.
func (w *Writer) Record(e Event) {
	if w.err != nil || w.OmitRoutine && e.Kind.Routine() {
		return
	}
	w.line = AppendJSON(w.line[:0], e)
	w.flush()
}

// IgnoresRoutine reports whether routine events are left out.
func (w *Writer) IgnoresRoutine() bool { return w.OmitRoutine }

// Err returns the first error of a write, nil when all of them succeeded.
func (w *Writer) Err() error { return w.err }

func (w *Writer) flush() {
	w.line = append(w.line, '\n')
	_, w.err = w.out.Write(w.line)
}

func appendHeader(b []byte, h Header) []byte {
	o := object{append(b, '{')}
	o.text("schema", Schema)
	o.text("scenario", h.Scenario)
	o.key("seed")
	o.b = strconv.AppendUint(o.b, h.Seed, 10)
	o.millis("duration_ms", int64(h.Duration))
	o.text("kafka", h.Kafka)
	if h.ShuffleTies != 0 {
		o.key("shuffle_ties")
		o.b = strconv.AppendUint(o.b, h.ShuffleTies, 10)
	}
	if h.StuckAfter != 0 {
		o.millis("stuck_after_ms", int64(h.StuckAfter))
		o.topics("topics", h.Topics)
		o.fleets("fleets", h.Fleets)
	}
	return append(o.b, '}')
}

// AppendJSON appends e to b as one JSON object without a line break. Equal events give equal bytes:
// keys come in the order of the fields of Event, zero fields are left out (at_ms and kind never), enums
// go by name, instants and durations in milliseconds with as many decimals as they need (three for whole
// microseconds), clock.Never as "never". Bytes that are not UTF-8 become U+FFFD.
//
// It allocates only to make b longer.
func AppendJSON(b []byte, e Event) []byte {
	o := object{append(b, '{')}
	o.key("at_ms")
	o.b = appendTime(o.b, e.At)
	o.text("kind", e.Kind.String())
	o.optText("group", e.Group)
	o.optText("member", string(e.Member))
	o.optText("other", string(e.Other))
	o.optText("instance", string(e.Instance))
	o.optText("who", e.Who)
	o.optInt("generation", int64(e.Generation))
	if e.From != wire.NoGroup {
		o.text("from", e.From.String())
	}
	if e.To != wire.NoGroup {
		o.text("to", e.To.String())
	}
	o.optText("reason", e.Reason.String())
	if e.Err != wire.None {
		o.text("err", e.Err.String())
	}
	o.optInt("members", int64(e.Members))
	o.optInt("static", int64(e.Static))
	o.optTime("since_ms", e.Since)
	o.optTime("until_ms", e.Until)
	if e.For != 0 {
		o.millis("for_ms", int64(e.For))
	}
	o.optInt("cause", int64(e.Cause))
	o.optText("text", e.Text)
	if e.HasText {
		o.key("has_text")
		o.b = append(o.b, "true"...)
	}
	o.optText("protocol", e.Protocol)
	o.ids("list", e.List)
	o.partitions("partitions", e.Partitions)
	o.offsets("offsets", e.Offsets)
	o.chain("chain", e.Chain)
	if e.Details != nil {
		o.details("details", e.Details)
	}
	o.optInt("broker", int64(e.Broker))
	o.optText("operation", e.Operation)
	if e.Offset != nil {
		o.offset("offset", e.Offset)
	}
	return append(o.b, '}')
}

// object is a JSON object under construction; its opening brace is written.
type object struct{ b []byte }

func (o *object) key(name string) {
	if o.b[len(o.b)-1] != '{' {
		o.b = append(o.b, ',')
	}
	o.b = append(o.b, '"')
	o.b = append(o.b, name...)
	o.b = append(o.b, '"', ':')
}

func (o *object) text(key, value string) {
	o.key(key)
	o.b = appendString(o.b, value)
}

func (o *object) optText(key, value string) {
	if value != "" {
		o.text(key, value)
	}
}

func (o *object) int(key string, value int64) {
	o.key(key)
	o.b = strconv.AppendInt(o.b, value, 10)
}

func (o *object) optInt(key string, value int64) {
	if value != 0 {
		o.int(key, value)
	}
}

func (o *object) millis(key string, ns int64) {
	o.key(key)
	o.b = appendMillis(o.b, ns)
}

func (o *object) optTime(key string, t clock.Time) {
	if t != 0 {
		o.key(key)
		o.b = appendTime(o.b, t)
	}
}

func (o *object) ids(key string, ids []wire.MemberID) {
	if len(ids) == 0 {
		return
	}
	o.key(key)
	for i, id := range ids {
		o.b = appendString(append(o.b, separator(i)), string(id))
	}
	o.b = append(o.b, ']')
}

// partitions writes them as Kafka prints them, "orders-0".
func (o *object) partitions(key string, list []wire.TopicPartition) {
	if len(list) == 0 {
		return
	}
	o.key(key)
	for i, tp := range list {
		o.b = append(o.b, separator(i))
		o.b = appendString(o.b, tp.Topic)
		o.b[len(o.b)-1] = '-'
		o.b = strconv.AppendInt(o.b, int64(tp.Partition), 10)
		o.b = append(o.b, '"')
	}
	o.b = append(o.b, ']')
}

func (o *object) offsets(key string, list []int64) {
	if len(list) == 0 {
		return
	}
	o.key(key)
	for i, offset := range list {
		o.b = append(o.b, separator(i))
		o.b = strconv.AppendInt(o.b, offset, 10)
	}
	o.b = append(o.b, ']')
}

func (o *object) topics(key string, list []Topic) {
	if len(list) == 0 {
		return
	}
	o.key(key)
	for i, t := range list {
		o.b = append(o.b, separator(i), '{')
		o.text("name", t.Name)
		o.int("partitions", int64(t.Partitions))
		if t.Records > 0 {
			o.int("records", t.Records)
			o.millis("per_ms", int64(t.Per))
		}
		o.optInt("backlog", t.Backlog)
		o.b = append(o.b, '}')
	}
	o.b = append(o.b, ']')
}

func (o *object) fleets(key string, list []Fleet) {
	if len(list) == 0 {
		return
	}
	o.key(key)
	for i, f := range list {
		o.b = append(o.b, separator(i), '{')
		o.text("name", f.Name)
		o.text("group", f.Group)
		o.texts("topics", f.Topics)
		o.b = append(o.b, '}')
	}
	o.b = append(o.b, ']')
}

func (o *object) chain(key string, links []Link) {
	if len(links) == 0 {
		return
	}
	o.key(key)
	for i := range links {
		o.b = append(o.b, separator(i))
		o.link(&links[i])
	}
	o.b = append(o.b, ']')
}

func (o *object) link(l *Link) {
	o.b = append(o.b, '{')
	o.text("who", l.Who)
	o.optText("client", l.Client)
	o.optText("member", string(l.Member))
	o.text("on", l.On)
	o.text("because", l.Because)
	o.optTime("since_ms", l.Since)
	o.optTime("until_ms", l.Until)
	o.optText("timer", l.Timer)
	o.optTime("fires_ms", l.Fires)
	o.optInt("parked", int64(l.Parked))
	if l.Silent {
		o.key("silent")
		o.b = append(o.b, "true"...)
	}
	o.b = append(o.b, '}')
}

func (o *object) offset(key string, d *OffsetDetails) {
	o.key(key)
	o.b = append(o.b, '{')
	o.int("offset", d.Offset)
	o.int("leader_epoch", int64(d.LeaderEpoch))
	o.text("metadata", d.Metadata)
	o.int("commit_timestamp_ms", d.CommitTimestampMs)
	o.int("producer_id", d.ProducerID)
	o.int("record_offset", d.RecordOffset)
	o.int("last_record_offset", d.LastRecordOffset)
	o.b = append(o.b, '}')
}

func (o *object) details(key string, d *MemberDetails) {
	o.key(key)
	o.b = append(o.b, '{')
	o.optText("instance_id", d.InstanceID)
	o.text("client_id", d.ClientID)
	o.text("client_host", d.ClientHost)
	o.int("rebalance_timeout_ms", int64(d.RebalanceTimeoutMs))
	o.int("session_timeout_ms", int64(d.SessionTimeoutMs))
	o.text("protocol_type", d.ProtocolType)
	o.texts("protocols", d.Protocols)
	o.b = append(o.b, '}')
}

func (o *object) texts(key string, list []string) {
	o.key(key)
	if len(list) == 0 {
		o.b = append(o.b, '[')
	}
	for i, text := range list {
		o.b = appendString(append(o.b, separator(i)), text)
	}
	o.b = append(o.b, ']')
}

// separator opens an array before its first element and parts it from the next ones.
func separator(i int) byte {
	if i == 0 {
		return '['
	}
	return ','
}

func appendTime(b []byte, t clock.Time) []byte {
	if t == clock.Never {
		return append(b, `"never"`...)
	}
	return appendMillis(b, int64(t))
}

// appendMillis writes nanoseconds as milliseconds, exactly and without trailing zeros.
func appendMillis(b []byte, ns int64) []byte {
	const perMilli = uint64(time.Millisecond)
	abs := uint64(ns)
	if ns < 0 {
		b = append(b, '-')
		abs = -abs
	}
	b = strconv.AppendUint(b, abs/perMilli, 10)
	rest := abs % perMilli
	if rest == 0 {
		return b
	}
	b = append(b, '.')
	for unit := perMilli / 10; rest > 0; unit /= 10 {
		b = append(b, '0'+byte(rest/unit))
		rest %= unit
	}
	return b
}

const hexDigits = "0123456789abcdef"

// appendString writes s as a JSON string.
func appendString(b []byte, s string) []byte {
	b = append(b, '"')
	for i := 0; i < len(s); {
		c := s[i]
		switch {
		case c == '"' || c == '\\':
			b = append(b, '\\', c)
			i++
		case c == '\n':
			b = append(b, '\\', 'n')
			i++
		case c < ' ':
			b = append(b, '\\', 'u', '0', '0', hexDigits[c>>4], hexDigits[c&15])
			i++
		case c < utf8.RuneSelf:
			b = append(b, c)
			i++
		default:
			r, size := utf8.DecodeRuneInString(s[i:])
			b = utf8.AppendRune(b, r)
			i += size
		}
	}
	return append(b, '"')
}
