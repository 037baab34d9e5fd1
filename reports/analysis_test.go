package reports

import (
	"bytes"
	"fmt"
	"io"

	"regexp"
	"strings"
	"testing"
	"time"
	"unicode"

	"simulate/incident"
	"simulate/incident/logs"
	"simulate/sim/clock"
	"simulate/sim/metrics"
	"simulate/sim/trace"
	"simulate/sim/wire"
	"simulate/timeline"
)

// loggedAt is an instant of the hand-made logs, so long after their first record.
func loggedAt(d time.Duration) logs.Instant {
	return logs.Instant(time.Date(2026, time.March, 4, 9, 15, 0, 0, time.UTC).UnixNano()).Add(d)
}

const (
	firstID  = wire.MemberID("orders-1-51711e84-f110-402b-9f2d-4537e977be59")
	secondID = wire.MemberID("orders-2-0b9f4c11-55aa-4bd2-8d44-77f0a1c2d3e4")
)

// analysed are what logs could say.
func analysed() map[string]Analysis {
	return map[string]Analysis{
		"analysis-stuck":   stuckAnalysis("orders"),
		"analysis-groups":  manyAnalysis(),
		"analysis-clients": clientAnalysis(),
		"analysis-epochs":  epochAnalysis(),
		"analysis-bare":    bareAnalysis(),
		"analysis-samples": sampleAnalysis(),
		"analysis-nothing": {
			Analysis: &incident.Analysis{From: logs.NoTime, To: logs.NoTime}, StuckAfter: 30 * time.Second,
			Sources: []*logs.Source{{Name: "app.log", Lines: 1200, Unparsed: 2}},
		},
	}
}

func lineAt(line int64) logs.Place { return logs.Place{Line: line} }

