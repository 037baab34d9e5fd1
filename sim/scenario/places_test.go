package scenario

import (
	"fmt"
	"slices"
	"testing"
)

func TestPlaces(t *testing.T) {
	p := PlacesOf([]byte("\ufeffduration = \"1m\"\n[[fleet]]\n  name = \"a\"\n[[fleet]]\nconfig = { session.timeout.ms = 1 }\n"))
	for _, c := range []struct {
		path string
		want string
	}{
		{"duration", "1:1 true"},
		{"fleet[0].name", "3:3 true"},
		{"fleet[1].config.session.timeout.ms", "5:12 true"},
		{"fleet[1].config.heartbeat.interval.ms", "5:1 false"},
		{"fleet[0].config.session.timeout.ms", "2:1 false"},
		{"expect", "1:1 false"},
	} {
		line, column := p.Of(c.path)
		if got := fmt.Sprintf("%d:%d %v", line, column, p.Has(c.path)); got != c.want {
			t.Errorf("%s is at %s, want %s", c.path, got, c.want)
		}
	}
}

// Comments are those that TOML takes for comments, wherever they stand.
func TestComments(t *testing.T) {
	text := "# top\na = \"# no\" # end\n[x] # head\n  b = [ # in a list\n 1, # after one\n ]\nc = '''\n# no\n''' # yes\nd = { e = 1 } # table\n# last"
	want := []Comment{
		{1, 1, "# top", true}, {2, 12, "# end", false}, {3, 5, "# head", false}, {4, 9, "# in a list", false},
		{5, 5, "# after one", false}, {9, 5, "# yes", false}, {10, 15, "# table", false}, {11, 1, "# last", true},
	}
	if got := PlacesOf([]byte(text)).Comments(); !slices.Equal(got, want) {
		t.Errorf("got  %v\nwant %v", got, want)
	}
}
