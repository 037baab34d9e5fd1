package reproduce

import (
	"context"
	"strings"
	"testing"

	"simulate/sim/scenario"
)

// TestEager holds that members of a library whose default is cooperative are taken for eager where one came and the others did
// not rejoin, unless something else began at once.
func TestEager(t *testing.T) {
	const third = `
[[event]]
at  = "30s"
do  = "start"
who = "orders-3"
`
	leaves := func(at string) string {
		return `
[[event]]
at  = "` + at + `"
do  = "stop"
who = "orders-1"
`
	}
	for _, c := range []struct {
		name, assignor, events string
		want                   bool
	}{
		{"nobody came", "range", "", false},
		{"one came, and the log ends", "range", third, false},
		{"one came", "range", third + leaves("40s"), true},
		{"one came, and another one left", "range", third + leaves("30.1s"), false},
		{"cooperative", "cooperative-sticky", third + leaves("40s"), false},
	} {
		log := logOf(t, `
duration = "50s"
[[topic]]
name       = "invoices"
partitions = 12
[[fleet]]
name   = "orders"
topics = ["invoices"]
count  = 3
client = "franz-go"
start  = { at = "0s", every = "1h" }
config = { partition.assignment.strategy = ["`+c.assignor+`"] }
[[event]]
at  = "1s"
do  = "start"
who = "orders-2"
`+c.events)
		result, err := From(context.Background(), log, Options{Budget: 1})
		if err != nil {
			t.Fatal(err)
		}
		if got := strings.Contains(string(result.Text), "partition.assignment.strategy = "+eager); got != c.want {
			t.Errorf("%s: eager %t, want %t", c.name, got, c.want)
		}
	}
}

// logOf reads what the broker of a scenario logs.
func logOf(t *testing.T, text string) *Log {
	t.Helper()
	s, _, err := scenario.Load("a.toml", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	log, err := brokerLog(s)
	if err != nil {
		t.Fatal(err)
	}
	return readText(t, string(log))
}
