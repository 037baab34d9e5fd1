package consumers

import (
	"time"

	"simulate/sim/clock"
	"simulate/sim/trace"
	"simulate/sim/wire"
)

// load is how far a member has come with the records of what is assigned to it. Partitions are read in turn: a fetch
// takes all that one has before it goes on to the next.
type load struct {
	at    []progress // of the partitions of client.assigned, in their order; nil without records
	turn  int        // the partition from which the next fetch takes first
	marks int        // the partition of which the next records are handled
}

// progress is how far a member has come in one partition, as offsets: noPosition until its OffsetFetch is answered.
type progress struct {
	taken   int64 // behind the last record that the application got
	handled int64 // behind the last one that it is done with: what a commit may say
	offered int64 // what the last commit said, or what was committed when the member began
}

const noPosition = -1

// loaded reports whether topics hold records. If not none of the functions here has anything to tell.
func (p *client) loaded() bool { return p.env.Records != nil }

// keep returns the progress for another assignment: that of the partitions which were assigned before.
func (p *client) keep(partitions []wire.TopicPartition) load {
	if !p.loaded() {
		return load{}
	}
	before := make(map[wire.TopicPartition]progress, len(p.assigned))
	for i, tp := range p.assigned {
		before[tp] = p.positions.load.at[i]
	}
	at := make([]progress, len(partitions))
	for i, tp := range partitions {
		var held bool
		if at[i], held = before[tp]; !held {
			at[i] = progress{noPosition, noPosition, noPosition}
		}
	}
	return load{at: at}
}

// offsetFetchBody is the body of an OffsetFetch for the partitions without a position; none without records, where the
// answer says nothing.
func (p *client) offsetFetchBody() any {
	if !p.loaded() {
		return nil
	}
	return &wire.OffsetFetchRequest{RequireStable: true, Partitions: p.positions.missing}
}

// takeOffsets takes the answer to it: a partition begins behind what is committed, or where auto.offset.reset says. It
// reports false when that says none: then the application gets an exception. What the application does not want to
// hold any more by now is left out. A ListOffsets takes no time here.
func (p *client) takeOffsets(r wire.Response) bool {
	p.positions.missing, p.positions.commit = nil, nil
	if !p.loaded() {
		return true
	}
	body, _ := r.Body.(*wire.OffsetFetchResponse)
	began := trace.Event{Kind: trace.PositionsSet, Member: p.member}
	for i, tp := range p.assigned {
		at := &p.positions.load.at[i]
		if at.taken != noPosition {
			continue
		}
		offset, ok := p.beginning(tp, body)
		if !ok {
			p.positions.missing = append(p.positions.missing, tp)
			continue
		}
		*at = progress{offset, offset, offset}
		began.Partitions, began.Offsets = append(began.Partitions, tp), append(began.Offsets, offset)
	}
	if len(began.Partitions) > 0 {
		p.record(began)
	}
	return len(p.positions.missing) == 0
}

// beginning returns the offset from which a partition is read.
func (p *client) beginning(tp wire.TopicPartition, body *wire.OffsetFetchResponse) (int64, bool) {
	if body != nil {
		for _, o := range body.Offsets {
			if o.TopicPartition == tp && o.Offset >= 0 {
				return o.Offset, true
			}
		}
	}
	switch p.plan.Config.AutoOffsetReset {
	case "earliest":
		return 0, true
	case "none":
		return 0, false
	}
	return p.env.Records.End(tp, p.now), true
}

// fetchable returns how many records a fetch returns now: all that have arrived and were not taken, at most so many
// (0: no bound). It does not wait for fetch.min.bytes, and knows no bytes.
func (p *client) fetchable(most int) int {
	n := int64(0)
	for i := range p.positions.load.at {
		n += p.left(i)
	}
	if most > 0 {
		n = min(n, int64(most))
	}
	return int(n)
}

// left returns how many records of assigned partition i have arrived and were not taken.
func (p *client) left(i int) int64 {
	at := &p.positions.load.at[i]
	if at.taken == noPosition || p.now < p.cutUntil {
		return 0
	}
	return max(0, p.env.Records.End(p.assigned[i], p.now)-at.taken)
}

