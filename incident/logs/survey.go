package logs

import (
	"bytes"
	"io"
)

// survey is what the begin of a source shows.
type survey struct {
	earliest    Instant // of its stamps; NoTime when it has none
	latest      Instant
	newestFirst bool
	mixed       bool // not all of its stamps go in one direction
	samples     bool // it is no log, but samples of states
}

// surveyLines is how many lines are looked at.
const surveyLines = 2000

// surveyOf looks at lines of a source.
func (r *Reader) surveyOf(s *stream, text []byte) survey {
	c := *s.calendar
	f := r.feedOf(&stream{source: &Source{}, calendar: &c}, bytes.NewReader(text))
	v := survey{earliest: NoTime, latest: NoTime}
	order := order{last: NoTime}
	for range surveyLines {
		line, err := f.lines.next()
		if err != nil {
			break
		}
		f.line = line
		f.unwrap()
		if f.current.level() == 0 || f.current.onlyStamp() {
			continue
		}
		stamp, ok := f.current.stamp(min(len(f.current.text), headSize))
		if !ok {
			continue
		}
		at, _ := c.instant(&stamp)
		order.add(at)
		if v.earliest == NoTime || at < v.earliest {
			v.earliest = at
		}
		v.latest = max(v.latest, at)
	}
	v.newestFirst, v.mixed = order.newestFirst(), order.down > 0 && order.up > 0
	return v
}

// order counts how often one stamp is before the one above it.
type order struct {
	last     Instant
	down, up int
}

func (o *order) add(at Instant) {
	switch {
	case o.last == NoTime, at == o.last:
	case at < o.last:
		o.down++
	default:
		o.up++
	}
	o.last = at
}

// newestFirst: more than 60 % of the pairs that differ go back in time.
func (o *order) newestFirst() bool { return o.down*10 > (o.down+o.up)*6 }

// feedOf makes the feed of a stream.
func (r *Reader) feedOf(s *stream, source io.Reader) *feed {
	return &feed{
		source: s.source, index: s.index, lines: newLines(source), finder: r.finder, names: r.names, calendar: s.calendar,
		unparsed: &r.Unparsed, parts: map[string][]byte{}, brokers: map[string]int32{}, broker: Unknown, stamps: stampNotes{before: NoTime},
	}
}
