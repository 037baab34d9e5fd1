package tuning

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"simulate/reports"
)

// plan makes a sweep of the fleet of these tests.
func plan(t *testing.T, o Options) *Sweep {
	t.Helper()
	study, err := studyOf(t, fleet, "session.timeout.ms=10s,20s,30s", "fleet.a.static=true,false")
	if err != nil {
		t.Fatal(err)
	}
	if o.Replications == 0 {
		o.Replications = 25
	}
	o.Design = GridDesign
	s, err := study.New(o)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// bytesOf is the report of a sweep in all forms.
func bytesOf(t *testing.T, s *Sweep) string {
	t.Helper()
	var b bytes.Buffer
	for _, err := range []error{
		reports.SweepText(&b, s.Report(), reports.TextOptions{}), reports.SweepCSV(&b, s.Report()),
		reports.SweepJSON(&b, s.Report()), reports.SweepMarkdown(&b, s.Report()),
	} {
		if err != nil {
			t.Fatal(err)
		}
	}
	return b.String()
}

func keepNothing(Run) error { return nil }

// finish does what is left of a sweep, and keeps it in a file.
func finish(t *testing.T, s *Sweep, path string, parallel int) {
	t.Helper()
	store, err := s.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	if err := s.Run(context.Background(), parallel, store.Add); err != nil {
		t.Fatal(err)
	}
}

// TestSameBytes holds that a sweep comes to the same bytes: on one thread and on several, done in one go or killed in the
// middle of a line and resumed, whole or in shards that are merged; and all that with and without an early stop.
func TestSameBytes(t *testing.T) {
	for name, o := range map[string]Options{"all": {}, "early": {UntilCI: 0.2, Replications: 60}} {
		t.Run(name, func(t *testing.T) {
			s := plan(t, o)
			if err := s.Run(context.Background(), 1, keepNothing); err != nil {
				t.Fatal(err)
			}
			want := bytesOf(t, s)

			s = plan(t, o)
			if err := s.Run(context.Background(), 3, keepNothing); err != nil {
				t.Fatal(err)
			}
			if got := bytesOf(t, s); got != want {
				t.Errorf("on several threads: got\n%s\nwant\n%s", got, want)
			}
			if got := bytesOf(t, resumed(t, o)); got != want {
				t.Errorf("resumed: got\n%s\nwant\n%s", got, want)
			}
			if got := bytesOf(t, merged(t, o, 4)); got != want {
				t.Errorf("merged: got\n%s\nwant\n%s", got, want)
			}
		})
	}
}

// resumed interrupts a sweep, cuts the last line of its file and goes on; it does that again with the file as it is.
func resumed(t *testing.T, o Options) *Sweep {
	path := filepath.Join(t.TempDir(), "state.jsonl")
	for _, cut := range []int{9, 0} {
		s := plan(t, o)
		store, err := s.Open(path)
		if err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithCancel(context.Background())
		n := 0
		err = s.Run(ctx, 2, func(r Run) error {
			if n++; n == 17 {
				cancel()
			}
			return store.Add(r)
		})
		if !errors.Is(err, context.Canceled) {
			t.Fatalf("got %v, want an interrupt", err)
		}
		if r := s.Report(); !r.Cut() {
			t.Errorf("an interrupted sweep has %d of %d runs", r.Done, r.Planned)
		}
		store.Close()
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.Truncate(path, int64(len(text)-cut)); err != nil {
			t.Fatal(err)
		}
	}
	s := plan(t, o)
	finish(t, s, path, 2)
	if done, _ := s.Progress(); done < 60 {
		t.Errorf("only %d runs", done)
	}
	return s
}

// merged does each shard apart and puts them together, the last one first.
func merged(t *testing.T, o Options, shards int) *Sweep {
	var files []File
	for i := shards; i > 0; i-- {
		o.Shard = Shard{i, shards}
		path := filepath.Join(t.TempDir(), "shard.jsonl")
		finish(t, plan(t, o), path, 2)
		files = append(files, read(t, path, fmt.Sprintf("shard-%d", i)))
	}
	s, err := Merge(files)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func read(t *testing.T, path, name string) File {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return File{name, text}
}

// TestUntilCI holds that a cell stops after the first batch that tells enough, and not before.
func TestUntilCI(t *testing.T) {
	s := plan(t, Options{UntilCI: 0.2, Replications: 60})
	if err := s.Run(context.Background(), 2, keepNothing); err != nil {
		t.Fatal(err)
	}
	early := 0
	r := s.Report()
	for i, c := range r.Cells {
		if c.Runs%batch != 0 || c.Runs > 60 || c.Runs != s.needed(i) {
			t.Errorf("cell %d has %d runs", i, c.Runs)
		}
		if c.Runs < 60 {
			early++
			if !s.narrow(i, c.Runs) || c.Runs > batch && s.narrow(i, c.Runs-batch) {
				t.Errorf("cell %d stopped after %d runs", i, c.Runs)
			}
		}
	}
	if early == 0 || r.Cut() {
		t.Errorf("no cell stopped early, or runs are missing: %d of %d", r.Done, r.Planned)
	}
}

// TestMergeRefuses holds what is said about shards that do not make a whole.
func TestMergeRefuses(t *testing.T) {
	dir := t.TempDir()
	shard := func(name string, o Options) File {
		path := filepath.Join(dir, name)
		o.Replications = max(o.Replications, 4)
		finish(t, plan(t, o), path, 1)
		return read(t, path, name)
	}
	one, two, three := shard("one", Options{Shard: Shard{1, 3}}), shard("two", Options{Shard: Shard{2, 3}}), shard("three", Options{Shard: Shard{3, 3}})
	lines := strings.SplitAfter(string(two.Text), "\n")
	short := File{"short", []byte(strings.Join(lines[:5], "") + lines[5][:7])}
	double := File{"double", []byte(string(two.Text) + lines[3])}
	foreign := File{"foreign", []byte(lines[0] + strings.SplitAfter(string(one.Text), "\n")[1])}
	for _, c := range []struct {
		files []File
		want  string
	}{
		{[]File{one, three}, "of 3 shards there is no 2"},
		{[]File{two}, "of 3 shards there is no 1, 3"},
		{[]File{one, short, three}, "short: shard 2/3 is not finished (runs that are due: 4); run it again with this file to go on"},
		{[]File{one, two, three, two}, "two: shard 2/3 is there already, in two"},
		{[]File{one, double, three}, "double: line 10 is a run that is there already (cell 0, replication 1)"},
		{[]File{one, foreign, three}, "foreign: line 2 is a run of shard 1, not of 2/3"},
		{[]File{one, shard("v2", Options{Shard: Shard{2, 3}, Program: "other"}), {"x", []byte("{}\n")}},
			"v2: its runs are of another version of the program (other; that of the first file: )\nx: it holds no runs of a sweep (simulate.sweep-runs/1)"},
		{[]File{one, shard("longer", Options{Shard: Shard{2, 3}, Replications: 5})}, "longer: its runs are of another number of replications"},
		{[]File{one, shard("half", Options{Shard: Shard{2, 2}})}, "half: its runs are of shard 2/2, those of the first file are of one of 3"},
	} {
		if _, err := Merge(c.files); err == nil || err.Error() != c.want {
			t.Errorf("got %v\nwant %s", err, c.want)
		}
	}
}

// TestOpenRefuses holds that a file is added to only when it is one of this sweep.
func TestOpenRefuses(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "state")
	finish(t, plan(t, Options{Replications: 3}), path, 2)
	study, err := studyOf(t, fleet, "session.timeout.ms=10s")
	if err != nil {
		t.Fatal(err)
	}
	other, err := study.New(Options{Design: GridDesign, Replications: 3})
	if err != nil {
		t.Fatal(err)
	}
	longer, err := studyOf(t, strings.Replace(fleet, "10m", "11m", 1), "session.timeout.ms=10s")
	if err != nil {
		t.Fatal(err)
	}
	another, err := longer.New(Options{Design: GridDesign, Replications: 3})
	if err != nil {
		t.Fatal(err)
	}
	mine := filepath.Join(dir, "mine")
	if err := os.WriteFile(mine, []byte("my notes"), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		s          *Sweep
		path, want string
	}{
		{other, path, "its runs are of other parameters; name another file, or remove this one"},
		{another, path, "its runs are of another scenario (digest "},
		{plan(t, Options{Replications: 3, Shard: Shard{1, 2}}), path, "its runs are of no shard, and these would be of shard 1/2; name another file"},
		{plan(t, Options{Replications: 3, Base: []string{"session.timeout.ms=20s"}}), path, "its runs are compared with another base; "},
		{other, mine, "it holds no runs of a sweep; name another file"},
	} {
		before := read(t, c.path, "")
		if _, err := c.s.Open(c.path); err == nil || !strings.HasPrefix(err.Error(), c.want) {
			t.Errorf("got %v, want %s", err, c.want)
		}
		if after := read(t, c.path, ""); !bytes.Equal(before.Text, after.Text) {
			t.Errorf("%s: the file was changed", c.path)
		}
	}
}

// TestRunKeeps holds that a sweep ends with the error of whoever keeps its runs.
func TestRunKeeps(t *testing.T) {
	full := errors.New("no space left")
	if err := plan(t, Options{}).Run(context.Background(), 2, func(Run) error { return full }); !errors.Is(err, full) {
		t.Errorf("got %v", err)
	}
}

// TestShardFromEnvironment holds which shard a task of a scheduler is, and what it is told when it cannot know.
func TestShardFromEnvironment(t *testing.T) {
	for _, c := range []struct{ environment, want string }{
		{"", "0/0  <nil>"},
		{"SLURM_ARRAY_TASK_ID=3 SLURM_ARRAY_TASK_COUNT=8 SLURM_ARRAY_TASK_MIN=1", "3/8 SLURM_ARRAY_TASK_ID <nil>"},
		{"SLURM_ARRAY_TASK_ID=0 SLURM_ARRAY_TASK_COUNT=8 SLURM_ARRAY_TASK_MIN=0", "1/8 SLURM_ARRAY_TASK_ID <nil>"},
		{"SLURM_ARRAY_TASK_ID=10 SLURM_ARRAY_TASK_COUNT=3 SLURM_ARRAY_TASK_MIN=4 SLURM_ARRAY_TASK_STEP=3", "3/3 SLURM_ARRAY_TASK_ID <nil>"},
		{"JOB_COMPLETION_INDEX=0 JOB_COMPLETIONS=5", "1/5 JOB_COMPLETION_INDEX <nil>"},
		{"JOB_COMPLETION_INDEX=0", "0/0 JOB_COMPLETION_INDEX JOB_COMPLETION_INDEX is set, but not JOB_COMPLETIONS, which says how many shards there are; set it, or write --shard NUMBER/SHARDS, or --shard none"},
		{"JOB_COMPLETION_INDEX=5 JOB_COMPLETIONS=5", "0/0 JOB_COMPLETION_INDEX JOB_COMPLETION_INDEX is 5 and JOB_COMPLETIONS is 5: the shards are numbered from 1 to 5; there is no 6"},
		{"SLURM_ARRAY_TASK_ID=x SLURM_ARRAY_TASK_COUNT=8", `0/0 SLURM_ARRAY_TASK_ID SLURM_ARRAY_TASK_ID is "x"; it has to be a number`},
	} {
		variables := map[string]string{}
		for _, v := range strings.Fields(c.environment) {
			name, value, _ := strings.Cut(v, "=")
			variables[name] = value
		}
		s, from, err := FromEnvironment(func(name string) string { return variables[name] })
		if got := fmt.Sprint(s, " ", from, " ", err); got != c.want {
			t.Errorf("%s: got %s, want %s", c.environment, got, c.want)
		}
	}
}
