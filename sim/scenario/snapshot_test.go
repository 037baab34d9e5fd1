package scenario

import (
	"strings"
	"testing"
)

const snapshots = `# kept
duration = "1m"  # kept too
[[topic]]
name = "t"
partitions = 1
[[fleet]]
name = "a"
count = 2
topics = ["t"]
`

// TestWithSnapshots holds that only values change, however their strings are written.
func TestWithSnapshots(t *testing.T) {
	for _, test := range []struct{ name, before, value, after string }{
		{"plain", `that = "rebalances(a) == 1"`, "12", `that = "rebalances(a) == 12"`},
		{"spaces and a comment", "  that\t=  \"rebalances(a)==  1 \"  # why == 1\r", "2", "  that\t=  \"rebalances(a)==  2 \"  # why == 1\r"},
		{"literal", `that = 'leader(a) == a-1'`, "a-2", `that = 'leader(a) == a-2'`},
		{"three quotes", "that = \"\"\"\n  longest(a, Stable) ==\n  5s\n\"\"\"", "1m02.5s", "that = \"\"\"\n  longest(a, Stable) ==\n  1m02.5s\n\"\"\""},
		{"the same", `that = "rebalances(a) == 1"`, "1", `that = "rebalances(a) == 1"`},
	} {
		text := snapshots + "[[expect]]\nthat = \"members(a) == 1\"\n[[expect]]\nsnapshot = true\n"
		got, lines, err := WithSnapshots("a.toml", []byte(text+test.before+"\n# end\n"), map[int]string{1: test.value})
		if want := text + test.after + "\n# end\n"; err != nil || string(got) != want {
			t.Errorf("%s: got %v\n%s\nwant\n%s", test.name, err, got, want)
		}
		if changed := test.before != test.after; changed != (len(lines) == 1) || changed && !strings.Contains(lines[0].After, test.value) {
			t.Errorf("%s: got the lines %+v", test.name, lines)
		}
		if _, _, err := Load("a.toml", got); err != nil {
			t.Errorf("%s: %v", test.name, err)
		}
	}
}

// TestWithSnapshotsInline holds that several values in one line all change, and that each has its own place.
func TestWithSnapshotsInline(t *testing.T) {
	text := `expect = [{ that = "members(a) == 1", snapshot = true }, { that = "joins(a-1) == 1", snapshot = true }]` + "\n" + snapshots
	got, lines, err := WithSnapshots("a.toml", []byte(text), map[int]string{0: "10", 1: "20"})
	want := strings.NewReplacer("members(a) == 1", "members(a) == 10", "== 1\"", "== 20\"").Replace(text)
	if err != nil || string(got) != want || len(lines) != 1 {
		t.Errorf("got %v, %+v\n%s\nwant\n%s", err, lines, got, want)
	}
}

// TestWithSnapshotsRefuses holds that a spelling that hides where the value is stays as it is.
func TestWithSnapshotsRefuses(t *testing.T) {
	text := snapshots + "[[expect]]\nthat = \"members(a) =\\u003d 1\"\nsnapshot = true\n"
	got, lines, err := WithSnapshots("a.toml", []byte(text), map[int]string{0: "2"})
	const want = "a.toml:11:8: this snapshot is spelled in a way that --update does not change; write 2 by hand"
	if err == nil || err.Error() != want || string(got) != text || lines != nil {
		t.Errorf("got %v and %+v\n%s", err, lines, got)
	}
}
