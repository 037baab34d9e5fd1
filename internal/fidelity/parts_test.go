package fidelity

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

// rowOf returns a row of a client's case with so many events that match in time, match late and are missed.
func rowOf(client string, inTime, late, missed int) Row {
	var c Comparison
	add := func(n int, l Line) {
		for range n {
			c.Lines = append(c.Lines, l)
		}
	}
	add(inTime, Line{Observed: &Moment{}, Simulated: &Moment{}, InTime: true})
	add(late, Line{Observed: &Moment{}, Simulated: &Moment{}})
	add(missed, Line{Observed: &Moment{}})
	return Row{Case: &Case{ID: client, Client: client}, Comparison: c, First: c.Figures()}
}

// Each kind of recordings has a line, and each client one of its own where a kind has several.
func TestSummaries(t *testing.T) {
	report := Report{Rows: []Row{
		rowOf("java", 99, 0, 1), rowOf("sarama", 8, 1, 1), rowOf("librdkafka", 10, 0, 0), rowOf("sarama", 10, 0, 0), rowOf("mixed", 10, 0, 0),
	}}
	var got []string
	for _, s := range report.summaries() {
		got = append(got, s.name)
		if s.name == "sarama" && (!s.inPart || s.figures.Cases != 2 || s.figures.Matched != 19 || s.first != s.figures) {
			t.Errorf("sarama: got %+v", s)
		}
		if s.name == "other clients" && (s.inPart || s.figures.Cases != 3 || s.figures.InTime != 28) {
			t.Errorf("other clients: got %+v", s)
		}
	}
	if diff := cmp.Diff([]string{"Java consumers", "other clients", "librdkafka", "sarama", "mixed groups"}, got); diff != "" {
		t.Error(diff)
	}
}

// What one kind of recordings fails in is not made good by another kind.
func TestFailuresOfAPart(t *testing.T) {
	report := Report{Rows: []Row{rowOf("java", 1000, 0, 0), rowOf("sarama", 80, 10, 10)}}
	want := []string{
		"other clients: 90.0 % of the recorded events matched; at least 96 % must be",
		"other clients: 80.0 % of the recorded events in time; at least 92 % must be",
		"other clients: 90.0 % of all events matched; at least 96 % must be",
		"other clients: 80.0 % of all events in time; at least 92 % must be",
	}
	if diff := cmp.Diff(want, report.Failures()); diff != "" {
		t.Error(diff)
	}
}
