package logs

// Found says what a line says, as the transcripts print it.
func Found(line string) string {
	var e Event
	at, ok := newFinder(newNames()).find(&record{text: []byte(line)}, &e)
	return found(at, ok, &e)
}
