package scenarios

import (
	"bytes"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"simulate/check"
	"simulate/sim/metrics"
	"simulate/sim/scenario"
)

// asked is what docs/clients.md shows of a run, from the minute in which something happens on.
const asked = `
[[expect]]
that = "rebalances(orders) >= 0"
from = "1m"
[[expect]]
that = "longest(orders, PreparingRebalance) >= 0s"
from = "1m"
[[expect]]
that = "unassigned(orders) >= 0s"
from = "1m"
`

// TestClientsPage holds that docs/clients.md tells what each client makes of the scenarios in clients, with the
// figures that are measured.
func TestClientsPage(t *testing.T) {
	prose, err := os.ReadFile("testdata/clients-page.md")
	if err != nil {
		t.Fatal(err)
	}
	names := In("clients")
	var table, rest bytes.Buffer
	table.WriteString("| |")
	for i := range names {
		fmt.Fprintf(&table, " %d |", i+1)
	}
	fmt.Fprintf(&table, "\n|---|%s\n", strings.Repeat("---|", len(names)))
	for _, c := range scenario.Clients() {
		fmt.Fprintf(&table, "| [%s](#%s) |", c.Name, strings.ReplaceAll(c.Name, ".", ""))
		for _, name := range names {
			fmt.Fprintf(&table, " %s |", measured(t, name, c.Name))
		}
		table.WriteByte('\n')
		describe(t, &rest, c)
	}
	table.WriteByte('\n')
	for i, name := range names {
		fmt.Fprintf(&table, "%d. `%s`: %s\n", i+1, name, load(t, name).Scenario.Description)
	}
	page := strings.Replace(string(prose), "{{table}}\n", table.String(), 1)
	compareGolden(t, "../docs/clients.md", page+rest.String())
}

// measured runs a scenario with a client: rebalances, the longest that the group waited for its members, and for how
// long partitions were without a process, all of them together.
func measured(t *testing.T, name, client string) string {
	t.Helper()
	all := expectations(t, load(t, name, "fleet.orders.client="+client))
	var got []string
	for _, e := range all[len(all)-strings.Count(asked, "[[expect]]"):] {
		text := shown(e)
		if d, err := time.ParseDuration(text); err == nil && d > 0 {
			text = metrics.Duration(d.Round(100 * time.Millisecond))
		}
		got = append(got, text)
	}
	return strings.Join(got, ", ")
}

// load loads a scenario with settings, and with what is asked.
func load(t *testing.T, name string, sets ...string) check.Loaded {
	t.Helper()
	text, _ := Read(name)
	return withSets(t, name, append(text, asked...), sets)
}

// describe writes what to remember of a client, and what is not modelled of it.
func describe(t *testing.T, w *bytes.Buffer, c scenario.Client) {
	t.Helper()
	if len(c.Remember) != 3 {
		t.Errorf("client %s has %d surprises to remember, want 3", c.Name, len(c.Remember))
	}
	fmt.Fprintf(w, "\n## %s\n\n%s. `simulate clients %s` lists its settings, and what is modelled.\n\n", c.Name, c.About, c.Name)
	for i, text := range c.Remember {
		fmt.Fprintf(w, "%d. %s\n", i+1, text)
	}
	if len(c.NotModelled) > 0 {
		fmt.Fprintf(w, "\nNot modelled: %s.\n", strings.Join(c.NotModelled, "; "))
	}
}
