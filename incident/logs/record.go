package logs

// record is one thing that was logged, as the reader hands it to the finder: a line, or several that belong together.
//
// The finder is
//
//	func newFinder(names *names) *finder
//	func (f *finder) find(r *record, e *Event) (at int, ok bool)
//
// find fills in what the message says, into an event that is empty but for Place. It returns where in the text the
// message's literal begins, left of which the reader looks for the stamp and the envelope; -1 when there is no literal
// that anybody knows, and so nothing about a group. With at >= 0 and not ok there is one, but the rest is not as it
// should be, and the line is counted as not understood. What the event keeps is copied out of the record.
type record struct {
	text   []byte   // the line; of a record in JSON its message; wrapped lines are joined
	start  int      // where the message begins when the head is "[stamp] LEVEL " or "stamp LEVEL "; 0 when it is another
	fields []field  // of a record in JSON, beside its text
	more   [][]byte // lines that follow and have no stamp of their own: a stack trace, a list
}
