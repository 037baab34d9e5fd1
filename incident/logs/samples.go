package logs

import (
	"bytes"
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"simulate/sim/wire"
)

// maxSamples is how many samples of one source are read: they are sorted, since a scrape has them by metric.
const maxSamples = 1 << 20

// samples are what somebody saw of groups from time to time: scrapes of metrics as Prometheus and OpenMetrics write them, one after
// the other, and what kafka-consumer-groups printed.
type samples struct {
	list []Event
	left int // how many are still to be handed out
}

func (s *samples) next(e *Event) error {
	if s.left == 0 {
		return io.EOF
	}
	*e = s.list[len(s.list)-s.left]
	s.left--
	return nil
}

// hasSamples reports whether the begin of a source is one of samples, and not of a log.
func hasSamples(head []byte) bool {
	n := 0
	for line := range bytes.Lines(head) {
		line = bytes.TrimSpace(line)
		if bytes.HasPrefix(line, []byte("# TYPE ")) || bytes.HasPrefix(line, []byte("# HELP ")) || tableOf(line) != nil ||
			bytes.HasPrefix(line, []byte("Consumer group '")) {
			return true
		}
		if _, ok := metricOf(line); ok {
			return true
		}
		if n++; n == 50 {
			break
		}
	}
	return false
}

// sampler reads samples of one source.
type sampler struct {
	names    *names
	calendar *calendar
	list     []Event
	place    Place
	at       Instant // of what has no time of its own: the last line with a date, or when the file was written
	zoned    bool
	columns  []string // of the table that is being read, nil when none is
	members  []tally  // of the groups of that table, in the order of appearance
	counts   []stateCount
	dropped  int
}

// tally counts the members of a group by the partitions that they have.
type tally struct {
	group string
	ids   map[string]bool
	told  bool // its state was printed
}

// samplesOf reads all of a source.
func (r *Reader) samplesOf(s *stream, source io.Reader) (*samples, error) {
	p := &sampler{names: r.names, calendar: s.calendar, at: s.written, zoned: s.written != NoTime}
	lines := newLines(source)
	for {
		line, err := lines.next()
		if err == io.EOF {
			break
		}
		if err != nil {
			return nil, err
		}
		s.source.Lines++
		p.place = Place{s.index, lines.number}
		p.line(bytes.TrimSpace(line))
	}
	p.endTable()
	if n := p.attribute(); n > 0 && s.source.Warning == "" {
		s.source.Warning = fmt.Sprintf("groups are counted by state, and there were several: which was in which is not told (%d times)", n)
	}
	if p.dropped > 0 {
		s.source.Warning = fmt.Sprintf("only the first %d samples are read, and %d not: give shorter files", maxSamples, p.dropped)
	}
	slices.SortStableFunc(p.list, func(a, b Event) int { return cmp.Compare(a.At, b.At) })
	s.source.Records = int64(len(p.list))
	return &samples{list: p.list, left: len(p.list)}, nil
}

// event starts an event of the line.
func (p *sampler) event(group string) *Event {
	var e Event
	e.clear()
	e.Kind, e.Place, e.Group = GroupObserved, p.place, group
	e.At, e.Zoned, e.Precision = p.at, p.zoned, time.Second
	if len(p.list) == maxSamples {
		p.dropped++
		return &e
	}
	p.list = append(p.list, e)
	return &p.list[len(p.list)-1]
}

func (p *sampler) line(line []byte) {
	switch {
	case len(line) == 0:
		p.endTable()
		return
	case line[0] == '#':
		return
	}
	if columns := tableOf(line); columns != nil {
		p.endTable()
		p.columns = columns
		return
	}
	if m, ok := metricOf(line); ok {
		p.metric(&m)
		return
	}
	if group, what, ok := remark(line); ok {
		p.remark(group, what)
		return
	}
	if p.columns != nil && p.row(bytes.Fields(line)) {
		return
	}
	p.date(line)
}

// date takes a line that only says when: of date, or of any log.
func (p *sampler) date(line []byte) {
	for _, layout := range []string{time.UnixDate, "Mon Jan _2 03:04:05 PM MST 2006", time.RFC1123Z, time.ANSIC} {
		if t, err := time.Parse(layout, string(line)); err == nil {
			p.endTable()
			p.at, p.zoned = Instant(t.UnixNano()), layout != time.ANSIC
			return
		}
	}
	if s, ok := lastStamp(line); ok {
		p.endTable()
		p.at, p.zoned = p.calendar.instant(&s)
	}
}

