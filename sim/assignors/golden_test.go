package assignors

import (
	"bufio"
	"compress/gzip"
	"encoding/hex"
	"encoding/json"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"simulate/sim/wire"
)

// The goldens were recorded from the published Kafka 4.4.0 libraries; testdata has those of at most 60 kB a
// line. ASSIGNORS_DIR names folders with more of them, separated like PATH: *.jsonl and *.jsonl.gz, one
// case a line.

// golden is one line, or one step of a group's life.
type golden struct {
	ID       string
	Kind     string
	Assignor string

	Topics  map[string]goldenTopic
	Members []goldenMember

	// What the Java object answered, with its hash maps and with maps that walk ids in ascending order;
	// the latter is absent where it is equal.
	goldenAnswer
	SortedAssignment map[string]goldenList
	SortedTransfer   map[string]byTopic
	SortedError      string

	// Sticky assignors: the state of the object before and, where it changed, after.
	MaxGenerationBefore, MaxGenerationAfter *wire.Generation

	Steps      []golden // of a group's life
	Generation *wire.Generation
	Events     []string // what happened before the step

	goldenBytes
}

// goldenAnswer is an assignment or the exception that was thrown instead.
type goldenAnswer struct {
	Assignment map[string]goldenList // of each member
	Transfer   map[string]byTopic    // withheld from its new owner
	Error      string
}

// sorted returns the answer of maps that walk ids in ascending order.
func (g *golden) sorted() goldenAnswer {
	if g.SortedAssignment == nil && g.SortedError == "" {
		return g.goldenAnswer
	}
	return goldenAnswer{g.SortedAssignment, g.SortedTransfer, g.SortedError}
}

type goldenTopic struct {
	Partitions int
	Racks      [][]*string
}

type goldenMember struct {
	ID         wire.MemberID
	Instance   wire.InstanceID
	Topics     []string
	Rack       string
	Owned      runs
	Generation *wire.Generation
	UserData   *hexBytes

	ClaimGeneration wire.Generation // what a sticky assignor takes for the generation
}

type goldenList struct {
	Sorted byTopic
	Order  runs // as Java returned it; absent when that is by topic and partition
}

func (g *golden) input() Input {
	in := Input{Topics: map[string]Topic{}, MaxGeneration: orNone(g.MaxGenerationBefore)}
	for name, t := range g.Topics {
		if t.Partitions > 0 { // otherwise the leader has no metadata of it
			in.Topics[name] = t.topic()
		}
	}
	for _, m := range g.Members {
		in.Members = append(in.Members, Member{ID: m.ID, Instance: m.Instance, Subscription: Subscription{
			Topics: m.Topics, Owned: m.Owned, Generation: orNone(m.Generation), Rack: m.Rack, UserData: m.UserData.bytes(),
		}})
	}
	return in
}

func (t goldenTopic) topic() Topic {
	topic := Topic{Partitions: t.Partitions}
	for _, replicas := range t.Racks {
		racks := []string{}
		for _, rack := range replicas {
			if rack == nil {
				rack = new(string)
			}
			racks = append(racks, *rack)
		}
		topic.Racks = append(topic.Racks, racks)
	}
	return topic
}

// byTopic are the partitions of each topic.
type byTopic map[string][]int32

func (b byTopic) partitions() []wire.TopicPartition {
	var list []wire.TopicPartition
	for topic, partitions := range b {
		list = appendPartitions(list, topic, partitions)
	}
	slices.SortFunc(list, compareByTopic)
	return list
}

func orNone(g *wire.Generation) wire.Generation {
	if g == nil {
		return wire.NoGeneration
	}
	return *g
}

// hexBytes are bytes written as hexadecimal digits.
type hexBytes []byte

func (h *hexBytes) UnmarshalJSON(text []byte) error {
	var s string
	err := json.Unmarshal(text, &s)
	if err == nil {
		*h, err = hex.DecodeString(s)
	}
	return err
}

func (h *hexBytes) bytes() []byte {
	if h == nil {
		return nil
	}
	return *h
}

// runs are partitions in their order: [["t",0,2],["u",1],["t",5]].
type runs []wire.TopicPartition

func (r *runs) UnmarshalJSON(text []byte) error {
	var raw [][]any
	if err := json.Unmarshal(text, &raw); err != nil {
		return err
	}
	for _, run := range raw {
		for _, p := range run[1:] {
			*r = append(*r, wire.TopicPartition{Topic: run[0].(string), Partition: int32(p.(float64))})
		}
	}
	return nil
}

