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

// TestPatience holds that a member which leaves as it does not poll leaves in the run, too: it polled until it was told its
// generation, and its session does not end.
func TestPatience(t *testing.T) {
	log := logOf(t, `
duration = "1m"
[[topic]]
name       = "invoices"
partitions = 6
[[fleet]]
name   = "orders"
topics = ["invoices"]
count  = 4
start  = { at = "0s", every = "300ms" }
config = { session.timeout.ms = 10000, max.poll.interval.ms = 20000 }
[[event]]
at  = "0s"
do  = "stop"
who = "orders-4"
[[event]]
at  = "11s"
do  = "stall"
who = "orders-2"
for = "40s"
[[event]]
at  = "13s"
do  = "start"
who = "orders-4"
`)
	result, err := From(context.Background(), log, Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"evictions(orders) == 0", "leaves(orders) == 1", "max.poll.interval.ms = 25000"} {
		if !strings.Contains(string(result.Text), want) {
			t.Errorf("no %s in\n%s", want, result.Text)
		}
	}
}
