package consumers

import (
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// otherRules are the numbers of the behaviour specification of Kafka clients, section 3, by the library that they are
// about. A transcript in the library's folder shows a rule that its comments name in parentheses.
var otherRules = map[string]string{
	"librdkafka":   librdkafkaRules,
	"franz-go":     franzRules,
	"kafkajs":      kafkaJSRules,
	"kafka-python": pythonRules,
	"kafka-go":     kafkaGoRules,
	"aiokafka":     pythonRules,
	"sarama":       saramaRules,
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
