package logs

import (
	"bytes"
	"cmp"
	"encoding/json"
	"maps"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"simulate/sim/trace"
	"simulate/sim/wire"
)

// recordings are the directories with recorded runs: those in LIVE_DIR, or those beside the repository. A clone has none.
func recordings() []string {
	roots := filepath.SplitList(os.Getenv("LIVE_DIR"))
	if len(roots) == 0 {
		roots = []string{"../../../shared/live", "../../../shared/live-clients"}
	}
	var dirs []string
	for _, root := range roots {
		for _, pattern := range []string{"*/case.json", "*/*/case.json"} {
			files, _ := filepath.Glob(filepath.Join(root, pattern))
			for _, file := range files {
				dirs = append(dirs, filepath.Dir(file))
			}
		}
	}
	return dirs
}

// observed is an event of a coordinator as a recording has it. Of what it leaves out nothing is known.
type observed struct {
	AtMs          float64  `json:"at_ms"`
	Kind          string   `json:"kind"`
	Member        string   `json:"member"`
	Old           string   `json:"old"`
	Leader        string   `json:"leader"`
	Instance      *string  `json:"instance"`
	State         *string  `json:"state"`
	Generation    *int32   `json:"generation"`
	OldGeneration *int32   `json:"old_generation"`
	Epoch         *int32   `json:"epoch"`
	Members       *int32   `json:"members"`
	Static        *int32   `json:"static"`
	Reason        *string  `json:"reason"`
	ClientReason  *string  `json:"client_reason"`
	ReasonKind    *string  `json:"reason_kind"`
	Evicted       []string `json:"evicted"`
}

type recorded struct {
	MemberIDs map[string]string `json:"member_ids"`
	Observed  struct {
		Events []observed `json:"events"`
	} `json:"observed"`
}

// observedKinds are the names that recordings have for kinds.
var observedKinds = map[string]Kind{
	"member-id-issued": MemberIDIssued, "member-added": MemberAdded, "preparing": Preparing, "completing": Completing,
	"assignment-received": AssignmentReceived, "left": MemberLeft, "session-expired": MemberFailed,
	"static-replaced": StaticReplaced, "static-no-rebalance": StaticNoRebalance, "loaded": GroupLoaded, "unloading": GroupUnloaded,
	"empty": EmptyGroup, "pending-expired": PendingExpired, "not-rejoined": NotRejoined, "group-deleted": DeadGroup,
	"leader-replaced": LeaderReplaced, "nobody-rejoined": NobodyRejoined, "fenced": Fenced, "empty-assignment": EmptyAssignment,
	"ConsumerGroupEpoch": EpochBumped, "ConsumerMemberJoined": ConsumerJoined, "ConsumerMemberLeft": ConsumerLeft,
	"ConsumerMemberFenced": ConsumerFenced,
}

// notLogged are the kinds of which a broker of 4.4 logs nothing at INFO: recordings have them from elsewhere.
var notLogged = []string{"stable", "MemberState", "TargetAssignment"}

// coordinatorLine is a line of one of the classes that coordinate groups.
var coordinatorLine = regexp.MustCompile(`^\[(.{23})\] [A-Z]+ (.*) \(org\.apache\.kafka\.coordinator\.(group|common\.runtime)\.[^ ]*\)$`)

// withoutMeaning are the messages of these classes that say nothing about a group, and those that are about all of a broker.
var withoutMeaning = regexp.MustCompile(`Scheduling unloading of metadata|Ignored unloading metadata|-event-processor-\d+\]: |vent processor|` +
	`Generated \d+ (tombstone )?records|updated its subscribed topics|Creating a simple consumer group|The following groups were deleted: \.`)

// The events of all recorded runs are what their brokers logged, to the millisecond, and every line of a coordinator is
// known.
func TestLiveBrokers(t *testing.T) {
	lines, events := 0, 0
	for _, dir := range recordings() {
		text, err := os.ReadFile(filepath.Join(dir, "case.json"))
		if err != nil {
			t.Fatal(err)
		}
		var c recorded
		if err := json.Unmarshal(text, &c); err != nil {
			t.Fatal(err)
		}
		got, n := brokerEvents(t, dir)
		lines += n
		events += compareLive(t, dir, &c, got)
	}
	t.Logf("%d lines of coordinators, %d events", lines, events)
}

