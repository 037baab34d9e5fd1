package scenario

import (
	"bytes"
	"sort"
	"strconv"
	"unicode/utf8"

	"github.com/pelletier/go-toml/v2/unstable"
)

// spot says where a key and its value begin in the text. For a table header and for an element of an
// array both are the same.
type spot struct{ key, value int }

// positions maps paths to places in the text. A path is the keys joined with dots, whichever way they are
// spelled, with numbers for elements of arrays: "fleet[1].config.session.timeout.ms". It is the only user
// of go-toml's unstable parser, which promises nothing about its future.
type positions struct {
	text    []byte
	lines   []int // offset of each line
	spots   map[string][]spot
	leaves  []leaf
	headers []int          // offsets of [table] and [[table]]
	tables  map[string]int // array tables seen so far, by path
	parser  unstable.Parser
}

// leaf is a key whose value is no table.
type leaf struct {
	path  string
	parts []step
}

// step is one key on the way from the root to a value.
type step struct {
	key   string
	index int // of the element, when the key names an array; else -1
}

func locate(text []byte) *positions {
	p := &positions{text: text, lines: lineStarts(text), spots: map[string][]spot{}, tables: map[string]int{}}
	p.parser.Reset(text)
	var table []step
	for p.parser.NextExpression() {
		e := p.parser.Expression()
		switch e.Kind {
		case unstable.Table, unstable.ArrayTable:
			table = p.header(e)
		case unstable.KeyValue:
			p.pair(table, e)
		}
	}
	return p
}

// lineStarts returns the offset of each line.
func lineStarts(text []byte) []int {
	lines := []int{0}
	for i, c := range text {
		if c == '\n' {
			lines = append(lines, i+1)
		}
	}
	return lines
}

// header notes a [table] or [[table]] and returns the way to it.
func (p *positions) header(e *unstable.Node) []step {
	var way []step
	start := -1
	for it := e.Key(); it.Next(); {
		if start < 0 {
			start = int(it.Node().Raw.Offset)
		}
		way = append(way, step{string(it.Node().Data), -1})
		last := it.IsLast()
		path := pathOf(way)
		if last && e.Kind == unstable.ArrayTable {
			p.tables[path]++
		}
		if n := p.tables[path]; n > 0 {
			way[len(way)-1].index = n - 1
		}
	}
	start = bytes.LastIndexByte(p.text[:start], '[')
	if e.Kind == unstable.ArrayTable {
		start--
	}
	p.note(pathOf(way), spot{start, start})
	p.headers = append(p.headers, start)
	return way
}

// pair notes a key with its value, and what is inside the value.
func (p *positions) pair(table []step, e *unstable.Node) {
	way := append([]step(nil), table...)
	key, end := -1, 0
	for it := e.Key(); it.Next(); {
		raw := it.Node().Raw
		if key < 0 {
			key = int(raw.Offset)
		}
		end = int(raw.Offset + raw.Length)
		way = append(way, step{string(it.Node().Data), -1})
	}
	value := end + bytes.IndexByte(p.text[end:], '=') + 1
	for value < len(p.text) && (p.text[value] == ' ' || p.text[value] == '\t') {
		value++
	}
	p.note(pathOf(way), spot{key, value})
	p.inside(way, e.Value(), value)
}

// inside notes the parts of a value that begins at the offset.
func (p *positions) inside(way []step, v *unstable.Node, offset int) {
	switch v.Kind {
	case unstable.InlineTable:
		for it := v.Children(); it.Next(); {
			p.pair(way, it.Node())
		}
		return
	case unstable.Array:
		p.elements(way, v, offset)
	}
	p.leaves = append(p.leaves, leaf{pathOf(way), append([]step(nil), way...)})
}

func (p *positions) elements(way []step, array *unstable.Node, offset int) {
	i := 0
	for it := array.Children(); it.Next(); i++ {
		element := append([]step(nil), way...)
		element[len(element)-1].index = i
		if raw := it.Node().Raw; raw.Length > 0 {
			offset = int(raw.Offset) // the parser does not say where an array begins: the one before is near
		}
		p.note(pathOf(element), spot{offset, offset})
		if it.Node().Kind == unstable.InlineTable {
			p.inside(element, it.Node(), offset)
		}
	}
}

func (p *positions) note(path string, s spot) { p.spots[path] = append(p.spots[path], s) }

// comments returns all comments, from top to bottom.
func (p *positions) comments() []Comment {
	var all []Comment
	parser := unstable.Parser{KeepComments: true}
	parser.Reset(p.text)
	for parser.NextExpression() {
		e := parser.Expression()
		all = p.addComments(all, e)
		if after := e.Next(); after != nil { // what stands behind a key and its value, in their line
			all = p.addComments(all, after)
		}
	}
	return all
}

// addComments appends the comments in a part of the text, lists included.
func (p *positions) addComments(all []Comment, n *unstable.Node) []Comment {
	if n.Kind == unstable.Comment {
		offset := int(n.Raw.Offset)
		line, column := p.at(offset)
		before := p.text[p.lines[line-1]:offset]
		return append(all, Comment{line, column, string(n.Data), len(bytes.TrimSpace(before)) == 0})
	}
	for it := n.Children(); it.Next(); {
		all = p.addComments(all, it.Node())
	}
	return all
}

// at returns the line and column, counted from 1, of the offset.
func (p *positions) at(offset int) (line, column int) {
	for offset > 0 && offset < len(p.text) && !utf8.RuneStart(p.text[offset]) {
		offset--
	}
	line = sort.SearchInts(p.lines, offset+1)
	return line, 1 + utf8.RuneCount(p.text[p.lines[line-1]:offset])
}

// find returns the place of a path; when it is not in the text, that of what it would be in.
func (p *positions) find(path string) spot {
	for path != "" {
		for _, way := range []string{path, path + "[0]"} {
			if all := p.spots[way]; len(all) > 0 {
				return all[0]
			}
		}
		path = parent(path)
	}
	return spot{}
}

// line returns the line of a path, 0 when it is not in the text.
func (p *positions) line(path string) int {
	all := p.spots[path]
	if len(all) == 0 {
		return 0
	}
	line, _ := p.at(all[0].key)
	return line
}

func pathOf(way []step) string {
	var b []byte
	for i, s := range way {
		if i > 0 {
			b = append(b, '.')
		}
		b = append(b, s.key...)
		if s.index >= 0 {
			b = append(b, '[')
			b = strconv.AppendInt(b, int64(s.index), 10)
			b = append(b, ']')
		}
	}
	return string(b)
}

// parent returns the path without its last key or number; "" is the root.
func parent(path string) string {
	for i := len(path) - 1; i > 0; i-- {
		if path[i] == '.' || path[i] == '[' {
			return path[:i]
		}
	}
	return ""
}
