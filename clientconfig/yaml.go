package clientconfig

import (
	"bytes"
	"errors"
	"io"
	"regexp"
	"strconv"
	"strings"
	"unicode/utf8"

	"go.yaml.in/yaml/v3"

	"simulate/sim/scenario"
)

// Bounds on YAML: aliases can make a small file mean a huge one.
const (
	mostNodes     = 100_000
	mostDepth     = 100
	mostDocuments = 1000
)

// yaml reads all documents of the text, each flat.
func (r *reader) yaml() [][]entry {
	decoder := yaml.NewDecoder(bytes.NewReader(r.text))
	var all [][]entry
	f := &flattener{reader: r, left: mostNodes, starts: lineOffsets(r.text), offsets: map[*yaml.Node]int{}}
	for {
		var node yaml.Node
		err := decoder.Decode(&node)
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			r.notYAML(err)
			return nil
		}
		if len(all) == mostDocuments {
			r.wrong(f.offset(&node), "this is document %d; at most %d are read", len(all)+1, mostDocuments)
			return nil
		}
		f.entries = nil
		f.node(&node, "", f.offset(&node), 0)
		all = append(all, f.entries)
	}
	if f.left <= 0 {
		r.wrong(0, "the file means more than %d values, by its aliases or by its depth of more than %d; write it without them", mostNodes, mostDepth)
		return nil
	}
	return all
}

var (
	yamlError     = regexp.MustCompile(`^yaml: (?:unmarshal errors:\s*)?line (\d+): (.*)$`)
	unknownAnchor = regexp.MustCompile(`^yaml: unknown anchor '(.*)' referenced$`)
)

// notYAML reports what the library says, in the line that it names. A name after "*" that is no anchor's is not
// repeated: it is a value that was not quoted, perhaps a password.
func (r *reader) notYAML(err error) {
	offset, text := 0, err.Error()
	if found := yamlError.FindStringSubmatch(text); found != nil {
		starts := lineOffsets(r.text)
		line, _ := strconv.Atoi(found[1])
		offset, text = starts[max(0, min(line, len(starts))-1)], found[2]
	} else if found := unknownAnchor.FindStringSubmatch(text); found != nil {
		offset = max(0, bytes.Index(r.text, []byte("*"+found[1])))
		text = "an alias of nothing; a value that begins with * needs quotes"
	}
	r.wrong(offset, "not YAML: %s", scenario.Quote(strings.TrimPrefix(text, "yaml: ")))
}

// lineOffsets returns where each line begins, as the YAML library counts lines.
func lineOffsets(text []byte) []int {
	starts := []int{0}
	for i := 0; i < len(text); {
		c, size := utf8.DecodeRune(text[i:])
		i += size
		switch c {
		case '\r':
			if i < len(text) && text[i] == '\n' {
				i++
			}
			starts = append(starts, i)
		case '\n', '\u0085', '\u2028', '\u2029':
			starts = append(starts, i)
		}
	}
	return starts
}

// flattener turns a tree into keys with dots, as Spring does: lists have numbers in brackets.
type flattener struct {
	reader  *reader
	entries []entry
	starts  []int
	left    int // nodes that may still be visited
	last    cursor
	offsets map[*yaml.Node]int // of those that were asked for; aliases make nodes be visited again
}

// cursor is a place in a text that moves on.
type cursor struct{ line, column, offset int }

// offset returns where a node stands. It goes on from where the last one stood, as lines may be long.
func (f *flattener) offset(n *yaml.Node) int {
	if at, ok := f.offsets[n]; ok {
		return at
	}
	if n.Line < 1 || n.Line > len(f.starts) {
		return 0
	}
	c := &f.last
	if c.line != n.Line || c.column > n.Column {
		*c = cursor{n.Line, 1, f.starts[n.Line-1]}
	}
	for ; c.column < n.Column && c.offset < len(f.reader.text) && f.reader.text[c.offset] != '\n'; c.column++ {
		_, size := utf8.DecodeRune(f.reader.text[c.offset:])
		c.offset += size
	}
	f.offsets[n] = c.offset
	return c.offset
}

// node visits a value whose key stands at the offset.
func (f *flattener) node(n *yaml.Node, key string, offset, depth int) {
	f.left--
	if depth > mostDepth {
		f.left = 0
	}
	if f.left <= 0 {
		return
	}
	switch n.Kind {
	case yaml.DocumentNode:
		for _, c := range n.Content {
			f.node(c, key, offset, depth+1)
		}
	case yaml.AliasNode:
		f.node(n.Alias, key, offset, depth+1)
	case yaml.SequenceNode:
		for i, c := range n.Content {
			f.node(c, below(key, "["+strconv.Itoa(i)+"]"), f.offset(c), depth+1)
		}
	case yaml.MappingNode:
		f.mapping(n, key, depth)
	case yaml.ScalarNode:
		if n.Tag != "!!null" {
			f.entries = append(f.entries, entry{spelled: key, value: scalar(n), offset: offset})
		}
	}
}

// scalar returns a value as Spring passes it on: whole numbers, which YAML writes in several ways, in decimal digits.
func scalar(n *yaml.Node) string {
	var whole int64
	if n.ShortTag() == "!!int" && n.Decode(&whole) == nil {
		return strconv.FormatInt(whole, 10)
	}
	return n.Value
}

// mapping visits the pairs of a mapping; what it merges ("<<") comes first, so that its own keys count.
func (f *flattener) mapping(n *yaml.Node, key string, depth int) {
	for i := 0; i+1 < len(n.Content); i += 2 {
		if k := n.Content[i]; k.Tag == "!!merge" {
			f.merge(n.Content[i+1], key, depth)
		}
	}
	for i := 0; i+1 < len(n.Content); i += 2 {
		k := n.Content[i]
		if k.Tag == "!!merge" || k.Kind != yaml.ScalarNode {
			continue
		}
		f.node(n.Content[i+1], below(key, k.Value), f.offset(k), depth+1)
	}
}

// merge visits what "<<" names: a mapping, or a list of them of which the first counts most.
func (f *flattener) merge(n *yaml.Node, key string, depth int) {
	if n.Kind == yaml.AliasNode {
		n = n.Alias
	}
	if n.Kind == yaml.SequenceNode {
		for i := len(n.Content) - 1; i >= 0; i-- {
			f.node(n.Content[i], key, f.offset(n), depth+1)
		}
		return
	}
	f.node(n, key, f.offset(n), depth+1)
}
