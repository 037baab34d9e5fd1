package scenario

import "bytes"

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
func (p *Places) Comments() []Comment { return p.positions.comments() }

// trimMark drops the mark with which some editors begin a file.
func trimMark(text []byte) []byte { return bytes.TrimPrefix(text, []byte("\ufeff")) }

// DidYouMean returns `; did you mean "x"?` for the known name that is nearest to a wrong one, "" when none is near.
func DidYouMean(wrong string, known []string) string { return didYouMean(wrong, known) }