// forEachGolden passes every line of the goldens to check.
func forEachGolden(t *testing.T, check func(g *golden)) {
	t.Helper()
	dirs := append([]string{"testdata"}, filepath.SplitList(os.Getenv("ASSIGNORS_DIR"))...)
	for _, dir := range dirs {
		files, err := filepath.Glob(filepath.Join(dir, "*.jsonl*"))
		if err != nil || len(files) == 0 {
			t.Fatalf("no *.jsonl or *.jsonl.gz in %q (%v); give the whole path, since go test runs in the folder of the package", dir, err)
		}
		for _, file := range files {
			readGoldens(t, file, check)
		}
	}
}

func readGoldens(t *testing.T, path string, check func(g *golden)) {
	t.Helper()
	file, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	var r io.Reader = bufio.NewReader(file)
	if strings.HasSuffix(path, ".gz") {
		if r, err = gzip.NewReader(r); err != nil {
			t.Fatalf("%s: %v", path, err)
		}
	}
	lines := json.NewDecoder(r)
	for n := 1; ; n++ {
		var line json.RawMessage
		err := lines.Decode(&line)
		if err == io.EOF {
			return
		}
		var kind struct{ Kind, Assignor string }
		if err == nil {
			err = json.Unmarshal(line, &kind)
		}
		// Other assignors and records of __consumer_offsets have lines of another shape.
		if _, ours := Find(kind.Assignor); err == nil && (ours || isBytes(kind.Kind)) {
			var g golden
			if err = json.Unmarshal(line, &g); err == nil {
				check(&g)
			}
		}
		if err != nil {
			t.Fatalf("%s:%d: %v", path, n, err)
		}
	}
}

func TestGoldens(t *testing.T) {
	compared := map[string]int{}
	forEachGolden(t, func(g *golden) {
		if a, ok := Find(g.Assignor); ok && g.Kind == "single" {
			compared[g.Assignor]++
			checkCall(t, g.ID, a, g)
		}
	})
	report(t, compared)
	for _, a := range known {
		if compared[a.Name] < 100 {
			t.Errorf("%d cases of %s were compared; testdata has more", compared[a.Name], a.Name)
		}
	}
}

// checkCall compares one call in Java's order, which it returns, and in the order of ids.
func checkCall(t *testing.T, name string, a Assignor, g *golden) Output {
	t.Helper()
	in := g.input()
	in.Ascending = true
	got, err := a.Assign(in)
	checkAnswer(t, name+" by id", in, got, err, g.sorted())

	in.Ascending = false
	got, err = a.Assign(in)
	checkAnswer(t, name, in, got, err, g.goldenAnswer)
	after := g.MaxGenerationAfter
	if after == nil {
		after = g.MaxGenerationBefore
	}
	if g.MaxGenerationBefore != nil && err == nil && got.MaxGeneration != *after {
		t.Errorf("%s: the highest generation is %d, want %d", name, got.MaxGeneration, *after)
	}
	return got
}

func checkAnswer(t *testing.T, name string, in Input, got Output, err error, want goldenAnswer) {
	t.Helper()
	thrown, _ := err.(Exception)
	if string(thrown) != want.Error {
		t.Errorf("%s: error %v, want %q", name, err, want.Error)
	}
	if err != nil {
		return
	}
	for i, m := range in.Members {
		list := slices.SortedFunc(slices.Values(got.Assigned[i]), compareByTopic)
		golden := want.Assignment[string(m.ID)]
		if want := golden.Sorted.partitions(); !slices.Equal(list, want) {
			t.Errorf("%s: %s gets %v, want %v", name, m.ID, list, want)
		}
		// Range without racks goes by the hash of topics; its order says nothing.
		if strings.Contains(name, "sticky") && golden.Order != nil && !slices.Equal(got.Assigned[i], golden.Order) {
			t.Errorf("%s: %s gets the list %v, want %v", name, m.ID, got.Assigned[i], golden.Order)
		}
		if got.Withheld != nil {
			withheld := want.Transfer[string(m.ID)].partitions()
			if !slices.Equal(got.Withheld[i], withheld) {
				t.Errorf("%s: %v is withheld from %s, want %v", name, got.Withheld[i], m.ID, withheld)
			}
		}
	}
}

// report prints how many cases of each kind were compared.
func report(t *testing.T, compared map[string]int) {
	t.Helper()
	total := 0
	for _, kind := range slices.Sorted(maps.Keys(compared)) {
		total += compared[kind]
		t.Logf("%5d cases of %s", compared[kind], kind)
	}
	t.Logf("%5d cases compared", total)
}
