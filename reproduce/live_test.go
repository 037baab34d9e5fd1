package reproduce

import (
	"bytes"
	"context"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"golang.org/x/sync/errgroup"

	"simulate/incident"
	"simulate/incident/logs"
	"simulate/internal/align"
	"simulate/internal/fidelity"
	"simulate/reports"
	"simulate/scenarios"
	"simulate/sim"
	"simulate/sim/random"
	"simulate/sim/scenario"
	"simulate/sim/trace"
)

// outcome is how well the scenario of one log repeats it, as incident.Analyze sees both.
type outcome struct {
	name              string
	logged, simulated int  // rebalances
	matched           int  // with the same reason, generation and number of members, from the beginning on
	equal             bool // all of them, and no other
	near              bool // and every stay in a state is as long, within Within
	why               string
}

// figures are those of many logs.
type figures struct{ logs, equal, near, rebalances, matched int }

func (f *figures) add(o outcome) {
	f.logs++
	f.rebalances += o.logged
	f.matched += o.matched
	if o.equal {
		f.equal++
	}
	if o.near {
		f.near++
	}
}

func (f figures) String() string {
	return fmt.Sprintf("%d logs: %d of %d rebalances matched (%s), %d logs with the same rebalances, reasons and generations (%s), %d with every stay within %s (%s)",
		f.logs, f.matched, f.rebalances, percent(f.matched, f.rebalances), f.equal, percent(f.equal, f.logs), f.near, Within, percent(f.near, f.logs))
}

func percent(part, whole int) string {
	return fmt.Sprintf("%.1f %%", 100*float64(part)/float64(max(whole, 1)))
}

// judged reproduces each case, in parallel, and prints a row for each that is not repeated in full.
func judged(t *testing.T, names []string, of func(name string) (outcome, error)) figures {
	t.Helper()
	all := make([]outcome, len(names))
	var group errgroup.Group
	group.SetLimit(runtime.GOMAXPROCS(0))
	for i, name := range names {
		group.Go(func() (err error) {
			if all[i], err = of(name); err != nil {
				return fmt.Errorf("%s: %w", name, err)
			}
			return nil
		})
	}
	if err := group.Wait(); err != nil {
		t.Error(err)
	}
	var f figures
	for _, o := range all {
		f.add(o)
		if !o.near {
			t.Logf("%-62s %d of %d rebalances (%d simulated): %s", o.name, o.matched, o.logged, o.simulated, o.why)
		}
	}
	t.Log(f)
	return f
}

// again reproduces what a source says of a group, runs the scenario that came of it, and compares the two histories.
func again(name, group string, open func() (*logs.Reader, error)) (outcome, error) {
	o := outcome{name: name}
	reader, err := open()
	if err != nil {
		return o, err
	}
	log, err := Read(context.Background(), reader)
	if err != nil {
		return o, err
	}
	result, err := From(context.Background(), log, Options{Group: group})
	if err != nil {
		return o, err
	}
	wanted, err := log.group(group)
	if err != nil {
		return o, err
	}
	got, err := ran(result.Text, reportedWarmUp(result.Text))
	if err != nil {
		return o, err
	}
	o.compare(wanted, got)
	return o, nil
}

// reportedWarmUp is when the log begins in the run.
func reportedWarmUp(text []byte) logs.Instant {
	start := logs.Instant(reports.Epoch.UnixNano())
	if bytes.Contains(text, []byte("members gather that were there already")) {
		start = start.Add(gather)
	}
	return start
}

// brokerLog runs a scenario and returns what its brokers log.
func brokerLog(s *scenario.Scenario) ([]byte, error) {
	var all trace.Memory
	if _, err := sim.RunWith(context.Background(), s, &all, sim.Options{}); err != nil {
		return nil, err
	}
	var b bytes.Buffer
	err := reports.BrokerLog(&b, reports.Report{Events: all.Events})
	return b.Bytes(), err
}

// ran runs a scenario and returns the history of its group from an instant on.
func ran(text []byte, from logs.Instant) (*incident.Group, error) {
	s, _, err := scenario.Load("reproduced.toml", text)
	if err != nil {
		return nil, err
	}
	text, err = brokerLog(s)
	if err != nil {
		return nil, err
	}
	reader, err := logs.Open([]string{logs.Stdin}, bytes.NewReader(text), logs.Options{Since: from})
	if err != nil {
		return nil, err
	}
	a, err := incident.Analyze(context.Background(), reader, incident.Options{})
	if err != nil {
		return nil, err
	}
	i := slices.IndexFunc(a.Groups, func(g incident.Group) bool { return g.Name == s.Fleets[0].Plan.Group })
	if i < 0 {
		return &incident.Group{}, nil
	}
	return &a.Groups[i], nil
}

