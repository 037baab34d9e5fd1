package scenario

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"simulate/sim/metrics"
)

// noSnapshot says why an expectation can be no snapshot; "" when it can.
func (c *cast) noSnapshot(e *Expectation) (problem string) {
	switch {
	case e.Op != Equal:
		return "a snapshot is one value, which a run measured; compare it with =="
	case e.Value.Type == metrics.ShareType || e.Value.Type == metrics.NumberType:
		return "a share or a mean is rounded where it is written, so it is no snapshot; compare it with < or >"
	case c.replications > 1 && e.Over.Kind == InEach:
		return "the value may be another one in each replication; take a snapshot of max(...) or of another aggregation"
	}
	return ""
}

// Rewritten is a line of a scenario file that changed.
type Rewritten struct {
	Line          int // counted from 1
	Before, After string
}

// WithSnapshots returns the text of a scenario with other values in some of its expectations, by their index, and the
// lines that changed. Not a byte changes beside the values. The error begins with the place that cannot be rewritten.
func WithSnapshots(name string, text []byte, values map[int]string) ([]byte, []Rewritten, error) {
	places, old := locate(text), text
	var problems []error
	for _, i := range slices.Backward(slices.Sorted(maps.Keys(values))) { // the places before stay where they are
		offset := places.find(fmt.Sprintf("expect[%d].that", i)).value
		line, column := places.at(offset)
		begin, end, ok := valueIn(text, offset)
		if !ok || strings.ContainsAny(values[i], `"'\`) {
			problems = append(problems, fmt.Errorf("%s:%d:%d: this snapshot is spelled in a way that --update does not change; write %s by hand",
				name, line, column, values[i]))
			continue
		}
		text = slices.Concat(text[:begin], []byte(values[i]), text[end:])
	}
	slices.Reverse(problems)
	return text, rewritten(old, text), errors.Join(problems...)
}

// rewritten lists the lines in which two texts of as many lines differ.
func rewritten(old, text []byte) []Rewritten {
	var lines []Rewritten
	after := strings.Split(string(text), "\n")
	for i, before := range strings.Split(string(old), "\n") {
		if before != after[i] {
			lines = append(lines, Rewritten{i + 1, strings.TrimSuffix(before, "\r"), strings.TrimSuffix(after[i], "\r")})
		}
	}
	return lines
}

// valueIn returns where the value begins and ends in the string that begins at an offset, as in "METRIC == VALUE".
func valueIn(text []byte, offset int) (begin, end int, ok bool) {
	mark := text[offset : offset+1]
	if triple := bytes.Repeat(mark, 3); bytes.HasPrefix(text[offset:], triple) {
		mark = triple
	}
	begin = offset + len(mark)
	length := bytes.Index(text[begin:], mark)
	if length < 0 {
		return 0, 0, false
	}
	end = begin + length
	equal := bytes.Index(text[begin:end], []byte("=="))
	if equal < 0 || bytes.ContainsRune(text[begin:end], '\\') {
		return 0, 0, false
	}
	const blank = " \t\r\n"
	value := text[begin+equal+2 : end]
	begin = end - len(bytes.TrimLeft(value, blank))
	return begin, begin + len(bytes.Trim(value, blank)), true
}