// stuckAnalysis is a log in which a group and its members have a name: one rebalance before it, two in it.
func stuckAnalysis(name string) Analysis {
	first, second := wire.MemberID(name+string(firstID[6:])), wire.MemberID(name+string(secondID[6:]))
	g := incident.Group{
		Name: name, Brokers: []int32{3}, Partition: 12, From: loggedAt(0), To: loggedAt(12 * time.Minute), Records: 9,
		Spans: []incident.Span{
			{State: incident.Unknown, Since: loggedAt(0), Until: loggedAt(time.Minute), Generation: logs.Unknown, Cut: true},
			{State: incident.PreparingRebalance, Since: loggedAt(time.Minute), Until: loggedAt(6 * time.Minute), Generation: 41},
			{State: incident.CompletingRebalance, Since: loggedAt(6 * time.Minute), Until: loggedAt(6*time.Minute + 20*time.Millisecond), Generation: 42},
			{State: incident.Stable, Since: loggedAt(6*time.Minute + 20*time.Millisecond), Until: loggedAt(11 * time.Minute), Generation: 42},
			{State: incident.PreparingRebalance, Since: loggedAt(11 * time.Minute), Until: loggedAt(12 * time.Minute), Generation: 42, Open: true},
		},
		State: incident.PreparingRebalance, Generation: 42, Members: 2,
		Rebalances: []incident.Rebalance{
			{
				At: loggedAt(time.Minute), Prepared: loggedAt(6 * time.Minute), Assigned: loggedAt(6*time.Minute + 20*time.Millisecond), Until: loggedAt(6*time.Minute + 20*time.Millisecond), Ended: metrics.Completed,
				Reason: trace.MemberJoined, Member: first, ClientReason: "need to re-join with the given member-id", From: incident.Unknown,
				Old: 41, Generation: 42, Members: 2, Evicted: 1, Lines: []logs.Place{lineAt(3), lineAt(8), lineAt(9)},
			},
			{
				At: loggedAt(11 * time.Minute), Prepared: logs.NoTime, Until: loggedAt(12 * time.Minute), Ended: metrics.Open, Reason: trace.Left,
				Member: first, Leavers: []wire.MemberID{first}, From: incident.Stable, Old: 42, Generation: logs.Unknown, Members: logs.Unknown,
				Lines: []logs.Place{lineAt(14)},
			},
		},
		Count: 2, ByReason: map[trace.Reason]int{trace.MemberJoined: 1, trace.Left: 1}, Joined: 1, Completed: 1,
		UnseenCount: 3, Unseen: []incident.Gap{{Since: loggedAt(0), Until: loggedAt(time.Minute), Rebalances: 3}},
		Evictions: []incident.Eviction{
			{At: loggedAt(6 * time.Minute), Member: second, Cause: trace.NotRejoinedInTime, Line: lineAt(7)},
			{At: loggedAt(11 * time.Minute), Member: second, Cause: trace.SessionExpired, Silent: 45 * time.Second, After: logs.Completing, Line: lineAt(13)},
		},
		Evicted: map[trace.Reason]int{trace.NotRejoinedInTime: 1, trace.SessionExpired: 1},
		Leaves:  []incident.Leave{{At: loggedAt(11 * time.Minute), Member: first, ClientReason: "the consumer is being closed", Line: lineAt(15)}}, LeaveCount: 1,
		Fleet: []incident.Member{
			{ID: first, Joined: loggedAt(time.Minute), Left: loggedAt(11 * time.Minute)},
			{ID: second, Instance: "node-2", Joined: logs.NoTime, Left: loggedAt(6 * time.Minute), Evicted: true},
		},
		FleetCount: 2,
		Stuck: []incident.Stuck{{
			Span:    incident.Span{State: incident.PreparingRebalance, Since: loggedAt(time.Minute), Until: loggedAt(6 * time.Minute), Generation: 41},
			Missing: []wire.MemberID{second}, Lines: []logs.Place{lineAt(3), lineAt(7)},
		}, {
			Span: incident.Span{State: incident.PreparingRebalance, Since: loggedAt(11 * time.Minute), Until: loggedAt(12 * time.Minute), Generation: 42, Open: true},
		}},
		StuckCount: 2,
		Anomalies: []incident.Anomaly{
			{Kind: metrics.LongRebalance, Since: loggedAt(time.Minute), Until: loggedAt(6 * time.Minute)},
			{Kind: metrics.FlappingMember, Since: loggedAt(time.Minute), Until: loggedAt(11 * time.Minute), Count: 4, Who: name},
		},
		Causes: []incident.Cause{
			{
				Kind: incident.SlowRejoin, Rebalances: 1, Member: second, Text: "it did not rejoin within 5m, and the others waited for it",
				Lines: []logs.Place{lineAt(3), lineAt(7), lineAt(8), lineAt(9)},
			},
			{Kind: incident.Restarts, Rebalances: 1, Text: "one member closed", Lines: []logs.Place{lineAt(15)}},
		},
		Missing: []string{"the log of the client " + name + "-2: it says whether its poll took too long"},
	}
	g.AnomalyCount[metrics.LongRebalance], g.AnomalyCount[metrics.FlappingMember] = 1, 1
	return withTimes(Analysis{
		Analysis: &incident.Analysis{
			From: loggedAt(0), To: loggedAt(12 * time.Minute), Groups: []incident.Group{g}, Records: 9,
			Warnings: []string{"the stamps name no zone: instants are on the clocks of who wrote them"},
		},
		Sources: []*logs.Source{{Name: "logs/" + name + ".log", Lines: 16, Events: 9, Unparsed: 1, Duplicates: 2, Cut: 1, Reversed: true}},
		Quotes: map[logs.Place]string{
			lineAt(3): "[2026-03-04 09:16:00,000] INFO [GroupCoordinator 3]: Preparing to rebalance group " + name + " in state PreparingRebalance with old " +
				"generation 41 (__consumer_offsets-12) (reason: Adding new member " + string(first) + ")",
			lineAt(7):  "[2026-03-04 09:21:00,000] INFO [GroupCoordinator 3]: Group " + name + " removed dynamic members who haven't joined: Set(" + string(second) + ")",
			lineAt(15): "a line of " + name,
		},
		Unparsed:   []logs.Line{{Place: lineAt(5), Text: "[2026-03-04 09:17:00,000] INFO Preparing to rebalance " + name}},
		StuckAfter: 30 * time.Second,
	})
}

