package reproduce

import (
	"context"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"simulate/check"
	"simulate/incident/logs"
	"simulate/reports"
	"simulate/sim/trace"
)

var rewrite = flag.Bool("rewrite", false, "write the expected scenarios anew")

// fixture reads a log of testdata.
func fixture(t *testing.T, names ...string) *Log {
	t.Helper()
	var paths []string
	for _, name := range names {
		paths = append(paths, filepath.Join("testdata", name))
	}
	reader, err := logs.Open(paths, nil, logs.Options{})
	if err != nil {
		t.Fatal(err)
	}
	log, err := Read(context.Background(), reader)
	if err != nil {
		t.Fatal(err)
	}
	return log
}

// TestScenarios holds what is written for a log, that it is the same each time, that it repeats the log, and that what it expects
// holds.
func TestScenarios(t *testing.T) {
	for _, name := range []string{"orders", "client", "moves"} {
		result, err := From(context.Background(), fixture(t, name+".log"), Options{})
		if err != nil {
			t.Fatal(err)
		}
		if !result.Report.Complete() || result.Report.Ended != reports.SearchRight {
			t.Errorf("%s: %+v", name, result.Report)
		}
		again, err := From(context.Background(), fixture(t, name+".log"), Options{})
		if err != nil || string(again.Text) != string(result.Text) {
			t.Errorf("%s: another scenario the second time (%v)", name, err)
		}
		golden(t, name+".toml", string(result.Text))
		holds(t, name, result.Text)
	}
}

