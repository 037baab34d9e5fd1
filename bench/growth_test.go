package bench

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"
)

// TestGrowth prints how the cost of a run grows, measured on the command itself: reading the scenario, the run, its
// digest, its numbers and the report.
func TestGrowth(t *testing.T) {
	command := filepath.Join(t.TempDir(), "simulate")
	build := exec.Command("go", "build", "-o", command, "./cmd/simulate")
	build.Dir = ".."
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	for _, g := range growths() {
		part := table{
			title: "How cost grows with " + g.with,
			head:  []string{"members x time", "rebalances", "time", "step by step", "memory"},
			notes: []string{"Java clients that poll, commit and send heartbeats. Processor time; memory: the",
				"most that either had at once. Medians of three runs, of one if it is long."},
		}
		for _, one := range g.groups {
			part.rows = append(part.rows, measure(t, command, one))
		}
		part.show()
	}
}

// growth is what grows, and how.
type growth struct {
	with   string
	groups []group
}

func growths() []growth {
	java := func(members int, d, restart time.Duration) group {
		return group{members: members, client: "java", duration: d, restart: restart}
	}
	if !*full {
		return []growth{{"members", []group{java(10, time.Hour, 0), java(100, time.Hour, 0)}}}
	}
	hours := []time.Duration{time.Hour, 6 * time.Hour, 24 * time.Hour, 168 * time.Hour}
	result := []growth{{with: "members"}, {with: "hours"}, {with: "rebalances"}}
	for _, n := range []int{10, 100, 1000, 10_000} {
		result[0].groups = append(result[0].groups, java(n, time.Hour, 0))
	}
	for _, d := range hours {
		result[1].groups = append(result[1].groups, java(10, d, 0))
	}
	for _, every := range []time.Duration{0, 24 * time.Hour, 6 * time.Hour, 2 * time.Hour, time.Hour} {
		result[2].groups = append(result[2].groups, java(20, 24*time.Hour, every))
	}
	return result
}

// measure runs a group and returns its row.
func measure(t *testing.T, command string, g group) []string {
	var rebalances, memory int
	run := func(flags ...string) func() time.Duration {
		return func() time.Duration {
			run := exec.Command(command, append([]string{"run", "-", "--no-verify", "--format", "json"}, flags...)...)
			run.Stdin = strings.NewReader(g.scenario())
			out, err := run.Output()
			if err != nil {
				t.Fatalf("%v: %v", g, err)
			}
			rebalances = rebalancesIn(t, out)
			memory = max(memory, peak(run.ProcessState.SysUsage().(*syscall.Rusage)))
			return run.ProcessState.UserTime() + run.ProcessState.SystemTime()
		}
	}
	rounds := shorter(3, 1)
	if float64(g.members)*g.duration.Hours() > 2000 {
		rounds = 1
	}
	took := turns(rounds, run(), run("--no-fast-forward"))
	return []string{g.String(), count(rebalances), span(took[0]), span(took[1]), fmt.Sprintf("%d MiB", memory)}
}

func rebalancesIn(t *testing.T, report []byte) int {
	var run struct {
		Groups []struct{ Rebalances int }
	}
	if err := json.NewDecoder(bytes.NewReader(report)).Decode(&run); err != nil || len(run.Groups) != 1 {
		t.Fatalf("no report of one group: %v", err)
	}
	return run.Groups[0].Rebalances
}

// peak returns the most memory that a process had, in MiB. Systems count it in different units.
func peak(u *syscall.Rusage) int {
	if runtime.GOOS == "darwin" {
		return int(u.Maxrss >> 20)
	}
	return int(u.Maxrss >> 10)
}
