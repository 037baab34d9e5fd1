package consumers

import (
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// otherRules are the numbers of the behaviour specification of Kafka clients, sections 3.1 to 3.6, by the library that
// they are about; both Python clients have one. A transcript in the library's folder shows a rule that its comments name in
// parentheses.
var otherRules = map[string]string{
	"librdkafka":   "L1 L2 L3 L4 L5 L6 L7 L8 L9",
	"franz-go":     "F1 F2 F3 F4 F5 F6",
	"sarama":       "S1 S2 S3 S4 S5 S6 S7",
	"kafkajs":      "K1 K2 K3 K4 K5",
	"kafka-go":     "G1 G2 G3 G4",
	"kafka-python": "Y1",
	"aiokafka":     "Y1",
}

// TestEveryOtherRuleIsShown lists the rules of the libraries that no transcript shows.
func TestEveryOtherRuleIsShown(t *testing.T) {
	for _, library := range slices.Sorted(maps.Keys(otherRules)) {
		rules, shown := strings.Fields(otherRules[library]), map[string]bool{}
		for _, file := range transcripts(t, filepath.Join("testdata", library)) {
			for _, rule := range rulesNamedIn(t, file, otherRuleName) {
				if !slices.Contains(rules, rule) {
					t.Errorf("%s names %s, which is no rule of %s", file, rule, library)
				}
				shown[rule] = true
			}
		}
		for _, rule := range rules {
			if !shown[rule] {
				t.Errorf("no transcript of %s shows %s", library, rule)
			}
		}
	}
}
