package reports

import (
	"bytes"
	"path/filepath"
	"testing"
	"time"

	"simulate/sim/clock"
	"simulate/sim/metrics"
)

// loaded is a run whose curves say how its lag went.
func loaded() Report {
	r := stuckClosed().report()
	r.Curves[0].Lag = []metrics.Level{{At: 0, N: 0}, {At: clock.At(r.Scenario.Duration / 2), N: 500}, {At: r.At, N: 100}}
	return r
}

func TestRunPlots(t *testing.T) {
	for name, r := range map[string]Report{"loaded": loaded(), "interrupted": interrupted().report(), "no-group": noGroup().report()} {
		for _, p := range RunPlots(r) {
			var b bytes.Buffer
			if err := p.Write(&b, "svg"); err != nil {
				t.Fatal(err)
			}
			compareGolden(t, filepath.Join("testdata", name+"."+p.Name+".svg"), b.String())
		}
	}
}

// The same run gives the same picture.
func TestRunPlotsAreTheSame(t *testing.T) {
	var pictures [2]bytes.Buffer
	for i := range pictures {
		for _, p := range RunPlots(loaded()) {
			if err := p.Write(&pictures[i], "png"); err != nil {
				t.Fatal(err)
			}
		}
	}
	if !bytes.Equal(pictures[0].Bytes(), pictures[1].Bytes()) {
		t.Error("two pictures of one run differ")
	}
}

// An axis of time has marks, and room for their names, however long a run is.
func TestTimeTicks(t *testing.T) {
	for _, span := range []time.Duration{50 * time.Millisecond, 3 * time.Second, 20 * time.Minute, 24 * time.Hour, 8760 * time.Hour} {
		if n := len(timeTicks{}.Ticks(0, span.Seconds())); n < 3 || n > mostTicks+1 {
			t.Errorf("%v has %d marks", span, n)
		}
	}
}