// withTimes adds up the spans.
func withTimes(a Analysis) Analysis {
	for i := range a.Groups {
		g := &a.Groups[i]
		g.SpanCount = len(g.Spans)
		for _, s := range g.Spans {
			g.TimeIn[s.State] += s.For()
			g.Longest[s.State] = max(g.Longest[s.State], s.For())
		}
	}
	return a
}

// manyAnalysis is about several groups over several days, one of which moved.
func manyAnalysis() Analysis {
	a := stuckAnalysis("orders")
	a.To = loggedAt(26 * time.Hour)
	a.Thresholds = metrics.Defaults()
	a.Thresholds.FrequentCount = 2
	a.Location = time.FixedZone("Asia/Kolkata", 19_800)
	a.Sources = append(a.Sources, &logs.Source{Name: "-", Lines: 1})
	a.Cut, a.LeftOut, a.Unparsed = true, 7, nil
	moved := incident.Group{
		Name: "payments", Brokers: []int32{1, 2}, From: loggedAt(0), To: loggedAt(time.Hour),
		Spans: []incident.Span{
			{State: incident.Stable, Since: loggedAt(0), Until: loggedAt(time.Minute), Generation: 7, Cut: true},
			{State: incident.Elsewhere, Since: loggedAt(time.Minute), Until: loggedAt(time.Hour), Generation: 7, Open: true},
		},
		State: incident.Elsewhere, Generation: 7, Members: logs.Unknown,
	}
	a.Groups = append(a.Groups, moved)
	for i := range 52 {
		a.Groups = append(a.Groups, incident.Group{
			Name: fmt.Sprintf("quiet-%02d", i), From: loggedAt(0), To: loggedAt(0), Generation: logs.Unknown, Members: logs.Unknown,
		})
	}
	a.Moves = []incident.Move{
		{At: loggedAt(time.Minute), Broker: 1, Partition: 12, Kind: logs.UnloadedPartition, Line: lineAt(20)},
		{At: loggedAt(2 * time.Minute), Broker: 2, Partition: logs.Unknown, Kind: logs.LoadedPartition, For: 1200 * time.Millisecond, Line: lineAt(21)},
	}
	a.MoveCount = 2
	return withTimes(a)
}

