package scenario

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestAssignments holds that a scenario in which every key is replaced by its own value is the same.
func TestAssignments(t *testing.T) {
	for _, file := range goodFiles(t) {
		want := load(t, file, read(t, file))
		var all []Override
		for _, a := range want.Assignments() {
			o, err := ParseOverride(a.Key + "=" + a.Value)
			if err != nil {
				t.Fatal(err)
			}
			all = append(all, o)
		}
		if len(all) < 20 {
			t.Errorf("%s has only %d assignments", file, len(all))
		}
		text := []byte(want.TOML())
		if diff := cmp.Diff(want, load(t, file, text, all...), equal); diff != "" {
			t.Errorf("%s (-want +got):\n%s", file, diff)
		}
	}
}
