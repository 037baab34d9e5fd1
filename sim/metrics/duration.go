package metrics

import (
	"strconv"
	"strings"
	"time"
)

// Duration writes d exactly and shortly: "0s", "850ms", "1.5ms", "41.25s", "1m02.5s", "5m", "2h", "1h00m05s".
// Parts after the first have two digits, so that instants line up; parts at the end that are zero go.
func Duration(d time.Duration) string {
	switch {
	case d < 0:
		return "-" + Duration(-d)
	case d == 0:
		return "0s"
	case d < time.Millisecond:
		return decimal(d, time.Microsecond) + "µs"
	case d < time.Second:
		return decimal(d, time.Millisecond) + "ms"
	case d < time.Minute:
		return decimal(d, time.Second) + "s"
	}
	hours, minutes, rest := d/time.Hour, d%time.Hour/time.Minute, d%time.Minute
	var b strings.Builder
	if hours > 0 {
		b.WriteString(strconv.FormatInt(int64(hours), 10) + "h")
	}
	if minutes > 0 || hours > 0 && rest > 0 {
		b.WriteString(padded(strconv.FormatInt(int64(minutes), 10), hours > 0) + "m")
	}
	if rest > 0 {
		b.WriteString(padded(decimal(rest, time.Second), true) + "s")
	}
	return b.String()
}

// Brief writes d for people: cut to the millisecond, and "<1ms" for less than one.
func Brief(d time.Duration) string {
	if 0 < d && d < time.Millisecond {
		return "<1ms"
	}
	return Duration(d.Truncate(time.Millisecond))
}

// decimal writes d in the unit without trailing zeros.
func decimal(d, unit time.Duration) string {
	whole, part := d/unit, d%unit
	s := strconv.FormatInt(int64(whole), 10)
	if part == 0 {
		return s
	}
	digits := strconv.FormatInt(int64(unit+part), 10)[1:]
	return s + "." + strings.TrimRight(digits, "0")
}

// padded gives a number two digits before the point.
func padded(s string, pad bool) string {
	if pad && (len(s) == 1 || s[1] == '.') {
		return "0" + s
	}
	return s
}

// Plural writes "1 rebalance", "2 rebalances".
func Plural(n int, noun string) string {
	if n != 1 {
		noun += "s"
	}
	return strconv.Itoa(n) + " " + noun
}

// Times writes "once", "twice", "3 times".
func Times(n int) string {
	switch n {
	case 1:
		return "once"
	case 2:
		return "twice"
	}
	return Plural(n, "time")
}
