package advice_test

import (
	"bytes"
	"encoding/json"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"simulate/reports"
	"simulate/sim/metrics"
)

func isStuck(g metrics.Group) bool { return len(g.Stuck) > 0 }

// printed is what the JSON report of a run says, as far as advice is about it.
type printed struct {
	DurationMs   float64 `json:"duration_ms"`
	StuckAfterMs float64 `json:"stuck_after_ms"`
	Groups       []group `json:"groups"`
}

type group struct {
	Group         string       `json:"group"`
	Rebalances    int          `json:"rebalances"`
	Transitions   []transition `json:"transitions"`
	RebalanceList []struct {
		Stopped []struct {
			ForMs float64 `json:"for_ms"`
		} `json:"stopped"`
	} `json:"rebalance_list"`
	Evictions         []json.RawMessage `json:"evictions"`
	LeavesPollTimeout int               `json:"leaves_poll_timeout"`
	Fenced            int               `json:"fenced"`
	Failures          []json.RawMessage `json:"failures"`
	UnassignedMs      float64           `json:"unassigned_partition_ms"`
	Stuck             []stay            `json:"stuck"`
}

type transition struct {
	AtMs float64 `json:"at_ms"`
	To   string  `json:"to"`
}

type stay struct {
	State   string  `json:"state"`
	SinceMs float64 `json:"since_ms"`
	UntilMs float64 `json:"until_ms"`
	Advice  []trial `json:"advice"`
}

type trial struct {
	Change   string  `json:"change"`
	Kind     string  `json:"kind"`
	Holds    bool    `json:"holds"`
	Sentence *string `json:"sentence"`
	measured
	Now measured `json:"now"`
}

type measured struct {
	StayMs        float64 `json:"stay_ms"`
	OtherMs       float64 `json:"longest_other_ms"`
	Stuck         int     `json:"stuck"`
	Removed       int     `json:"removed"`
	Left          int     `json:"left"`
	OthersRemoved int     `json:"others_removed"`
	Rebalances    int     `json:"rebalances"`
	LongestStopMs float64 `json:"longest_stop_ms"`
	UnassignedMs  float64 `json:"unassigned_partition_ms"`
	Failures      int     `json:"failures"`
}

func decoded(t *testing.T, r reports.Report) printed {
	t.Helper()
	var b bytes.Buffer
	if err := reports.JSON(&b, r); err != nil {
		t.Fatal(err)
	}
	var p printed
	if err := json.Unmarshal(b.Bytes(), &p); err != nil {
		t.Fatal(err)
	}
	return p
}

// TestAdviceIsTrue runs every change that is printed once more, on its own, and compares each number with what the
// JSON report of that run has; and the numbers in each sentence with those.
func TestAdviceIsTrue(t *testing.T) {
	trials := 0
	for _, name := range stuckScenarios(t) {
		read := reader(t, name)
		r := advised(t, read)
		now := decoded(t, r)
		_, scenario := ran(t, read)
		for i, g := range now.Groups {
			for _, s := range g.Stuck {
				event := 0.0
				for _, e := range scenario.Events {
					if at := e.At.Seconds() * 1000; at <= s.SinceMs {
						event = max(event, at)
					}
				}
				for _, tried := range s.Advice {
					trials++
					again, _ := ran(t, read, tried.Change)
					then := decoded(t, again)
					compare(t, name+" with "+tried.Change, tried.measured, remeasured(then, i, s, event, g.Transitions))
					compare(t, name+" now", tried.Now, remeasured(now, i, s, event, g.Transitions))
					compareClaim(t, name+" with "+tried.Change, now.StuckAfterMs, &tried)
				}
			}
		}
	}
	if trials < 40 {
		t.Errorf("only %d trials", trials)
	}
}

