package reports

import (
	"bytes"
	"io"
	"strings"
	"testing"
	"time"
	"unicode/utf8"
)

// reproductions has a scenario that repeats its log, and one of a hostile name that does not.
func reproductions() map[string]Reproduction {
	return map[string]Reproduction{
		"reproduction": {
			Group: "orders", From: "2026-03-04 09:15:00.120", To: "2026-03-04 09:18:12.496", Scenario: "incident.toml", Runs: 5, Ended: SearchRight,
			Rebalances: Repeated{4, 4, 4}, Stays: Repeated{11, 11, 11}, Within: time.Second, Furthest: 36 * time.Millisecond, Members: 3,
			Settings: []Inferred{
				{"orders", "client", "java", "derived", "it says why it joins or leaves as Java consumers since 3.2 do"},
				{"", "group.initial.rebalance.delay.ms", "3000", "assumed", "the default"},
			},
			Doubts: []string{"who was late where all waited"},
		},
		"reproduction-partly": reproductionOf("orders"),
		"reproduction-none": {
			Group: "orders", From: "2026-03-04 09:15:00.120", To: "2026-03-04 09:15:00.120", ClientView: true, Runs: 44, Ended: SearchSettled,
			Rebalances: Repeated{Logged: 1}, Within: time.Second, Members: 1, Remaining: []Remaining{{Logged: "a rebalance"}},
		},
	}
}

func reproductionOf(group string) Reproduction {
	r := Reproduction{
		Group: group, From: "2026-03-04 09:15:00.120", To: "2026-03-04 09:18:12.496", ClientView: true, Runs: 300, Ended: SearchSpent,
		Rebalances: Repeated{4, 3, 2}, Stays: Repeated{11, 9, 7}, Within: time.Second, Furthest: 12 * time.Second, Members: 1,
		Settings: []Inferred{{group, "session.timeout.ms", "45000", "given", "by --set"}},
	}
	for i := range mostRemaining + 2 {
		at := time.Duration(i) * time.Second
		r.Remaining = append(r.Remaining, []Remaining{
			{at, "a rebalance (left)", ""}, {at, "", "the leader's assignment"}, {at, "a join phase with 3 members after 2s", "after 14s"},
		}[i%3])
	}
	return r
}

func TestReproductionText(t *testing.T) {
	for name, r := range reproductions() {
		var b bytes.Buffer
		if err := ReproductionText(&b, r); err != nil {
			t.Fatal(err)
		}
		compareGolden(t, "testdata/"+name+".txt", b.String())
		for line := range strings.Lines(b.String()) {
			if utf8.RuneCountInString(strings.TrimSuffix(line, "\n")) > width {
				t.Errorf("%s: %q is too long", name, line)
			}
		}
	}
}

func TestReproductionJSON(t *testing.T) {
	schema := compile(t, "reproduction")
	for name, r := range reproductions() {
		write := func(w io.Writer) error { return ReproductionJSON(w, r) }
		var b bytes.Buffer
		if err := write(&b); err != nil {
			t.Fatal(err)
		}
		compareGolden(t, "testdata/"+name+".json", b.String())
		keepsSchema(t, schema, name, write)
	}
}
