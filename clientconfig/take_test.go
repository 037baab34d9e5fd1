package clientconfig

import (
	"testing"
	"time"
)

// TestSpringDuration reads durations in all styles of Spring Boot.
func TestSpringDuration(t *testing.T) {
	const none = -1
	for text, want := range map[string]time.Duration{
		"3000": 3 * time.Second, "+3000": 3 * time.Second, "3s": 3 * time.Second, "3S": 3 * time.Second,
		"250ms": 250 * time.Millisecond, "2m": 2 * time.Minute, "1h": time.Hour, "1d": 24 * time.Hour,
		"1500us": time.Millisecond, "999999ns": 0, "0": 0,
		"PT3S": 3 * time.Second, "pt1h2m3.5s": time.Hour + 2*time.Minute + 3500*time.Millisecond, "P1DT1S": 24*time.Hour + time.Second,
		"": none, "P": none, "PT": none, "3 s": none, "-3s": none, "PT-3S": none, "3w": none, "soon": none,
		"99999999999999999999": none, "400000d": none, "P9999D": none,
	} {
		got, ok := springDuration(text)
		if !ok {
			got = none
		}
		if got != want {
			t.Errorf("%q: got %v, want %v", text, got, want)
		}
	}
}

// TestDetect tells formats by names and by content.
func TestDetect(t *testing.T) {
	for _, test := range []struct {
		name, text string
		want       Format
	}{
		{"consumer.properties", "group.id=a", Properties},
		{"consumer.json", "", Librdkafka},
		{"conf", ` {"group.id": "a"}`, Librdkafka},
		{"application.yml", "", Spring},
		{"config.YAML", "", Spring},
		{"stdin", "spring:\n  kafka:\n", Spring},
		{"stdin", "---\n spring :  # all\n", Spring},
		{"application.properties", "a=b\nspring.kafka.consumer.group-id = x", Spring},
		{"application.properties", "# spring.kafka.consumer.group-id = x", Properties},
		{"stdin", "group.id=spring:", Properties},
		{"stdin", "", Properties},
	} {
		if got := Detect(test.name, []byte(test.text)); got != test.want {
			t.Errorf("%s with %q: got %s, want %s", test.name, test.text, got, test.want)
		}
	}
}
