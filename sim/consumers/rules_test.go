package consumers

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/cockroachdb/datadriven"

	"simulate/sim/wire"
)

// rules are the numbers of the behaviour specification of Kafka clients, section 1, with their parts where it has
// some. A transcript shows a rule that its comments name in parentheses.
var rules = strings.Fields(`
	J1 J2.1 J2.2 J2.3 J2.4 J2.5 J2.6 J3 J4 J5
	J6.1 J6.2 J6.3 J6.4 J6.5 J6.6 J7 J8 J9 J10 J11
	J12a J12b J12c J12d J12e J12f J13 J14a J14b J14c J14d J14e J14f J14g J15
	J16 J17.1 J17.2 J17.3 J17.4 J17.5 J17.6 J18 J19
	J20 J21 J22 J23 J24 J25 J26 J27 J28 J29 J30 J31 J32 J33 J34 J35 J36 J37 J38
	J39 J40 J41 J42 J43 J44 J45 J46 J47 J48 J49`)

// outcome is what an answer does to the membership it finds.
type outcome uint8

const (
	keeps   outcome = iota // generation and member id
	takes                  // those of the answer
	forgets                // the generation; the member id stays
	resets                 // both
	throws                 // an exception leaves poll(), and the application ends
	anyhow                 // nothing to compare
)