// remeasured is what a report says of a group; those that were removed are all others.
func remeasured(p printed, group int, about stay, event float64, before []transition) measured {
	g := p.Groups[group]
	m := measured{
		Stuck: len(g.Stuck), Rebalances: g.Rebalances, UnassignedMs: g.UnassignedMs, Failures: len(g.Failures),
		OthersRemoved: len(g.Evictions) + g.LeavesPollTimeout + g.Fenced,
	}
	for _, r := range g.RebalanceList {
		for _, stop := range r.Stopped {
			m.LongestStopMs = max(m.LongestStopMs, stop.ForMs)
		}
	}
	var during, earlier, others []float64
	for i, to := range g.Transitions {
		until := p.DurationMs
		if i+1 < len(g.Transitions) {
			until = g.Transitions[i+1].AtMs
		}
		length := until - to.AtMs
		switch {
		case !strings.HasSuffix(to.To, "ingRebalance"):
		case to.To == about.State && until > about.SinceMs && to.AtMs < about.UntilMs:
			during = append(during, length)
		case to.To == about.State && to.AtMs < about.UntilMs && to.AtMs >= event && !slices.Contains(before, to):
			earlier = append(earlier, length)
		default:
			others = append(others, length)
		}
	}
	slices.Sort(during)
	if len(during) == 0 {
		during, earlier = earlier, nil
	}
	if n := len(during); n > 0 {
		m.StayMs = during[n-1]
		others = append(others, during[:n-1]...)
	}
	if others = append(others, earlier...); len(others) > 0 {
		m.OtherMs = slices.Max(others)
	}
	return m
}

func compare(t *testing.T, name string, got, want measured) {
	t.Helper()
	got.OthersRemoved, got.Removed, got.Left = got.OthersRemoved+got.Removed, 0, 0
	for _, ms := range []*float64{&got.StayMs, &want.StayMs, &got.OtherMs, &want.OtherMs} {
		*ms = float64(int64(*ms*1000+0.5)) / 1000 // differences of floats
	}
	if got != want {
		t.Errorf("%s:\ngot  %+v\nwant %+v", name, got, want)
	}
}

var numbers = regexp.MustCompile(`<?\d[\dhmsµ.]*|once|twice`)

// compareClaim holds that a sentence claims what was measured, and names no number that was not.
func compareClaim(t *testing.T, name string, stuckAfter float64, tried *trial) {
	t.Helper()
	if (tried.Sentence != nil) != tried.Holds {
		t.Errorf("%s: holds is %t, and there is the sentence %v", name, tried.Holds, tried.Sentence)
	}
	if !tried.Holds {
		return
	}
	switch {
	case tried.Kind == "ends-wait" && (tried.StayMs > stuckAfter || tried.Stuck >= tried.Now.Stuck):
		t.Errorf("%s: a stay of %v ms and %d stuck ones are no end of the wait", name, tried.StayMs, tried.Stuck)
	case tried.Kind == "spares-member" && tried.Removed >= tried.Now.Removed:
		t.Errorf("%s: a member that is removed %d times, not %d, is not spared", name, tried.Removed, tried.Now.Removed)
	}
	known := []string{}
	for _, m := range []measured{tried.measured, tried.Now} {
		for _, n := range []int{m.Stuck, m.Removed, m.OthersRemoved, m.Rebalances} {
			known = append(known, map[int]string{1: "once", 2: "twice"}[n], strconv.Itoa(n))
		}
		for _, ms := range []float64{m.StayMs, m.OtherMs, m.LongestStopMs, m.UnassignedMs} {
			known = append(known, metrics.Brief(time.Duration(ms*1e6+0.5)))
		}
	}
	_, claim, _ := strings.Cut(*tried.Sentence, " would ")
	for _, n := range numbers.FindAllString(regexp.MustCompile(`\S*-\d+\b`).ReplaceAllString(claim, "NAME"), -1) {
		if !slices.Contains(known, n) {
			t.Errorf("%s: nothing measured is %s in %q", name, n, claim)
		}
	}
}
