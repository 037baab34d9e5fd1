package scenario

import (
	"bytes"

	"github.com/pelletier/go-toml/v2/unstable"
)

// Places says where things stand in the text of a scenario. A path is the way to a key as the file nests it,
// with numbers from 0 for elements of arrays: "fleet[1].config.session.timeout.ms".
type Places struct{ positions *positions }

// Comment is a comment of the text.
type Comment struct {
	Line, Column int    // of its #, counted from 1
	Text         string // from the # on
	Alone        bool   // there is nothing else in its line
}

// PlacesOf finds the places in a text that Load takes.
func PlacesOf(text []byte) *Places { return &Places{locate(trimMark(text))} }

// Of returns the line and the column, counted from 1, of a key; of the table that it would be in when the text does
// not have it.
func (p *Places) Of(path string) (line, column int) {
	return p.positions.at(p.positions.find(path).key)
}

// Has reports whether the text says something about the path itself.
func (p *Places) Has(path string) bool { return len(p.positions.spots[path]) > 0 }

// Comments returns all comments, from top to bottom.
func (p *Places) Comments() []Comment {
	var all []Comment
	parser := unstable.Parser{KeepComments: true}
	parser.Reset(p.positions.text)
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
func (p *Places) addComments(all []Comment, n *unstable.Node) []Comment {
	if n.Kind == unstable.Comment {
		offset := int(n.Raw.Offset)
		line, column := p.positions.at(offset)
		before := p.positions.text[p.positions.lines[line-1]:offset]
		return append(all, Comment{line, column, string(n.Data), len(bytes.TrimSpace(before)) == 0})
	}
	for it := n.Children(); it.Next(); {
		all = p.addComments(all, it.Node())
	}
	return all
}

// trimMark drops the mark with which some editors begin a file.
func trimMark(text []byte) []byte { return bytes.TrimPrefix(text, []byte("\ufeff")) }

// DidYouMean returns `; did you mean "x"?` for the known name that is nearest to a wrong one, "" when none is near.
func DidYouMean(wrong string, known []string) string { return didYouMean(wrong, known) }
