package logs

// readDump reads a member as a broker prints it.
func readDump(e *Event, dump []byte, n *names) { e.Member = n.member(dump) }
