package logs

import "time"

// calendar turns the stamps of one source into instants: it gives days to times, years to days, and a zone to both.
type calendar struct {
	location *time.Location // of stamps without a zone; nil: they stay on the clock of whoever wrote them
	base     Instant        // a day on which the source begins; 0 when nobody says
	written  Instant        // when the source was written to last; 0 when nobody knows
	last     Instant        // the last stamp, before its zone is applied; NoTime
	dateless bool           // there was a stamp without a day or a year, and nobody said which

	hour   Instant       // for which offset is kept
	offset time.Duration // of location at that hour
}

func newCalendar(location *time.Location, base Instant) *calendar {
	return &calendar{location: location, base: base, last: NoTime, hour: NoTime}
}

// instant says when a stamp was. It follows those before: where a stamp has no day, the one that is within twelve hours of
// the last stamp, and where it has no year, the one next to it. So midnight and New Year are passed in both directions.
func (c *calendar) instant(s *stamp) (at Instant, zoned bool) {
	if s.date != fullDate {
		c.complete(s)
	}
	at = s.day.Add(s.clock)
	c.last = at
	return c.zone(at, s.zone, s.zoned)
}

// complete gives a stamp the day or the year that it lacks.
func (c *calendar) complete(s *stamp) {
	const day = Instant(24 * time.Hour)
	anchor := c.last
	if anchor == NoTime {
		anchor = c.base
	}
	midnight := anchor - (anchor%day+day)%day
	switch {
	case c.last != NoTime, s.date == noYear && anchor != 0:
		s.dateFrom(stamp{day: midnight, clock: anchor.Sub(midnight)})
	case s.date == noYear && c.written != 0:
		s.day, s.date = yearBefore(s.day, c.written+day), fullDate
	default:
		c.dateless = anchor == 0
		if s.date == noDate {
			s.day = midnight
		}
		s.date = fullDate
	}
}

// yearBefore puts a day without a year into the last year in which it is before another day.
func yearBefore(day, other Instant) Instant {
	d, year := time.Unix(0, int64(day)).UTC(), time.Unix(0, int64(other)).UTC().Year()
	at := time.Date(year, d.Month(), d.Day(), 0, 0, 0, 0, time.UTC)
	if Instant(at.UnixNano()) > other {
		at = time.Date(year-1, d.Month(), d.Day(), 0, 0, 0, 0, time.UTC)
	}
	return Instant(at.UnixNano())
}

// zone turns a local time into an instant.
func (c *calendar) zone(local Instant, offset time.Duration, zoned bool) (Instant, bool) {
	if zoned {
		return local.Add(-offset), true
	}
	if c.location == nil {
		return local, false
	}
	if hour := local / Instant(time.Hour); hour != c.hour {
		t := time.Unix(0, int64(local)).UTC()
		_, seconds := time.Date(t.Year(), t.Month(), t.Day(), t.Hour(), t.Minute(), 0, 0, c.location).Zone()
		c.hour, c.offset = hour, time.Duration(seconds)*time.Second
	}
	return local.Add(-c.offset), true
}
