package scenario

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"simulate/sim/consumers"
)

// equal compares scenarios but for the lines that their parts stand in.
var equal = cmp.Options{
	cmpopts.IgnoreFields(Event{}, "Line"),
	cmpopts.IgnoreFields(Expectation{}, "Line"),
	cmpopts.IgnoreFields(ParamText{}, "Place"),
}

func goodFiles(t testing.TB) []string {
	t.Helper()
	files, err := filepath.Glob("testdata/good/*.toml")
	if err != nil || len(files) == 0 {
		t.Fatalf("no good files (%v)", err)
	}
	return files
}

func load(t testing.TB, name string, text []byte, overrides ...Override) *Scenario {
	t.Helper()
	s, _, err := Load(name, text, overrides...)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// TestGood loads every file of testdata/good, compares it resolved with its golden, and loads the golden:
// that must give the same scenario.
func TestGood(t *testing.T) {
	for _, file := range goodFiles(t) {
		t.Run(filepath.Base(file), func(t *testing.T) {
			s := load(t, filepath.Base(file), read(t, file))
			resolved := s.TOML()
			compare(t, strings.TrimSuffix(file, ".toml")+".golden", resolved)
			again := load(t, filepath.Base(file), []byte(resolved))
			if diff := cmp.Diff(s, again, equal); diff != "" {
				t.Errorf("loading what TOML wrote differs (-file +written):\n%s", diff)
			}
			if twice := again.TOML(); twice != resolved {
				t.Errorf("TOML writes it differently the second time:\n%s", twice)
			}
		})
	}
}

// TestVerbs holds that every verb has an example among the good files, with every key that it takes, and
// that the keys of every verb have a meaning.
func TestVerbs(t *testing.T) {
	var text strings.Builder
	used := map[Verb]bool{}
	for _, file := range goodFiles(t) {
		for _, e := range load(t, file, read(t, file)).Events {
			used[e.Do] = true
		}
		text.Write(read(t, file))
	}
	exported := []Verb{
		Pause, Stall, Kill, Stop, Start, Restart, RollingRestart, Rollout, Scale, CrashLoop, Drop, Reset, Delay,
		AbandonMemberID, SlowAssign, SlowRevoke, ThrowInCallback, FreezeInAssign, HoldLeaderSync, RawJoin,
		Subscribe, Unsubscribe, EnforceRebalance, Configure, BrokerRestart, MoveCoordinator, SlowAppend, FailAppend,
		Commit, DeleteGroup, DeleteOffsets, RemoveMembers, Partitions, CreateTopic, DeleteTopic,
	}
	if len(exported) != len(verbSpecs) {
		t.Errorf("got %d verbs with keys, want the %d that are exported", len(verbSpecs), len(exported))
	}
	for _, verb := range exported {
		v := verbNamed(string(verb))
		if v == nil || !used[verb] {
			t.Errorf("%s has no keys or no example", verb)
			continue
		}
		for _, key := range v.keys() {
			if find(eventKeys, key) == nil || !strings.Contains(text.String(), "\n"+key+" = ") {
				t.Errorf("%s of %s has no meaning or no example", key, verb)
			}
		}
	}
}

// TestPausesAreTables holds that kinds of pauses may stand in tables of their own.
func TestPausesAreTables(t *testing.T) {
	const head = "duration = \"1h\"\n[[topic]]\nname = \"t\"\npartitions = 1\n[[fleet]]\nname = \"a\"\ntopics = \"t\"\n"
	inline := load(t, "x.toml", []byte(head+`pauses = ["zgc", { name = "full", every = "20m", for = "2s" }]`))
	tables := load(t, "x.toml", []byte(head+"[[fleet.pauses]]\nname = \"zgc\"\nevery = { min = \"1s\", max = \"30s\" }\nfor = \"zgc\"\n"+
		"[[fleet.pauses]]\nname = \"full\"\nevery = \"20m\"\nfor = \"2s\"\n"))
	if diff := cmp.Diff(inline, tables, equal); diff != "" {
		t.Errorf("tables differ from the list (-list +tables):\n%s", diff)
	}
}

// TestSubscribed holds that a fleet that subscribes by pattern has all topics that match, later ones too, each once.
func TestSubscribed(t *testing.T) {
	file := "testdata/good/09-subscriptions.toml"
	s := load(t, file, read(t, file))
	want := map[string][]string{
		"orders": {"orders", "order-lines"}, "later": {"returns.v2"}, "poisoned": {"orders", "order lines"},
	}
	got := map[string][]string{}
	for _, f := range s.MetricsOptions().Fleets {
		got[f.Name] = f.Topics
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("topics of the fleets (-want +got):\n%s", diff)
	}
}

// TestWarning holds that all keys without effect make one warning.
func TestWarning(t *testing.T) {
	file := "testdata/good/05-unmodelled.toml"
	_, got, err := Load(file, read(t, file))
	want := []Warning{"not modelled and without effect: bootstrap.servers, fetch.max.wait.ms, fetch.min.bytes, " +
		"key.deserializer, listeners, log.retention.hours, num.partitions"}
	if err != nil || !slices.Equal(got, want) {
		t.Errorf("got %q (%v), want %q", got, err, want)
	}
}

// TestKeys holds that no key of Kafka is both modelled and listed as without effect, and that the lists
// are sorted, so that additions do not repeat what is there.
func TestKeys(t *testing.T) {
	check := func(others []string, modelled func(string) bool) {
		if !slices.IsSorted(others) || len(slices.Compact(slices.Clone(others))) != len(others) {
			t.Error("a list of keys is not sorted or has a key twice")
		}
		if i := slices.IndexFunc(others, modelled); i >= 0 {
			t.Errorf("%s is modelled and cannot be without effect", others[i])
		}
	}
	check(otherConsumerKeys, func(k string) bool {
		return slices.ContainsFunc(consumerSettings, func(s setting[consumers.Config]) bool { return s.key == k })
	})
	check(otherBrokerKeys, func(k string) bool {
		for _, s := range brokerSettings {
			if s.key == k {
				return true
			}
		}
		return false
	})
}

// TestName holds that a scenario without a name is called after its file.
func TestName(t *testing.T) {
	text := read(t, "testdata/good/01-least.toml")
	for file, want := range map[string]string{"a/b/slow-poll.toml": "slow-poll", "-": "-", "x.y.toml": "x.y"} {
		if got := load(t, file, text).Name; got != want {
			t.Errorf("%s: got name %q, want %q", file, got, want)
		}
	}
}

// TestClientsRoundTrip holds that what TOML writes of a client's defaults is read again as those.
func TestClientsRoundTrip(t *testing.T) {
	for _, c := range Clients() {
		text := "duration = \"1m\"\ntopic = [{ name = \"t\", partitions = 1 }]\n[[fleet]]\nname = \"a\"\ntopics = [\"t\"]\nclient = \"" + c.Name + "\"\n"
		want, _, err := Load(c.Name, []byte(text))
		if err != nil {
			t.Fatal(err)
		}
		got, _, err := Load(c.Name, []byte(want.TOML()))
		if err != nil {
			t.Fatalf("%v\n%s", err, want.TOML())
		}
		if diff := cmp.Diff(want, got, equal); diff != "" {
			t.Errorf("%s: loading what TOML wrote differs (-want +got):\n%s", c.Name, diff)
		}
	}
}