// clientAnalysis is what clients alone say, of more rebalances and members than a text has room for.
func clientAnalysis() Analysis {
	g := incident.Group{
		Name: "billing", ClientView: true, From: loggedAt(0), To: loggedAt(time.Hour), State: incident.Unknown, Generation: 20, Members: logs.Unknown,
		Spans: []incident.Span{{State: incident.Unknown, Since: loggedAt(0), Until: loggedAt(time.Hour), Generation: logs.Unknown, Cut: true, Open: true}},
		Count: 40, Completed: 40, ByReason: map[trace.Reason]int{trace.NoReason: 40},
		Clients: loggingClients(),
		Causes:  []incident.Cause{{Kind: incident.PollTimeouts, Rebalances: 3}},
		Missing: []string{"the broker's log"},
	}
	for i := range 20 {
		at := time.Duration(i) * time.Minute
		g.Rebalances = append(g.Rebalances, incident.Rebalance{
			At: loggedAt(at), Old: int32(i), Generation: int32(i + 1), Prepared: logs.NoTime, Until: loggedAt(at + time.Second), Headless: i%5 == 0, Lost: i%7 == 0, Ended: metrics.Completed,
		})
		g.Fleet = append(g.Fleet, incident.Member{ID: wire.MemberID(fmt.Sprintf("billing-%d-5171%04d-f110-402b-9f2d-4537e977be59", i%3, i)), Joined: logs.NoTime, Left: logs.NoTime})
		g.Evictions = append(g.Evictions, incident.Eviction{At: loggedAt(at), Member: g.Fleet[i].ID, Cause: trace.SessionExpired})
		g.Leaves = append(g.Leaves, incident.Leave{At: loggedAt(at), Member: g.Fleet[i].ID, PollTimeout: i < 2})
		g.Anomalies = append(g.Anomalies, incident.Anomaly{Kind: metrics.Frequent, Since: loggedAt(at), Until: loggedAt(at + time.Second), Count: 3})
	}
	g.FleetCount, g.LeaveCount, g.Evicted, g.PendingExpired = 20, 20, map[trace.Reason]int{trace.SessionExpired: 20}, 1
	g.AnomalyCount[metrics.Frequent] = 20
	return withTimes(Analysis{
		Analysis: &incident.Analysis{From: g.From, To: g.To, Groups: []incident.Group{g}}, StuckAfter: 30 * time.Second,
		Sources: []*logs.Source{{Name: "billing.log", Lines: 100, Events: 80}},
	})
}

// epochAnalysis is about the consumer protocol.
func epochAnalysis() Analysis {
	g := incident.Group{
		Name: "orders", Consumer: true, Brokers: []int32{logs.Unknown}, From: loggedAt(0), To: loggedAt(time.Minute), State: incident.Reconciling, Generation: 9, Members: 2,
		Spans: []incident.Span{
			{State: incident.Stable, Since: loggedAt(0), Until: loggedAt(10 * time.Second), Generation: 7, Cut: true, Lost: true},
			{State: incident.Reconciling, Since: loggedAt(10 * time.Second), Until: loggedAt(time.Minute), Generation: 8, Open: true},
		},
		EpochCount: 2,
		Epochs: []incident.Epoch{
			{Epoch: 8, At: loggedAt(10 * time.Second), Until: loggedAt(20 * time.Second), Members: 1, Superseded: true},
			{Epoch: 9, At: loggedAt(20 * time.Second), Until: loggedAt(time.Minute), Members: 2, Open: true},
		},
	}
	return withTimes(Analysis{
		Analysis: &incident.Analysis{From: g.From, To: g.To, Groups: []incident.Group{g}}, StuckAfter: 30 * time.Second,
		Sources: []*logs.Source{{Name: "broker.log", Lines: 20, Events: 20}},
	})
}

// bareAnalysis is about records without a stamp, and a group that none names.
func bareAnalysis() Analysis {
	g := incident.Group{
		Name: "", From: logs.NoTime, To: logs.NoTime, State: incident.Stable, Generation: 2, Members: logs.Unknown, Count: 1, Completed: 1,
		ByReason:   map[trace.Reason]int{trace.SessionExpired: 1},
		Rebalances: []incident.Rebalance{{At: logs.NoTime, Prepared: logs.NoTime, Until: logs.NoTime, Ended: metrics.Completed, Reason: trace.SessionExpired, Member: firstID}},
		Evictions:  []incident.Eviction{{At: logs.NoTime, Cause: trace.SessionExpired}}, Evicted: map[trace.Reason]int{trace.SessionExpired: 1},
	}
	return Analysis{
		Analysis: &incident.Analysis{From: logs.NoTime, To: logs.NoTime, Groups: []incident.Group{g}}, StuckAfter: 30 * time.Second,
		Sources: []*logs.Source{{Name: "broker.log", Lines: 20, Events: 20, Dateless: true, Warning: "it ends in the middle of a block"}},
	}
}

