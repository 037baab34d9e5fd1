package reports

import (
	"bytes"
	"slices"
	"strings"
	"testing"
	"time"

	"simulate/sim/clock"
	"simulate/sim/metrics"
	"simulate/sim/trace"
)

// Stays are alike when the state, the holders, what they did and the end are; not when one of them differs.
func TestStory(t *testing.T) {
	a := held(trace.CauseFrozen)
	b := held(trace.CauseFrozen)
	b.Generation, b.Since, b.Until = 9, clock.At(5*time.Minute), clock.At(9*time.Minute)
	b.Blocked[0].At, b.Blocked[0].Chain[0].Member = clock.At(6*time.Minute), "another-id"
	if story(&a) != story(&b) {
		t.Errorf("not alike:\n%s\n%s", story(&a), story(&b))
	}
	for name, change := range map[string]func(*metrics.Stuck){
		"state":   func(s *metrics.Stuck) { s.State++ },
		"open":    func(s *metrics.Stuck) { s.Open = true },
		"holder":  func(s *metrics.Stuck) { s.Blocked[0].Chain[0].Who = "orders-4" },
		"cause":   func(s *metrics.Stuck) { s.Blocked[0].Chain[0].Because = trace.CauseDead },
		"holders": func(s *metrics.Stuck) { s.Blocked = append(s.Blocked, s.Blocked[0]) },
		"end":     func(s *metrics.Stuck) { s.Freed.Reason = trace.SessionExpired },
		"by whom": func(s *metrics.Stuck) { s.Freed.Who = "orders-4" },
	} {
		c := held(trace.CauseFrozen)
		change(&c)
		if story(&a) == story(&c) {
			t.Errorf("alike in spite of another %s", name)
		}
	}
}

// A report of every line tells each stay in full.
func TestAllTellsEachStay(t *testing.T) {
	for _, all := range []bool{false, true} {
		var b bytes.Buffer
		if err := Text(&b, crashLoop().report(), TextOptions{All: all}); err != nil {
			t.Fatal(err)
		}
		want := 1
		if all {
			want = 3
		}
		if got := strings.Count(b.String(), "orders was in PreparingRebalance for 33s"); got != want {
			t.Errorf("all %v: %d stays in full, want %d", all, got, want)
		}
	}
}

func TestAlikeWords(t *testing.T) {
	var stays []*metrics.Stuck
	for i := range 12 {
		s := held(trace.CauseFrozen)
		s.Since = s.Since.Add(time.Duration(i) * 50 * time.Millisecond)
		stays = append(stays, &s)
	}
	for n, want := range map[int]string{
		1: "1 more stay like it, 2m, which began at 1m",
		2: "2 more stays like it, each 1m59.95s to 2m, which began at 1m and 1m00.05s",
		12: "12 more stays like it, each 1m59.45s to 2m, which began at 1m, 1m00.05s, 1m00.1s, 1m00.15s, " +
			"1m00.2s, 1m00.25s, 1m00.3s, 1m00.35s and 4 others",
	} {
		if got := alikeWords(stays[:n]); got != want {
			t.Errorf("got  %s\nwant %s", got, want)
		}
	}
}

// Four rebalances in a row that say the same are told once; fewer, and those that a report of every line has, are not.
func TestAlikeRebalances(t *testing.T) {
	var list []metrics.Rebalance
	for i, who := range []string{"a-1", "a-2", "a-2", "a-2", "a-3", "a-3", "a-3", "a-3", "a-3"} {
		list = append(list, metrics.Rebalance{
			At: clock.At(time.Duration(i) * time.Minute), Until: clock.At(time.Duration(i)*time.Minute + time.Duration(i)*time.Second),
			Reason: trace.MemberRejoined, Who: who, Ended: metrics.Completed,
		})
	}
	for all, want := range map[bool][]int{false: {1, 1, 1, 1, 5}, true: {1, 1, 1, 1, 1, 1, 1, 1, 1}} {
		text := groupText{group: &metrics.Group{Rebalances: list}, all: all}
		var got []int
		for _, row := range text.alikeRebalances() {
			got = append(got, len(row))
		}
		if !slices.Equal(got, want) {
			t.Errorf("all %v: got rows of %v, want %v", all, got, want)
		}
	}
	if got, want := moreWords(list[5:]), "... 4 more like it, each 5s to 8s, the last at 8m ..."; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

func TestFollowUpWords(t *testing.T) {
	follow := metrics.Rebalance{ClientReason: "need to revoke partitions and re-join"}
	for n, want := range []string{
		"", "; 1 is a follow-up in which cooperative members hand over partitions",
		"; 2 are follow-ups in which cooperative members hand over partitions",
	} {
		list := append([]metrics.Rebalance{{ClientReason: "rebalance enforced by user"}}, slices.Repeat([]metrics.Rebalance{follow}, n)...)
		if got := followUpWords(list); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}
