package check

import (
	"strings"
	"testing"
	"time"

	"simulate/sim/metrics"
)

// TestParseThresholds changes one threshold of each kind; the later of two changes wins.
func TestParseThresholds(t *testing.T) {
	got, err := ParseThresholds([]string{
		"ghost-members.limit=10s", "ghost-members.limit=1m30s", "leader-churn.count=7", "assignment-imbalance.ratio=1.5",
	})
	if err != nil {
		t.Fatal(err)
	}
	want := metrics.Defaults()
	want.Ghost, want.ChurnCount, want.ImbalanceRatio = 90*time.Second, 7, 1.5
	if got != want {
		t.Errorf("got %+v", got)
	}
	var words []string
	for _, c := range got.Changed() {
		words = append(words, c.String())
	}
	if text := strings.Join(words, " "); text != "ghost-members.limit=1m30s leader-churn.count=7 assignment-imbalance.ratio=1.5" {
		t.Errorf("changed: %s", text)
	}
}

// TestThresholdsReadBack holds that what each threshold is written as can be read, and that all are different.
func TestThresholdsReadBack(t *testing.T) {
	defaults := metrics.Defaults()
	seen := map[string]bool{}
	for _, threshold := range defaults.Each() {
		if got, err := ParseThresholds([]string{threshold.String()}); err != nil || got != defaults {
			t.Errorf("%s: %v", threshold, err)
		}
		kind, _, _ := strings.Cut(threshold.Name, ".")
		seen[kind] = true
	}
	for _, d := range metrics.AnomalyDefinitions {
		if !seen[d.Name] {
			t.Errorf("%s has no threshold", d.Name)
		}
	}
}

// TestParseThresholdsRefuses holds what is said about each mistake.
func TestParseThresholdsRefuses(t *testing.T) {
	for change, want := range map[string]string{
		"ghosts":                            `"ghosts" is no KIND.WORD=VALUE, such as frequent-rebalances.count=3`,
		"ghosts.limit=1s":                   `there is no threshold "ghosts.limit"; there are rebalancing-too-long.limit, `,
		"ghost-members.limit=30":            `ghost-members.limit: "30" has no unit; write "30s" or "30ms"`,
		"ghost-members.limit=":              `ghost-members.limit: `,
		"flapping-member.count=1":           `flapping-member.count: "1" is no count; write a whole number of at least 2`,
		"flapping-member.count=2.5":         `flapping-member.count: "2.5" is no count; `,
		"assignment-imbalance.ratio=0.5":    `assignment-imbalance.ratio: "0.5" is no ratio; write a number from 1 to 1000000`,
		"assignment-imbalance.ratio=NaN":    `assignment-imbalance.ratio: "NaN" is no ratio; `,
		"assignment-imbalance.ratio=double": `assignment-imbalance.ratio: "double" is no ratio; `,
	} {
		if _, err := ParseThresholds([]string{change}); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%s: got %v, want %s", change, err, want)
		}
	}
}
