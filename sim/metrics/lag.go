package metrics

import (
	"cmp"
	"slices"

	"simulate/sim/clock"
	"simulate/sim/records"
	"simulate/sim/trace"
	"simulate/sim/wire"
)

// Records is what became of the records of a group's topics.
type Records struct {
	Lag          int64      // that have arrived and are not committed, at the end
	MaxLag       int64      // the greatest lag, the first of equals
	MaxAt        clock.Time // when it was that
	Redelivered  int        // that an application got although one of the group had got them before
	Redeliveries []Redelivery
}

// Redelivery is a batch with records that an application of the group had got before.
type Redelivery struct {
	At      clock.Time
	Who     string
	Records int // so many
}

func (r *Records) value(name string) Value {
	n := r.Lag
	switch name {
	case "max_lag":
		n = r.MaxLag
	case "redelivered":
		n = int64(r.Redelivered)
	}
	return Value{Type: CountType, Count: n}
}

// readings is from where a group's lag counts, in each partition, over the course of time.
type readings struct {
	from    map[wire.TopicPartition]int64 // now; for look-up only
	changes []reading
}

// reading says that the lag counts from another place from an instant on.
type reading struct {
	at   clock.Time
	sum  int64               // of what it counts from in all partitions by then
	tp   wire.TopicPartition // whose lag counts from then on, or no longer
	join int8                // 1: it does from then on; -1: it does no longer; 0: nothing changed but sum
}

// committed takes in a commit.
func (r *readings) committed(e trace.Event) {
	for i, tp := range e.Partitions {
		if i < len(e.Offsets) {
			r.set(e.At, tp, e.Offsets[i])
		}
	}
}

// began takes in where a member begins to read, which counts while nothing is committed.
func (r *readings) began(e trace.Event) {
	for i, tp := range e.Partitions {
		if _, known := r.from[tp]; !known && i < len(e.Offsets) {
			r.set(e.At, tp, e.Offsets[i])
		}
	}
}

// set lets the lag of a partition count from an offset on; from -1, not at all.
func (r *readings) set(at clock.Time, tp wire.TopicPartition, offset int64) {
	if r.from == nil {
		r.from = map[wire.TopicPartition]int64{}
	}
	before, known := r.from[tp]
	now := reading{at: at}
	if n := len(r.changes); n > 0 {
		now.sum = r.changes[n-1].sum
	}
	switch {
	case offset < 0 && !known:
		return
	case offset < 0:
		delete(r.from, tp)
		now.sum, now.tp, now.join = now.sum-before, tp, -1
	case !known:
		now.sum, now.tp, now.join = now.sum+offset, tp, 1
	default:
		now.sum += offset - before
	}
	if offset >= 0 {
		r.from[tp] = offset
	}
	if n := len(r.changes); n > 0 && now.join == 0 && r.changes[n-1].at == at {
		r.changes[n-1].sum = now.sum
		return
	}
	r.changes = append(r.changes, now)
}

// forget lets a topic that is gone count no longer.
func (r *readings) forget(topic string, at clock.Time) {
	var gone []wire.TopicPartition
	for tp := range r.from {
		if tp.Topic == topic {
			gone = append(gone, tp)
		}
	}
	slices.SortFunc(gone, func(a, b wire.TopicPartition) int { return cmp.Compare(a.Partition, b.Partition) })
	for _, tp := range gone {
		r.set(at, tp, -1)
	}
}

// logsOf returns what topics hold, nil where the topics of a group never hold anything.
func (f *Fold) logsOf(group string) *records.Logs {
	for topic := range f.options.partitions(group) {
		if _, ok := f.options.Loads[topic]; ok {
			return f.logs
		}
	}
	return nil
}

// logsChanged lets a change of a topic begin to count for what it holds.
func (f *Fold) logsChanged(topic string, e trace.Event) {
	switch {
	case f.logs == nil:
	case e.Members > 0:
		f.logs.Grow(topic, int(e.Members), e.At)
	default:
		f.logs.Delete(topic, e.At)
		for _, h := range f.groups {
			h.read.forget(topic, e.At)
		}
	}
}

// lagWalk goes through the readings of a group in order of time. Between two of them the lag never falls.
type lagWalk struct {
	logs *records.Logs
	of   map[string]*[]int32 // the partitions whose lag counts, by topic
	sum  int64
}

func (w *lagWalk) pass(r *reading) {
	w.sum = r.sum
	if r.join == 0 {
		return
	}
	list := w.of[r.tp.Topic]
	if list == nil {
		list = &[]int32{}
		w.of[r.tp.Topic] = list
	}
	if i, found := slices.BinarySearch(*list, r.tp.Partition); found {
		*list = slices.Delete(*list, i, i+1)
	} else {
		*list = slices.Insert(*list, i, r.tp.Partition)
	}
}

// lag returns the lag at an instant before the next reading.
func (w *lagWalk) lag(at clock.Time) int64 {
	n := -w.sum
	for topic, list := range w.of {
		all, partitions := w.logs.All(topic, at)
		if partitions == len(*list) {
			n += all
			continue
		}
		for _, p := range *list {
			n += w.logs.End(wire.TopicPartition{Topic: topic, Partition: p}, at)
		}
	}
	return max(0, n)
}

