package trace

import (
	"io"
	"testing"
)

// TestIgnoresRoutine: events are left out only where nobody wants them.
func TestIgnoresRoutine(t *testing.T) {
	everything := NewWriter(io.Discard, Header{})
	brief := NewWriter(io.Discard, Header{})
	brief.OmitRoutine = true
	for _, test := range []struct {
		name string
		sink Sink
		want bool
	}{
		{"digest and memory", Tee{NewDigest(), &Memory{}, Discard}, true},
		{"a file without routine", Tee{NewDigest(), brief}, true},
		{"a file with everything", Tee{NewDigest(), everything}, false},
		{"one that does not say", Tee{NewDigest(), struct{ Sink }{Discard}}, false},
	} {
		if got := IgnoresRoutine(test.sink); got != test.want {
			t.Errorf("%s: got %v, want %v", test.name, got, test.want)
		}
	}
}
