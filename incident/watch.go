package incident

import (
	"maps"
	"slices"
	"time"

	"simulate/incident/logs"
	"simulate/sim/metrics"
	"simulate/sim/wire"
)

// watch finds the anomalies that a log can show, as metrics.AnomalyDefinitions has them: what is about processes goes by
// client ids, and ghosts, imbalances and vicious circles are not to be seen.
type watch struct {
	room     *room
	limits   *metrics.Thresholds
	found    kept[Anomaly]
	counts   [metrics.ViciousCircle + 1]int
	frequent series
	storm    series
	churn    series
	flapping map[string]*series // of when a process was added, by its name
	loop     Anomaly
	together Anomaly // an unbroken time in PreparingRebalance and CompletingRebalance; Count 1 while there is one
}

func newWatch(r *room, t *metrics.Thresholds) watch {
	return watch{
		room: r, limits: t,
		frequent: newSeries(metrics.Frequent, t.FrequentCount, t.FrequentWithin),
		storm:    newSeries(metrics.Storm, t.StormCount, time.Duration(t.StormCount-1)*t.StormInterval-1),
		churn:    newSeries(metrics.LeaderChurn, t.ChurnCount, t.ChurnWithin),
		loop:     Anomaly{Kind: metrics.GenerationLoop},
		together: Anomaly{Kind: metrics.LongRebalance},
	}
}

func (w *watch) add(a Anomaly) {
	w.counts[a.Kind]++
	w.found.add(a, w.room)
}

// left takes a stay that ended.
func (w *watch) left(s *Span) {
	switch s.State {
	case PreparingRebalance:
		if w.loop.Count == 0 {
			w.loop.Since = s.Since
		}
		w.loop.Count++
		w.rebalanced(s)
	case CompletingRebalance:
		w.rebalanced(s)
		w.long(metrics.LongCompleting, s, w.limits.Completing)
	case Reconciling:
		w.rested()
	case Empty:
		w.rested()
		w.long(metrics.LongEmpty, s, w.limits.Empty)
		w.pause(s)
	default:
		w.rested()
		w.pause(s)
	}
}

// long finds a stay that is too long.
func (w *watch) long(kind metrics.AnomalyKind, s *Span, limit time.Duration) {
	if s.For() > limit {
		w.add(Anomaly{Kind: kind, Since: s.Since, Until: s.Until})
	}
}

// rebalanced takes a stay in which the group does not come to rest.
func (w *watch) rebalanced(s *Span) {
	if w.together.Count == 0 {
		w.together.Since, w.together.Count = s.Since, 1
	}
	w.together.Until, w.loop.Until = s.Until, s.Until
}

// prolonged takes that a stay in CompletingRebalance was longer than it had seemed.
func (w *watch) prolonged(s *Span, seemed time.Duration) {
	w.together.Until, w.loop.Until = s.Until, s.Until
	if seemed <= w.limits.Completing {
		w.long(metrics.LongCompleting, s, w.limits.Completing)
	}
}

// rested ends an unbroken time of rebalancing.
func (w *watch) rested() {
	if w.together.Count > 0 && w.together.Until.Sub(w.together.Since) > w.limits.Rebalancing {
		a := w.together
		a.Count = 0
		w.add(a)
	}
	w.together.Count = 0
}

// pause ends a series of rebalances without rest between them, when a stay is long enough for one.
func (w *watch) pause(s *Span) {
	if s.For() >= w.limits.LoopRest {
		w.unlooped()
	}
}

func (w *watch) unlooped() {
	if w.loop.Count >= w.limits.LoopCount {
		w.add(w.loop)
	}
	w.loop.Count = 0
}

// began takes an entry to PreparingRebalance.
func (w *watch) began(at logs.Instant, line logs.Place) {
	w.frequent.line(line)
	w.frequent.add(at, w)
	w.storm.line(line)
	w.storm.add(at, w)
}

// flapped takes that a process was added to the group. One that is new may end the series of all others, when they are too many.
func (w *watch) flapped(who string, at logs.Instant) {
	s := w.flapping[who]
	if s == nil {
		if w.flapping == nil || len(w.flapping) >= mostLive {
			w.unflapped()
			w.flapping = map[string]*series{}
		}
		flaps := newSeries(metrics.FlappingMember, w.limits.FlappingCount, w.limits.FlappingWithin)
		flaps.last.Who = who
		s = &flaps
		w.flapping[who] = s
	}
	s.add(at, w)
}

func (w *watch) unflapped() {
	for _, name := range slices.Sorted(maps.Keys(w.flapping)) {
		w.flapping[name].flush(w)
	}
}

