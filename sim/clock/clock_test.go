package clock

import (
	"testing"
	"time"
)

func TestTime(t *testing.T) {
	for _, test := range []struct {
		name      string
		got, want any
	}{
		{"Add", At(time.Second).Add(time.Millisecond), Time(1_001_000_000)},
		{"Add a negative duration", At(time.Second).Add(-time.Second), Time(0)},
		{"Add to Never", Never.Add(-time.Hour), Never},
		{"Add beyond Never", (Never - 1).Add(time.Hour), Never},
		{"Add up to Never", (Never - 1).Add(1), Never},
		{"Sub", At(3 * time.Second).Sub(At(time.Second)), 2 * time.Second},
		{"SinceStart", At(time.Minute).SinceStart(), time.Minute},
		{"Millis are cut", At(1999 * time.Microsecond).Millis(), int64(1)},
		{"String", At(61200 * time.Millisecond).String(), "61.200s"},
		{"String of Never", Never.String(), "never"},
	} {
		if test.got != test.want {
			t.Errorf("%s: got %v, want %v", test.name, test.got, test.want)
		}
	}
}