func TestAnalysisText(t *testing.T) {
	for name, a := range analysed() {
		var b bytes.Buffer
		if err := AnalysisText(&b, a, TextOptions{}); err != nil {
			t.Fatal(err)
		}
		compareGolden(t, "testdata/"+name+".text", b.String())
	}
}

// No line is wider than a terminal, and nothing reaches it that it would obey, whatever names there are.
func TestAnalysisTextIsTame(t *testing.T) {
	all := analysed()
	for _, word := range hostileWords {
		all["named "+word] = stuckAnalysis(word)
	}
	for name, a := range all {
		var b bytes.Buffer
		if err := AnalysisText(&b, a, TextOptions{All: true}); err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(b.String()) {
			line = strings.TrimSuffix(line, "\n")
			if columns(line) > width {
				t.Errorf("%s: %d columns: %q", name, columns(line), line)
			}
			for _, r := range line {
				if !unicode.IsPrint(r) {
					t.Errorf("%s: %q in %q", name, r, line)
				}
			}
		}
	}
}

func TestAnalysisJSON(t *testing.T) {
	schema := compile(t, "analysis")
	for name, a := range analysed() {
		write := func(w io.Writer) error { return AnalysisJSON(w, a) }
		var b bytes.Buffer
		if err := write(&b); err != nil {
			t.Fatal(err)
		}
		if name == "analysis-stuck" || name == "analysis-epochs" { // the others are long and show no other key
			compareGolden(t, "testdata/"+name+".json", b.String())
		}
		keepsSchema(t, schema, name, write)
	}
}

// TestAnalysisPages holds what pages look like, that they load nothing, that they are the same each time, and that no id is
// there twice.
func TestAnalysisPages(t *testing.T) {
	again := analysed()
	for name, a := range analysed() {
		page := analysisPageOf(t, a)
		if name == "analysis-stuck" || name == "analysis-epochs" {
			compareGolden(t, "testdata/"+name+".html", page)
		}
		if page != analysisPageOf(t, again[name]) {
			t.Errorf("%s: another page the second time", name)
		}
		if found := regexp.MustCompile(`url\(|(?:src|href)="[^d#]`).FindString(page); found != "" {
			t.Errorf("%s: the page has %s", name, found)
		}
		ids := map[string]bool{}
		for _, id := range regexp.MustCompile(`\bid="[^"]*"`).FindAllString(page, -1) {
			if ids[id] {
				t.Errorf("%s: two elements with %s", name, id)
			}
			ids[id] = true
		}
		for _, link := range regexp.MustCompile(`href="#([^"]*)"`).FindAllStringSubmatch(page, -1) {
			if !ids[`id="`+link[1]+`"`] {
				t.Errorf("%s: nothing has the id %s", name, link[1])
			}
		}
	}
}

func analysisPageOf(t *testing.T, a Analysis) string {
	t.Helper()
	var b bytes.Buffer
	if err := AnalysisHTML(&b, a); err != nil {
		t.Fatal(err)
	}
	return without(t, b.String(), "page.css", "timeline.js")
}

// TestAnalysisLanes holds that lanes have no gap, whatever spans and members there are.
func TestAnalysisLanes(t *testing.T) {
	for name, a := range analysed() {
		lines := a.timeline(a.urgent())
		for _, g := range lines.Groups {
			for _, l := range append([]timeline.Lane{{Who: g.Name, Segments: g.States}}, g.Members...) {
				at := clock.Time(0)
				for _, s := range l.Segments {
					if s.Since != at || s.Until <= s.Since {
						t.Errorf("%s: %s: a segment from %v to %v follows %v", name, l.Who, s.Since, s.Until, at)
					}
					at = s.Until
				}
				if at != lines.End {
					t.Errorf("%s: %s ends at %v, not %v", name, l.Who, at, lines.End)
				}
			}
		}
	}
}

