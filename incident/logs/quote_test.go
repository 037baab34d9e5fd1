package logs

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestQuote reads lines again: of a file, of a compressed one and of standard input, as far as that was kept; lines that are
// longer than what is shown, and than what is read at once; and such as are not there.
func TestQuote(t *testing.T) {
	var text strings.Builder
	for n := 1; n <= 20_000; n++ {
		fmt.Fprintf(&text, "line %d%s\r\n", n, strings.Repeat(".", n%50*n/1000))
	}
	fmt.Fprintf(&text, "%s\nthe last one", strings.Repeat("long ", 200_000))
	dir := t.TempDir()
	plain, zipped := filepath.Join(dir, "a.log"), filepath.Join(dir, "b.log.gz")
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	z.Write([]byte(text.String()))
	z.Close()
	for name, content := range map[string][]byte{plain: []byte(text.String()), zipped: b.Bytes()} {
		if err := os.WriteFile(name, content, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	r, err := Open([]string{plain, zipped, Stdin}, strings.NewReader(""), Options{})
	if err != nil {
		t.Fatal(err)
	}
	var places []Place
	for source := range int32(3) {
		for _, line := range []int64{20_002, 1, 2, 7, 19_949, 20_001, 20_003, 7} {
			places = append(places, Place{source, line})
		}
	}
	got := map[string]string{}
	for place, text := range r.Quote(append(places, Place{Source: 9, Line: 1}, Place{Source: -1}), strings.NewReader("kept\nand")) {
		got[fmt.Sprint(place.Source, ":", place.Line)] = text
	}
	want := map[string]string{"2:1": "kept", "2:2": "and"}
	for _, source := range []string{"0:", "1:"} {
		want[source+"1"], want[source+"2"], want[source+"7"] = "line 1", "line 2", "line 7"
		want[source+"19949"] = ("line 19949" + strings.Repeat(".", 49*19949/1000))[:maxShown]
		want[source+"20001"], want[source+"20002"] = strings.Repeat("long ", 200_000)[:maxShown], "the last one"
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

// TestQuoteFar reads lines again that are far into a file, which is not read from its begin for that: with a mark of UTF-8, ends of
// lines of two bytes, and a line that is cut, behind which a mark is set perhaps.
func TestQuoteFar(t *testing.T) {
	const lines = 5 * markEvery / 2
	for i, begin := range []string{"", "\xEF\xBB\xBF"} {
		cut := []int{markEvery/2 + 1, markEvery}[i]
		var text strings.Builder
		text.WriteString(begin)
		for n := 1; n <= lines; n++ {
			if n == cut {
				fmt.Fprintf(&text, "%s\n", strings.Repeat("x", maxLine+lineBuffer))
			}
			fmt.Fprintf(&text, "line %d\r\n", n)
		}
		name := filepath.Join(t.TempDir(), "a.log")
		if err := os.WriteFile(name, []byte(text.String()), 0o600); err != nil {
			t.Fatal(err)
		}
		r, err := Open([]string{name}, nil, Options{})
		if err != nil {
			t.Fatal(err)
		}
		if err := r.Each(t.Context(), func(*Event) error { return nil }); err != nil {
			t.Fatal(err)
		}
		if n := len(r.Sources[0].marks); n != 2 {
			t.Errorf("%d marks", n)
		}
		want := map[Place]string{{0, 1}: "line 1"}
		places := []Place{{0, 1}}
		for _, n := range []int{markEvery - 1, markEvery, markEvery + 1, markEvery + 2, 2*markEvery + 1, lines + 1} {
			place := Place{0, int64(n)}
			places = append(places, place)
			switch {
			case n < cut:
				want[place] = fmt.Sprintf("line %d", n)
			case n == cut:
				want[place] = strings.Repeat("x", maxShown)
			default:
				want[place] = fmt.Sprintf("line %d", n-1)
			}
		}
		for range 2 {
			if diff := cmp.Diff(want, r.Quote(places, nil)); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
			delete(want, Place{0, 1})
			places = places[1:]
		}
	}
}

func TestMatches(t *testing.T) {
	for _, test := range []struct {
		patterns, group string
		want            bool
	}{
		{"", "orders", true}, {"orders", "orders", true}, {"orders", "orders-2", false}, {"ord*,pay*", "payments", true},
		{"team/*", "team/a/b", true}, {"*", "team/a", true}, {"[a", "[a", true}, {"o?ders", "orders", true}, {"[pq]*", "orders", false},
	} {
		var patterns []string
		if test.patterns != "" {
			patterns = strings.Split(test.patterns, ",")
		}
		if got := Matches(patterns, test.group); got != test.want {
			t.Errorf("%q takes %q: %v", test.patterns, test.group, got)
		}
	}
	if CheckPattern("[a") == nil || CheckPattern("a/[b-c]*") != nil {
		t.Error("a good pattern is refused, or a bad one taken")
	}
}
