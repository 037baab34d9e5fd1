package logs

import (
	"bytes"
	"time"
)

// stamp is a time of day as a line has it, with what it says of the date and the zone.
type stamp struct {
	at, end   int // the bytes that it takes
	date      date
	day       Instant       // midnight, when date says that there is one; without its year: of 1972, which has all days
	clock     time.Duration // since midnight
	precision time.Duration
	zone      time.Duration // east of Greenwich
	zoned     bool
}

// date is what a stamp says of the day.
type date uint8

const (
	noDate date = iota
	noYear
	fullDate
)

// leapYear stands for the year that a date does not have.
const leapYear = 1972

// lastStamp finds the stamp that stands furthest to the right: the one nearest to the message that begins where b ends.
func lastStamp(b []byte) (stamp, bool) {
	clock, ok := lastClock(b)
	from := 0
	if ok {
		from = clock.end
	}
	if s, found := epochIn(b[from:], ok); found {
		s.at, s.end = s.at+from, s.end+from
		return s, true
	}
	return clock, ok
}

// lastClock finds the last time of day with a date of any kind, or with none.
func lastClock(b []byte) (stamp, bool) {
	for end := len(b); end > 0; {
		second := bytes.LastIndexByte(b[:end], ':') // the colon before the seconds
		if second < 4 {
			break
		}
		if s, ok := clockAt(b, second); ok {
			return s, true
		}
		end = second
	}
	return stamp{}, false
}

// clockAt reads the time of day whose second colon stands at i, as HH:MM:SS or H:MM:SS, and what is around it.
func clockAt(b []byte, i int) (stamp, bool) {
	if i+3 > len(b) || b[i-3] != ':' || !allDigits(b[i-2:i]) || !allDigits(b[i+1:i+3]) || i+3 < len(b) && isDigit(b[i+3]) || !isDigit(b[i-4]) {
		return stamp{}, false
	}
	at := i - 4
	if at > 0 && isDigit(b[at-1]) {
		at--
	}
	if at > 0 && (isDigit(b[at-1]) || b[at-1] == ':' && !colonAfterYear(b, at-1) || b[at-1] == '.') {
		return stamp{}, false
	}
	hour, minute, sec := valueOf(b[at:i-3]), valueOf(b[i-2:i]), valueOf(b[i+1:i+3])
	if hour > 23 || minute > 59 || sec > 60 {
		return stamp{}, false
	}
	s := stamp{at: at, end: i + 3, precision: time.Second}
	nanos := s.fraction(b)
	hour, ok := s.halfDay(b, hour)
	if !ok {
		return stamp{}, false
	}
	s.offset(b)
	s.clock = time.Duration(hour)*time.Hour + time.Duration(minute)*time.Minute + time.Duration(sec)*time.Second + nanos
	s.dateBefore(b)
	return s, true
}

// colonAfterYear: as in 03/Nov/2022:09:01:00.
func colonAfterYear(b []byte, colon int) bool { return colon >= 4 && allDigits(b[colon-4:colon]) }

// fraction reads what follows the seconds, of up to nine digits; more are passed over.
func (s *stamp) fraction(b []byte) time.Duration {
	i := s.end
	if i+1 >= len(b) || b[i] != '.' && b[i] != ',' && b[i] != ':' || !isDigit(b[i+1]) {
		return 0
	}
	nanos, unit := time.Duration(0), time.Second
	for i++; i < len(b) && isDigit(b[i]); i++ {
		if unit > 1 {
			unit /= 10
			nanos += time.Duration(b[i]-'0') * unit
		}
	}
	s.end, s.precision = i, unit
	return nanos
}

// halfDay reads AM or PM, after a blank or none; false when the hour does not go with it.
func (s *stamp) halfDay(b []byte, hour int) (int, bool) {
	i := s.end
	for i < len(b) && i < s.end+3 && (b[i] == ' ' || b[i] == 0xC2 || b[i] == 0xA0 || b[i] == 0xE2 || b[i] == 0x80 || b[i] == 0xAF) {
		i++ // newer Java puts a narrow blank before it
	}
	if i+2 > len(b) || b[i+1]|0x20 != 'm' || i+2 < len(b) && isLetter(b[i+2]) {
		return hour, true
	}
	half := b[i] | 0x20
	if half != 'a' && half != 'p' {
		return hour, true
	}
	if hour < 1 || hour > 12 {
		return 0, false
	}
	s.end = i + 2
	hour %= 12
	if half == 'p' {
		hour += 12
	}
	return hour, true
}

