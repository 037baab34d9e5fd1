package check

import (
	"strings"
	"testing"
)

// TestMissing holds that a report names what the clients of its scenario do besides, each once, and those of an
// event too.
func TestMissing(t *testing.T) {
	const text = `
duration = "5m"
[[topic]]
name       = "t"
partitions = 2

[[fleet]]
name   = "a"
topics = ["t"]
client = "streams"

[[fleet]]
name   = "b"
topics = ["t"]
client = "streams"

[[event]]
at     = "1m"
do     = "restart"
who    = "b"
client = "java-2.8"
`
	loaded, err := Source{Name: "t", Text: []byte(text)}.Load()
	if err != nil {
		t.Fatal(err)
	}
	list := missing(loaded.Scenario)
	for prefix, want := range map[string]int{"streams:": 1, "java-2.8 ": 1, "connect:": 0, "TLS": 1} {
		got := 0
		for _, text := range list {
			if strings.HasPrefix(text, prefix) {
				got++
			}
		}
		if got != want {
			t.Errorf("%d entries begin with %q, want %d", got, prefix, want)
		}
	}
}