// TestCauseKinds holds that each kind of cause has a title, and is in the schema.
func TestCauseKinds(t *testing.T) {
	text, _ := Schema("analysis")
	for kind := range incident.NumCauseKinds {
		if causeTitles[kind] == "" {
			t.Errorf("%v has no title", kind)
		}
		if !bytes.Contains(text, []byte(`"`+kind.String()+`"`)) {
			t.Errorf("the schema has no cause %v", kind)
		}
	}
}

// TestFollowEvent holds what is printed of a record that has just come.
func TestFollowEvent(t *testing.T) {
	record := func(kind logs.Kind, change func(*logs.Event)) logs.Event {
		e := logs.Event{
			Kind: kind, At: loggedAt(0), Group: "orders", Member: firstID, Instance: "node-1", List: []wire.MemberID{secondID},
			Generation: 42, Members: 3, Partition: 12, Broker: 2, Reason: trace.MemberJoined,
		}
		change(&e)
		return e
	}
	same := func(*logs.Event) {}
	var b strings.Builder
	for _, e := range []logs.Event{
		record(logs.Preparing, same), record(logs.Completing, same),
		record(logs.AssignmentReceived, func(e *logs.Event) { e.Members = logs.Unknown }),
		record(logs.MemberLeft, func(e *logs.Event) { e.ClientReason = "the consumer is being closed" }),
		record(logs.NotRejoined, same), record(logs.Fenced, same),
		record(logs.StoreFailed, func(e *logs.Event) { e.Text = "NOT_ENOUGH_REPLICAS\x1b[2J" }),
		record(logs.LoadedPartition, func(e *logs.Event) { e.Group, e.For = "", 2*time.Second }),
		record(logs.Resigned, func(e *logs.Event) { e.Group, e.Broker, e.Partition = "", logs.Unknown, logs.Unknown }),
		record(logs.PollTimeout, func(e *logs.Event) { e.Client, e.For = "orders-1", 1500*time.Millisecond }),
		record(logs.JoinSent, func(e *logs.Event) { e.At, e.Group, e.Client = logs.NoTime, "", "" }),
		record(logs.Migrated, func(e *logs.Event) { e.Text = "consumer" }),
		record(logs.HeartbeatSent, same),
	} {
		if err := FollowEvent(&b, &e, nil); err != nil {
			t.Fatal(err)
		}
	}
	compareGolden(t, "testdata/analysis-follow.text", b.String())
}

// Colour adds escape sequences and changes nothing else.
func TestAnalysisColor(t *testing.T) {
	var bare, painted bytes.Buffer
	for b, o := range map[*bytes.Buffer]TextOptions{&bare: {}, &painted: {Color: true}} {
		if err := AnalysisText(b, stuckAnalysis("orders"), o); err != nil {
			t.Fatal(err)
		}
	}
	without := regexp.MustCompile("\x1b\\[[0-9]*m").ReplaceAllString(painted.String(), "")
	if without == painted.String() || without != bare.String() {
		t.Errorf("colour changes the text, or there is none:\n%s", painted.String())
	}
}

// TestAnalysisDrawsSome holds that a page draws the last members of many, and says so.
func TestAnalysisDrawsSome(t *testing.T) {
	a := stuckAnalysis("orders")
	g := &a.Groups[0]
	for i := range mostLanes + 3 {
		g.Fleet = append(g.Fleet, incident.Member{ID: wire.MemberID(fmt.Sprint("member-", i)), Joined: a.From, Left: a.To})
	}
	g.FleetCount = len(g.Fleet)
	drawn := 0
	for _, of := range a.timeline(a.urgent()).Groups {
		drawn += len(of.Members)
	}
	if drawn > mostLanes {
		t.Errorf("%d members are drawn", drawn)
	}
	want := fmt.Sprintf("the last %d of %d member ids", mostLanes/len(a.Groups), g.FleetCount)
	if page := analysisPageOf(t, a); !strings.Contains(page, want) {
		t.Errorf("the page does not say %q", want)
	}
}
