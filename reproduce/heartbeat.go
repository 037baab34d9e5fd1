package reproduce

import (
	"fmt"
	"time"

	"simulate/incident/logs"
)

// usualHeartbeats are what people set heartbeat.interval.ms to; of those that do as well the first is tried first.
var usualHeartbeats = []time.Duration{
	time.Second, 2 * time.Second, 2500 * time.Millisecond, 1500 * time.Millisecond, 500 * time.Millisecond, 5 * time.Second,
	4 * time.Second, 10 * time.Second, 3 * time.Second,
}

// news is a rebalance that begins while members have an assignment: they hear of it with their next heartbeats, and the last of
// them ends the join phase. Times count from the assignment, with which heartbeats begin.
type news struct{ begins, heard time.Duration }

// fits reports whether heartbeats that far apart bring it when it was heard.
func (n news) fits(heartbeat time.Duration) bool {
	next := (n.begins + heartbeat - 1) / heartbeat * heartbeat
	late := n.heard - next
	return late > -early && late < shortJoin+next/lag
}

// early is how long before the assignment is stored its leader may have sent it.
const early = 50 * time.Millisecond

// lag is by which part of the time heartbeats come later than on their grid, at most: more than drift on hosts that are busy.
const lag = 25

// heartbeat finds the interval of heartbeats: the usual one, unless most rebalances fit another one, and more than the usual
// one; of several the longest.
func (s *story) heartbeat(usual time.Duration) setting {
	all := s.news()
	count := func(heartbeat time.Duration) int {
		n := 0
		for _, w := range all {
			if w.fits(heartbeat) {
				n++
			}
		}
		return n
	}
	best, most := usual, count(usual)
	for _, h := range usualHeartbeats {
		if n := count(h); n > 1 && 2*n > len(all) && (n > most || n == most && best != usual && h > best) {
			best, most = h, n
		}
	}
	why := fmt.Sprintf("%d of %d join phases end when such heartbeats tell of them", most, len(all))
	return setting{heartbeatInterval, millis(best), derived, why}
}

// news are the rebalances of which nothing but heartbeats tells when their join phases end.
func (s *story) news() []news {
	var all []news
	for i := range s.events {
		end := s.after(i, logs.Completing, logs.Preparing, logs.EmptyGroup)
		if s.events[i].Kind != logs.Preparing || end < 0 || s.events[end].Kind != logs.Completing || s.endedBy(i, end) {
			continue
		}
		assigned := s.before(i, logs.AssignmentReceived)
		if assigned >= 0 && s.after(assigned, logs.Preparing, logs.Completing, logs.EmptyGroup, logs.GroupLoaded) == i && !s.unseen[i] {
			all = append(all, news{s.at(i) - s.at(assigned), s.at(end) - s.at(assigned)})
		}
	}
	return all
}
