package logs

import "time"

// stampNotes is what the stamps of a source show besides when something was logged: their order, how fine they are, and whether
// others stand around them.
type stampNotes struct {
	before   Instant // the stamp of the record before, without its zone; NoTime when it has none with a day
	compared bool    // it was looked whether the outer stamps are of another zone
	alone    stamp   // of the record before, when that is nothing else: the line that Kibana puts before each
	hasAlone bool
}

// farOff is by how much stamps of neighbouring records may be out of order to be those of threads that log side by side.
const farOff = time.Second

// passed takes the stamp of the next record.
func (n *stampNotes) passed(at Instant, source *Source) {
	if back := n.before.Sub(at); at < n.before && n.before != NoTime && at != NoTime && back <= farOff && !source.Reversed {
		source.Jitter = max(source.Jitter, back)
	}
	n.before = at
}

// stamped returns when a record was written on the clock of its writer; NoTime when it has no stamp with a day.
func (r *record) stamped() Instant {
	s := r.near
	if !r.inner && r.hasOwn {
		s = r.own
	}
	if s.date != fullDate {
		return NoTime
	}
	return s.day.Add(s.clock - s.zone)
}

// after takes a record that was read.
func (n *stampNotes) after(r *record) {
	if n.hasAlone = !n.compared && len(r.text) <= headSize/2 && r.inner && r.onlyStamp(); n.hasAlone {
		n.alone = r.near
	}
}

// said takes the stamp of a record that says something: how fine it is, and once, whether one farther outside has another zone.
func (n *stampNotes) said(r *record, s *stamp, source *Source) {
	source.Seconds = source.Seconds || s.precision >= time.Second
	if n.compared {
		return
	}
	outer, ok := r.outside(s)
	if !ok {
		outer, ok = n.alone, n.hasAlone
	}
	if !ok {
		return
	}
	n.compared = true
	// Zones differ by quarters of an hour, and one of the two stamps may be of the next day; a rest of more than a minute is
	// how late it was shipped.
	const day, quarter, apart = 24 * time.Hour, 15 * time.Minute, time.Minute
	ahead := outer.clock - s.clock
	if outer.zoned && s.zoned {
		ahead -= outer.zone - s.zone
	}
	ahead = ((ahead+day/2)%day+day)%day - day/2
	if zone := ahead.Round(quarter); (ahead - zone).Abs() <= apart {
		source.Outside = zone
	}
}

// outside returns the stamp that is the next one outside of that of a record.
func (r *record) outside(s *stamp) (stamp, bool) {
	if r.inner {
		if r.hasOwn {
			return r.own, true
		}
		if outer, ok := lastStamp(r.text[:min(s.at, len(r.text))]); ok {
			return outer, true
		}
	}
	return lastStamp(r.head)
}
