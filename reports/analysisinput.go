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
	var sum logs.Source
	var each []string
	for _, s := range a.Sources {
		sum.Lines, sum.Records, sum.Events = sum.Lines+s.Lines, sum.Records+s.Records, sum.Events+s.Events
		sum.Unparsed, sum.Duplicates = sum.Unparsed+s.Unparsed, sum.Duplicates+s.Duplicates
		sum.Cut, sum.Late, sum.Unwanted = sum.Cut+s.Cut, sum.Late+s.Late, sum.Unwanted+s.Unwanted
		each = append(each, sourceNotes(s)...)
	}
	notes := a.countNotes(&sum)
	for _, said := range []struct {
		of          func(s *logs.Source) bool
		words, more string
	}{
		{func(s *logs.Source) bool { return s.Reversed }, "the newest line came first in ", ""},
		{func(s *logs.Source) bool { return s.Dateless }, "the stamps have no day, or no year, in ", ""},
		{func(s *logs.Source) bool { return s.Seconds }, "stamps are of whole seconds in ", ": within one, what came first is told by the lines alone"},
	} {
		if names := a.sourcesThat(said.of); len(names) > 0 {
			notes = append(notes, said.words+listed(names)+said.more)
		}
	}
	return slices.Concat(notes, each, a.Warnings)
}

// sourcesThat returns the names of those of which something holds.
func (a *Analysis) sourcesThat(holds func(s *logs.Source) bool) []string {
	var names []string
	for _, s := range a.Sources {
		if holds(s) {
			names = append(names, short(s.Name))
		}
	}
	return names
}

// countNotes says how much was read, and how much of it was not used as it is.
func (a *Analysis) countNotes(sum *logs.Source) []string {
	count := func(n int64, noun string) string { return metrics.Plural(int(n), noun) }
	text := fmt.Sprintf("%s in %s; %s about groups", count(sum.Lines, "line"), metrics.Plural(len(a.Sources), "source"), count(sum.Events, "record"))
	if sum.Unwanted > 0 {
		text += fmt.Sprintf(", %d not asked for", sum.Unwanted)
	}
	if others := sum.Records - sum.Events - sum.Duplicates - sum.Unparsed - sum.Unwanted; others > 0 {
		text += fmt.Sprintf(", %d about something else", others)
	}
	notes := []string{text}
	if sum.Unparsed > 0 {
		text := count(sum.Unparsed, "line") + " that may be about groups not understood"
		if len(a.Unparsed) == 0 {
			text += "; --show-unparsed lists them"
		}
		notes = append(notes, text)
	}
	if sum.Duplicates > 0 {
		notes = append(notes, count(sum.Duplicates, "record")+" logged twice and counted once")
	}
	if sum.Cut > 0 {
		notes = append(notes, count(sum.Cut, "line")+" cut short")
	}
	if sum.Late > 0 {
		notes = append(notes, count(sum.Late, "record")+" came too late to be put in order: what they changed counts as of the record before")
	}
	return notes
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
