package conformance

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"slices"

	"simulate/sim/clock"
)

// Result says what a replay compared and what differed. A replay ends with the first step that differs.
type Result struct {
	Steps       int
	Fields      int
	Differences []string
}

// Replay feeds the inputs of a trace to a new shard and compares all outputs.
func Replay(t *Trace, render Renderer) (Result, error) {
	cfg, err := config(t.Configs)
	if err != nil {
		return Result{}, fmt.Errorf("%q: %w", t.Title, err)
	}
	p := &player{host: newHost(cfg, render), states: map[string]GroupState{}}
	var result Result
	for i, line := range t.lines {
		var op Op
		if err := json.Unmarshal(line, &op); err != nil {
			return result, fmt.Errorf("step %d of %q: %w", i+1, t.Title, err)
		}
		if err := p.step(&op); err != nil {
			return result, fmt.Errorf("step %d of %q: %w", i+1, t.Title, err)
		}
		result.Steps++
		if len(p.found) > 0 {
			for _, d := range p.found {
				result.Differences = append(result.Differences, fmt.Sprintf("step %d (%s at %d) %s", i+1, op.Op, op.At, d))
			}
			break
		}
	}
	result.Fields = p.fields
	return result, nil
}

// segment is what happens between two firings of timers.
type segment struct {
	timer   string
	at      int64
	replies []Reply
	records []Record
	lines   []Line
	state   []GroupState
	timers  *Timers
}

// player replays one trace.
type player struct {
	*host
	difference
	states map[string]GroupState // what every group should be now
	wanted Timers                // which timers should be armed now
}

func (p *player) step(op *Op) error {
	at := clock.At(ms(op.At))
	for _, name := range slices.SortedFunc(maps.Keys(op.IDs), byName) {
		p.add(name, op.IDs[name])
		p.nextID = append(p.nextID, op.IDs[name])
	}

	want := segments(op.Before)
	now := &segment{}
	want = p.fire(at, now, want)
	p.check("before", now, want[0], true)
	p.checkNoMore("before", want[1:])

	want = segments(op.Out)
	last := &want[len(want)-1]
	last.state = append(last.state, op.State...)
	if op.Timers != nil {
		last.timers = op.Timers
	}
	now = &segment{}
	if r, ok := p.request(op); ok {
		p.do(at, p.shard.Handle(at, &r), now)
	} else if err := p.input(at, op, now); err != nil {
		return err
	}
	want = p.fire(at, now, want)
	p.check("out", now, want[0], true)
	p.checkNoMore("out", want[1:])
	p.nextID = nil
	return nil
}

// fire fires the timers that are due and compares the segments that they end. It leaves the last one
// open, in now, and returns what is wanted of it and after it.
func (p *player) fire(limit clock.Time, now *segment, want []segment) []segment {
	for {
		t, ok := p.due(limit)
		if !ok {
			return want
		}
		if name := p.timerName(t.key); !hidden(name) && t.key.Left == 0 {
			if len(want) == 1 {
				p.found = append(p.found, fmt.Sprintf("timer %s fires at %d, which Kafka does not have", name, t.at.Millis()))
				return want
			}
			// A recording shows no state between the input and a timer of the same instant.
			shown := now.timer != "" || want[0].state != nil || limit > t.at
			p.check("before "+name, now, want[0], shown)
			want = want[1:]
			*now = segment{timer: name, at: t.at.Millis()}
		}
		p.stop(t.key)
		p.do(t.at, p.shard.Expire(t.at, t.key), now)
	}
}

func (p *player) check(path string, got *segment, want segment, state bool) {
	p.compare(path+" timer", got.timer, want.timer)
	p.compare(path+" timer at", got.at, want.at)
	p.compare(path+" replies", byRequest(got.replies), byRequest(want.replies))
	p.compare(path+" records", got.records, want.records)
	p.compare(path+" log", got.lines, want.lines)
	for _, s := range want.state {
		p.states[s.Group] = s
	}
	if want.timers != nil {
		p.wanted = *want.timers
	}
	if !state {
		return
	}
	for _, group := range slices.Sorted(maps.Keys(p.states)) {
		now := GroupState{Group: group}
		if s, ok := p.shard.Snapshot(group); ok {
			now = p.state(group, s)
		}
		p.compare(path+" state of "+group, now, p.states[group])
	}
	p.compare(path+" timers", p.armedTimers(), p.wanted)
}

func (p *player) checkNoMore(path string, want []segment) {
	for _, s := range want {
		p.found = append(p.found, fmt.Sprintf("%s: timer %s does not fire at %d, as it does in Kafka", path, s.timer, s.at))
	}
}

func byRequest(replies []Reply) []Reply {
	slices.SortFunc(replies, func(a, b Reply) int {
		return cmp.Or(cmp.Compare(a.At, b.At), cmp.Compare(a.Req, b.Req))
	})
	return replies
}

// segments cuts recorded outputs at the firings of timers; the first segment has none.
func segments(outputs []Output) []segment {
	list := []segment{{}}
	for _, o := range outputs {
		if o.Stale {
			continue
		}
		if o.Timer != "" && !hidden(o.Timer) {
			list = append(list, segment{timer: o.Timer, at: o.At})
		}
		s := &list[len(list)-1]
		if o.Reply != nil {
			s.replies = append(s.replies, onWire(*o.Reply))
		}
		s.records = append(s.records, o.Records...)
		if o.Log != nil {
			s.lines = append(s.lines, *o.Log)
		}
		s.state = append(s.state, o.State...)
		if o.Timers != nil {
			s.timers = o.Timers
		}
	}
	return list
}