// tableOf returns the columns when a line is the head of a table of kafka-consumer-groups that names groups.
func tableOf(line []byte) []string {
	if !bytes.HasPrefix(line, []byte("GROUP ")) {
		return nil
	}
	columns := strings.Fields(string(line))
	if slices.Contains(columns, "STATE") || slices.Contains(columns, "CONSUMER-ID") {
		return columns
	}
	return nil
}

// row reads a row of a table. A group without members has no assignment strategy, so that its columns stand elsewhere.
func (p *sampler) row(cells [][]byte) bool {
	if len(cells) < 2 {
		return false
	}
	group := p.names.text(cells[0])
	if at := slices.Index(p.columns, "CONSUMER-ID"); at >= 0 {
		if len(cells) <= at {
			return false
		}
		if id := string(cells[at]); id != "-" {
			p.tally(group).ids[id] = true
		} else {
			p.tally(group)
		}
		return true
	}
	for i := len(cells) - 1; i > 0; i-- {
		state, other, ok := stateNamed(string(cells[i]))
		if !ok {
			continue
		}
		e := p.event(group)
		e.State, e.Text = state, other
		if last := len(cells) - 1; i < last && p.columns[len(p.columns)-1] == "#MEMBERS" {
			e.Members = wholly(cells[last])
		}
		for _, cell := range cells[1:i] {
			if id, ok := bytes.CutPrefix(cell, []byte("(")); ok {
				e.Broker = wholly(bytes.TrimSuffix(id, []byte(")")))
			}
		}
		return true
	}
	return false
}

// tally returns the members of a group of the table.
func (p *sampler) tally(group string) *tally {
	for i := range p.members {
		if p.members[i].group == group {
			return &p.members[i]
		}
	}
	p.members = append(p.members, tally{group: group, ids: map[string]bool{}})
	return &p.members[len(p.members)-1]
}

// endTable ends a table. Where its rows have members and no remark says other, the group is Stable: of one that rebalances no
// rows are printed.
func (p *sampler) endTable() {
	p.columns = nil
	for i := range p.members {
		m := &p.members[i]
		if m.told && len(m.ids) == 0 {
			continue
		}
		e := p.event(m.group)
		e.Members = int32(len(m.ids))
		if len(m.ids) > 0 && !m.told {
			e.State = wire.Stable
		}
	}
	p.members = nil
}

// remark reads "Consumer group 'orders' has no active members.", with "Warning: " before it or "Error: ".
func remark(line []byte) (group, what []byte, ok bool) {
	_, text, found := bytes.Cut(line, []byte("Consumer group '"))
	if !found {
		return nil, nil, false
	}
	return bytes.Cut(text, []byte("' "))
}

func (p *sampler) remark(name, what []byte) {
	group := p.names.text(name)
	var state wire.GroupState
	var text string
	switch {
	case bytes.HasPrefix(what, []byte("has no active members")):
		state = wire.Empty
	case bytes.HasPrefix(what, []byte("is rebalancing")):
		text = Rebalancing
	case bytes.HasPrefix(what, []byte("does not exist")), bytes.HasPrefix(what, []byte("is dead")):
		state = wire.Dead
	default:
		return
	}
	if group == "" {
		return
	}
	p.tally(group).told = true
	e := p.event(group)
	e.State, e.Text = state, text
	if state == wire.Empty {
		e.Members = 0
	}
}

// Rebalancing is the text of a GroupObserved whose source does not tell PreparingRebalance from CompletingRebalance.
const Rebalancing = "rebalancing"

// stateNamed reads a state, however its letters are; other is one that only groups of other protocols have.
func stateNamed(name string) (state wire.GroupState, other string, ok bool) {
	for s := wire.NoGroup + 1; s < wire.NumGroupStates; s++ {
		if strings.EqualFold(s.String(), name) {
			return s, "", true
		}
	}
	switch {
	case strings.EqualFold(name, "Assigning"), strings.EqualFold(name, "Reconciling"):
		return wire.NoGroup, "Reconciling", true
	case strings.EqualFold(name, "AwaitingSync"):
		return wire.CompletingRebalance, "", true
	}
	return wire.NoGroup, "", false
}
