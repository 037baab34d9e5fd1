package tuning

import (
	"fmt"
	"strconv"
	"strings"
)

// Shard is one of several parts of a sweep that run apart; the zero Shard is all of it.
type Shard struct {
	Number int `json:"shard"`  // from 1
	Of     int `json:"shards"` // how many there are
}

// mostShards bounds the parts of a sweep.
const mostShards = 100_000

// ParseShard reads "2/8".
func ParseShard(text string) (Shard, error) {
	number, of, _ := strings.Cut(text, "/")
	return NewShard(number, of)
}

// NewShard reads the number of a shard, from 1, and how many there are.
func NewShard(number, of string) (Shard, error) {
	i, err := strconv.Atoi(number)
	n, err2 := strconv.Atoi(of)
	switch {
	case err != nil || err2 != nil:
		return Shard{}, fmt.Errorf("write it as NUMBER/SHARDS, such as 1/8")
	case n < 1 || n > mostShards:
		return Shard{}, fmt.Errorf("there can be 1 to %d shards, not %d", mostShards, n)
	case i < 1 || i > n:
		return Shard{}, fmt.Errorf("the shards are numbered from 1 to %d; there is no %d", n, i)
	}
	return Shard{i, n}, nil
}

// makesSense reports whether NewShard would have made it, or it is all.
func (s Shard) makesSense() bool {
	return s == Shard{} || s.Number >= 1 && s.Number <= s.Of && s.Of <= mostShards
}

func (s Shard) String() string { return fmt.Sprintf("%d/%d", s.Number, s.Of) }

// FromEnvironment finds the shard that a scheduler runs this process for: an array job of Slurm, or an Indexed Job of
// Kubernetes, which does not tell a process how many there are; from names the variables. The zero Shard is for no
// scheduler.
//
// https://slurm.schedmd.com/job_array.html, https://kubernetes.io/docs/concepts/workloads/controllers/job/#completion-mode
func FromEnvironment(getenv func(string) string) (s Shard, from string, err error) {
	if id := getenv("SLURM_ARRAY_TASK_ID"); id != "" {
		from = "SLURM_ARRAY_TASK_ID"
		first, _ := strconv.Atoi(getenv("SLURM_ARRAY_TASK_MIN"))
		step, _ := strconv.Atoi(getenv("SLURM_ARRAY_TASK_STEP"))
		s, err = fromVariables(getenv, from, "SLURM_ARRAY_TASK_COUNT", first, max(step, 1))
		return s, from, err
	}
	if getenv("JOB_COMPLETION_INDEX") != "" {
		from = "JOB_COMPLETION_INDEX"
		s, err = fromVariables(getenv, from, "JOB_COMPLETIONS", 0, 1)
	}
	return s, from, err
}

// fromVariables reads the index of a task, which counts from first in steps, and how many tasks there are.
func fromVariables(getenv func(string) string, index, count string, first, step int) (Shard, error) {
	if getenv(count) == "" {
		return Shard{}, fmt.Errorf("%s is set, but not %s, which says how many shards there are; set it, or write --shard NUMBER/SHARDS, or --shard none", index, count)
	}
	i, err := strconv.Atoi(getenv(index))
	if err != nil {
		return Shard{}, fmt.Errorf("%s is %q; it has to be a number", index, getenv(index))
	}
	s, err := NewShard(strconv.Itoa((i-first)/step+1), getenv(count))
	if err != nil {
		return Shard{}, fmt.Errorf("%s is %d and %s is %s: %w", index, i, count, getenv(count), err)
	}
	return s, nil
}

// owns reports whether a run belongs to the shard. Without an early stop runs are dealt out one by one; else cells are,
// since what a cell's runs come to decides how many there are.
func (s *Sweep) owns(cell, replication int) bool {
	return s.Shard.Of == 0 || s.shardOf(cell, replication, s.Shard.Of) == s.Shard.Number
}

// shardOf returns the number of a run's shard. The runs of a cell are spread over all, for cells differ in what they cost.
func (s *Sweep) shardOf(cell, replication, shards int) int {
	if s.Plan.UntilCI > 0 {
		return cell%shards + 1
	}
	return (cell+replication)%shards + 1
}
