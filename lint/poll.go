package lint

import (
	"slices"
	"strconv"
	"time"

	"simulate/sim/assignors"
	"simulate/sim/consumers"
	"simulate/sim/random"
	"simulate/sim/scenario"
)

// joinGrace is what the Java client gives a JoinGroup beyond its own rebalance timeout.
// Kafka: AbstractCoordinator.JOIN_GROUP_TIMEOUT_LAPSE.
const joinGrace = 5 * time.Second

func pollIntervalBelowProcessing(v *view) {
	for _, s := range v.setups(maxPollInterval) {
		v.tooSlow(s, s.at(maxPollInterval), "processing", s.plan.Processing)
	}
	for i := range v.Events {
		e := &v.Events[i]
		if e.Do != scenario.Stall {
			continue
		}
		for _, at := range v.fleetsOf(e.Who) {
			v.tooSlow(v.setupOf(at), eventKey(i, "for"), "this stall", e.For)
		}
	}
}

// watchesPolls reports whether the client leaves its group when it is not polled for too long, which those for Go and
// JavaScript do not.
func (s *setup) watchesPolls() bool { return s.plan.Config.MaxPollInterval > 0 }

// profile returns what is known of the client.
func (s *setup) profile() *consumers.Profile {
	profile, _ := consumers.FindProfile(s.plan.Client)
	return &profile
}

// tooSlow reports an application that does not poll for longer than max.poll.interval.ms allows.
func (v *view) tooSlow(s setup, path, what string, d random.Distribution) {
	interval, need := s.plan.Config.MaxPollInterval, rare(d)
	if need < interval || !s.watchesPolls() {
		return
	}
	then := "the client leaves its group meanwhile and joins again later: two rebalances"
	if s.fleet.Static {
		then = "the static member stops its heartbeats and is removed one session later"
	}
	enough := seconds(need+s.plan.Config.HeartbeatInterval+rare(s.plan.OnRevoke)) + time.Second // to rejoin in time, too
	v.report(path, cure{"smaller batches (max.poll.records), or a longer " + maxPollInterval, s.set(maxPollInterval, enough)},
		"%s, and %s is %s: %s", lasts(what, d), maxPollInterval, in(interval), then)
}

// fullBatchAbovePollInterval reports consumers that do not get through max.poll.records in time, once there is a backlog.
func fullBatchAbovePollInterval(v *view) {
	if !v.HasRecords() {
		return
	}
	for _, s := range v.setups(maxPollRecords, maxPollInterval) {
		c, each, batch := s.plan.Config, s.plan.PerRecord.A, rare(s.plan.Processing)
		if !s.plan.PerRecord.IsConstant() || each == 0 || batch >= c.MaxPollInterval {
			continue // what is drawn for each of many records evens out
		}
		fits := int64((c.MaxPollInterval - batch - 1) / each)
		if int64(c.MaxPollRecords) <= fits {
			continue
		}
		of := cure{instead: "batches that fit"}
		if fits > 0 {
			of.set = s.to + maxPollRecords + "=" + strconv.FormatInt(fits, 10)
		}
		v.report(s.at(maxPollRecords), of, "%s, so a batch of %s = %d takes longer than %s (%s): behind an outage the consumer "+
			"leaves in the middle of it, and reads it again", lasts("per-record", s.plan.PerRecord), maxPollRecords, c.MaxPollRecords,
			maxPollInterval, in(c.MaxPollInterval))
	}
}

func pollIntervalUnlimited(v *view) {
	const unlimited = 24 * time.Hour
	for _, s := range v.setups(maxPollInterval) {
		interval := s.plan.Config.MaxPollInterval
		if interval < unlimited {
			continue
		}
		finite := max(5*time.Minute, seconds(2*rare(s.plan.Processing)))
		v.report(s.at(maxPollInterval), cure{"twice the slowest batch", s.set(maxPollInterval, finite)},
			"%s is %s, and the rebalance timeout with it: one application that hangs while its heartbeats go on holds every "+
				"rebalance of group %s for as long", maxPollInterval, in(interval), s.plan.Group)
	}
}

// slowest is the longest time for which an application may not poll: in a batch, a callback, or for an event.
func (v *view) slowest(s setup) time.Duration {
	most := max(rare(s.plan.Processing), rare(s.plan.OnRevoke), rare(s.plan.OnAssign))
	for i := range v.Events {
		e := &v.Events[i]
		if (e.Do == scenario.Stall || e.Do == scenario.SlowRevoke) &&
			slices.ContainsFunc(e.Who, func(who scenario.Selector) bool { return v.selects(who, s.fleet) }) {
			most = max(most, rare(e.For))
		}
	}
	return most
}

func pollIntervalAboveStuckAfter(v *view) {
	if !v.places.Has("stuck-after") {
		return
	}
	for _, s := range v.setups(maxPollInterval) {
		path, interval := s.at(maxPollInterval), s.plan.Config.MaxPollInterval
		if interval <= v.StuckAfter || !v.places.Has(path) {
			continue
		}
		c := cure{instead: "the longest wait that you accept, if batches are shorter"}
		if alone := len(v.groupOf(s.fleet).fleets) == 1; alone && v.slowest(s)+s.plan.Config.HeartbeatInterval < v.StuckAfter {
			c.set = s.set(maxPollInterval, v.StuckAfter.Truncate(time.Millisecond))
		}
		v.report(path, c, "a group that waits for %s is stuck (stuck-after), but %s lets one member that does not poll hold a rebalance for up to %s",
			in(v.StuckAfter), maxPollInterval, in(interval))
	}
}

