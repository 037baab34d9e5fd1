package logs

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"
)

// recordedClients is what is needed of a case.json.
type recordedClients struct {
	Protocol string
	Observed struct {
		ClientEvents []struct {
			Who, Kind  string
			Partitions []string
		} `json:"client_events"`
	}
}

// TestRecordedClients reads the logs of clients in the recordings beside the repository, or in LIVE_DIR, and compares what
// they say of partitions, poll timeouts and leaves with what the applications noted. What a library does not log is
// left out.
func TestRecordedClients(t *testing.T) {
	for _, dir := range recordings() {
		t.Run(filepath.Base(filepath.Dir(dir))+"/"+filepath.Base(dir), func(t *testing.T) {
			text, err := os.ReadFile(filepath.Join(dir, "case.json"))
			if err != nil {
				t.Fatal(err)
			}
			var want recordedClients
			if err := json.Unmarshal(text, &want); err != nil {
				t.Fatal(err)
			}
			noted := map[string][]note{}
			for _, e := range want.Observed.ClientEvents {
				noted[e.Who] = append(noted[e.Who], note{e.Kind, topics(e.Partitions), len(e.Partitions)})
			}
			for who, got := range said(t, dir) {
				if want.Protocol == "consumer" { // of which leaves and poll timeouts were not noted
					got.notes = only(got.notes, "assigned", "revoked", "lost")
				}
				if told := told[got.library]; told != nil && noted[who] != nil {
					if diff := gocmp.Diff(told(noted[who]), told(got.notes)); diff != "" {
						t.Errorf("%s, %v: (-noted +said)\n%s", who, got.library, diff)
					}
				}
			}
		})
	}
}

// note is something that happened to a client.
type note struct {
	kind       string
	partitions []string
	count      int
}

// told leaves of notes what a library logs, as texts; none of those libraries that do not log such things.
var told = map[Library]func([]note) []string{
	Java: func(all []note) []string {
		return slices.Compact(texts(all)) // the consumer protocol logs revocations twice
	},
	FranzGo: func(all []note) []string { // nor what is lost, nor what it revokes when it is closed
		all = only(all, "assigned", "lost")
		for i := range all {
			if all[i].kind == "lost" {
				all[i].partitions = nil
			}
		}
		return texts(all)
	},
	Librdkafka: func(all []note) []string { // no names but their number, and what is lost as revoked, too
		var kept []string
		for _, n := range only(all, "assigned", "revoked", "lost") {
			if last := len(kept) - 1; n.kind != "revoked" || last < 0 || !strings.HasPrefix(kept[last], "lost") {
				kept = append(kept, fmt.Sprint(n.kind, " ", n.count))
			}
		}
		return kept
	},
	KafkaJS: func(all []note) []string { return texts(only(all, "assigned")) },
	KafkaPython: func(all []note) []string { // without names is also what was not noted
		return slices.DeleteFunc(texts(only(all, "assigned", "revoked", "lost")), func(text string) bool { return !strings.Contains(text, " ") })
	},
}

func only(all []note, kinds ...string) []note {
	return slices.DeleteFunc(slices.Clone(all), func(n note) bool { return !slices.Contains(kinds, n.kind) })
}

func texts(all []note) []string {
	var lines []string
	for _, n := range all {
		slices.Sort(n.partitions)
		lines = append(lines, strings.Join(append([]string{n.kind}, n.partitions...), " "))
	}
	return lines
}

// clientLog is what the log of a client says.
type clientLog struct {
	library Library
	notes   []note
}

// said reads what each client of a run says.
func said(t *testing.T, dir string) map[string]*clientLog {
	files, _ := filepath.Glob(filepath.Join(dir, "client-*.log"))
	slices.SortFunc(files, func(a, b string) int { return cmp.Or(len(a)-len(b), strings.Compare(a, b)) }) // incarnations in order
	all := map[string]*clientLog{}
	for _, file := range files {
		who, _, _ := strings.Cut(strings.TrimSuffix(strings.TrimPrefix(filepath.Base(file), "client-"), ".log"), "-")
		who, _, _ = strings.Cut(who, ".")
		r, err := Open([]string{file}, nil, Options{})
		if err != nil {
			t.Fatal(err)
		}
		err = r.Each(context.Background(), func(e *Event) error {
			if all[who] == nil {
				all[who] = &clientLog{library: e.Library}
			}
			if kind := notedKind(e); kind != "" {
				all[who].notes = append(all[who].notes, note{kind, topics(e.Partitions), int(e.Count)})
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	return all
}

func notedKind(e *Event) string {
	switch e.Kind {
	case PartitionsAssigned:
		return "assigned"
	case Synced:
		if e.Library == KafkaJS {
			return "assigned"
		}
	case PartitionsRevoked:
		return "revoked"
	case PartitionsLost:
		return "lost"
	case PollTimeout:
		return "poll-timeout"
	case LeaveSent:
		if strings.Contains(e.Text, "poll timeout") {
			return "poll-timeout"
		}
		return "leave-sent"
	}
	return ""
}

// topics takes off what tells the topics of one run from those of another: "e04r1-orders-0" is orders-0.
func topics(partitions []string) []string {
	var short []string
	for _, p := range partitions {
		for strings.Count(p, "-") > 1 {
			_, p, _ = strings.Cut(p, "-")
		}
		if _, topic, ok := strings.Cut(p, "."); ok {
			p = topic
		}
		short = append(short, p)
	}
	return short
}

// TestNothingOverlooked holds that in the recordings every line of a library about the group protocol is an event, or says
// something on the list in testdata/meaningless.
func TestNothingOverlooked(t *testing.T) {
	list, err := os.ReadFile("testdata/meaningless")
	if err != nil {
		t.Fatal(err)
	}
	var meaningless []string
	for line := range strings.Lines(string(list)) {
		if line = strings.TrimSuffix(line, "\n"); line != "" && line[0] != '#' {
			meaningless = append(meaningless, line)
		}
	}
	f := newFinder(newNames())
	for _, dir := range recordings() {
		files, _ := filepath.Glob(filepath.Join(dir, "client-*.log"))
		for _, file := range files {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			for line := range strings.Lines(string(text)) {
				r := clientRecord(strings.TrimRight(line, "\r\n"))
				if !aboutGroups(&r) {
					continue
				}
				var e Event
				if _, ok := f.find(&r, &e); !ok && !containsAny(string(r.text), meaningless) {
					t.Errorf("%s: nothing from %s", file, r.text)
				}
			}
		}
	}
}

// aboutGroups reports whether a library, and not the recorded application, speaks of the group protocol.
func aboutGroups(r *record) bool {
	m := message{fields: r.fields}
	if ev := m.value("ev"); ev != "" && ev != "lib" || strings.Contains(string(r.text), "[app] EVT") {
		return false
	}
	return containsAny(strings.ToLower(string(r.text)), []string{
		"rebalanc", "join", "syncgroup", "heartbeat", "revok", "coordinator", "leave", "generation", "member id", "assigned partitions",
	})
}

func containsAny(text string, parts []string) bool {
	return slices.ContainsFunc(parts, func(part string) bool { return strings.Contains(text, part) })
}
