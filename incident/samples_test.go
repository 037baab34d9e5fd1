package incident

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"simulate/incident/logs"
	"simulate/sim/metrics"
)

// TestSamples holds what logs that people have posted in public come to. They lie beside the repository, or where LOGS_DIR
// says; it need not have them. The rows say what the index of the samples says: groups, rebalances with the times of their join
// phases and of the assignment, evictions, leaves, dwell times in seconds, and the first cause.
func TestSamples(t *testing.T) {
	folder := cmp.Or(os.Getenv("LOGS_DIR"), filepath.Join("..", "..", "shared", "logs"))
	files, err := filepath.Glob(filepath.Join(folder, "*.log"))
	if err != nil {
		t.Fatal(err)
	}
	for _, of := range samples {
		if len(files) == 0 {
			break
		}
		t.Run(of.name, func(t *testing.T) {
			var paths []string
			for _, file := range files {
				if strings.HasPrefix(filepath.Base(file), of.name) {
					paths = append(paths, file)
				}
			}
			if len(paths) == 0 {
				t.Fatal("there is no such sample")
			}
			a := analyzed(t, Options{}, paths...)
			var got []string
			for i := range a.Groups {
				got = append(got, summary(&a.Groups[i]))
			}
			want := strings.Join(strings.Fields(of.want), " ")
			if text := strings.Join(got, ". "); text != want {
				t.Errorf("got\n%s\nwant\n%s", text, want)
			}
		})
	}
	if last := slices.IndexFunc(files, func(file string) bool {
		return !slices.ContainsFunc(samples, func(of sample) bool { return strings.HasPrefix(filepath.Base(file), of.name) })
	}); last >= 0 {
		t.Errorf("no row for %s", files[last])
	}
}

// summary says in one line what counts of a group.
func summary(g *Group) string {
	name := g.Name
	if len(name) == len("6f1c0000-0000-0000-0000-000000000000") {
		name = "UUID"
	}
	parts := []string{fmt.Sprintf("%s: %v %d", name, g.State, g.Generation)}
	add := func(format string, args ...any) { parts = append(parts, fmt.Sprintf(format, args...)) }
	if g.Members > 0 {
		parts[0] += fmt.Sprintf(" members %d", g.Members)
	}
	for i := range g.Rebalances {
		r := &g.Rebalances[i]
		text := fmt.Sprintf("%d>%d %v%s", r.Old, r.Generation, r.Ended, flags("headless", r.Headless, "lost", r.Lost))
		if r.Reason != 0 {
			text += " " + r.Reason.String()
		}
		if d, ok := r.Join(); ok {
			text += " join " + seconds(d)
		}
		if d, ok := r.Sync(); ok {
			text += " sync " + seconds(d)
		}
		if r.Prepared == logs.NoTime && r.Ended == metrics.Completed && !r.Headless {
			text += " in " + seconds(r.For())
		}
		parts = append(parts, text)
	}
	if g.FleetCount > 0 {
		add("fleet %d", g.FleetCount)
	}
	for _, state := range []State{Stable, Empty, Elsewhere, Unknown} {
		if text := stays(g, state); text != "" {
			add("%v%s", state, text)
		}
	}
	if n := len(g.Evictions); n > 0 {
		add("evicted %d", n)
		if last := g.Evictions[n-1]; last.Silent > 0 {
			parts[len(parts)-1] += fmt.Sprintf(" %s after %v", seconds(last.Silent), last.After)
		}
	}
	if g.LeaveCount > 0 {
		add("left %d", g.LeaveCount)
	}
	if g.UnseenCount > 0 {
		add("unseen %d", g.UnseenCount)
	}
	for _, e := range g.Epochs {
		text := fmt.Sprintf("epoch %d%s %s", e.Epoch, flags("superseded", e.Superseded, "open", e.Open), seconds(e.Until.Sub(e.At)))
		for _, r := range e.Reached {
			text += " +" + seconds(r.At.Sub(e.At))
		}
		parts = append(parts, text)
	}
	for i := range g.Clients {
		parts = append(parts, clientSummary(&g.Clients[i]))
	}
	for i := range g.Stuck {
		add("stuck in %v %s", g.Stuck[i].State, seconds(g.Stuck[i].For()))
	}
	if len(g.Causes) > 0 {
		add("%v", g.Causes[0].Kind)
	}
	return strings.Join(parts, "; ")
}

func seconds(d time.Duration) string { return fmt.Sprintf("%.3f", d.Seconds()) }

// stays lists how long the group was in a state each time, as far as that is known.
func stays(g *Group, state State) string {
	text := ""
	for i := range g.Spans {
		if s := &g.Spans[i]; s.State == state && !s.Open && !s.Lost && !s.Cut {
			text += " " + seconds(s.For())
		}
	}
	return text
}

func clientSummary(c *Client) string {
	text := c.Library.String()
	for _, j := range c.Joins {
		text += fmt.Sprintf(" join %d", j.Generation)
		if j.Sent != logs.NoTime && max(j.Answered, j.Synced) != logs.NoTime {
			text += " " + seconds(max(j.Answered, j.Synced).Sub(j.Sent))
		}
		if j.Failed != "" {
			text += " failed"
		}
	}
	for _, n := range []struct {
		n    int
		what string
	}{{c.PollTimeouts, "poll timeouts"}, {c.SessionsLost, "sessions lost"}, {c.Evicted, "evicted"}, {c.Fenced, "fenced"}, {c.Asked, "asked"}} {
		if n.n > 0 {
			text += fmt.Sprintf(" %s %d", n.what, n.n)
		}
	}
	if c.JoinCount == 0 && c.GaveUp > 0 { // what there is of a library that logs no JoinGroup
		text += fmt.Sprintf(" gave up %d", c.GaveUp)
	}
	if c.JoinCount == 0 && len(c.Coordinators) > 0 {
		text += fmt.Sprintf(" coordinators %d", c.Coordinators)
	}
	return text
}

// sample is the beginning of the names of files that belong together, and their groups, in any number of lines.
type sample struct{ name, want string }
