package tuning

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
)

// File is a file of runs.
type File struct {
	Name string
	Text []byte
}

// Merge puts the shards of a sweep together; there is at least one. What comes of it is what the sweep comes to without
// shards. The error has a line for each file that does not fit, and for each shard that is missing or lacks runs.
func Merge(files []File) (*Sweep, error) {
	merged := &Sweep{}
	var wrong []error
	owner := map[int]string{} // shard -> file
	for i, f := range files {
		head, err := readHead(f.Text)
		if err == nil && merged.Schema == "" {
			merged.Head = head
			merged.noRuns()
		}
		if err == nil {
			err = merged.add(head, f, owner)
		}
		if err != nil {
			wrong = append(wrong, fmt.Errorf("%s: %w", files[i].Name, err))
		}
	}
	if wrong == nil {
		wrong = merged.missing(owner)
	}
	if wrong != nil {
		return nil, errors.Join(wrong...)
	}
	merged.Shard = Shard{}
	return merged, nil
}

// add takes one shard.
func (s *Sweep) add(head Head, f File, owner map[int]string) error {
	shards := max(s.Shard.Of, 1)
	number := max(head.Number, 1)
	switch why := s.differs(&head); {
	case why != "":
		return fmt.Errorf("its runs are %s", strings.Replace(why, "this one", "that of the first file", 1))
	case max(head.Of, 1) != shards:
		return fmt.Errorf("its runs are %s, those of the first file are of one of %d", head.Shard.words(), shards)
	case owner[number] != "":
		return fmt.Errorf("shard %d/%d is there already, in %s", number, shards, owner[number])
	}
	owner[number] = f.Name
	s.Shard = Shard{number, shards}
	whole := f.Text[:bytes.LastIndexByte(f.Text, '\n')+1]
	return s.take(whole)
}

// missing says which shards are not there, and which lack runs.
func (s *Sweep) missing(owner map[int]string) []error {
	shards := max(s.Shard.Of, 1)
	s.Shard = Shard{}
	lacks := make([]int, shards+1)
	for _, r := range s.due() {
		lacks[s.shardOf(r.Cell, r.Replication, shards)]++
	}
	var wrong []error
	var absent []string
	for i := 1; i <= shards; i++ {
		switch name := owner[i]; {
		case name == "":
			absent = append(absent, fmt.Sprint(i))
		case lacks[i] > 0:
			wrong = append(wrong, fmt.Errorf("%s: shard %d/%d is not finished (runs that are due: %d); run it again with this file to go on", name, i, shards, lacks[i]))
		}
	}
	if absent != nil {
		wrong = append(wrong, fmt.Errorf("of %d shards there is no %s", shards, strings.Join(absent, ", ")))
	}
	return wrong
}
