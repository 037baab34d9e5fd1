package fidelity

import (
	_ "embed" // the differences that are the recordings' own
	"fmt"
	"strconv"
	"strings"
)

// Difference is what a kept case may differ in, and why that is the recording's and not ours.
type Difference struct {
	ID      string
	Missed  int // at most
	Surplus int
	Late    int
	Wrong   bool // a count may be wrong
	Reason  string
}

//go:embed differences.tsv
var differences string

// Differences returns what differences.tsv lists.
func Differences() ([]Difference, error) { return readDifferences(differences) }

// readDifferences reads a line for each case: id, missed, surplus, late, "wrong" or "-", reason, between
// tabs. Empty lines and lines that begin with # say nothing.
func readDifferences(table string) ([]Difference, error) {
	var all []Difference
	for i, line := range strings.Split(table, "\n") {
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		d, err := readDifference(strings.Split(line, "\t"))
		if err != nil {
			return nil, fmt.Errorf("differences.tsv:%d: %w", i+1, err)
		}
		all = append(all, d)
	}
	return all, nil
}

func readDifference(fields []string) (Difference, error) {
	if len(fields) != 6 {
		return Difference{}, fmt.Errorf("%d fields; there must be 6", len(fields))
	}
	d := Difference{ID: fields[0], Wrong: fields[4] == "wrong", Reason: strings.TrimSpace(fields[5])}
	if d.Reason == "" {
		return Difference{}, fmt.Errorf("%s has no reason", d.ID)
	}
	for i, count := range []*int{&d.Missed, &d.Surplus, &d.Late} {
		n, err := strconv.Atoi(fields[i+1])
		if err != nil || n < 0 {
			return Difference{}, fmt.Errorf("%q is no count", fields[i+1])
		}
		*count = n
	}
	return d, nil
}

// Problems says what keeps the kept cases from being good enough: figures below the least, and
// differences that differences.tsv does not explain.
func (r Report) Problems() ([]string, error) {
	list, err := Differences()
	if err != nil {
		return nil, err
	}
	all := r.Failures()
	beyond, stale := r.Unlisted(list)
	for _, line := range beyond {
		all = append(all, "differs in more than differences.tsv allows: "+line)
	}
	for _, id := range stale {
		all = append(all, "differences.tsv lists what differs no longer: "+id)
	}
	return all, nil
}

// Unlisted says which cases differ in more than the list allows, each with the line that would allow
// it, and which lines of the list name no case or a case that differs no longer.
func (r Report) Unlisted(list []Difference) (beyond, stale []string) {
	allowed := map[string]Difference{}
	for _, d := range list {
		allowed[d.ID] = d
	}
	differing := map[string]bool{}
	for _, row := range r.Rows {
		d, is := allowed[row.Case.ID], row.difference()
		if is != (Difference{ID: is.ID}) {
			differing[is.ID] = true
		}
		if is.exceeds(d) {
			beyond = append(beyond, is.String())
		}
	}
	for _, d := range list {
		if !differing[d.ID] {
			stale = append(stale, d.ID)
		}
	}
	return beyond, stale
}

// difference returns what a case does differ in, without a reason.
func (r Row) difference() Difference {
	f := r.Figures()
	return Difference{ID: r.Case.ID, Missed: f.Missed, Surplus: f.Surplus, Late: f.Matched - f.InTime, Wrong: f.Wrong > 0}
}

func (d Difference) exceeds(allowed Difference) bool {
	return d.Missed > allowed.Missed || d.Surplus > allowed.Surplus || d.Late > allowed.Late || d.Wrong && !allowed.Wrong
}

// String returns the line of differences.tsv.
func (d Difference) String() string {
	counts := "-"
	if d.Wrong {
		counts = "wrong"
	}
	return fmt.Sprintf("%s\t%d\t%d\t%d\t%s\t%s", d.ID, d.Missed, d.Surplus, d.Late, counts, d.Reason)
}