// offset reads a zone: Z, UTC, GMT, +02:00, +0200, or +02 where it touches the time.
func (s *stamp) offset(b []byte) {
	i := s.end
	touching := true
	if i < len(b) && b[i] == ' ' {
		touching = false
		i++
	}
	rest := b[i:]
	switch {
	case touching && len(rest) > 0 && rest[0] == 'Z' && !isLetterAt(rest, 1):
		s.zoned, s.end = true, i+1
	case (bytes.HasPrefix(rest, []byte("UTC")) || bytes.HasPrefix(rest, []byte("GMT"))) && !isLetterAt(rest, 3):
		s.zoned, s.end = true, i+3
	case len(rest) >= 3 && (rest[0] == '+' || rest[0] == '-') && allDigits(rest[1:3]):
		s.numericOffset(rest, i, touching)
	}
}

func (s *stamp) numericOffset(rest []byte, i int, touching bool) {
	minutes, size := 0, 3
	switch {
	case len(rest) >= 6 && rest[3] == ':' && allDigits(rest[4:6]):
		minutes, size = valueOf(rest[4:6]), 6
	case len(rest) >= 5 && allDigits(rest[3:5]):
		minutes, size = valueOf(rest[3:5]), 5
	case !touching:
		return
	}
	hours := valueOf(rest[1:3])
	if hours > 14 || minutes > 59 || size < len(rest) && isDigit(rest[size]) {
		return
	}
	s.zone = time.Duration(hours)*time.Hour + time.Duration(minutes)*time.Minute
	if rest[0] == '-' {
		s.zone = -s.zone
	}
	s.zoned, s.end = true, i+size
}

// epochIn finds seconds since 1970, as librdkafka has them ("%7|1610634034.520|FAC|"); at the head of a line also alone,
// with or without a fraction, or as milliseconds. With strict it must be librdkafka's.
func epochIn(b []byte, strict bool) (stamp, bool) {
	for end := len(b); ; {
		bar := bytes.LastIndexByte(b[:end], '|')
		if bar < 0 {
			break
		}
		if at := bytes.LastIndexByte(b[:bar], '|') + 1; at > 0 {
			if s, ok := epoch(b[at:bar]); ok {
				s.at, s.end = at, bar
				return s, true
			}
		}
		end = bar
	}
	if strict {
		return stamp{}, false
	}
	at := 0
	for at < len(b) && (b[at] == ' ' || b[at] == '[' || b[at] == '\t' || b[at] == '(') {
		at++
	}
	end := at
	for end < len(b) && (isDigit(b[end]) || b[end] == '.' && isDigitAt(b, end+1)) {
		end++
	}
	s, ok := epoch(b[at:end])
	s.at, s.end = at, end
	return s, ok && (end == len(b) || !isLetter(b[end]))
}

// epoch reads a number of seconds since 1970, or of milliseconds, microseconds or nanoseconds by its size; of this century
// only, so that other numbers are none.
func epoch(b []byte) (stamp, bool) {
	whole, fraction, _ := bytes.Cut(b, []byte("."))
	if !allDigits(whole) || len(fraction) > 0 && !allDigits(fraction) {
		return stamp{}, false
	}
	var unit time.Duration
	switch len(whole) {
	case 10:
		unit = time.Second
	case 13:
		unit = time.Millisecond
	case 16:
		unit = time.Microsecond
	case 19:
		unit = time.Nanosecond
	default:
		return stamp{}, false
	}
	const first, last = 946_684_800 * time.Second, 4_102_444_800 * time.Second
	if n := time.Duration(valueOf(whole)); n < first/unit || n >= last/unit {
		return stamp{}, false
	}
	s := stamp{date: fullDate, zoned: true, clock: time.Duration(valueOf(whole)) * unit, precision: unit}
	for _, d := range fraction {
		if unit /= 10; unit == 0 {
			break
		}
		s.clock += time.Duration(d-'0') * unit
		s.precision = unit
	}
	return s, true
}

func isDigit(c byte) bool  { return c-'0' < 10 }
func isLetter(c byte) bool { return c|0x20-'a' < 26 }

func isDigitAt(b []byte, i int) bool  { return i < len(b) && isDigit(b[i]) }
func isLetterAt(b []byte, i int) bool { return i < len(b) && isLetter(b[i]) }

// allDigits reports whether b is one digit or more, and nothing else.
func allDigits(b []byte) bool {
	for _, c := range b {
		if !isDigit(c) {
			return false
		}
	}
	return len(b) > 0
}

// valueOf is what digits say; of up to 19, which may be too many for an int and are then none that anybody means.
func valueOf(b []byte) int {
	n := 0
	for _, c := range b {
		n = n*10 + int(c-'0')
	}
	return n
}