func (o *outcome) compare(wanted, got *incident.Group) {
	o.logged, o.simulated = len(wanted.Rebalances), len(got.Rebalances)
	for o.matched < min(o.logged, o.simulated) && sameRebalance(wanted, got, o.matched) {
		o.matched++
	}
	if o.equal = o.matched == o.logged && o.simulated == o.logged; !o.equal {
		o.why = "another rebalance"
		return
	}
	o.why = differentStay(closed(wanted.Spans), closed(got.Spans))
	o.near = o.why == ""
}

// differentStay says which stay is not as long on both sides; "" when all are, within Within. One that is on one side only must
// be no longer than that.
func differentStay(wanted, got []incident.Span) string {
	lines := align.Align(align.Sides{
		Left: len(wanted), Right: len(got),
		Same:  func(l, r int) bool { return wanted[l].State == got[r].State },
		Apart: func(l, r int) time.Duration { return (wanted[l].For() - got[r].For()).Abs() },
	})
	for _, p := range lines {
		switch {
		case p.Left < 0 && got[p.Right].For() > Within:
			return fmt.Sprintf("%v lasts %v (not logged)", got[p.Right].State, got[p.Right].For())
		case p.Left >= 0 && p.Right < 0 && wanted[p.Left].For() > Within:
			return fmt.Sprintf("no %v (%v logged)", wanted[p.Left].State, wanted[p.Left].For())
		case p.Left < 0 || p.Right < 0 || wanted[p.Left].Lost || got[p.Right].Lost:
		case (wanted[p.Left].For() - got[p.Right].For()).Abs() > Within:
			return fmt.Sprintf("%v lasts %v (%v logged)", wanted[p.Left].State, got[p.Right].For(), wanted[p.Left].For())
		}
	}
	return ""
}

// closed are the stays in states of the group that began and ended in the log. That nobody coordinates it for a while is no
// state of its own here, and a stay goes on behind it: not every log of a broker that ended has its last lines.
func closed(spans []incident.Span) []incident.Span {
	var kept []incident.Span
	for _, s := range spans {
		last := len(kept) - 1
		switch {
		case s.State == incident.Unknown || s.State == incident.Elsewhere || s.State == incident.Dead:
		case last >= 0 && kept[last].State == s.State:
			kept[last].Until, kept[last].Open, kept[last].Lost = s.Until, s.Open, s.Lost
		default:
			kept = append(kept, s)
		}
	}
	return slices.DeleteFunc(kept, func(s incident.Span) bool { return s.Open || s.Cut })
}

func sameRebalance(wanted, got *incident.Group, i int) bool {
	w, g := &wanted.Rebalances[i], &got.Rebalances[i]
	since := func(all *incident.Group, r *incident.Rebalance) int32 { return r.Old - all.Rebalances[0].Old }
	goesOn := i == len(wanted.Rebalances)-1 && w.Prepared == logs.NoTime // the log ends before its members are known
	return w.Reason == g.Reason && (w.Members == g.Members || goesOn) && since(wanted, w) == since(got, g)
}

