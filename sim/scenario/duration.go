package scenario

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"time"
)

// longest bounds every duration and instant, so that sums of them cannot overflow.
const longest = 10 * 365 * 24 * time.Hour

// durationForm is how a duration is written: days, and then what time.ParseDuration takes.
var (
	daysForm     = `[0-9]+(\.[0-9]*)?d`
	clockForm    = `([0-9]+\.?[0-9]*|\.[0-9]+)(h|ms|m|s|us|µs|μs|ns)`
	durationForm = regexp.MustCompile("^(" + daysForm + "(" + clockForm + ")*|(" + clockForm + ")+)$")
)

// parseDuration reads a duration such as "1h30m", "500us" or "2d". It is not negative, whole microseconds,
// and at most ten years.
func parseDuration(text string) (time.Duration, error) {
	if text != "" && strings.Trim(text, "0123456789.") == "" {
		return 0, noUnit(strconv.Quote(text), text)
	}
	d, err := durationOf(text)
	switch {
	case err != nil || d >= 0 && !durationForm.MatchString(text):
		return 0, fmt.Errorf(`%s is not a duration; write one such as "30s" or "1h30m"`, quote(text))
	case d < 0:
		return 0, fmt.Errorf("%s is negative", quote(text))
	case d > longest:
		return 0, fmt.Errorf("%s is longer than ten years", quote(text))
	case d%time.Microsecond != 0:
		return 0, fmt.Errorf("%s is finer than a microsecond", quote(text))
	}
	return d, nil
}

func noUnit(shown, number string) error {
	return fmt.Errorf(`%s has no unit; write "%ss" or "%sms"`, shown, number, number)
}

// durationOf is time.ParseDuration with days in front.
func durationOf(text string) (time.Duration, error) {
	days, rest, found := strings.Cut(text, "d")
	if !found {
		return time.ParseDuration(text)
	}
	n, err := strconv.ParseFloat(days, 64)
	switch {
	case err != nil:
		return 0, err
	case n < 0:
		return -1, nil
	case n > longest.Hours()/24:
		return longest + 1, nil
	}
	d := time.Duration(n * 24 * float64(time.Hour))
	if rest == "" {
		return d, nil
	}
	more, err := time.ParseDuration(rest)
	return d + more, err
}

// ParseDuration reads a duration as scenarios write them, such as "1h30m" or "500us".
func ParseDuration(text string) (time.Duration, error) { return parseDuration(text) }
