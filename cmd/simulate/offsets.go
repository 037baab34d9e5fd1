package main

import (
	"simulate/sim/offsetslog"
	"simulate/sim/scenario"
)

// startOffsets begins the file with the records of the offsets topic at path; "" means none. commits takes
// the records, and is nil then.
func startOffsets(path string, s *scenario.Scenario) (file output, commits func(offsetslog.Entry), err error) {
	file, err = startRecord("--offsets-log", path)
	if err != nil || path == "" {
		return output{}, nil, err
	}
	header := offsetslog.Header{Scenario: s.Name, Partitions: s.Broker.OffsetsPartitions}
	return file, offsetslog.NewWriter(file.buffer, header).Write, nil
}
