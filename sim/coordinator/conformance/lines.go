package conformance

import (
	"slices"

	"simulate/sim/trace"
	"simulate/sim/wire"
)

// Renderer returns what a broker logs of an event.
type Renderer func(trace.Event) []Line

// brokerLog collects what a broker would log.
type brokerLog struct {
	render   Renderer
	noted    []Line
	refusing int // records of the batch that the log refuses; 0 once that is noted
}

// note renders an event. Lists of members are sorted by name where a recording sorts them. What we hand to
// the log as one batch for each event is one batch of the recorder, which is refused once.
func (l *brokerLog) note(n names, e trace.Event) {
	if e.Kind == trace.AppendRefused {
		if l.refusing == 0 {
			return
		}
		e.Members, l.refusing = int32(l.refusing), 0
	}
	if len(e.List) > 1 && e.Reason != trace.Left && e.Reason != trace.PendingLeft {
		e.List = slices.Clone(e.List)
		slices.SortFunc(e.List, func(a, b wire.MemberID) int { return byName(n.name(a), n.name(b)) })
	}
	for _, line := range l.render(e) {
		line.Text = bare(n.inText(line.Text))
		l.noted = append(l.noted, line)
	}
}

// take returns the lines since the last time.
func (l *brokerLog) take() []Line {
	lines := l.noted
	l.noted = nil
	return lines
}
