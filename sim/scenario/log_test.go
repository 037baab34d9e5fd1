package scenario

import (
	"io/fs"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"simulate/sim/coordinator"
	"simulate/sim/offsetslog"
	"simulate/sim/wire"
)

const loggedText = `
duration = "1m"
[broker]
offsets-log = "ops/before.jsonl"
[[topic]]
name       = "t"
partitions = 1
[[fleet]]
name   = "a"
topics = ["t"]
[[event]]
at    = "1s"
do    = "delete-group"
group = "old"
[[event]]
at     = "2s"
do     = "broker-restart"
broker = "coordinator(old)"
down   = "5s"
[[expect]]
that = "members(old) == 0"
`

// filesOf is a file system with these files.
func filesOf(all map[string]string) Files {
	return func(path string) ([]byte, error) {
		text, ok := all[path]
		if !ok {
			return nil, &fs.PathError{Op: "open", Path: path, Err: fs.ErrNotExist}
		}
		return []byte(text), nil
	}
}

func logOf(records ...coordinator.Record) string {
	var b strings.Builder
	w := offsetslog.NewWriter(&b, offsetslog.Header{Scenario: "before", Partitions: 50})
	for i, r := range records {
		partition := coordinator.PartitionOf(offsetslog.GroupOf(r), 50)
		w.Write(offsetslog.Entry{Partition: partition, Offset: int64(i), Record: r})
	}
	return b.String()
}

func oldGroup() coordinator.Record {
	return coordinator.GroupMetadataRecord{
		Group: "old", ProtocolType: "consumer", Generation: 7, Protocol: "range", Leader: "x-1",
		Members: []coordinator.MemberRecord{{Member: "x-1", SessionTimeoutMs: 45000, RebalanceTimeoutMs: 300000, Subscription: []byte{}, Assignment: []byte{}}},
	}
}

// TestOffsetsLog: a scenario that starts from a log has its records, its groups can be named, and TOML keeps
// the file's name.
func TestOffsetsLog(t *testing.T) {
	offset := &coordinator.OffsetCommitRecord{Group: "other", ExpireTimestampMs: -1}
	offset.TopicPartition = wire.TopicPartition{Topic: "t"}
	files := filesOf(map[string]string{"dir/ops/before.jsonl": logOf(oldGroup(), offset)})
	s, _, err := LoadWith(files, "dir/s.toml", []byte(loggedText))
	if err != nil {
		t.Fatal(err)
	}
	if len(s.Log) != 2 || s.OffsetsLog != "ops/before.jsonl" {
		t.Errorf("the log of %q has %d records, want 2", s.OffsetsLog, len(s.Log))
	}
	again, _, err := LoadWith(files, "dir/s.toml", []byte(s.TOML()))
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(s, again, equal, cmpopts.IgnoreUnexported(coordinator.OffsetCommitRecord{})); diff != "" {
		t.Errorf("loading what TOML wrote differs (-file +written):\n%s", diff)
	}
}

// TestBadOffsetsLog: what is wrong with the log is reported beside what is wrong with the scenario.
func TestBadOffsetsLog(t *testing.T) {
	log := logOf(oldGroup())
	for name, test := range map[string]struct {
		files Files
		sets  []string
		want  string
	}{
		"no file itself": {nil, nil,
			"s.toml:4:15: offsets-log names a file beside the scenario's; this scenario is no file\ns.toml: 1 problem"},
		"missing": {filesOf(nil), nil,
			"s.toml:4:15: offsets-log ops/before.jsonl: file does not exist\ns.toml: 1 problem"},
		"empty name": {filesOf(nil), []string{`broker.offsets-log=""`},
			"--set broker.offsets-log=\"\": offsets-log is empty; name a file\ns.toml: 1 problem"},
		"no string": {filesOf(nil), []string{"broker.offsets-log=1"},
			"--set broker.offsets-log=1: offsets-log is 1; write a string in quotes\ns.toml: 1 problem"},
		"misspelt": {filesOf(nil), []string{"broker.offset-log=x"},
			"s.toml:4:15: offsets-log ops/before.jsonl: file does not exist\n" +
				"--set broker.offset-log=x: unknown key \"offset-log\" in [broker]; did you mean \"offsets-log\"?\ns.toml: 2 problems"},
		"both bad": {filesOf(map[string]string{"ops/before.jsonl": log + "?\n"}), []string{"fleet.a.count=-1"},
			"ops/before.jsonl:3: no line of an offsets log: invalid character '?' looking for beginning of value\n" +
				"--set fleet.a.count=-1: count is -1; it must be between 1 and 100000\ns.toml: 2 problems"},
		"other number of partitions": {filesOf(map[string]string{"ops/before.jsonl": log}), []string{"broker.offsets.topic.num.partitions=3"},
			"ops/before.jsonl:1: offsets_partitions is 50; offsets.topic.num.partitions of the scenario is 3\ns.toml: 1 problem"},
		"unknown group": {filesOf(map[string]string{"ops/before.jsonl": log}), []string{"event.1.group=young"},
			"--set event.1.group=young: no group \"young\"\ns.toml: 1 problem"},
	} {
		t.Run(name, func(t *testing.T) {
			var overrides []Override
			for _, text := range test.sets {
				o, err := ParseOverride(text)
				if err != nil {
					t.Fatal(err)
				}
				overrides = append(overrides, o)
			}
			_, _, err := LoadWith(test.files, "s.toml", []byte(loggedText), overrides...)
			if err == nil {
				t.Fatal("loaded")
			}
			if diff := cmp.Diff(test.want, err.Error()); diff != "" {
				t.Error(diff)
			}
		})
	}
}
