package metrics

import (
	"math"
	"time"

	"simulate/sim/clock"
	"simulate/sim/trace"
	"simulate/sim/wire"
)

// Gone is the Reading of a process that does not run.
var Gone = math.Inf(-1)

// ClientCurves is how metrics of a consumer that is built on the Java client went over a run. Each life of its process
// begins at 0; between two lives all are Gone.
//
// Kafka: AbstractCoordinator.GroupCoordinatorMetrics, ConsumerCoordinatorMetrics.
type ClientCurves struct {
	Who            string
	Assigned       []Reading // assigned-partitions
	SinceRebalance []Reading // last-rebalance-seconds-ago, -1 before the first one
	Rebalances     Meter     // that it came through; values: from the first JoinGroup to the assignment, in milliseconds
	Failed         Meter     // JoinGroups that led to no assignment, as the next one shows
	Heartbeats     Meter     // that were answered; when monitoring asks
	Commits        Meter     // the same
}

// Meter is what a sensor of a client shows. What comes in windows is read whenever monitoring asks.
type Meter struct {
	Total []Reading // how many there were
	Rate  []Reading // a second
	Sum   []Reading // of their values
	Mean  []Reading
	Most  []Reading
}

// Hourly is the rate an hour.
func (m *Meter) Hourly() []Reading {
	hourly := make([]Reading, len(m.Rate))
	for i, r := range m.Rate {
		hourly[i] = Reading{r.At, r.Value * time.Hour.Seconds()}
	}
	return hourly
}

// Clients makes the curves of all Java consumers of a run. It is a trace.Sink. Heartbeats and commits are routine events:
// a run makes them only step by step.
type Clients struct {
	all   []*ClientCurves // in the order of their first starts
	of    map[string]*ClientCurves
	lives map[string]*life
}

// NewClients returns Clients that have seen nothing.
func NewClients() *Clients {
	return &Clients{of: map[string]*ClientCurves{}, lives: map[string]*life{}}
}

// Record adds one event. Events come in order of time.
func (c *Clients) Record(e trace.Event) {
	if e.Kind == trace.ProcessStarted && e.Text == "" {
		c.started(e)
		return
	}
	l := c.lives[e.Who]
	if l == nil || e.Kind == trace.Polled {
		return
	}
	l.until(e.At)
	if e.Kind == trace.ProcessExited {
		l.end(e.At)
		delete(c.lives, e.Who)
		return
	}
	l.record(&e)
}

func (c *Clients) started(e trace.Event) {
	if c.of[e.Who] == nil {
		c.of[e.Who] = &ClientCurves{Who: e.Who}
		c.all = append(c.all, c.of[e.Who])
	}
	l := newLife(c.of[e.Who], e.At)
	l.ask(e.At)
	l.hold(e.At)
	c.lives[e.Who] = l
}

// Curves returns the curves up to an instant, which is not before the last event.
func (c *Clients) Curves(end clock.Time) []*ClientCurves {
	for _, l := range c.lives { // in any order: none knows of the others
		l.until(end)
		l.ask(end)
	}
	return c.all
}

// life is one of a client's process, from its start to its exit.
type life struct {
	curves *ClientCurves
	asked  clock.Time // when monitoring asks next

	held       map[wire.TopicPartition]bool
	joining    clock.Time // since when it tries to get in, Never when it does not
	rebalanced clock.Time // when it last got in, Never when it has not

	rebalances, failed, heartbeats, commits sensor
}

func newLife(c *ClientCurves, at clock.Time) *life {
	first := clock.At((at.SinceStart() + Scraped - 1).Truncate(Scraped))
	return &life{
		curves: c, asked: first, held: map[wire.TopicPartition]bool{}, joining: clock.Never, rebalanced: clock.Never,
		rebalances: sensor{meter: &c.Rebalances}, failed: sensor{meter: &c.Failed},
		heartbeats: sensor{meter: &c.Heartbeats}, commits: sensor{meter: &c.Commits},
	}
}

func (l *life) sensors() []*sensor {
	return []*sensor{&l.rebalances, &l.failed, &l.heartbeats, &l.commits}
}

// until lets monitoring ask before an instant.
func (l *life) until(at clock.Time) {
	for ; l.asked < at; l.asked = l.asked.Add(Scraped) {
		l.ask(l.asked)
	}
}

func (l *life) ask(at clock.Time) {
	for _, s := range l.sensors() {
		s.ask(at)
	}
	ago := -1.0
	if l.rebalanced != clock.Never {
		ago = float64(at.Sub(l.rebalanced) / time.Second)
	}
	l.curves.SinceRebalance = read(l.curves.SinceRebalance, at, ago)
}

func (l *life) record(e *trace.Event) {
	switch e.Kind {
	case trace.HeartbeatAnswered:
		l.heartbeats.record(e.At, 0)
	case trace.CommitAnswered:
		l.commits.record(e.At, 0)
	case trace.JoinSent:
		if l.joining != clock.Never {
			l.failed.record(e.At, 0)
			l.ask(e.At)
		}
		l.joining = min(l.joining, e.At)
	case trace.PartitionsAssigned:
		for _, p := range e.Partitions {
			l.held[p] = true
		}
		l.hold(e.At)
		l.joined(e.At)
	case trace.PartitionsRevoked, trace.PartitionsLost:
		for _, p := range e.Partitions {
			delete(l.held, p)
		}
		l.hold(e.At)
	}
}

// joined counts a rebalance that a client came through.
func (l *life) joined(at clock.Time) {
	if l.joining == clock.Never {
		return
	}
	l.rebalances.record(at, float64(at.Millis()-l.joining.Millis()))
	l.joining, l.rebalanced = clock.Never, at
	l.ask(at)
}

func (l *life) hold(at clock.Time) {
	l.curves.Assigned = read(l.curves.Assigned, at, float64(len(l.held)))
}

func (l *life) end(at clock.Time) {
	l.curves.Assigned = read(l.curves.Assigned, at, Gone)
	l.curves.SinceRebalance = read(l.curves.SinceRebalance, at, Gone)
	for _, s := range l.sensors() {
		s.read(at, Gone, Gone, Gone, Gone, Gone)
	}
}

// sensor counts for a meter.
type sensor struct {
	meter   *Meter
	windows sampled
	n, sum  float64
}

func (s *sensor) record(at clock.Time, value float64) {
	s.n++
	s.sum += value
	s.windows.record(at, value)
}

func (s *sensor) ask(at clock.Time) {
	s.read(at, s.n, s.windows.rate(at), s.sum, s.windows.average(at), s.windows.most(at))
}

func (s *sensor) read(at clock.Time, total, rate, sum, mean, most float64) {
	m := s.meter
	m.Total, m.Rate, m.Sum = read(m.Total, at, total), read(m.Rate, at, rate), read(m.Sum, at, sum)
	m.Mean, m.Most = read(m.Mean, at, mean), read(m.Most, at, most)
}
