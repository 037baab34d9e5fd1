package logs

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// FuzzMessage reads any bytes as a line. Whatever it is read as is within what a line can say, is the same when it is read
// again, and does not change the line.
func FuzzMessage(f *testing.F) {
	for _, line := range benchLines {
		f.Add([]byte(line), 0)
	}
	for _, line := range brokerLines(f) {
		f.Add([]byte(line), len(line)/8)
	}
	names := newNames()
	finder := newFinder(names)
	f.Fuzz(func(t *testing.T, line []byte, start int) {
		start = min(max(start, 0), len(line))
		before := string(line)
		var e, again Event
		at, ok := finder.find(&record{text: line, start: start}, &e)
		if string(line) != before {
			t.Fatal("the line is changed")
		}
		if at < -1 || at > len(line) || ok && (at < 0 || e.Kind == NoKind) {
			t.Fatalf("found %v at %d", e.Kind, at)
		}
		if !ok {
			return
		}
		sane(t, &e, len(line))
		finder.find(&record{text: line, start: start}, &again)
		if found(at, ok, &e) != found(at, ok, &again) {
			t.Errorf("read again it is another event:\n%s\n%s", found(at, ok, &e), found(at, ok, &again))
		}
	})
}

// brokerLines are those of the transcripts in testdata/broker.
func brokerLines(f *testing.F) []string {
	files, err := filepath.Glob("testdata/broker/*")
	if err != nil || len(files) == 0 {
		f.Fatal(files, err)
	}
	var lines []string
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			f.Fatal(err)
		}
		lines = append(lines, strings.Split(strings.TrimSuffix(string(text), "\n"), "\n")...)
	}
	return lines
}

// sane holds that nothing is longer than the line that says it; bytes that are no UTF-8 may become three each.
func sane(t *testing.T, e *Event, line int) {
	t.Helper()
	size := len(e.Client) + len(e.Group) + len(e.Member) + len(e.Other) + len(e.Instance)
	for _, id := range e.List {
		size += len(id)
	}
	for _, p := range e.Partitions {
		size += len(p)
	}
	if size > 3*(line+64) || len(e.ClientReason) > 3*line || len(e.Text) > 3*(line+64) {
		t.Errorf("an event of a line of %d bytes holds more than it: %s", line, fieldsOf(e))
	}
	for _, n := range []int32{e.Broker, e.Partition, e.Members, e.Static} {
		if n < Unknown {
			t.Errorf("%d is no number of a broker, a partition or members", n)
		}
	}
}