// rows are the rows of the error tables. A transcript shows one by an answer command, or by losing the connection on
// which the request is outstanding. "Others" are the answers without a row of their own; "changed" means that the
// membership is not the one that the request was sent under any more.
var rows = map[string]outcome{
	"JoinGroup NONE":                         takes,
	"JoinGroup MEMBER_ID_REQUIRED":           takes,
	"JoinGroup UNKNOWN_MEMBER_ID":            resets,
	"JoinGroup UNKNOWN_MEMBER_ID, changed":   keeps,
	"JoinGroup REBALANCE_IN_PROGRESS":        keeps,
	"JoinGroup COORDINATOR_LOAD_IN_PROGRESS": keeps,
	"JoinGroup NOT_COORDINATOR":              keeps,
	"JoinGroup COORDINATOR_NOT_AVAILABLE":    keeps,
	"JoinGroup disconnect":                   keeps,
	"JoinGroup time-out":                     keeps,
	"JoinGroup FENCED_INSTANCE_ID":           throws,
	"JoinGroup GROUP_MAX_SIZE_REACHED":       throws,
	"JoinGroup INCONSISTENT_GROUP_PROTOCOL":  throws,
	"JoinGroup INVALID_SESSION_TIMEOUT":      throws,
	"JoinGroup INVALID_GROUP_ID":             throws,
	"JoinGroup GROUP_AUTHORIZATION_FAILED":   throws,
	"JoinGroup UNSUPPORTED_VERSION":          throws,
	"JoinGroup others":                       throws,

	"SyncGroup NONE":                         keeps,
	"SyncGroup REBALANCE_IN_PROGRESS":        keeps,
	"SyncGroup ILLEGAL_GENERATION":           forgets,
	"SyncGroup ILLEGAL_GENERATION, changed":  keeps,
	"SyncGroup UNKNOWN_MEMBER_ID":            resets,
	"SyncGroup UNKNOWN_MEMBER_ID, changed":   keeps,
	"SyncGroup NOT_COORDINATOR":              keeps,
	"SyncGroup COORDINATOR_NOT_AVAILABLE":    keeps,
	"SyncGroup disconnect":                   keeps,
	"SyncGroup time-out":                     keeps,
	"SyncGroup FENCED_INSTANCE_ID":           throws,
	"SyncGroup GROUP_AUTHORIZATION_FAILED":   throws,
	"SyncGroup COORDINATOR_LOAD_IN_PROGRESS": throws,
	"SyncGroup others":                       throws,

	"Heartbeat NONE":                        keeps,
	"Heartbeat REBALANCE_IN_PROGRESS":       keeps,
	"Heartbeat ILLEGAL_GENERATION":          forgets,
	"Heartbeat ILLEGAL_GENERATION, changed": keeps,
	"Heartbeat UNKNOWN_MEMBER_ID":           resets,
	"Heartbeat UNKNOWN_MEMBER_ID, changed":  keeps,
	"Heartbeat FENCED_INSTANCE_ID":          resets,
	"Heartbeat FENCED_INSTANCE_ID, changed": keeps,
	"Heartbeat NOT_COORDINATOR":             keeps,
	"Heartbeat COORDINATOR_NOT_AVAILABLE":   keeps,
	"Heartbeat disconnect":                  keeps,
	"Heartbeat time-out":                    keeps,
	"Heartbeat GROUP_AUTHORIZATION_FAILED":  keeps,
	"Heartbeat others":                      keeps,

	"OffsetCommit NONE":                                        keeps,
	"OffsetCommit COORDINATOR_LOAD_IN_PROGRESS":                keeps,
	"OffsetCommit UNKNOWN_TOPIC_OR_PARTITION":                  keeps,
	"OffsetCommit NOT_COORDINATOR":                             keeps,
	"OffsetCommit COORDINATOR_NOT_AVAILABLE":                   keeps,
	"OffsetCommit REQUEST_TIMED_OUT":                           keeps,
	"OffsetCommit disconnect":                                  keeps,
	"OffsetCommit time-out":                                    keeps,
	"OffsetCommit REBALANCE_IN_PROGRESS":                       keeps,
	"OffsetCommit UNKNOWN_MEMBER_ID":                           resets,
	"OffsetCommit UNKNOWN_MEMBER_ID, changed":                  resets,
	"OffsetCommit UNKNOWN_MEMBER_ID, changed while Preparing":  keeps,
	"OffsetCommit ILLEGAL_GENERATION":                          forgets,
	"OffsetCommit ILLEGAL_GENERATION, changed":                 forgets,
	"OffsetCommit ILLEGAL_GENERATION, changed while Preparing": keeps,
	"OffsetCommit FENCED_INSTANCE_ID":                          throws,
	"OffsetCommit FENCED_INSTANCE_ID, changed":                 keeps,
	"OffsetCommit FENCED_INSTANCE_ID, changed while Preparing": keeps,
	"OffsetCommit GROUP_AUTHORIZATION_FAILED":                  keeps,
	"OffsetCommit TOPIC_AUTHORIZATION_FAILED":                  keeps,
	"OffsetCommit OFFSET_METADATA_TOO_LARGE":                   keeps,
	"OffsetCommit INVALID_COMMIT_OFFSET_SIZE":                  keeps,
	"OffsetCommit others":                                      keeps,

	"LeaveGroup NONE":       anyhow,
	"LeaveGroup others":     anyhow,
	"LeaveGroup disconnect": anyhow,
	"LeaveGroup time-out":   anyhow,

	"FindCoordinator NONE":                         keeps,
	"FindCoordinator COORDINATOR_NOT_AVAILABLE":    keeps,
	"FindCoordinator COORDINATOR_LOAD_IN_PROGRESS": keeps,
	"FindCoordinator REQUEST_TIMED_OUT":            keeps,
	"FindCoordinator GROUP_AUTHORIZATION_FAILED":   throws,
	"FindCoordinator disconnect":                   keeps,
	"FindCoordinator time-out":                     keeps,
	"FindCoordinator others":                       throws,

	"OffsetFetch NONE":                         keeps,
	"OffsetFetch NOT_COORDINATOR":              keeps,
	"OffsetFetch COORDINATOR_NOT_AVAILABLE":    keeps,
	"OffsetFetch COORDINATOR_LOAD_IN_PROGRESS": keeps,
	"OffsetFetch REQUEST_TIMED_OUT":            keeps,
	"OffsetFetch UNSTABLE_OFFSET_COMMIT":       keeps,
	"OffsetFetch disconnect":                   keeps,
	"OffsetFetch time-out":                     keeps,
	"OffsetFetch others":                       throws,
}

