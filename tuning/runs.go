package tuning

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"os"
	"slices"
)

// RunsSchema is the id of files of runs: JSON lines, first a Head, then a Run each. What a process that was killed left
// of the last line does not count.
const RunsSchema = "simulate.sweep-runs/1"

// Head says what the runs of a file are of.
type Head struct {
	Schema         string `json:"schema"`
	Program        string `json:"program"` // with its version
	ScenarioDigest string `json:"scenario_digest"`
	CellsDigest    string `json:"params_digest"` // of the plan and of each cell's scenario
	Shard
	Plan Plan `json:"plan"`
}

// differs says in what the runs of a file, found, are not those of another, h; "" when they go together, whatever the
// shard.
func (h *Head) differs(found *Head) string {
	mine, theirs := &h.Plan, &found.Plan
	switch {
	case found.Program != h.Program:
		return fmt.Sprintf("of another version of the program (%s; this one: %s)", found.Program, h.Program)
	case found.ScenarioDigest != h.ScenarioDigest:
		return fmt.Sprintf("of another scenario (digest %.12s; this one: %.12s)", found.ScenarioDigest, h.ScenarioDigest)
	case !slices.EqualFunc(theirs.Points, mine.Points, slices.Equal[Point]), !slices.Equal(theirs.Params, mine.Params):
		return "of other parameters"
	case !slices.Equal(theirs.Metrics, mine.Metrics):
		return "of other metrics"
	case theirs.Replications != mine.Replications, theirs.UntilCI != mine.UntilCI:
		return "of another number of replications"
	case theirs.Base != mine.Base:
		return "compared with another base"
	case found.CellsDigest != h.CellsDigest:
		return "of another scenario or question"
	}
	return ""
}

// MarshalJSON writes null for NaN.
func (v Values) MarshalJSON() ([]byte, error) {
	all := make([]*float64, len(v))
	for i := range v {
		if !math.IsNaN(v[i]) {
			all[i] = &v[i]
		}
	}
	return json.Marshal(all)
}

// UnmarshalJSON reads what MarshalJSON wrote.
func (v *Values) UnmarshalJSON(text []byte) error {
	var all []*float64
	if err := json.Unmarshal(text, &all); err != nil {
		return err
	}
	*v = make(Values, len(all))
	for i, x := range all {
		if (*v)[i] = math.NaN(); x != nil {
			(*v)[i] = *x
		}
	}
	return nil
}

// line is v as a line of a file of runs.
func line(v any) []byte {
	text, err := json.Marshal(v)
	if err != nil {
		panic("tuning: a line of runs is no JSON: " + err.Error())
	}
	return append(text, '\n')
}

// Store is a file that keeps the runs of a sweep, each as soon as it ends.
type Store struct{ file *os.File }

// Open takes the runs of a file into the sweep, and returns the file to add to; it is made when there is none. The error
// is that of the file, or says why its runs are not of this sweep.
func (s *Sweep) Open(path string) (*Store, error) {
	file, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE|os.O_APPEND, 0o644)
	if err != nil {
		return nil, err
	}
	if err := s.resume(file); err != nil {
		file.Close()
		return nil, err
	}
	return &Store{file}, nil
}

// resume reads what the file has, and drops a line that was being written when a process was killed.
func (s *Sweep) resume(file *os.File) error {
	text, err := io.ReadAll(file)
	if err != nil {
		return err
	}
	head := line(s.Head)
	whole := text[:bytes.LastIndexByte(text, '\n')+1]
	if len(whole) == 0 {
		if !bytes.HasPrefix(head, text) {
			return fmt.Errorf("it holds no runs of a sweep; name another file")
		}
		if err := file.Truncate(0); err != nil {
			return err
		}
		_, err := file.Write(head)
		return err
	}
	found, err := readHead(whole)
	if err != nil {
		return fmt.Errorf("%w; name another file", err)
	}
	if why := s.differs(&found); why != "" {
		return fmt.Errorf("its runs are %s; name another file, or remove this one", why)
	}
	if found.Shard != s.Shard {
		return fmt.Errorf("its runs are %s, and these would be %s; name another file", found.Shard.words(), s.Shard.words())
	}
	if err := s.take(whole); err != nil {
		return err
	}
	return file.Truncate(int64(len(whole)))
}

// words names a shard in a message.
func (s Shard) words() string {
	if s.Of == 0 {
		return "of no shard"
	}
	return "of shard " + s.String()
}

// Add keeps a run. A nil Store keeps nothing.
func (s *Store) Add(r Run) error {
	if s == nil {
		return nil
	}
	_, err := s.file.Write(line(r))
	return err
}

// Close closes the file.
func (s *Store) Close() error {
	if s == nil {
		return nil
	}
	return s.file.Close()
}

// readHead reads the first line of a file of runs.
func readHead(text []byte) (h Head, err error) {
	first, _, _ := bytes.Cut(text, []byte("\n"))
	if err := json.Unmarshal(first, &h); err != nil || h.Schema != RunsSchema || !h.Plan.makesSense() || !h.Shard.makesSense() {
		return h, fmt.Errorf("it holds no runs of a sweep (%s)", RunsSchema)
	}
	return h, nil
}

// tooLarge reports whether no run can have come to a number.
func tooLarge(x float64) bool { return math.Abs(x) > 1e20 }

// take puts the runs of a file with the sweep's head into their places. The error says in which line there is none.
func (s *Sweep) take(text []byte) error {
	number := 0
	for l := range bytes.Lines(text) {
		if number++; number == 1 {
			continue
		}
		var r Run
		if err := json.Unmarshal(l, &r); err != nil {
			return fmt.Errorf("line %d is no run: %w", number, err)
		}
		switch {
		case r.Cell < 0, r.Cell >= len(s.runs), r.Replication < 0, r.Replication >= s.Plan.Replications,
			len(r.Values) != len(s.Plan.Metrics), slices.ContainsFunc(r.Values, tooLarge):
			return fmt.Errorf("line %d is no run of this sweep", number)
		case !s.owns(r.Cell, r.Replication):
			return fmt.Errorf("line %d is a run of shard %d, not of %v", number, s.shardOf(r.Cell, r.Replication, s.Shard.Of), s.Shard)
		case s.runs[r.Cell][r.Replication] != nil:
			return fmt.Errorf("line %d is a run that is there already (cell %d, replication %d)", number, r.Cell, r.Replication)
		}
		s.runs[r.Cell][r.Replication] = r.Values
	}
	return nil
}
