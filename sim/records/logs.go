package records

import (
	"math/bits"
	"time"

	"simulate/sim/clock"
	"simulate/sim/wire"
)

// Rate is how many records arrive in a topic, in all of its partitions together. The zero Rate is none.
type Rate struct {
	Records int64         // from 0 to MostRecords
	Per     time.Duration // positive where Records is
}

// MostRecords bounds the records of a rate, so that what arrives in ten years can be counted.
const MostRecords = 1_000_000_000

// by returns how many records have arrived at an instant, if the first one arrives 1/rate after the start.
func (r Rate) by(at clock.Time) int64 {
	if r.Records == 0 {
		return 0
	}
	hi, lo := bits.Mul64(uint64(at), uint64(r.Records))
	n, _ := bits.Div64(hi, lo, uint64(r.Per))
	return int64(n)
}

// arrival returns when record number n arrives, counted from 1: the first instant by which there are n.
func (r Rate) arrival(n int64) clock.Time {
	hi, lo := bits.Mul64(uint64(n), uint64(r.Per))
	at, rest := bits.Div64(hi, lo, uint64(r.Records))
	if rest > 0 {
		at++
	}
	return clock.Time(at)
}

// Logs are the logs of topics, with their past. They are the truth of the cluster, which consumers see at once; of
// partitions they learn by their metadata.
type Logs struct{ topics map[string]*topic }

// topic is one topic. Its records go to its partitions in turn.
type topic struct {
	rate      Rate
	backlog   int64      // records that were there at the start, over the partitions of that time
	stretches []stretch  // in which the number of partitions was the same
	deleted   clock.Time // clock.Never while it is there
}

// stretch is a part of the time in which a topic has the same partitions.
type stretch struct {
	from       int64 // how many records had arrived before it
	partitions int64
}

// NewLogs returns the logs of no topic.
func NewLogs() *Logs { return &Logs{topics: map[string]*topic{}} }

// Create adds a topic in which backlog records are at the start of the run, in equal parts, and others arrive at
// a rate.
func (l *Logs) Create(name string, partitions int, rate Rate, backlog int64) {
	l.topics[name] = &topic{rate: rate, backlog: backlog, deleted: clock.Never, stretches: []stretch{{partitions: int64(partitions)}}}
}

// Grow gives a topic more partitions from an instant on.
func (l *Logs) Grow(name string, partitions int, at clock.Time) {
	if t := l.topics[name]; t != nil {
		t.stretches = append(t.stretches, stretch{t.rate.by(at), int64(partitions)})
	}
}

// Delete ends a topic at an instant. No records arrive in one that is created again under its name.
func (l *Logs) Delete(name string, at clock.Time) {
	if t := l.topics[name]; t != nil {
		t.deleted = min(t.deleted, at)
	}
}

// has returns the topic of that name, nil when it is not there at an instant.
func (l *Logs) has(name string, at clock.Time) *topic {
	if t := l.topics[name]; t != nil && at < t.deleted {
		return t
	}
	return nil
}

// End returns the offset behind the last record that a partition has at an instant: how many have arrived in it. Where
// there is no such partition it is 0.
func (l *Logs) End(tp wire.TopicPartition, at clock.Time) int64 {
	t := l.has(tp.Topic, at)
	if t == nil {
		return 0
	}
	end := share(t.backlog, t.stretches[0].partitions, int64(tp.Partition))
	to := t.rate.by(at)
	for i := len(t.stretches) - 1; i >= 0; i-- {
		if s := &t.stretches[i]; to > s.from {
			end += share(to-s.from, s.partitions, int64(tp.Partition))
			to = s.from
		}
	}
	return end
}

// All returns how many records all partitions of a topic together have at an instant, and how many partitions there are
// at last.
func (l *Logs) All(name string, at clock.Time) (n int64, partitions int) {
	t := l.has(name, at)
	if t == nil {
		return 0, 0
	}
	return t.backlog + t.rate.by(at), int(t.stretches[len(t.stretches)-1].partitions)
}

// share returns how many of n records partition number p gets, if they go to the partitions in turn.
func share(n, partitions, p int64) int64 {
	if p >= partitions {
		return 0
	}
	each := n / partitions
	if p < n%partitions {
		each++
	}
	return each
}

// Next returns the first instant after another one at which a record arrives in a partition, as long as the topic
// keeps its partitions; clock.Never when none does.
func (l *Logs) Next(tp wire.TopicPartition, after clock.Time) clock.Time {
	t := l.has(tp.Topic, after)
	if t == nil || t.rate.Records == 0 {
		return clock.Never
	}
	s, p := &t.stretches[len(t.stretches)-1], int64(tp.Partition)
	if p >= s.partitions {
		return clock.Never
	}
	arrived := t.rate.by(after) - s.from
	turn := arrived % s.partitions // whose turn it is next
	return t.rate.arrival(s.from + arrived + (p-turn+s.partitions)%s.partitions + 1)
}

// Period returns the time in which each partition of a topic gets exactly one record, again and again, to the
// nanosecond; ok is false where nothing arrives, or no such time is whole.
func (l *Logs) Period(name string) (period time.Duration, ok bool) {
	t := l.topics[name]
	if t == nil || t.rate.Records == 0 || t.deleted < clock.Never {
		return 0, false
	}
	hi, lo := bits.Mul64(uint64(t.stretches[len(t.stretches)-1].partitions), uint64(t.rate.Per))
	ns, rest := bits.Div64(hi, lo, uint64(t.rate.Records))
	return time.Duration(ns), rest == 0
}
