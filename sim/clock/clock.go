// Package clock holds virtual time: instants of a run and the queue of its future events.
//
// Modelled: one clock for the whole run, in nanoseconds since its start, that moves only when the next
// event is taken from the queue. Not modelled: clock skew between machines, leap seconds, a coarse
// system timer. Kafka's coordinator counts in milliseconds; values that it stores or sends are cut to
// milliseconds where it does so, and nowhere else.
//
//	var q clock.Queue[string]
//	q.Schedule(clock.Time(3*time.Second), "join timer")
//	at, event, ok := q.Next(clock.Never)
package clock

import (
	"fmt"
	"math"
	"time"
)

// Time is an instant: nanoseconds since the start of the run, never negative.
type Time int64

// Never is later than every instant of a run.
const Never Time = math.MaxInt64

// At returns the instant d after the start of the run.
func At(d time.Duration) Time { return Time(d) }

// Add returns t+d; Never stays Never, and a sum beyond it is Never.
func (t Time) Add(d time.Duration) Time {
	if t == Never || (d > 0 && Time(d) > Never-t) {
		return Never
	}
	return t + Time(d)
}

// Sub returns the duration t-u.
func (t Time) Sub(u Time) time.Duration { return time.Duration(t - u) }

// SinceStart returns the time from the start of the run to t.
func (t Time) SinceStart() time.Duration { return time.Duration(t) }

// Millis returns t in whole milliseconds, cut as Kafka's clock cuts.
func (t Time) Millis() int64 { return int64(t) / int64(time.Millisecond) }

// String prints seconds with three decimals ("61.200s"), so that instants line up in transcripts.
func (t Time) String() string {
	if t == Never {
		return "never"
	}
	return fmt.Sprintf("%.3fs", time.Duration(t).Seconds())
}
