package fidelity

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestReadDifferences(t *testing.T) {
	got, err := readDifferences("# comment\n\nx/run1\t1\t2\t3\twrong\ta race\ny\t0\t0\t1\t-\tnoise\n")
	if err != nil {
		t.Fatal(err)
	}
	want := []Difference{{"x/run1", 1, 2, 3, true, "a race"}, {"y", 0, 0, 1, false, "noise"}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	for table, want := range map[string]string{
		"\nx\t1":                "differences.tsv:2: 2 fields; there must be 6",
		"x\t1\t2\t3\t-\t ":      "differences.tsv:1: x has no reason",
		"x\tmany\t2\t3\t-\tbad": `differences.tsv:1: "many" is no count`,
		"x\t1\t-2\t3\t-\tbad":   `differences.tsv:1: "-2" is no count`,
	} {
		if _, err := readDifferences(table); err == nil || err.Error() != want {
			t.Errorf("%q: got %v, want %s", table, err, want)
		}
	}
}

// A case may differ as the list says and no more; what the list has in vain is named.
func TestUnlisted(t *testing.T) {
	late := Line{Observed: &Moment{}, Simulated: &Moment{}}
	missed, surplus := Line{Observed: &Moment{}}, Line{Simulated: &Moment{}}
	row := func(id string, wrong []string, lines ...Line) Row {
		return Row{Case: &Case{ID: id}, Comparison: Comparison{Lines: lines, Wrong: wrong}}
	}
	report := Report{Rows: []Row{
		row("same", nil),
		row("less", nil, late),
		row("later", nil, late, late),
		row("missing", nil, missed),
		row("more", nil, surplus),
		row("wrong", []string{"joined 1 (recorded 2)"}),
		row("healed", nil),
	}}
	beyond, stale := report.Unlisted([]Difference{
		{ID: "less", Late: 2}, {ID: "later", Late: 1}, {ID: "healed", Missed: 1}, {ID: "unknown", Late: 1},
	})
	wantBeyond := []string{"later\t0\t0\t2\t-\t", "missing\t1\t0\t0\t-\t", "more\t0\t1\t0\t-\t", "wrong\t0\t0\t0\twrong\t"}
	if diff := cmp.Diff(wantBeyond, beyond); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]string{"healed", "unknown"}, stale); diff != "" {
		t.Error(diff)
	}
}

// Every wrong count and every other difference of a kept case is explained once, in the order of the cases.
func TestDifferencesAreInOrder(t *testing.T) {
	list, err := Differences()
	if err != nil {
		t.Fatal(err)
	}
	for i := 1; i < len(list); i++ {
		if strings.Compare(list[i-1].ID, list[i].ID) >= 0 {
			t.Errorf("%s stands before %s", list[i-1].ID, list[i].ID)
		}
	}
}