// brokerEvents reads the logs of a run's brokers in the order of time.
func brokerEvents(t *testing.T, dir string) (events []Event, lines int) {
	t.Helper()
	f := newFinder(newNames())
	files, _ := filepath.Glob(filepath.Join(dir, "broker*.log"))
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for line := range bytes.Lines(text) {
			line = bytes.TrimSuffix(line, []byte("\n"))
			parts := coordinatorLine.FindSubmatch(line)
			if parts == nil {
				continue
			}
			lines++
			var e Event
			if _, ok := f.find(&record{text: line}, &e); !ok {
				if !withoutMeaning.Match(line) {
					t.Errorf("%s: not understood: %s", file, line)
				}
				continue
			}
			at, err := time.Parse("2006-01-02 15:04:05,000", string(parts[1]))
			if err != nil {
				t.Fatal(err)
			}
			e.At = Instant(at.UnixNano())
			e.List = slices.Clone(e.List)
			events = append(events, e)
		}
	}
	slices.SortStableFunc(events, func(a, b Event) int { return cmp.Compare(a.At, b.At) })
	return events, lines
}

// compareLive holds events against those of a recording, and returns how many there are of the recording's group.
func compareLive(t *testing.T, dir string, c *recorded, got []Event) int {
	t.Helper()
	want := slices.DeleteFunc(c.Observed.Events, func(o observed) bool { return slices.Contains(notLogged, o.Kind) })
	if len(want) == 0 {
		return 0
	}
	group := ""
	for _, e := range got { // of several groups the one called a is recorded
		if group == "" || strings.HasSuffix(e.Group, "-a") {
			group = cmp.Or(e.Group, group)
		}
	}
	loads := slices.ContainsFunc(want, func(o observed) bool { return o.Kind == "loaded" }) // those of clients leave them out
	got = slices.DeleteFunc(got, func(e Event) bool {
		if !loads && (e.Kind == GroupLoaded || e.Kind == GroupUnloaded) {
			return true
		}
		return e.Group != group && e.Kind != StaticNoRebalance && e.Kind != LeaderReplaced && e.Kind != Fenced
	})
	if len(got) != len(want) {
		t.Errorf("%s: %d events, the recording has %d", dir, len(got), len(want))
		return 0
	}
	ids := map[string]string{} // by alias, as the events have them: a recording has two the other way round
	start := time.Duration(got[0].At) - time.Duration(want[0].AtMs*1e6)
	for i := range want {
		offset := time.Duration(got[i].At) - start - time.Duration(want[i].AtMs*1e6)
		if math.Abs(float64(offset)) > float64(time.Millisecond) {
			t.Errorf("%s: %s at %v ms: %v off", dir, want[i].Kind, want[i].AtMs, offset)
		}
		if wrong := differs(&want[i], &got[i], ids); wrong != "" {
			t.Errorf("%s: %s at %v ms: the %s is another: %v%s", dir, want[i].Kind, want[i].AtMs, wrong, got[i].Kind, fieldsOf(&got[i]))
		}
	}
	for alias, id := range ids {
		if real := slices.Collect(maps.Values(c.MemberIDs)); len(real) > 0 && alias != "" && !slices.Contains(real, id) {
			t.Errorf("%s: %s is %s, which the recording does not have", dir, alias, id)
		}
	}
	return len(got)
}

// differs names what a recording says otherwise, "" when nothing. An alias that is new has the id of the event.
func differs(o *observed, e *Event, ids map[string]string) string {
	number := func(want *int32, got int32) bool { return want == nil || *want == got }
	text := func(want *string, got string) bool { return want == nil || *want == got }
	member := func(alias string, got wire.MemberID) bool {
		if _, known := ids[alias]; !known {
			ids[alias] = string(got)
		}
		return alias == "" || ids[alias] == string(got)
	}
	clientReason := cmp.Or(e.ClientReason, "not provided")
	for alias, id := range ids {
		if id != "" {
			clientReason = strings.ReplaceAll(clientReason, id, alias)
		}
	}
	for _, check := range []struct {
		what string
		same bool
	}{
		{"kind", observedKinds[o.Kind] == e.Kind},
		{"member", member(o.Member, e.Member)},
		{"old member", member(o.Old, e.Other)},
		{"leader", member(o.Leader, e.Other)},
		{"instance", text(o.Instance, string(e.Instance))},
		{"state", text(o.State, e.State.String())},
		{"generation", number(o.Generation, e.Generation)},
		{"old generation", number(o.OldGeneration, e.Generation)},
		{"epoch", number(o.Epoch, e.Generation)},
		{"number of members", number(o.Members, e.Members)},
		{"number of static members", number(o.Static, e.Static)},
		{"reason", o.ReasonKind == nil || *o.ReasonKind == e.Reason.String()},
		{"client's reason", text(o.ClientReason, clientReason) && (e.Kind != MemberLeft || text(o.Reason, clientReason))},
		{"reason of a fenced member", e.Kind != ConsumerFenced || e.Reason == trace.SessionExpired == (*o.Reason == "the member session expired")},
		{"list", slices.EqualFunc(o.Evicted, e.List, func(alias string, id wire.MemberID) bool { return member(alias, id) }) || e.Kind != NotRejoined},
	} {
		if !check.same {
			return check.what
		}
	}
	return ""
}