// liveLogs are the folders below those that LIVE_DIR names that hold the log of a broker.
func liveLogs(t *testing.T) []string {
	var all []string
	for _, folder := range filepath.SplitList(os.Getenv("LIVE_DIR")) {
		err := filepath.WalkDir(folder, func(path string, d fs.DirEntry, err error) error {
			if err == nil && strings.HasPrefix(d.Name(), "broker") && strings.HasSuffix(path, ".log") && !slices.Contains(all, filepath.Dir(path)) {
				all = append(all, filepath.Dir(path))
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	slices.Sort(all)
	return all
}

// TestLive reproduces every classic group of recorded logs, where there are recordings, from the logs of the brokers alone.
func TestLive(t *testing.T) {
	folders := liveLogs(t)
	if len(folders) == 0 {
		return
	}
	var names []string
	for _, folder := range folders {
		if !consumerProtocol(t, folder) {
			names = append(names, folder)
		}
	}
	f := judged(t, names, func(folder string) (outcome, error) {
		files := []string{filepath.Join(folder, "broker*.log")}
		group, err := firstGroup(files)
		if err != nil {
			return outcome{}, err
		}
		return again(folder, group, func() (*logs.Reader, error) { return logs.Open(files, nil, logs.Options{}) })
	})
	if f.equal < f.logs {
		t.Errorf("%d logs have the same rebalances, want %d", f.equal, f.logs)
	}
	if f.near < f.logs {
		t.Errorf("%d logs have every stay within %s, want %d", f.near, Within, f.logs)
	}
}

func consumerProtocol(t *testing.T, folder string) bool {
	text, err := os.ReadFile(filepath.Join(folder, "broker.log"))
	if err != nil && !os.IsNotExist(err) {
		t.Fatal(err)
	}
	return bytes.Contains(text, []byte("using the consumer protocol"))
}

func firstGroup(files []string) (string, error) {
	reader, err := logs.Open(files, nil, logs.Options{})
	if err != nil {
		return "", err
	}
	a, err := incident.Analyze(context.Background(), reader, incident.Options{})
	if err != nil || len(a.Groups) == 0 {
		return "", err
	}
	return a.Groups[0].Name, nil
}

// mostRoundTrip is of how many rebalances a shipped scenario is reproduced at most: more take minutes.
const mostRoundTrip = 40

// roundTrips are shipped scenarios of different kinds.
var roundTrips = []string{
	"gc-pause-long", "rolling-restart", "slow-poll", "static-ghost", "first-start",
	"leader-dies-before-sync",
	"incidents/i-05-produce-lock",    // a member that was removed and is alive
	"incidents/i-17-hour-jobs",       // nobody bounds the wait
	"incidents/i-19-slow-assignor",   // one leader after the other dies before it has assigned
	"incidents/i-22-back-in-sync",    // a restart while the leader assigns
	"incidents/i-37-slow-drain",      // partitions that are given away slowly, and too slowly
	"incidents/i-53-new-parts-cured", // a static leader that nobody missed
	"incidents/i-70-one-step",        // the last who came in time for one more delay
	"incidents/i-83-exit-on-error",   // members that end at any time
	"studies/q15-slow-member",        // cooperative members, by what they happen to own
}

// TestRoundTrips reproduces what the brokers of shipped scenarios log; all of them where there is time for that.
func TestRoundTrips(t *testing.T) {
	names := scenarios.Names()
	if os.Getenv("LIVE_DIR") == "" {
		names = slices.Clone(roundTrips)
	}
	shipped := map[string]logged{}
	for _, name := range names {
		text, ok := scenarios.Read(name)
		if !ok {
			t.Fatalf("no scenario %s", name)
		}
		s, _, err := scenario.Load(name, text)
		if err != nil {
			t.Fatal(err)
		}
		if shipped[name], err = loggedBy(s); err != nil {
			t.Fatal(err)
		}
	}
	f := comesBack(t, names, shipped)
	if f.equal < f.logs {
		t.Errorf("%d of %d scenarios come back with the same rebalances", f.equal, f.logs)
	}
	if least := f.logs * 98 / 100; f.near < least {
		t.Errorf("%d scenarios come back with every stay within %s, want %d", f.near, Within, least)
	}
}

// TestOtherSeeds reproduces what brokers log where recorded cases take another course, on hosts that are slow now and then: no
// rule was made for one of them.
func TestOtherSeeds(t *testing.T) {
	if os.Getenv("LIVE_DIR") == "" {
		return
	}
	recordings, err := fidelity.Kept()
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	courses := map[string]logged{}
	for _, r := range recordings {
		s, err := fidelity.Build(r.Case)
		if err != nil {
			continue // what no scenario has
		}
		s.Seed, s.Latency = 1001, random.LogNormal(3*time.Millisecond, 100*time.Millisecond)
		if courses[r.Case.ID], err = loggedBy(s); err != nil {
			t.Fatal(err)
		}
		names = append(names, r.Case.ID)
	}
	f := comesBack(t, names, courses)
	if f.equal < f.logs*99/100 {
		t.Errorf("%d of %d courses come back with the same rebalances, want 99 %%", f.equal, f.logs)
	}
}

// comesBack reproduces logs, but for those without a group.
func comesBack(t *testing.T, names []string, all map[string]logged) figures {
	t.Helper()
	names = slices.DeleteFunc(names, func(name string) bool { return all[name].group == "" })
	if len(names) == 0 {
		t.Fatal("no log has a group that rebalances")
	}
	return judged(t, names, func(name string) (outcome, error) {
		return again(name, all[name].group, func() (*logs.Reader, error) {
			return logs.Open([]string{logs.Stdin}, bytes.NewReader(all[name].log), logs.Options{})
		})
	})
}

// logged is what the broker of a scenario logs, and its first group; "" when that does not rebalance, or more often or
// for longer than is tried.
type logged struct {
	log   []byte
	group string
}

func loggedBy(s *scenario.Scenario) (logged, error) {
	text, err := brokerLog(s)
	if err != nil {
		return logged{}, err
	}
	reader, err := logs.Open([]string{logs.Stdin}, bytes.NewReader(text), logs.Options{})
	if err != nil {
		return logged{}, err
	}
	a, err := incident.Analyze(context.Background(), reader, incident.Options{})
	if err != nil || len(a.Groups) == 0 || a.Groups[0].Count == 0 || a.Groups[0].Count > mostRoundTrip || a.Groups[0].To.Sub(a.Groups[0].From) > mostTime {
		return logged{}, err
	}
	return logged{text, a.Groups[0].Name}, nil
}
