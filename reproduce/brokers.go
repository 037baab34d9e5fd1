package reproduce

import (
	"time"

	"simulate/incident/logs"
	"simulate/sim/scenario"
)

// placeBrokers lets brokers restart, and the group move, as its loads tell.
func (d *draft) placeBrokers() {
	s := d.story
	last := -1
	for i := range s.events {
		if s.events[i].Kind != logs.GroupLoaded || i < last {
			continue
		}
		// A broker that was killed loads what it led, resigns, and loads it again.
		for {
			again := s.after(i, logs.GroupLoaded)
			if again < 0 || s.at(again)-s.at(i) > 12*time.Second || s.quiet(i, again) == false {
				break
			}
			i = again
		}
		last = i + 1
		d.placeMove(i)
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
	unloaded := s.before(loaded, logs.GroupUnloaded)
	starting := s.before(loaded, logs.BrokerStarting)
	stopping := s.before(loaded, logs.BrokerStopping)
	near := func(i int) bool { return i >= 0 && s.at(loaded)-s.at(i) < time.Minute }
	a := act{aims: -1, ends: loaded, keys: []pair{{"broker", quoted("coordinator(" + d.group() + ")")}}, do: scenario.BrokerRestart}
	switch {
	case len(s.brokers) > 1 && !near(stopping) && near(unloaded):
		d.add(act{at: s.at(unloaded) - 200*time.Millisecond, do: scenario.MoveCoordinator, keys: []pair{{"group", quoted(d.group())}}, aims: loaded, ends: -1,
			note: "another broker becomes the coordinator"})
		return
	case near(stopping):
		a.at, a.note = s.at(stopping)-justTime, "the broker stops in order, and comes back"
	case near(starting):
		a.at = s.at(max(starting-1, 0)) + time.Second
		a.at = min(max(a.at, s.at(starting)-8*time.Second), s.at(starting))
		a.keys = append(a.keys, pair{"graceful", "false"})
		a.note = "the broker starts again; when it had ended is not logged"
	default:
		a.at = s.at(loaded) - 10*time.Second
		a.keys = append(a.keys, pair{"graceful", "false"})
		a.note = "another broker becomes the coordinator, as after a crash"
	}
	a.lasts = max(s.at(loaded)-a.at, time.Second)
	d.add(a)
}