// elsewhere says which test shows a rule that transcripts of one process do not show, or not in full: a Go test
// "folder.Test", or a transcript.
var elsewhere = map[string]string{
	"J23": "sim/consumers.TestBackoff",
	"J44": "sim/testdata/kill.txt",
	"J48": "sim/testdata/pause.txt",
}

// notModelled says why a rule, or a row, has no transcript.
var notModelled = map[string]string{
	"J24": "TLS and SASL are not modelled; what a connection costs is the network's",
	"J46": "as the coordinator does not notice connections, a host that crashes does not differ from a killed process",

	"JoinGroup GROUP_AUTHORIZATION_FAILED":       noACLs,
	"SyncGroup GROUP_AUTHORIZATION_FAILED":       noACLs,
	"Heartbeat GROUP_AUTHORIZATION_FAILED":       noACLs,
	"OffsetCommit GROUP_AUTHORIZATION_FAILED":    noACLs,
	"OffsetCommit TOPIC_AUTHORIZATION_FAILED":    noACLs,
	"FindCoordinator GROUP_AUTHORIZATION_FAILED": noACLs,
}

const noACLs = "brokers do not have access control lists; the error would be one of the others"

// TestEveryRuleIsShown lists the rules and the rows of the error tables that no transcript shows, and compares what
// each answer does to the membership with its row.
func TestEveryRuleIsShown(t *testing.T) {
	known := map[string]bool{}
	for _, rule := range rules {
		known[rule] = true
	}
	shown := rowsShown(t)
	for _, folder := range []string{"testdata", "../testdata"} {
		for _, file := range transcripts(t, folder) {
			for _, rule := range rulesNamedIn(t, file, ruleName) {
				if !known[rule] {
					t.Errorf("%s names %s, which is no rule, or one of which only a part can be shown", file, rule)
				}
				shown[rule] = true
			}
		}
	}
	for rule, test := range elsewhere {
		if !exists(t, test) {
			t.Errorf("%s is to be shown by %s, which does not exist", rule, test)
		}
		shown[rule] = true
	}
	for row := range rows {
		known[row] = true
	}

	var missing []string
	for rule := range known {
		_, excused := notModelled[rule]
		switch {
		case excused && shown[rule]:
			t.Errorf("%s is listed as not modelled, but a transcript shows it", rule)
		case !excused && !shown[rule]:
			missing = append(missing, rule)
		}
	}
	slices.Sort(missing)
	for _, rule := range missing {
		t.Errorf("no transcript shows %s", rule)
	}
	for rule := range notModelled {
		if !known[rule] {
			t.Errorf("%s is listed as not modelled, but it is no rule", rule)
		}
	}
}