// finish ends what is still going on when the log ends.
func (w *watch) finish() {
	w.rested()
	w.unlooped()
	for _, s := range []*series{&w.frequent, &w.storm, &w.churn} {
		s.flush(w)
	}
	w.unflapped()
}

// series finds runs of instants in which each n in a row lie within a time, from the first to the last of them; those that
// overlap are one anomaly, which is the last of its kind that the watch found.
type series struct {
	n      int
	within time.Duration
	at     []logs.Instant // the last n
	lines  []logs.Place
	seen   int
	end    int     // the number of the last instant of the last anomaly, from 1; 0: none
	last   Anomaly // with its kind, and whom it is about
	open   bool    // the last anomaly may go on
}

func newSeries(kind metrics.AnomalyKind, n int, within time.Duration) series {
	return series{n: n, within: within, last: Anomaly{Kind: kind}}
}

func (s *series) line(p logs.Place) {
	if n := max(s.n, maxLines); len(s.lines) < n {
		s.lines = append(s.lines, p)
	} else if !s.open { // of what may become an anomaly, the last ones
		copy(s.lines, s.lines[1:])
		s.lines[n-1] = p
	}
}

func (s *series) add(at logs.Instant, w *watch) {
	if s.n < 2 {
		return
	}
	s.seen++
	if len(s.at) < s.n {
		s.at = append(s.at, at)
	} else {
		copy(s.at, s.at[1:])
		s.at[s.n-1] = at
	}
	if len(s.at) < s.n || at.Sub(s.at[0]) > s.within {
		return
	}
	if first := s.seen - s.n + 1; s.end == 0 || first > s.end {
		s.flush(w)
		w.counts[s.last.Kind]++
		s.open = true
		s.last.Since, s.last.Count = s.at[0], s.n-1
		s.end = s.seen - 1
	}
	s.last.Count += s.seen - s.end
	s.last.Until = at
	s.end = s.seen
}

// flush hands the last anomaly over.
func (s *series) flush(w *watch) {
	if !s.open {
		return
	}
	found := w.found.slot(w.room)
	lines := append(found.Lines[:0], s.lines...)
	*found = s.last
	found.Lines = lines
	s.open, s.lines = false, s.lines[:0]
}

// stuckFinder finds stays in PreparingRebalance and CompletingRebalance that are too long.
type stuckFinder struct {
	room       *room
	after      time.Duration
	completing time.Duration // how long a stay in CompletingRebalance may last
	timeout    time.Duration // the longest rebalance timeout that is known; 0: none
	found      kept[Stuck]
	count      int
	waiting    []wire.MemberID
	lines      []logs.Place
	latest     wire.MemberID // who joined last, so late that the others waited for it, as its client says
	latestLine logs.Place
	evident    bool
}

// maxWaiting is how many members of a stay are named, and maxLines how many lines support something.
const (
	maxWaiting = 20
	maxLines   = 8
)

// missing takes who was removed during the stay.
func (s *stuckFinder) missing(id wire.MemberID, line logs.Place) {
	if len(s.waiting) < maxWaiting && id != "" && !slices.Contains(s.waiting, id) {
		s.waiting = append(s.waiting, id)
	}
	if len(s.lines) < maxLines {
		s.lines = append(s.lines, line)
	}
}

// waitedFor takes whom a rebalance began without, which ends the stay in CompletingRebalance before it.
func (s *stuckFinder) waitedFor(ids []wire.MemberID, line logs.Place) {
	for _, id := range ids {
		s.missing(id, line)
	}
	s.evident = true
}

// left takes a stay that ended; the rebalance is that in which it was.
func (s *stuckFinder) left(span *Span, now *round) {
	if (span.State == PreparingRebalance || span.State == CompletingRebalance) && now != nil {
		d := span.For()
		long := d > s.after
		full := span.State == PreparingRebalance && s.timeout > 0 && d > s.timeout*9/10
		inVain := len(s.waiting) > 0 && (span.State == CompletingRebalance || d > s.completing)
		s.evident = s.evident || full || inVain || now.NobodyRejoined
		if s.latest != "" && long && len(s.waiting) == 0 {
			s.missing(s.latest, s.latestLine)
		}
		if long || s.evident {
			lines := append([]logs.Place(nil), now.lines[:now.n]...)
			s.found.add(Stuck{Span: *span, Evident: !long, Missing: append([]wire.MemberID(nil), s.waiting...), Lines: append(lines, s.lines...)}, s.room)
		}
		if long {
			s.count++
		}
	}
	s.waiting, s.lines, s.evident, s.latest = s.waiting[:0], s.lines[:0], false, ""
}
