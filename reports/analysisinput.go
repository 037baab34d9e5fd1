package reports

import (
	"fmt"
	"slices"
	"time"

	"simulate/incident/logs"
	"simulate/sim/metrics"
)

// farBack is how far stamps go back before it is worth a word: threads log out of order by less.
const farBack = time.Minute

// inputNotes says what a reader has to know of what was read.
func (a *Analysis) inputNotes() []string {
	var lines, records, events, unparsed, duplicates, cut, late int64
	var reversed, dateless, seconds, wrong []string
	for _, s := range a.Sources {
		lines, records, events, unparsed, duplicates = lines+s.Lines, records+s.Records, events+s.Events, unparsed+s.Unparsed, duplicates+s.Duplicates
		cut, late = cut+s.Cut, late+s.Late
		if s.Reversed {
			reversed = append(reversed, short(s.Name))
		}
		if s.Dateless {
			dateless = append(dateless, short(s.Name))
		}
		if s.Seconds {
			seconds = append(seconds, short(s.Name))
		}
		wrong = append(wrong, sourceNotes(s)...)
	}
	text := fmt.Sprintf("%s in %s; %s about groups", metrics.Plural(int(lines), "line"), metrics.Plural(len(a.Sources), "source"), metrics.Plural(int(events), "record"))
	if others := records - events - duplicates - unparsed; others > 0 {
		text += fmt.Sprintf(", %d about something else", others)
	}
	notes := []string{text}
	if unparsed > 0 {
		text := metrics.Plural(int(unparsed), "line") + " that may be about groups not understood"
		if len(a.Unparsed) == 0 {
			text += "; --show-unparsed lists them"
		}
		notes = append(notes, text)
	}
	if duplicates > 0 {
		notes = append(notes, metrics.Plural(int(duplicates), "record")+" logged twice and counted once")
	}
	if cut > 0 {
		notes = append(notes, metrics.Plural(int(cut), "line")+" cut short")
	}
	if late > 0 {
		notes = append(notes, metrics.Plural(int(late), "record")+" came too late to be put in order: what they changed counts as of the record before")
	}
	if len(reversed) > 0 {
		notes = append(notes, "the newest line came first in "+listed(reversed))
	}
	if len(dateless) > 0 {
		notes = append(notes, "the stamps have no day, or no year, in "+listed(dateless))
	}
	if len(seconds) > 0 {
		notes = append(notes, "stamps are of whole seconds in "+listed(seconds)+": within one, what came first is told by the lines alone")
	}
	return slices.Concat(notes, wrong, a.Warnings)
}

// sourceNotes says what a reader has to know of one source.
func sourceNotes(s *logs.Source) []string {
	var notes []string
	say := func(format string, args ...any) {
		notes = append(notes, short(s.Name)+": "+fmt.Sprintf(format, args...))
	}
	switch {
	case s.CutAt > 0 && s.CutAs == "":
		say("its last line, %d, ends in its middle", s.CutAt)
	case s.CutAt > 0:
		say("its last line, %d, ends in the middle of its message and was taken for \"%s\"", s.CutAt, clean(s.CutAs))
	}
	if s.Back > farBack {
		say("its stamps go back by %s in line %d, as when daylight saving time ends, a clock is set or logs stand one behind the other; they were "+
			"put in order by their stamps", timed(s.Back), s.BackAt)
	}
	if s.Jitter > 0 {
		say("stamps of neighbouring lines are out of order by up to %s", metrics.Duration(s.Jitter.Round(time.Microsecond)))
	}
	if s.Outside != 0 {
		say("stamps outside of its records are %s from those inside, which count: another time zone", signed(s.Outside))
	}
	if s.Warning != "" {
		say("%s", s.Warning)
	}
	return notes
}
