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

// placeMove brings a group to the coordinator that loaded it: another broker, or the only one once more.
func (d *draft) placeMove(loaded int) {
	a := act{aims: -1, ends: loaded, keys: []pair{{"broker", quoted("coordinator(" + d.group() + ")")}}, do: scenario.BrokerRestart}
	if calm := d.story.lastChange(loaded) + shortJoin; len(d.story.brokers) > 1 { // it was coordinated until then
		d.placeTakeover(a, loaded, calm)
	} else {
		d.placeReturn(a, loaded, calm)
	}
}

// killed lets a broker end without a word.
var killed = pair{"graceful", "false"}

// placeTakeover lets another broker become the coordinator.
func (d *draft) placeTakeover(a act, loaded int, calm time.Duration) {
	s := d.story
	a.aims, a.ends = loaded, -1
	unloaded := s.nearest(loaded, logs.GroupUnloaded)
	switch stopped := s.stopped(unloaded); {
	case stopped >= 0:
		a.at, a.note = s.at(loaded)-untilHandedOver, "the coordinator's broker stops in order, and another one takes over"
		a.lasts = s.away(stopped)
	case unloaded >= 0:
		a.at, a.note = min(s.at(unloaded), s.at(loaded))-untilHandedOver, "another broker becomes the coordinator"
		a.do, a.keys = scenario.MoveCoordinator, []pair{{"group", quoted(d.group())}}
	default:
		a.at, a.note = max(s.at(loaded)-untilElected, calm), "another broker becomes the coordinator, as after a crash"
		a.keys, a.lasts = append(a.keys, killed), 20*time.Second
	}
	d.add(a)
}

// placeReturn lets the only broker end, and come back.
func (d *draft) placeReturn(a act, loaded int, calm time.Duration) {
	s := d.story
	starting, stopping := s.before(loaded, logs.BrokerStarting), s.before(loaded, logs.BrokerStopping)
	near := func(i int) bool { return i >= 0 && s.at(loaded)-s.at(i) < time.Minute }
	switch {
	case near(stopping):
		a.at, a.note = s.at(stopping)-justTime, "the broker stops in order, and comes back"
	case near(starting):
		a.at, a.note = min(max(calm+time.Second, s.at(starting)-8*time.Second), s.at(starting)), "the broker starts again; when it had ended is not logged"
		a.keys = append(a.keys, killed)
	case s.gaveUp(loaded) >= 0:
		a.at, a.note = s.at(s.gaveUp(loaded))-untilGivenUp, "the broker stops in order, and comes back"
	default:
		a.at, a.note = max(s.at(loaded)-untilElected, calm), "the broker ends and starts again; neither is logged"
		a.keys = append(a.keys, killed)
	}
	a.lasts = max(s.at(loaded)-a.at, time.Second)
	d.add(a)
}

// untilHandedOver is from the request to hand a group over, or from the signal that stops its broker, to the load by another one.
const untilHandedOver = 200 * time.Millisecond

// stopped returns the event with which a broker that had handed its groups over stopped; -1 where it went on.
func (s *story) stopped(unloaded int) int {
	if unloaded < 0 {
		return -1
	}
	for i := unloaded; i < len(s.events); i++ {
		if e := &s.events[i]; e.Kind == logs.BrokerStopping && e.Broker == s.events[unloaded].Broker && s.at(i)-s.at(unloaded) < untilClosed {
			return i
		}
	}
	return -1
}

// untilClosed is from the end of a broker's coordination to that of its process, at most.
const untilClosed = 10 * time.Second

// away returns how long a broker was away that stopped; where its start is not logged, until the end of the log.
func (s *story) away(stopped int) time.Duration {
	for i := stopped; i < len(s.events); i++ {
		if e := &s.events[i]; e.Kind == logs.BrokerStarting && e.Broker == s.events[stopped].Broker {
			return s.at(i) - s.at(stopped)
		}
	}
	return s.length - s.at(stopped) + tail
}

// untilGivenUp is from the signal that stops the only broker to the end of its coordination.
const untilGivenUp = 500 * time.Millisecond

// gaveUp returns the event with which the only broker gave up a group before it loaded it again; -1 when it did not say so, or did
// because it had loaded it too early.
func (s *story) gaveUp(loaded int) int {
	unloaded, before := s.before(loaded, logs.GroupUnloaded), s.before(loaded, logs.GroupLoaded)
	if unloaded < before || before >= 0 && s.at(loaded)-s.at(before) < loadsTwice {
		return -1
	}
	return unloaded
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