// eachLag calls visit for the greatest lag of each time between two readings in a period, with the part of the period
// that it is the last instant of.
func (h *history) eachLag(p period, visit func(w *lagWalk, since, until clock.Time)) {
	w := &lagWalk{logs: h.logs, of: map[string]*[]int32{}}
	since := p.from
	for i := range h.read.changes {
		r := &h.read.changes[i]
		if r.at >= p.before {
			break
		}
		if r.at > p.from {
			visit(w, since, r.at)
			since = r.at
		}
		w.pass(r)
	}
	visit(w, since, p.to)
}

// records sums up a period; nil when the group's topics never hold any records.
func (h *history) records(p period) *Records {
	if h.logs == nil {
		return nil
	}
	r := &Records{Redeliveries: within(h.redelivered, p, func(r Redelivery) clock.Time { return r.At })}
	for _, again := range r.Redeliveries {
		r.Redelivered += again.Records
	}
	h.eachLag(p, func(w *lagWalk, _, until clock.Time) {
		r.Lag = w.lag(until)
		if r.Lag > r.MaxLag {
			r.MaxLag, r.MaxAt = r.Lag, until
		}
	})
	return r
}

// momentsOfMaxLag finds when the lag was greatest, and when it became greater than it may be for the first time.
func (h *history) momentsOfMaxLag(q asked) []Moment {
	r := h.records(q.period)
	if r == nil || len(h.read.changes) == 0 {
		return nil
	}
	m := Moment{Kind: LagGrew, At: clock.Never, Until: r.MaxAt, Records: r.MaxLag}
	h.eachLag(q.period, func(w *lagWalk, since, until clock.Time) {
		if m.At == clock.Never && w.lag(until) > int64(q.Most) {
			m.At = passed(w, since, until, q.Most)
		}
	})
	m.At = min(m.At, m.Until)
	return []Moment{m}
}

// momentsOfLag finds since when the lag is greater than it may be; the end when it is not.
func (h *history) momentsOfLag(q asked) []Moment {
	if h.logs == nil || len(h.read.changes) == 0 {
		return nil
	}
	m := Moment{Kind: LagGrew, At: q.to, Until: q.to}
	over := false
	h.eachLag(q.period, func(w *lagWalk, since, until clock.Time) {
		before := over && w.lag(since) > int64(q.Most)
		m.Records = w.lag(until)
		over = m.Records > int64(q.Most)
		switch {
		case !over:
			m.At = q.to
		case !before:
			m.At = passed(w, since, until, q.Most)
		}
	})
	return []Moment{m}
}

// passed returns when the lag becomes greater than it may be, in a time at whose end it is.
func passed(w *lagWalk, since, until clock.Time, most int) clock.Time {
	for since < until { // sort.Search takes an int, which on some machines has no room for nanoseconds
		if middle := since + (until-since)/2; w.lag(middle) > int64(most) {
			until = middle
		} else {
			since = middle + 1
		}
	}
	return since
}

func (h *history) momentsOfRedelivery(q asked) []Moment {
	some := within(h.redelivered, q.period, func(r Redelivery) clock.Time { return r.At })
	total := 0
	all := numbered(some, func(r *Redelivery) Moment {
		return Moment{Kind: Redelivered, At: r.At, Who: r.Who, Records: int64(r.Records)}
	})
	for i := range all { // records are counted, not batches
		total += int(all[i].Records)
		all[i].Nth = total
	}
	return all
}

// circles finds rounds in which members leave because max.poll.interval.ms ran out, each with a lag that is no smaller
// than in the one before. A round is over when a process leaves for the second time.
func (h *history) circles(p period, n int) []Anomaly {
	if h.logs == nil {
		return nil
	}
	var list []Anomaly
	circle := Anomaly{Kind: ViciousCircle}
	end := func() {
		if circle.Count >= n {
			list = append(list, circle)
		}
	}
	var before int64
	round := map[string]bool{}
	some := slices.DeleteFunc(within(h.leaves, p, func(l Leave) clock.Time { return l.At }), func(l Leave) bool { return !l.PollTimeout })
	for i, lag := range h.lagsAt(some) {
		l := &some[i]
		switch {
		case circle.Count == 0 || lag < before:
			end()
			circle = Anomaly{Kind: ViciousCircle, Since: l.At, Count: 1}
			clear(round)
		case round[l.Who]:
			circle.Count++
			clear(round)
		}
		circle.Until, before, round[l.Who] = l.At, lag, true
	}
	end()
	return list
}

// lagsAt returns the lag at the instant of each leave.
func (h *history) lagsAt(leaves []Leave) []int64 {
	var all []int64
	last := clock.Time(0)
	if n := len(leaves); n > 0 {
		last = leaves[n-1].At
	}
	h.eachLag(period{to: last, before: last + 1}, func(w *lagWalk, since, until clock.Time) {
		for len(all) < len(leaves) && leaves[len(all)].At <= until {
			all = append(all, w.lag(leaves[len(all)].At))
		}
	})
	return all
}
