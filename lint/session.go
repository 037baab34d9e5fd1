package lint

import (
	"fmt"
	"time"

	"simulate/sim/metrics"
	"simulate/sim/scenario"
)

// Kafka's names of the times that rules compare.
const (
	sessionTimeout   = "session.timeout.ms"
	heartbeat        = "heartbeat.interval.ms"
	maxPollInterval  = "max.poll.interval.ms"
	maxPollRecords   = "max.poll.records"
	requestTimeout   = "request.timeout.ms"
	handlerHeartbeat = "handlerHeartbeat" // of kafkajs
	strategy         = "partition.assignment.strategy"
)

func sessionOutsideBounds(v *view) {
	least, most := v.Broker.MinSessionTimeout, v.Broker.MaxSessionTimeout
	for _, s := range v.setups(sessionTimeout) {
		session := s.plan.Config.SessionTimeout
		if least <= session && session <= most {
			continue
		}
		near := min(max(session, least), most)
		v.report(s.at(sessionTimeout), cure{"a session between the two, or other bounds of the broker", s.set(sessionTimeout, near)},
			"%s %s is outside of what the broker takes, group.min.session.timeout.ms %s to group.max.session.timeout.ms %s: "+
				"JoinGroup is answered INVALID_SESSION_TIMEOUT and %s never joins",
			sessionTimeout, in(session), in(least), in(most), s.fleet.Name)
	}
}

func heartbeatNearSession(v *view) {
	for _, s := range v.setups(heartbeat, sessionTimeout) {
		c := s.plan.Config
		if 3*c.HeartbeatInterval <= c.SessionTimeout {
			continue
		}
		third := c.SessionTimeout / 3
		if third >= time.Second {
			third = third.Truncate(time.Second)
		}
		v.report(s.at(heartbeat), cure{"at most a third of the session", s.set(heartbeat, third.Truncate(time.Millisecond))},
			"%s %s is more than a third of %s %s: %s late in a row and the coordinator removes the member",
			heartbeat, in(c.HeartbeatInterval), sessionTimeout, in(c.SessionTimeout),
			metrics.Plural(max(int(c.SessionTimeout/max(c.HeartbeatInterval, 1)), 1), "heartbeat"))
	}
}

func sessionBelowRequestTimeout(v *view) {
	for _, s := range v.setups(sessionTimeout, requestTimeout, heartbeat) {
		c := s.plan.Config
		noticed := c.HeartbeatInterval + c.RequestTimeout
		need := seconds(noticed + c.ReconnectMax)
		if !s.profile().OnJava() || c.SessionTimeout >= noticed+c.ReconnectMax {
			continue
		}
		v.report(s.at(sessionTimeout), v.longerSession(s.plan, "a session of "+in(need)+", or a shorter "+requestTimeout, s.to+sessionTimeout, need),
			"a connection to the coordinator that dies without a word is noticed after %s + %s, %s, and made anew in up to %s; "+
				"%s %s is over by then",
			heartbeat, requestTimeout, in(noticed), in(c.ReconnectMax), sessionTimeout, in(c.SessionTimeout))
	}
}

func sessionShorterThanOutage(v *view) {
	for i := range v.Events {
		e := &v.Events[i]
		cut := e.Do == scenario.Drop && e.Direction != scenario.In && (e.Broker == 0 || v.Brokers == 1)
		if e.Do != scenario.Pause && !cut {
			continue
		}
		for _, at := range v.fleetsOf(e.Who) {
			f := &v.Fleets[at]
			c := f.Plan.Config
			need := rare(e.For) + c.HeartbeatInterval
			if need < c.SessionTimeout {
				continue
			}
			enough := seconds(need) + time.Second
			v.report(eventKey(i, "for"), v.longerSession(&f.Plan, "a session of "+in(enough), "fleet."+f.Name+".config."+sessionTimeout, enough),
				"%s; with up to %s since the last heartbeat that is no less than %s %s of %s: "+
					"the coordinator may remove the member, which joins again: two rebalances",
				lasts("this "+string(e.Do), e.For), in(c.HeartbeatInterval), sessionTimeout, in(c.SessionTimeout), f.Name)
		}
	}
}

func heartbeatAboveStuckAfter(v *view) {
	for _, s := range v.setups(heartbeat) {
		h := s.plan.Config.HeartbeatInterval
		if h < v.StuckAfter {
			continue
		}
		v.report(s.at(heartbeat), cure{"a heartbeat well below stuck-after", s.set(heartbeat, min(3*time.Second, v.StuckAfter/2).Truncate(time.Millisecond))},
			"members learn of a rebalance from the answer to their next heartbeat, up to %s %s late; a group that waits longer "+
				"than stuck-after, %s, counts as stuck", heartbeat, in(h), in(v.StuckAfter))
	}
}

func unequalSessions(v *view) {
	first := map[string]setup{} // of each group
	for _, s := range v.mixed(sessionTimeout) {
		other, known := first[s.plan.Group]
		if !known {
			first[s.plan.Group] = s
			continue
		}
		mine, theirs := s.plan.Config.SessionTimeout, other.plan.Config.SessionTimeout
		if mine == theirs {
			continue
		}
		text := fmt.Sprintf("%s of group %s has %s %s, %s has %s", s.fleet.Name, s.plan.Group, sessionTimeout, in(mine), other.fleet.Name, in(theirs))
		if s.fleet == other.fleet {
			text = fmt.Sprintf("some members of %s have %s %s, others %s", s.fleet.Name, sessionTimeout, in(mine), in(theirs))
		}
		v.report(s.at(sessionTimeout), cure{"one session for the whole group", s.set(sessionTimeout, theirs)},
			"%s: how long a dead member keeps its partitions depends on which one dies", text)
	}
}
