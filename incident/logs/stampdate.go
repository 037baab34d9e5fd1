package logs

import (
	"bytes"
	"time"
)

// token is a part of a date: digits, or a month's name.
type token struct {
	text []byte
	at   int
	sep  byte // what stands after it: before the next token or the time
}

// dateBefore reads the date that stands before the time of day, of any form that the tests name. Where day and month could
// be either, the month is first with AM and PM, as in the United States, and the day otherwise.
func (s *stamp) dateBefore(b []byte) {
	var t [3]token
	n, at := 0, s.at
	for n < 3 {
		next, ok := tokenBefore(b, at, n == 0)
		if !ok {
			break
		}
		t[n] = next
		n, at = n+1, next.at
	}
	year, month, day, used := dateOf(t[:n], b)
	if used == 0 {
		return
	}
	s.date = fullDate
	if year == 0 {
		if year = s.yearAfter(b); year == 0 {
			s.date, year = noYear, leapYear
		}
	}
	midnight := time.Date(year, time.Month(month), day, 0, 0, 0, 0, time.UTC)
	if midnight.Day() != day || s.date == fullDate && (year < 1990 || year > 2100) {
		s.date = noDate
		return
	}
	s.at, s.day = t[used-1].at, Instant(midnight.UnixNano())
}

// yearAfter reads the year of date(1) and ctime: Mon Nov  3 09:01:00 UTC 2022.
func (s *stamp) yearAfter(b []byte) int {
	if i := s.end + 1; i+4 <= len(b) && b[s.end] == ' ' && allDigits(b[i:i+4]) && !isDigitAt(b, i+4) && !isLetterAt(b, i+4) {
		if year := valueOf(b[i : i+4]); year >= 1990 && year <= 2100 {
			s.end = i + 4
			return year
		}
	}
	return 0
}

// tokenBefore reads the token that ends before at, with what separates it from there; more may stand between a date and
// the time than between the parts of a date.
func tokenBefore(b []byte, at int, first bool) (token, bool) {
	end := at
	for end > 0 && at-end < 3 && isSeparator(b[end-1], first) {
		end--
	}
	if end == at && at < len(b) && !first {
		return token{}, false
	}
	for n := end; n >= 3 && n > end-3; n-- { // 25th
		if n == end-2 && isDigit(b[n-1]) && ordinal(b[n:end]) {
			end = n
			break
		}
	}
	start := end
	for start > 0 && isDigit(b[start-1]) {
		start--
	}
	if start == end {
		for start > 0 && isLetter(b[start-1]) {
			start--
		}
	}
	if start == end {
		return token{}, false
	}
	sep := byte(0)
	if end < len(b) {
		sep = b[end]
	}
	return token{b[start:end], start, sep}, true
}

func isSeparator(c byte, beforeTime bool) bool {
	switch c {
	case ' ', ',', '-', '/', '.':
		return true
	case 'T', '_', '@', ':', '\t':
		return beforeTime
	}
	return false
}

func ordinal(b []byte) bool {
	switch string(b) {
	case "st", "nd", "rd", "th":
		return true
	}
	return false
}

// dateOf reads a date from its tokens, of which the nearest to the time is the first, and says how many it took: 0 when
// they are none. The year is 0 when there is none.
func dateOf(t []token, b []byte) (year, month, day, used int) {
	if len(t) == 0 || !allDigits(t[0].text) {
		return 0, 0, 0, 0
	}
	near := t[0].text
	switch {
	case len(near) == 8:
		return validDate(valueOf(near[:4]), valueOf(near[4:6]), valueOf(near[6:]), 1)
	case len(near) == 4 && t[0].at > 0 && bytes.IndexByte([]byte("IWEF"), b[t[0].at-1]) >= 0 && (t[0].at == 1 || !isLetter(b[t[0].at-2])):
		return validDate(0, valueOf(near[:2]), valueOf(near[2:]), 1) // glog
	case len(near) == 4 && len(t) == 3:
		return yearLast(t)
	case len(near) <= 2 && len(t) >= 2:
		return yearFirst(t)
	}
	return 0, 0, 0, 0
}

// yearLast: 03/Nov/2022, 3 Nov 2022, Nov 3, 2022, November 3rd 2022, 11/08/2024, 08.11.2024.
func yearLast(t []token) (year, month, day, used int) {
	year = valueOf(t[0].text)
	middle, far := t[1].text, t[2].text
	switch {
	case len(middle) > 2 && allDigits(far):
		return validDate(year, monthOf(middle), valueOf(far), 3)
	case len(far) > 2 && allDigits(middle):
		return validDate(year, monthOf(far), valueOf(middle), 3)
	case !allDigits(middle) || !allDigits(far):
		return 0, 0, 0, 0
	}
	month, day = valueOf(middle), valueOf(far)
	if month > 12 {
		month, day = day, month
	}
	return validDate(year, month, day, 3)
}

// yearFirst: 2022-11-03, 2022 Nov 3, 22/11/03 as Spark has it, and Nov 3 without a year as syslog has it.
func yearFirst(t []token) (year, month, day, used int) {
	day = valueOf(t[0].text)
	if !allDigits(t[1].text) {
		month = monthOf(t[1].text)
		if len(t) == 3 && len(t[2].text) == 4 && allDigits(t[2].text) {
			return validDate(valueOf(t[2].text), month, day, 3)
		}
		return validDate(0, month, day, 2)
	}
	if len(t) < 3 || len(t[1].text) > 2 || !allDigits(t[2].text) {
		return 0, 0, 0, 0
	}
	month = valueOf(t[1].text)
	switch len(t[2].text) {
	case 4:
		return validDate(valueOf(t[2].text), month, day, 3)
	case 2:
		if t[2].sep == '/' {
			return validDate(2000+valueOf(t[2].text), month, day, 3)
		}
	}
	return 0, 0, 0, 0
}

func validDate(year, month, day, used int) (int, int, int, int) {
	if month < 1 || month > 12 || day < 1 || day > 31 {
		return 0, 0, 0, 0
	}
	return year, month, day, used
}

// monthOf returns the number of a month by its English name or the first three letters of it, 0 when it is none.
func monthOf(b []byte) int {
	for month := time.January; month <= time.December; month++ {
		name := month.String()
		if len(b) >= 3 && len(b) <= len(name) && bytes.EqualFold(b, []byte(name[:len(b)])) {
			return int(month)
		}
	}
	return 0
}