func transcripts(t *testing.T, folder string) []string {
	files, err := filepath.Glob(filepath.Join(folder, "*.txt"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no transcripts in %s: %v", folder, err)
	}
	return files
}

var (
	inParentheses = regexp.MustCompile(`\([^()]*\)`)
	ruleName      = regexp.MustCompile(`\bJ\d+[a-z]?(\.\d)?\b`)
	otherRuleName = regexp.MustCompile(`\b[LFSKGY]\d+\b`)
)

// rulesNamedIn returns the rules, of names like that, which the comments of a transcript name in parentheses.
func rulesNamedIn(t *testing.T, file string, like *regexp.Regexp) []string {
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var comments strings.Builder
	for line := range strings.Lines(string(text)) {
		if comment, ok := strings.CutPrefix(line, "#"); ok {
			comments.WriteString(strings.TrimSuffix(comment, "\n"))
		}
	}
	var list []string
	for _, names := range inParentheses.FindAllString(comments.String(), -1) {
		list = append(list, like.FindAllString(names, -1)...)
	}
	return list
}

// exists reports whether a test stands where it is said to.
func exists(t *testing.T, test string) bool {
	if strings.HasSuffix(test, ".txt") {
		_, err := os.Stat(filepath.Join("../..", test))
		return err == nil
	}
	folder, name, _ := strings.Cut(test, ".")
	files, _ := filepath.Glob(filepath.Join("../..", folder, "*_test.go"))
	for _, file := range files {
		parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		if slices.ContainsFunc(parsed.Decls, func(d ast.Decl) bool {
			f, ok := d.(*ast.FuncDecl)
			return ok && f.Recv == nil && f.Name.Name == name
		}) {
			return true
		}
	}
	return false
}

// rowsShown runs the transcripts and returns the rows of the error tables that their commands show.
func rowsShown(t *testing.T) map[string]bool {
	shown := map[string]bool{}
	var wrong []string // datadriven ends a test that has failed
	for _, file := range transcripts(t, "testdata") {
		s := newScript(t)
		s.onAnswer = func(api wire.API, err wire.Err, answer func()) {
			row := s.rowOf(api, err)
			shown[row] = true
			before := s.membership()
			answer()
			got, want := s.outcomeSince(before), rows[row]
			if want == forgets && clientOf(s.process).profile.forgetsID {
				want = resets
			}
			unreadable := err == wire.None && got == throws
			if got != want && got != anyhow && want != anyhow && !unreadable {
				wrong = append(wrong, fmt.Sprintf("%s at %v: %s %s the membership, its row says that it %s it",
					file, s.at, row, got, want))
			}
		}
		s.onLost = func(o openRequest, how string) { shown[fmt.Sprintf("%v %s", o.request.API, how)] = true }
		datadriven.RunTest(t, file, func(t *testing.T, d *datadriven.TestData) string { return s.run(t, d) })
	}
	for _, w := range wrong {
		t.Error(w)
	}
	return shown
}

// rowOf names the row of an answer that is about to reach the process.
func (s *script) rowOf(api wire.API, err wire.Err) string {
	row := fmt.Sprintf("%v %v", api, err)
	if _, ok := rows[row]; !ok {
		return fmt.Sprintf("%v others", api)
	}
	i := s.openOf(api)
	j := slices.IndexFunc(clientOf(s.process).pending, func(r pendingRequest) bool {
		return i >= 0 && r.ticket == s.open[i].request.Ticket
	})
	if j < 0 || clientOf(s.process).unchanged(clientOf(s.process).pending[j]) {
		return row
	}
	for _, changed := range []string{row + ", changed while Preparing", row + ", changed"} {
		if _, ok := rows[changed]; ok && (clientOf(s.process).state == preparing || !strings.HasSuffix(changed, "Preparing")) {
			return changed
		}
	}
	return row
}

// membership is what outcomes are told from.
type membership struct {
	member     wire.MemberID
	generation wire.Generation
}

func (s *script) membership() membership {
	return membership{clientOf(s.process).member, clientOf(s.process).generation}
}

// outcomeSince says what became of the membership; anyhow when the process has not read the answer yet, or had none.
func (s *script) outcomeSince(before membership) outcome {
	p, now := s.process.(*java), s.membership()
	switch {
	case p.poll.closing.failed:
		return throws
	case p.closing() || len(p.inbox) > 0 || before == membership{generation: wire.NoGeneration}:
		return anyhow
	case now == before:
		return keeps
	case now.generation != wire.NoGeneration || before.generation == wire.NoGeneration && now.member != "":
		return takes
	case now.member != "":
		return forgets
	}
	return resets
}

func (o outcome) String() string {
	return [...]string{"keeps", "takes", "forgets the generation of", "resets", "throws and ends", "does anything to"}[o]
}

// An empty reason, or a rule twice in the list, is a mistake of these tables.
func TestRuleTables(t *testing.T) {
	sorted := slices.Sorted(slices.Values(rules))
	if len(slices.Compact(sorted)) != len(rules) {
		t.Error("a rule is listed twice")
	}
	for _, rule := range slices.Sorted(maps.Keys(notModelled)) {
		if notModelled[rule] == "" || elsewhere[rule] != "" {
			t.Errorf("%s is listed as not modelled without a reason, or as shown elsewhere too", rule)
		}
	}
}