// golden compares with a file of testdata, or writes it.
func golden(t *testing.T, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *rewrite {
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if diff := cmp.Diff(string(want), got); err != nil || diff != "" {
		t.Errorf("%s (-rewrite writes it anew): %v\n%s", path, err, diff)
	}
}

func holds(t *testing.T, name string, text []byte) {
	t.Helper()
	loaded, err := check.Source{Name: name, Text: text}.Load()
	if err != nil {
		t.Fatal(err)
	}
	if len(loaded.Warnings) > 0 {
		t.Errorf("%s: %v", name, loaded.Warnings)
	}
	report, err := check.Run(context.Background(), loaded)
	if err != nil {
		t.Fatal(err)
	}
	if len(report.Expectations) == 0 {
		t.Errorf("%s expects nothing", name)
	}
	for _, e := range report.Expectations {
		if !e.Pass {
			t.Errorf("%s: %s: %s", name, e.That, e.Got)
		}
	}
}

// TestKnown holds that what flags say beats what the log tells, and that it is called given.
func TestKnown(t *testing.T) {
	result, err := From(context.Background(), fixture(t, "orders.log"), Options{
		Client: "java-3.9", Set: []Set{{"session.timeout.ms", "30s"}, {"group.initial.rebalance.delay.ms", "3000"}},
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		`client = "java-3.9"  # given: by --client`, `session.timeout.ms = "30s"  # given: by --set`, `group.initial.rebalance.delay.ms = 3000  # given: by --set`,
	} {
		if !strings.Contains(string(result.Text), want) {
			t.Errorf("no %s in\n%s", want, result.Text)
		}
	}
}

// TestRefusals holds what is said of input from which no scenario can be made.
func TestRefusals(t *testing.T) {
	for want, o := range map[string]Options{
		"--group payments: the logs know no such group: orders (rebalances: 4)": {Group: "payments"},
		"--client cobol: there are java, java-3.9":                              {Client: "cobol"},
		`--set session.timout.ms=1: unknown key "session.timout.ms"`:            {Set: []Set{{"session.timout.ms", "1"}}},
		`--set session.timeout.ms=soon: "soon" is not a duration`:               {Set: []Set{{"session.timeout.ms", "soon"}}},
		"--set max.poll.records=5: librdkafka has no such setting":              {Client: "librdkafka", Set: []Set{{"max.poll.records", "5"}}},
	} {
		_, err := From(context.Background(), fixture(t, "orders.log"), o)
		if err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%+v: got %v, want %s", o, err, want)
		}
	}
}

// TestInterrupted holds that the best so far is kept, and says so.
func TestInterrupted(t *testing.T) {
	ctx, stop := context.WithCancel(context.Background())
	s := &search{ctx: ctx, budget: DefaultBudget}
	log := fixture(t, "orders.log")
	s.story = tell("orders", log.of(&log.Analysis.Groups[0]))
	s.begin(choices{})
	s.best.score.off++
	stop()
	s.improve()
	if got := s.ended(); got != reports.SearchInterrupted || s.runs != 1 {
		t.Errorf("ended as %s after %d runs", got, s.runs)
	}
}

// TestSessions holds which session is taken for silences of members.
func TestSessions(t *testing.T) {
	const usual, beat = 45 * time.Second, 3 * time.Second
	for _, c := range []struct {
		silences []time.Duration
		want     time.Duration
		fits     int
	}{
		{[]time.Duration{48005 * time.Millisecond}, 45 * time.Second, 1},
		{[]time.Duration{16005 * time.Millisecond}, 10 * time.Second, 1},
		{[]time.Duration{16 * time.Second, 13 * time.Second, 10 * time.Second}, 10 * time.Second, 3},
		{[]time.Duration{7500 * time.Millisecond}, 0, 0},
		{[]time.Duration{15*time.Minute + 1500*time.Millisecond}, usual, 1}, // too long ago to tell
	} {
		var all []silence
		for _, s := range c.silences {
			all = append(all, silence{known: s})
		}
		if got, fits := bestSession(all, usual, beat); got != c.want || fits != c.fits {
			t.Errorf("%v: %v fits %d, want %v and %d", c.silences, got, fits, c.want, c.fits)
		}
	}
}

// TestFirstPhase holds how long the first join phase lasts, in Kafka's windows of one delay.
func TestFirstPhase(t *testing.T) {
	const delay = 3 * time.Second
	for _, c := range []struct {
		joins []time.Duration
		want  time.Duration
	}{
		{nil, delay}, {[]time.Duration{0}, 2 * delay}, {[]time.Duration{time.Second}, 2 * delay}, {[]time.Duration{time.Second, 4 * time.Second}, 3 * delay},
	} {
		if got := firstPhase(delay, c.joins); got != c.want {
			t.Errorf("%v: %v, want %v", c.joins, got, c.want)
		}
	}
}

// TestLives holds which member ids are taken for one process.
func TestLives(t *testing.T) {
	log := fixture(t, "orders.log")
	s := tell("orders", log.of(&log.Analysis.Groups[0]))
	var ends []ending
	for _, p := range s.processes {
		for _, l := range p.lives {
			ends = append(ends, l.end)
		}
	}
	if want := []ending{stays, expired, left}; !slices.Equal(ends, want) {
		t.Errorf("got %v, want %v", ends, want)
	}
}

// TestHostile holds that names and reasons of a log change nothing of the form of a scenario.
func TestHostile(t *testing.T) {
	text, err := os.ReadFile("testdata/orders.log")
	if err != nil {
		t.Fatal(err)
	}
	for from, to := range map[string]string{
		"the consumer is being closed": "\x1b[31m\u202e \"]]'\\\t# " + strings.Repeat("x", 1000),
		"billing-":                     `b"i'l\l]]-`,
		"group orders ":                `group or"d'ers#[[ `,
	} {
		log := strings.ReplaceAll(string(text), from, to)
		read := readText(t, log)
		result, err := From(context.Background(), read, Options{Group: read.Analysis.Groups[0].Name, Budget: 5})
		if err != nil {
			t.Errorf("%q: %v", to, err)
			continue
		}
		for line := range strings.Lines(string(result.Text)) {
			if strings.HasPrefix(line, "#   simulate tune") && strings.Contains(line, "d'ers") {
				t.Errorf("%q: a shell would not take %q for one word", to, line)
			}
		}
		if strings.ContainsAny(string(result.Text), "\x1b\u202e\t") {
			t.Errorf("%q: what a terminal obeys in\n%q", to, result.Text)
		}
		holds(t, to, result.Text)
	}
}

// readText reads a log that a test has written.
func readText(t *testing.T, text string) *Log {
	t.Helper()
	reader, err := logs.Open([]string{logs.Stdin}, strings.NewReader(text), logs.Options{})
	if err != nil {
		t.Fatal(err)
	}
	log, err := Read(context.Background(), reader)
	if err != nil {
		t.Fatal(err)
	}
	return log
}

// TestTooLong holds that a log of more events, or of more days, than a scenario can have is refused.
func TestTooLong(t *testing.T) {
	line := "[2026-03-%02d 09:15:00,124] INFO [GroupCoordinator id=2 topic=__consumer_offsets partition=31] Preparing to rebalance group orders in state " +
		"PreparingRebalance with old generation %d (reason: removing member m on heartbeat expiration.).\n"
	var many strings.Builder
	for n := range mostEvents + 1 {
		fmt.Fprintf(&many, line, 4, n)
	}
	for want, text := range map[string]string{
		"more than 2000 events": many.String(),
		"more than 7 days":      fmt.Sprintf(line, 4, 1) + fmt.Sprintf(line, 12, 2),
	} {
		if _, err := From(context.Background(), readText(t, text), Options{}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want %s", err, want)
		}
	}
}

// TestThrows holds that a member is polled again of which poll() throws.
func TestThrows(t *testing.T) {
	text, err := os.ReadFile("testdata/orders.log")
	if err != nil {
		t.Fatal(err)
	}
	const again = "poll-again = "
	for reason, want := range map[string]bool{"the consumer is being closed": false, "rebalance failed due to InvalidTopicException": true} {
		log := readText(t, strings.ReplaceAll(string(text), "the consumer is being closed", reason))
		result, err := From(context.Background(), log, Options{Budget: 1})
		if err != nil {
			t.Fatal(err)
		}
		if got := strings.Contains(string(result.Text), again); got != want {
			t.Errorf("%s: %s written: %t, want %t", reason, again, got, want)
		}
	}
}

// TestOwner holds that an instance id is no client id, though a member id begins with either.
func TestOwner(t *testing.T) {
	const id = "a-0b5c5c0e-6d5b-4f0e-9d57-3d2a1f6f0a01"
	static, dynamic := life{id: id, instance: "a"}, life{id: id}
	if static.owner() == dynamic.owner() {
		t.Errorf("a static and a dynamic member are both of %s", dynamic.owner())
	}
}

// TestCompare holds what counts as a stay, and what is said of the differences.
func TestCompare(t *testing.T) {
	at := func(s int, k key) moment {
		return moment{key: k, at: time.Duration(s) * time.Second, state: slices.Contains(changes, k.kind)}
	}
	preparing, completing, assigned := key{kind: logs.Preparing, reason: trace.MemberJoined}, key{kind: logs.Completing, members: 2}, key{kind: logs.AssignmentReceived}
	log := []moment{at(0, preparing), at(3, completing), at(4, assigned), at(20, key{kind: logs.GroupLoaded})}
	for _, c := range []struct {
		name  string
		run   []moment
		stays reports.Repeated
		want  []reports.Remaining
	}{
		{"the same", log, reports.Repeated{Logged: 3, Simulated: 3, Matched: 3}, nil},
		{"longer", []moment{at(0, preparing), at(6, completing), at(7, assigned), at(20, key{kind: logs.GroupLoaded})}, reports.Repeated{Logged: 3, Simulated: 3, Matched: 1}, []reports.Remaining{
			{At: 3 * time.Second, Logged: "the end of a join phase of 2 after 3s", Simulated: "after 6s"},
			{At: 20 * time.Second, Logged: "the group at another broker after 16s", Simulated: "after 13s"},
		}},
		{"a line less", []moment{at(0, preparing), at(9, assigned), at(20, key{kind: logs.MemberFailed, member: "a"})}, reports.Repeated{Logged: 2, Simulated: 1}, []reports.Remaining{
			{At: 3 * time.Second, Logged: "the end of a join phase of 2"},
			{At: 20 * time.Second, Logged: "the group at another broker"},
			{At: 20 * time.Second, Simulated: "the end of the session of a"},
		}},
	} {
		tried := trial{comparison: compare(log, c.run, 20*time.Second)}
		if tried.stays != c.stays {
			t.Errorf("%s: stays %+v, want %+v", c.name, tried.stays, c.stays)
		}
		if diff := cmp.Diff(c.want, tried.remaining()); diff != "" {
			t.Errorf("%s: (-want +got)\n%s", c.name, diff)
		}
	}
}

// TestHappened holds that there are words for every kind that is compared.
func TestHappened(t *testing.T) {
	for _, kind := range details {
		if happened[kind] == "" {
			t.Errorf("no words for %s", kind)
		}
	}
}

// TestOrder holds that a rebalance is found again where its members come in another order.
func TestOrder(t *testing.T) {
	issued := func(member string) moment {
		return moment{key: key{kind: logs.MemberIDIssued, member: member}}
	}
	begun := func(by string) moment {
		return moment{key: key{kind: logs.Preparing, reason: trace.MemberJoined}, whom: by, state: true}
	}
	log := []moment{issued("a"), begun("a"), issued("b"), issued("c")}
	run := []moment{issued("b"), issued("c"), begun("b"), issued("a")}
	c := compare(log, run, time.Second)
	if want := (reports.Repeated{Logged: 1, Simulated: 1, Matched: 1}); c.rebalances != want {
		t.Errorf("rebalances %+v, want %+v", c.rebalances, want)
	}
	if !c.score.near() || c.score.right() {
		t.Errorf("score %+v, want only details that differ", c.score)
	}
}
