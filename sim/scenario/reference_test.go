package scenario

import (
	"cmp"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"simulate/sim/consumers"
	"simulate/sim/metrics"
)

// TestReference holds that docs/scenarios.md names every key and every verb with what it means, every verb with its keys,
// every client, every metric with its definition, and every anomaly with its definition and thresholds.
func TestReference(t *testing.T) {
	page, err := os.ReadFile("../../docs/scenarios.md")
	if err != nil {
		t.Fatal(err)
	}
	rows := map[string]string{} // by what stands in code in the first column
	for _, line := range strings.Split(string(page), "\n") {
		cells := strings.Split(line, " | ")
		for _, m := range regexp.MustCompile("`([a-z_0-9.-]+)").FindAllStringSubmatch(cells[0], -1) {
			rows[m[1]] += line
		}
	}
	for _, k := range slices.Concat(fleetKeys, eventKeys) {
		text, row := cmp.Or(k.more, k.means), rows[k.name]
		if k.refused == "" && !(strings.Contains(row, text) && strings.Contains(row, k.absent)) {
			t.Errorf("key %s has no row that says %q and %q", k.name, text, k.absent)
		}
	}
	for _, k := range slices.Concat(scenarioKeys, brokerKeys, brokersKeys, networkKeys, topicKeys, startKeys, expectKeys, shapeKeys, pausesKeys, podKeys, livenessKeys, autoscalerKeys, demandKeys, sweepKeys, tuneKeys) {
		if k.refused == "" && !regexp.MustCompile(`\b`+k.name+`\b`).Match(page) {
			t.Errorf("no mention of %s", k.name)
		}
	}
	for _, v := range verbSpecs {
		row := rows[string(v.verb)]
		if !strings.Contains(row, "| "+v.does+" |") {
			t.Errorf("verb %s has no row that says %q", v.verb, v.does)
		}
		for _, key := range v.keys() {
			common := slices.Contains(repeats, key) && v.verb != CrashLoop
			if !common && !strings.Contains(row, key) && !strings.Contains(row, "the same") {
				t.Errorf("verb %s: no mention of %s", v.verb, key)
			}
		}
	}
	for _, p := range consumers.Profiles() {
		if rows[p.Name] == "" {
			t.Errorf("client %s has no row", p.Name)
		}
	}
	for _, d := range metrics.Definitions {
		if !strings.Contains(rows[d.Name], d.Help) {
			t.Errorf("metric %s has no row that says %q", d.Name, d.Help)
		}
	}
	for _, d := range metrics.AnomalyDefinitions {
		if !strings.Contains(rows[d.Name], d.Help) {
			t.Errorf("anomaly %s has no row that says %q", d.Name, d.Help)
		}
	}
	defaults := metrics.Defaults()
	for _, threshold := range defaults.Each() {
		kind, word, _ := strings.Cut(threshold.Name, ".")
		if want := "`" + word + "` = " + threshold.Value(); !strings.Contains(rows[kind], want) {
			t.Errorf("anomaly %s has no row that says %s", kind, want)
		}
	}
}
