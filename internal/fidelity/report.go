package fidelity

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"time"
)

// WriteRows writes one row a case, the skipped ones first, and the figures of each part at the end.
func (r Report) WriteRows(w io.Writer) {
	for _, s := range r.Skipped {
		fmt.Fprintf(w, "%-54s skipped: %v\n", s.Case.ID, s.Why)
	}
	for _, row := range r.Rows {
		f := row.Figures()
		fmt.Fprintf(w, "%-54s %4d events %4d matched %4d in time  %3d callbacks %3d matched  %s\n",
			row.Case.ID, f.Events, f.Matched, f.InTime, f.Callbacks, f.Ran, row.verdict())
	}
	if n := len(r.Skipped); n > 0 {
		fmt.Fprintf(w, "%d cases skipped\n", n)
	}
	r.writeSummaries(w)
}

// writeSummaries writes a table: what is matched and in time of the recorded events, of these and the surplus ones
// together, and of the same under the first seed alone; cases with wrong counts; client events.
func (r Report) writeSummaries(w io.Writer) {
	const line = "%-18s %5v %8v %8v %8v %8v %8v %8v %8v %8v %6v %8v\n"
	fmt.Fprintf(w, line, "", "", "recorded", "matched", "in time", "all", "matched", "in time", "first", "seed", "wrong", "callbacks")
	for _, s := range r.summaries() {
		f, first, name := s.figures, s.first, s.name
		if s.inPart {
			name = "  " + name
		}
		fmt.Fprintf(w, line, name, f.Cases,
			f.Recorded(), percent(f.Matched, f.Recorded()), percent(f.InTime, f.Recorded()),
			f.Events, percent(f.Matched, f.Events), percent(f.InTime, f.Events),
			percent(first.Matched, first.Events), percent(first.InTime, first.Events), f.Wrong, percent(f.Ran, f.Callbacks))
	}
}

// verdict says in words what the figures of a row do not.
func (r Row) verdict() string {
	switch {
	case r.Err != nil:
		return r.Err.Error()
	case len(r.Wrong) > 0:
		return strings.Join(r.Wrong, ", ")
	case r.Seed > firstSeed:
		return fmt.Sprintf("counts right, under seed %d", r.Seed)
	}
	return "counts right"
}

// WriteLines writes a case line by line: instant and span of each event on both sides in seconds, how
// much later the simulated one came, and between them what was done.
func (r Row) WriteLines(w io.Writer) {
	fmt.Fprintf(w, "%s  %s\n", r.Case.ID, r.Case.Title)
	fmt.Fprintf(w, "%-8s %9s %8s %9s %8s %8s\n", "", "observed", "span", "simulated", "span", "later")
	actions := slices.Clone(r.Case.Actions)
	for _, l := range inOrder(r.Lines) {
		for len(actions) > 0 && millis(actions[0].AtMs) <= l.at() {
			writeAction(w, actions[0])
			actions = actions[1:]
		}
		fmt.Fprintf(w, "%-8s %18s %18s %8s  %s\n", l.verdict(), l.Observed, l.Simulated, l.later(), l.what())
	}
	for _, a := range actions {
		writeAction(w, a)
	}
	for _, c := range r.Callbacks {
		fmt.Fprintf(w, "%-8s %9s %8s %9s %8s %8s  %s\n", c.verdict(), c.Observed.when(), "", c.Simulated.when(), "", c.later(), c.what())
	}
	fmt.Fprintln(w, r.verdict())
}

// inOrder sorts lines by the instant at which they happened, on the observed side if they did there.
func inOrder(lines []Line) []Line {
	sorted := slices.Clone(lines)
	slices.SortStableFunc(sorted, func(a, b Line) int { return int(a.at() - b.at()) })
	return sorted
}

func (l Line) at() time.Duration {
	if l.Observed != nil {
		return l.Observed.At
	}
	return l.Simulated.At
}

func (l Line) verdict() string {
	switch {
	case l.Simulated == nil:
		return "missed"
	case l.Observed == nil:
		return "surplus"
	case !l.InTime:
		return "late"
	case l.Swapped:
		return "swapped"
	case l.Drawn:
		return "drawn"
	case !l.Close:
		return "in range" // of the repetitions
	}
	return ""
}

func (l Line) later() string {
	if !l.Matched() {
		return ""
	}
	return fmt.Sprintf("%+.3f", (l.Simulated.At - l.Observed.At).Seconds())
}

// what names the event, and both leaders where they differ.
func (l Line) what() string {
	switch {
	case l.Observed == nil:
		return l.Simulated.Event.String()
	case l.Simulated != nil && l.Simulated.Leader != l.Observed.Leader:
		return l.Observed.Event.String() + ", simulated " + l.Simulated.Leader
	}
	return l.Observed.Event.String()
}

// String returns instant and span, "" for an event that did not happen.
func (m *Moment) String() string {
	if m == nil {
		return ""
	}
	return fmt.Sprintf("%9.3f %8.3f", m.At.Seconds(), m.Span.Seconds())
}

func (l CallbackLine) verdict() string {
	switch {
	case l.Simulated == nil:
		return "missed"
	case l.Observed == nil:
		return "surplus"
	case l.Swapped:
		return "swapped"
	}
	return ""
}

func (l CallbackLine) later() string {
	if !l.Matched() {
		return ""
	}
	return fmt.Sprintf("%+.3f", (l.Simulated.At - l.Observed.At).Seconds())
}

func (l CallbackLine) what() string {
	if l.Observed == nil {
		return l.Simulated.String()
	}
	return l.Observed.String()
}

// when returns the instant, "" for a callback that did not run.
func (c *Callback) when() string {
	if c == nil {
		return ""
	}
	return fmt.Sprintf("%.3f", c.At.Seconds())
}

func writeAction(w io.Writer, a Action) {
	what := a.Do + " " + a.Who
	if a.ForMs > 0 {
		what += fmt.Sprintf(" for %.3fs", millis(a.ForMs).Seconds())
	}
	if a.BeganMs != nil {
		what += fmt.Sprintf(", began at %.3fs", millis(*a.BeganMs).Seconds())
	}
	fmt.Fprintf(w, "%-8s %9.3f %s\n", "  --", millis(a.AtMs).Seconds(), what)
}
