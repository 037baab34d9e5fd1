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
	if g.Replayed != nil {
		add("loaded %d of %d to %d", g.Replayed.Members, g.Replayed.Low, g.Replayed.High)
	}
	if g.First >= 1000 {
		add("before %d", g.First)
	}
	if g.Period > 0 {
		add("every %s", seconds(g.Period))
	}
	for i := range g.Rebalances {
		parts = append(parts, rebalanceSummary(&g.Rebalances[i]))
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
		add("left %d%s", g.LeaveCount, given(" after", g.Leaves[0].Stayed))
	}
	if g.UnseenCount > 0 {
		add("unseen %d in %s", g.UnseenCount, seconds(g.Unseen[0].Until.Sub(g.Unseen[0].Since)))
	}
	for i := range g.Epochs {
		parts = append(parts, epochSummary(&g.Epochs[i]))
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

func epochSummary(e *Epoch) string {
	text := fmt.Sprintf("epoch %d%s %s by %s in %s", e.Epoch, flags("superseded", e.Superseded, "open", e.Open),
		seconds(e.Until.Sub(e.At)), e.Assignor, seconds(e.ComputedIn))
	for _, r := range e.Reached {
		text += " +" + seconds(r.At.Sub(e.At))
	}
	return text
}

// rebalanceSummary says from which generation to which, how it ended, why it began, and how long its parts took.
func rebalanceSummary(r *Rebalance) string {
	rare := r.Rarely()
	text := fmt.Sprintf("%d>%d %v%s", r.Old, r.Generation, r.Ended, flags("headless", r.Headless, "lost", r.Lost, "requested", rare.Requested))
	for _, why := range []string{r.Reason.String(), rare.Error} {
		if why != "" {
			text += " " + why
		}
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
	if rare.Unstored != "" {
		text += " not stored " + rare.Unstored
	}
	if rare.LeftBefore != "" {
		text += " left before " + seconds(rare.LeftAgo)
	}
	if rare.ToldTo > 0 {
		text += fmt.Sprintf(" told %s to %s", seconds(rare.ToldFrom), seconds(rare.ToldTo))
	}
	return text
}

// given writes a time that is not always there.
func given(words string, d time.Duration) string {
	if d <= 0 {
		return ""
	}
	return words + " " + seconds(d)
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
	for i := range c.Joins {
		text += joinSummary(&c.Joins[i])
	}
	for _, n := range []struct {
		n    int
		what string
	}{
		{c.PollTimeouts, "poll timeouts"}, {c.SessionsLost, "sessions lost"}, {c.Evicted, "evicted"}, {c.ToldEvicted, "told so"}, {c.Fenced, "fenced"},
		{c.CommitsRefused, "commits refused"}, {c.HeartbeatsUnexplained, "heartbeats failed unsaid"}, {c.Asked, "asked"},
	} {
		if n.n > 0 {
			text += fmt.Sprintf(" %s %d", n.what, n.n)
		}
	}
	if c.AskedBy != "" && c.Asked > 0 {
		text += " by " + c.AskedBy
	}
	for i := 1; i < len(c.AskedAt) && c.Asked > 0; i++ {
		text += " " + seconds(c.AskedAt[i].Sub(c.AskedAt[i-1]))
	}
	for i := range c.Moves {
		m := &c.Moves[i]
		text += fmt.Sprintf(" %v %d%s", m.Kind, m.Count, flags("all", m.All))
		if len(m.New) > 0 {
			text += fmt.Sprintf(" new %d", len(m.New))
		}
	}
	if c.NoOffsets > 0 {
		text += fmt.Sprintf(" no offset %d", c.NoOffsets)
	}
	if c.CoordinatorFound > 0 {
		text += fmt.Sprintf(" found %d %d", c.CoordinatorFound, c.Coordinators)
	}
	if c.CoordinatorLost > 0 {
		text += fmt.Sprintf(" lost %d%s%s", c.CoordinatorLost, given(" held", c.CoordinatorHeld), given(" away", c.CoordinatorAway))
	}
	if c.Exceeded > 0 {
		text += fmt.Sprintf(" limit %s exceeded %s%s", c.PollInterval, seconds(c.Exceeded), given(" beat", c.SinceHeartbeat))
	}
	return text + given(" silent", c.Silent) + given(" metadata", c.MetadataAge) + generationSummary(c)
}

func generationSummary(c *Client) string {
	if c.Generation == logs.Unknown {
		return ""
	}
	return fmt.Sprintf(" at %d", c.Generation)
}

// joinSummary says which generation a JoinGroup came to, how long that took, and since when its client had been told of it.
func joinSummary(j *ClientJoin) string {
	text, end := fmt.Sprintf(" join %d", j.Generation), max(j.Answered, j.Synced)
	if j.Sent != logs.NoTime && end != logs.NoTime {
		text += " " + seconds(end.Sub(j.Sent))
	}
	switch {
	case j.Told == logs.NoTime:
	case end != logs.NoTime:
		text += " told " + seconds(end.Sub(j.Told))
	default:
		text += " sent " + seconds(j.Sent.Sub(j.Told))
	}
	if j.Failed != "" {
		text += " failed " + j.Failed
	}
	if j.Failed != "" && j.Sent != logs.NoTime && j.FailedAt != logs.NoTime {
		text += " " + seconds(j.FailedAt.Sub(j.Sent))
	}
	return text + flags("leads", j.Leads, "led", j.Leader != "" && !j.Leads)
}

// sample is the beginning of the names of files that belong together, and their groups, in any number of lines.
type sample struct{ name, want string }
