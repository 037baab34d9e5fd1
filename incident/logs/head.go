package logs

import (
	"bytes"
	"time"
)

// head is how the lines of a source begin at present: with a day, the time to milliseconds, and a level, as Kafka's own
// layout and most others have it.
type head struct {
	prefix []byte  // up to the time: "[2024-05-01 ", with a name of docker-compose before it perhaps
	day    Instant // at midnight
	tag    string
}

const clockSize = len("09:12:56,387")

// read reads the stamp of a line that has the head, and says where the text begins behind the level. Of a line that is
// known to have it, that is not looked at again.
func (h *head) read(line []byte, known bool) (at Instant, start int, ok bool) {
	n := len(h.prefix)
	if n == 0 || len(line) < n+clockSize+8 || !known && !bytes.HasPrefix(line, h.prefix) {
		return 0, 0, false
	}
	clock, ok := readClock(line[n : n+clockSize])
	if !ok {
		return 0, 0, false
	}
	i := n + clockSize
	if line[i] == ']' {
		i++
	}
	if line[i] != ' ' {
		return 0, 0, false
	}
	for i++; i < n+clockSize+4 && line[i] == ' '; i++ {
	}
	level := i
	for i < len(line)-1 && line[i]-'A' < 26 {
		i++
	}
	return h.day.Add(clock), i + 1, i-level >= 4 && i-level <= 7 && line[i] == ' ' && plainEnd(line)
}

// plainEnd: there is no noise at the end of a line.
func plainEnd(line []byte) bool {
	switch last := line[len(line)-1]; {
	case last == ')' || last == '.' || last == ']':
		return true
	case last == 'm':
		return bytes.IndexByte(line[max(0, len(line)-5):], 0x1b) < 0
	default:
		return isLetter(last) || isDigit(last)
	}
}

// readClock reads HH:MM:SS and milliseconds after a comma or a full stop.
func readClock(b []byte) (time.Duration, bool) {
	_ = b[clockSize-1]
	h, m, s := pair(b[0], b[1]), pair(b[3], b[4]), pair(b[6], b[7])
	tens, ones := pair(b[9], b[10]), uint(b[11]-'0')
	if h > 23 || m > 59 || s > 60 || tens > 99 || ones > 9 || b[2] != ':' || b[5] != ':' || b[8] != ',' && b[8] != '.' {
		return 0, false
	}
	return time.Duration(h*3_600_000+m*60_000+s*1000+tens*10+ones) * time.Millisecond, true
}

// pair is what two digits say; more than 99 when they are none.
func pair(a, b byte) uint {
	x, y := uint(a-'0'), uint(b-'0')
	if x > 9 || y > 9 {
		return 100
	}
	return x*10 + y
}

// learn takes over the head of a line that was unwrapped, when it is one that read understands.
func (h *head) learn(line []byte, r *record, n *names) {
	if !r.inner || r.outer || len(r.fields) > 0 {
		return
	}
	s, ok := lastStamp(r.text[:min(len(r.text), headSize)])
	if !ok || s.date != fullDate || s.zoned || s.precision != time.Millisecond || s.end-s.at != len("2024-05-01 09:12:56,387") {
		return
	}
	at := bytes.Index(line, r.text[s.at:s.end])
	if at < 0 || bytes.IndexByte(line[:at], '"') >= 0 || r.part != wholeText {
		return
	}
	h.prefix = append(h.prefix[:0], line[:at+len("2024-05-01 ")]...)
	h.day, h.tag = s.day, n.text(r.tag)
}