// nextRecord returns when a fetch returns something: now if something is there, else when the next record arrives;
// clock.Never when none ever does.
func (p *client) nextRecord() clock.Time {
	next := clock.Never
	for i, tp := range p.assigned {
		switch {
		case !p.loaded() || p.positions.load.at[i].taken == noPosition:
		case p.left(i) > 0:
			return p.now
		default:
			next = min(next, p.env.Records.Next(tp, p.now))
		}
	}
	return max(next, p.cutUntil)
}

// redelivers reports whether records are to come that an application of the group has had.
func (p *client) redelivers() bool {
	for i, tp := range p.assigned {
		if p.env.Records.Handed(tp) > p.positions.load.at[i].taken {
			return true
		}
	}
	return false
}

// take hands n records to the application, which are no more than fetchable says.
func (p *client) take(n int) {
	l, again := &p.positions.load, int64(0)
	l.turn = p.inTurn(l.turn, n, func(i int, n int64) int64 {
		at := &l.at[i]
		n = min(n, p.left(i))
		again += p.env.Records.Hand(p.assigned[i], at.taken, at.taken+n)
		at.taken += n
		return n
	})
	if again > 0 {
		p.record(trace.Event{Kind: trace.RecordsRedelivered, Member: p.member, Members: int32(again)})
	}
}

// handle notes that the application is done with the next n of the records that it took: a commit may say so. A library
// that commits what it has handed out, done or not, calls it at once.
func (p *client) handle(n int) {
	l := &p.positions.load
	l.marks = p.inTurn(l.marks, n, func(i int, n int64) int64 {
		at := &l.at[i]
		n = min(n, at.taken-at.handled)
		at.handled += n
		return n
	})
}

// handleAll is handle for everything that was taken.
func (p *client) handleAll() {
	l := &p.positions.load
	for i := range l.at {
		l.at[i].handled = l.at[i].taken
	}
	l.marks = l.turn
}

// inTurn asks the assigned partitions, from one on and at most all of them, to take a part of n. It returns the
// one that is next.
func (p *client) inTurn(from, n int, part func(i int, n int64) int64) int {
	rest, count := int64(n), len(p.assigned)
	for k := range count {
		i := (from + k) % count
		if rest -= part(i, rest); rest == 0 {
			return i
		}
	}
	return from
}

// takes returns how long the application is about n records that it got together: processing once, and per-record for
// each. Without records it is processing alone.
func (p *client) takes(n int) time.Duration {
	d := p.env.Work.Draw(p.plan.Processing)
	if n == 0 {
		return d
	}
	if each := p.plan.PerRecord; each.IsConstant() {
		return d + time.Duration(n)*p.env.Work.Draw(each)
	}
	for range n {
		d += p.env.Work.Draw(p.plan.PerRecord)
	}
	return d
}

// uncommitted reports whether anything is handled that the last commit did not say.
func (p *client) uncommitted() bool {
	for i := range p.positions.load.at {
		if at := &p.positions.load.at[i]; at.handled != at.offered {
			return true
		}
	}
	return false
}

// handledBody lists what is handled, for a commit; with moved only what the last commit did not say.
func (p *client) handledBody(moved bool) *wire.OffsetCommitRequest {
	body := &wire.OffsetCommitRequest{RetentionTimeMs: -1}
	for i, tp := range p.assigned {
		at := &p.positions.load.at[i]
		if at.taken == noPosition || moved && at.handled == at.offered {
			continue
		}
		at.offered = at.handled
		body.Offsets = append(body.Offsets, wire.OffsetToCommit{TopicPartition: tp, Offset: at.handled, LeaderEpoch: -1})
	}
	return body
}

// commitLost forgets what the last commits said, because one failed: the next one says everything again.
func (p *client) commitLost() {
	for i := range p.positions.load.at {
		p.positions.load.at[i].offered = noPosition
	}
}
