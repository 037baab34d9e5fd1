package logs

import "time"

// beside is what a source shows besides its events: of the stamps of all of its records, and of those around them.
type beside struct {
	before Instant // the stamp of the record before, without its zone; NoTime when it has none with a day
	zones  bool    // it was looked whether the outer stamps are of another zone
	alone  stamp   // of the record before, when that is nothing else: the line that Kibana puts before each
	has    bool
}

// farOff is by how much stamps of neighbouring records may be out of order to be those of threads that log side by side.
const farOff = time.Second

// passed takes the stamp of the next record.
func (b *beside) passed(at Instant, source *Source) {
	if back := b.before.Sub(at); at < b.before && b.before != NoTime && at != NoTime && back <= farOff && !source.Reversed {
		source.Jitter = max(source.Jitter, back)
	}
	b.before = at
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
func (b *beside) after(r *record) {
	if b.has = !b.zones && len(r.text) <= headSize/2 && r.inner && r.onlyStamp(); b.has {
		b.alone = r.near
	}
}

// stamps takes the stamp of a record that says something: how fine it is, and once, whether one farther outside has another
// zone.
func (b *beside) stamps(r *record, s *stamp, source *Source) {
	source.Seconds = source.Seconds || s.precision >= time.Second
	if b.zones {
		return
	}
	outer, ok := r.outside(s)
	if !ok {
		outer, ok = b.alone, b.has
	}
	if !ok {
		return
	}
	b.zones = true
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