func pollIntervalBelowRejoin(v *view) {
	for _, s := range v.setups(maxPollInterval, heartbeat) {
		p := s.plan
		interval := p.Config.MaxPollInterval
		need := p.Config.HeartbeatInterval + rare(p.Processing)
		if !assignors.Cooperative(p.Config.Assignors) {
			need += rare(p.OnRevoke)
		}
		if !s.watchesPolls() || rare(p.Processing) >= interval || rare(p.OnRevoke) >= interval || need < v.rebalanceTimeout(p.Group) {
			continue
		}
		v.report(s.at(maxPollInterval), cure{"more than heartbeat, batch and callback together", s.set(maxPollInterval, seconds(need)+time.Second)},
			"a member learns of a rebalance after up to %s %s, ends its batch and gives up its partitions: it may join after %s; "+
				"the coordinator waits for %s %s and goes on without whoever is late",
			heartbeat, in(p.Config.HeartbeatInterval), in(need), maxPollInterval, in(v.rebalanceTimeout(p.Group)))
	}
}

func callbackLongerThanPollInterval(v *view) {
	for i := range v.Fleets {
		s := v.setupOf(i)
		v.longCallback(s, fleetKey(i, "on-revoke"), "on-revoke", s.plan.OnRevoke)
		v.longCallback(s, fleetKey(i, "on-assign"), "on-assign", s.plan.OnAssign)
	}
	for _, s := range v.brought(maxPollInterval) {
		v.longCallback(s, s.at(maxPollInterval), "on-revoke", s.plan.OnRevoke)
		v.longCallback(s, s.at(maxPollInterval), "on-assign", s.plan.OnAssign)
	}
	for i := range v.Events {
		if e := &v.Events[i]; e.Do == scenario.SlowRevoke {
			for _, at := range v.fleetsOf(e.Who) {
				v.longCallback(v.setupOf(at), eventKey(i, "for"), "onPartitionsRevoked", e.For)
			}
		}
	}
}

// longCallback reports a callback that outlasts max.poll.interval.ms.
func (v *view) longCallback(s setup, path, what string, d random.Distribution) {
	interval, need := s.plan.Config.MaxPollInterval, rare(d)
	if need < interval || !s.watchesPolls() {
		return
	}
	v.report(path, cure{"a callback that waits for a bounded time only", s.set(maxPollInterval, seconds(need)+time.Second)},
		"%s, and %s is %s: the member loses its membership inside the callback, and a rebalance that it holds up waits until then",
		lasts(what, d), maxPollInterval, in(interval))
}

func processingLongerThanSession(v *view) {
	for _, s := range v.setups(sessionTimeout, maxPollInterval, heartbeat) {
		c, batch := s.plan.Config, rare(s.plan.Processing)
		need := batch + c.HeartbeatInterval
		if !s.profile().OnJava() || need < c.SessionTimeout || batch >= c.MaxPollInterval {
			continue
		}
		v.report(s.at(sessionTimeout), v.longerSession(s.plan, "a session longer than a batch and a heartbeat", s.to+sessionTimeout, seconds(need)+time.Second),
			"%s, and where poll() returns before its JoinGroup is answered the first heartbeat goes out %s after the next poll(): "+
				"%s %s is over by then", lasts("processing", s.plan.Processing), in(c.HeartbeatInterval), sessionTimeout, in(c.SessionTimeout))
	}
}

func handlerLongerThanSession(v *view) {
	for _, s := range v.setups(sessionTimeout, handlerHeartbeat) {
		if s.profile().HandlerSilent {
			v.silentHandler(s, s.at(sessionTimeout), "processing", s.plan.Processing)
		}
	}
	for i := range v.Events {
		e := &v.Events[i]
		if e.Do != scenario.Stall {
			continue
		}
		for _, at := range v.fleetsOf(e.Who) {
			if s := v.setupOf(at); s.profile().HandlerSilent && s.profile().Handler { // without one, the application awaits something else
				v.silentHandler(s, eventKey(i, "for"), "this stall", e.For)
			}
		}
	}
}

// silentHandler reports a handler that runs for a session or longer, and keeps its client from sending heartbeats.
func (v *view) silentHandler(s setup, path, what string, d random.Distribution) {
	c, need := s.plan.Config, rare(d)
	beats := c.HandlerHeartbeat > 0 && what == "processing" // a stall does not call heartbeat()
	if need < c.SessionTimeout || beats {
		return
	}
	enough := seconds(need+c.HeartbeatInterval+c.FetchMaxWait) + time.Second
	v.report(path, v.longerSession(s.plan, "less work in one call, or a longer session", s.to+sessionTimeout, enough),
		"%s, and %s sends no heartbeats until its handler returns: %s %s is over by then, the member is removed and what it "+
			"did is done again by another one",
		lasts(what, d), s.plan.Client, sessionTimeout, in(c.SessionTimeout))
}

func joinDeadline(v *view) {
	for _, s := range v.mixed(maxPollInterval) {
		timeout := v.rebalanceTimeout(s.plan.Group)
		deadline := max(s.plan.Config.RequestTimeout, s.plan.Config.MaxPollInterval+joinGrace)
		if deadline >= timeout || !s.profile().OnJava() {
			continue
		}
		v.report(s.at(maxPollInterval), cure{"one " + maxPollInterval + " for the whole group", s.set(maxPollInterval, timeout)},
			"consumers of %s give a JoinGroup up after %s (%s and 5s), but a rebalance of group %s may last %s, the largest "+
				"%s in it: they give up and join anew, again and again",
			s.fleet.Name, in(deadline), maxPollInterval, s.plan.Group, in(timeout), maxPollInterval)
	}
}
