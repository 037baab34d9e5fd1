package reproduce

import (
	"time"

	"simulate/incident/logs"
	"simulate/sim/scenario"
)

// loadsTwice is how long after a first load a broker that was killed loads again what it led, when the controller has missed
// it: it resigns in between.
const loadsTwice = 12 * time.Second

// placeBrokers lets brokers restart, and the group move, as its loads tell.
func (d *draft) placeBrokers() {
	s := d.story
	for i := s.after(-1, logs.GroupLoaded); i >= 0; i = s.after(i, logs.GroupLoaded) {
		next := s.after(i, logs.GroupLoaded)
		if next < 0 || s.at(next)-s.at(i) > loadsTwice || !s.quiet(i, next) {
			d.placeMove(i)
		}
	}
}

// quiet reports whether the group did nothing between two events.
func (s *story) quiet(from, to int) bool {
	for i := from + 1; i < to; i++ {
		switch s.events[i].Kind {
		case logs.Preparing, logs.Completing, logs.AssignmentReceived, logs.MemberFailed:
			return false
		}
	}
	return true
}

// placeMove brings a group to the coordinator that loaded it.
func (d *draft) placeMove(loaded int) {
	s := d.story
	unloaded := s.nearest(loaded, logs.GroupUnloaded)
	starting, stopping := s.before(loaded, logs.BrokerStarting), s.before(loaded, logs.BrokerStopping)
	near := func(i int) bool { return i >= 0 && s.at(loaded)-s.at(i) < time.Minute }
	calm := s.lastChange(loaded) + justTime // it was coordinated until then
	a := act{aims: -1, ends: loaded, keys: []pair{{"broker", quoted("coordinator(" + d.group() + ")")}}, do: scenario.BrokerRestart}
	killed := pair{"graceful", "false"}
	switch {
	case len(s.brokers) > 1 && unloaded >= 0:
		d.add(act{at: min(s.at(unloaded), s.at(loaded)) - 200*time.Millisecond, do: scenario.MoveCoordinator, keys: []pair{{"group", quoted(d.group())}},
			aims: loaded, ends: -1, note: "another broker becomes the coordinator"})
		return
	case len(s.brokers) > 1:
		a.at, a.aims, a.ends, a.note = max(s.at(loaded)-untilElected, calm), loaded, -1, "another broker becomes the coordinator, as after a crash"
		a.keys, a.lasts = append(a.keys, killed), 20*time.Second
		d.add(a)
		return
	case near(stopping):
		a.at, a.note = s.at(stopping)-justTime, "the broker stops in order, and comes back"
	case near(starting):
		a.at, a.note = min(max(calm+time.Second, s.at(starting)-8*time.Second), s.at(starting)), "the broker starts again; when it had ended is not logged"
		a.keys = append(a.keys, killed)
	default:
		a.at, a.note = max(s.at(loaded)-untilElected, calm), "the broker ends and starts again; neither is logged"
		a.keys = append(a.keys, killed)
	}
	a.lasts = max(s.at(loaded)-a.at, time.Second)
	d.add(a)
}

// untilElected is from the end of a broker that is killed to the load by another one, as a cluster with Kafka's defaults has it.
const untilElected = 9 * time.Second

// nearest returns the event of a kind that is the nearest to another one, and within ten seconds of it; -1 when there is none.
func (s *story) nearest(i int, kind logs.Kind) int {
	found, distance := -1, 10*time.Second
	for j := range s.events {
		if apart := (s.at(j) - s.at(i)).Abs(); s.events[j].Kind == kind && apart < distance {
			found, distance = j, apart
		}
	}
	return found
}

// lastChange returns when the group did something for the last time before an event.
func (s *story) lastChange(i int) time.Duration {
	for i--; i >= 0; i-- {
		switch s.events[i].Kind {
		case logs.Preparing, logs.Completing, logs.AssignmentReceived, logs.EmptyGroup, logs.MemberAdded, logs.MemberFailed, logs.MemberLeft:
			return s.at(i)
		}
	}
	return 0
}
