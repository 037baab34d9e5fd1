package reproduce

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"simulate/incident"
	"simulate/incident/logs"
	"simulate/sim/assignors"
	"simulate/sim/consumers"
	"simulate/sim/scenario"
	"simulate/sim/trace"
)

// Kafka's keys of what is inferred.
const (
	sessionTimeout    = "session.timeout.ms"
	heartbeatInterval = "heartbeat.interval.ms"
	maxPollInterval   = "max.poll.interval.ms"
	rebalanceTimeout  = "rebalance.timeout.ms"
	assignorList      = "partition.assignment.strategy"
	metadataMaxAge    = "metadata.max.age.ms"
	fetchMaxWait      = "fetch.max.wait.ms"
	initialDelay      = "group.initial.rebalance.delay.ms"
)

// millis writes a duration as Kafka's settings have it.
func millis(d time.Duration) string {
	return strconv.FormatInt(d.Round(time.Millisecond).Milliseconds(), 10)
}

// configure infers the settings of a fleet.
func (d *draft) configure(f *fleet) {
	profile, _ := consumers.FindProfile(f.client.value)
	lives := allLives(f.members)
	beats := d.story.heartbeat(profile.Config.HeartbeatInterval)
	if d.choices.heartbeat > 0 {
		beats.value, beats.why = millis(d.choices.heartbeat), fitsBest
	}
	heartbeat := cmp.Or(d.known(heartbeatInterval), beats.duration())
	session := d.story.session(lives, profile.Config.SessionTimeout, heartbeat)
	if d.choices.session > 0 && session.origin != observed {
		session = setting{value: millis(d.choices.session), origin: derived, why: fitsBest}
	}
	session.key = sessionTimeout
	f.settings = append(f.settings, session)
	if ms := f.duration(sessionTimeout); ms <= heartbeat {
		f.settings = append(f.settings, setting{heartbeatInterval, millis(ms / 3), derived, "less than the session"})
	} else if heartbeat != profile.Config.HeartbeatInterval {
		f.settings = append(f.settings, beats)
	}
	f.settings = append(f.settings, d.story.patience(lives, &profile))
	if a := d.story.assignor(f, &profile); a.value != "" && (a.origin == observed || d.choices.assignors == "") {
		f.settings = append(f.settings, a)
	} else if d.choices.assignors != "" {
		f.settings = append(f.settings, setting{assignorList, d.choices.assignors, derived, fitsBest})
	}
	if d.choices.fetchWait > 0 && profile.Has(fetchMaxWait) && !profile.OnJava() {
		f.settings = append(f.settings, setting{fetchMaxWait, millis(d.choices.fetchWait), derived, fitsBest + "; records that arrive do the same"})
	}
	for _, s := range d.choices.set {
		if !ofBroker(s.key) && profile.Has(s.key) {
			f.settings = set(f.settings, s)
		}
	}
}

const fitsBest = "the run comes nearest to the log with that"

// ofBroker reports whether a key is one of the coordinator's.
func ofBroker(key string) bool {
	return key != "group.instance.id" && (strings.HasPrefix(key, "group.") || strings.HasPrefix(key, "offsets."))
}

// known returns a duration that --set gives; 0 when it does not.
func (d *draft) known(key string) time.Duration {
	for _, s := range d.choices.set {
		if s.key == key {
			return s.duration()
		}
	}
	return 0
}

// duration returns the value of a setting that is one.
func (s *setting) duration() time.Duration {
	text := strings.Trim(s.value, `"`)
	if ms, err := strconv.ParseInt(text, 10, 64); err == nil {
		return time.Duration(ms) * time.Millisecond
	}
	d, _ := scenario.ParseDuration(text)
	return d
}

// lastAnswer returns when a member was last told a generation, up to which it must have polled: the thread that leaves for an
// application that does not runs from then on. Brokers may print a leave after the join phase that it ended.
func (s *story) lastAnswer(l *life) time.Duration {
	joined := s.joinedAt(l)
	for i := l.until - 1; i > joined; i-- {
		if s.events[i].Kind == logs.Completing && s.at(l.until)-s.at(i) > Within {
			return s.at(i)
		}
	}
	return s.at(joined)
}

// patience infers how long the group waits for the members of a fleet.
func (s *story) patience(lives []*life, profile *consumers.Profile) setting {
	key, usual := profile.RebalanceTimeoutKey(), profile.Config.MaxPollInterval
	if key == rebalanceTimeout {
		usual = profile.Config.RebalanceTimeout
	}
	if d := detailsOf(lives); d != nil && d.RebalanceTimeout > 0 {
		return setting{key, millis(d.RebalanceTimeout), observed, "dumped with a member"}
	}
	if d, why := s.longestJoin(); d > 0 {
		return setting{key, millis(d), derived, why}
	}
	if d := s.longestWait(); roundUsual(d) > usual {
		return setting{key, millis(ceilUsual(d)), derived, "a join phase lasted " + d.Round(time.Second).String() + ", and nobody was removed"}
	}
	most := time.Duration(0)
	for _, l := range lives {
		if l.end == left && incident.PolledLate(l.said) {
			if d := s.at(l.until) - s.lastAnswer(l); most == 0 || d < most {
				most = d
			}
		}
	}
	if most > 0 && most < usual {
		return setting{key, millis(floorUsual(most)), derived, "no longer than from the end of a join phase to the time-out of poll()"}
	}
	return setting{key, millis(usual), assumed, "the default of the client"}
}

// usualPatience are what people set max.poll.interval.ms to.
var usualPatience = []time.Duration{
	10 * time.Second, 12 * time.Second, 15 * time.Second, 20 * time.Second, 25 * time.Second, 30 * time.Second, 40 * time.Second, 45 * time.Second, time.Minute,
	90 * time.Second, 2 * time.Minute, 3 * time.Minute, 5 * time.Minute, 10 * time.Minute, 15 * time.Minute, 30 * time.Minute, time.Hour,
}

func floorUsual(d time.Duration) time.Duration {
	found := d
	for _, u := range usualPatience {
		if u <= d {
			found = u
		}
	}
	return found
}

// ceilUsual returns the shortest usual value that is at least as long.
func ceilUsual(d time.Duration) time.Duration {
	for _, u := range usualPatience {
		if u >= d {
			return u
		}
	}
	return d.Truncate(time.Hour) + time.Hour
}

// longestWait returns how long the longest join phase lasted that came to an end.
func (s *story) longestWait() time.Duration {
	longest := time.Duration(0)
	for i := range s.events {
		end := s.after(i, logs.Completing, logs.Preparing, logs.EmptyGroup, logs.GroupLoaded)
		if s.events[i].Kind == logs.Preparing && end >= 0 && s.events[end].Kind == logs.Completing {
			longest = max(longest, s.at(end)-s.at(i))
		}
	}
	return longest
}

// longestJoin returns how long a rebalance lasted that ended because members did not rejoin, or did not sync: the longest
// timeout of all members counts.
func (s *story) longestJoin() (time.Duration, string) {
	for _, l := range s.lives {
		switch l.end {
		case notRejoined:
			if i := s.before(l.until, logs.Preparing); i >= 0 {
				return roundUsual(s.at(l.until) - s.at(i)), fmt.Sprintf("a join phase ended without %s", incident.ClientOf(l.id))
			}
		case notSynced:
			if i := s.before(l.until, logs.Completing); i >= 0 {
				return roundUsual(s.at(l.until) - s.at(i)), fmt.Sprintf("%s was removed since it did not sync", incident.ClientOf(l.id))
			}
		}
	}
	return 0, ""
}

// roundUsual takes a usual value for one that is a little more than that.
func roundUsual(d time.Duration) time.Duration {
	if u := floorUsual(d); d-u < time.Second {
		return u
	}
	return d
}

// before returns the last event of a kind before another one; -1 when there is none.
func (s *story) before(i int, kind logs.Kind) int {
	for i--; i >= 0; i-- {
		if s.events[i].Kind == kind {
			return i
		}
	}
	return -1
}

// after returns the first event of a kind after another one; -1 when there is none.
func (s *story) after(i int, kinds ...logs.Kind) int {
	for i++; i < len(s.events); i++ {
		for _, k := range kinds {
			if s.events[i].Kind == k {
				return i
			}
		}
	}
	return -1
}

// assignor infers whether a fleet is cooperative; "" where the default of its client will do.
func (s *story) assignor(f *fleet, profile *consumers.Profile) setting {
	if d := detailsOf(allLives(f.members)); d != nil && len(d.Protocols) > 0 {
		return setting{assignorList, quotedList(d.Protocols), observed, "dumped with a member"}
	}
	for i := range s.events {
		e := &s.events[i]
		if e.Kind == logs.Preparing && hasPrefix(e.ClientReason, revoking...) {
			return setting{assignorList, cooperative, derived, "members rejoin to revoke partitions"}
		}
		if s.followsUp(i) {
			return setting{assignorList, cooperative, derived, "members rejoin as soon as they have an assignment"}
		}
	}
	if !profile.OnJava() && assignors.Cooperative(profile.Config.Assignors) && s.grew() {
		return setting{assignorList, eager, derived, "members came, and nobody rejoined to give partitions away"}
	}
	return setting{}
}

// The assignors of members that keep their partitions while they rejoin, and of such that give them all away.
const (
	cooperative = `["cooperative-sticky"]`
	eager       = `["range"]`
)

// followsUp reports whether a member of a library that gives no reasons rejoins at once when it has an assignment, as cooperative
// ones do to let others have what they gave away.
func (s *story) followsUp(i int) bool {
	e := &s.events[i]
	if e.Kind != logs.Preparing || e.ClientReason != "" || e.Reason != trace.LeaderRejoined && e.Reason != trace.MemberRejoined {
		return false
	}
	assigned := s.before(i, logs.AssignmentReceived)
	return assigned >= 0 && s.at(i)-s.at(assigned) < atOnce
}

// drain returns how long members take at least to give away the partitions that an assignment takes from them; 0 where some
// do so at once, or nobody does.
func (s *story) drain() time.Duration {
	least := time.Duration(0)
	for i := range s.events {
		assigned := s.before(i, logs.AssignmentReceived)
		e := &s.events[i]
		if assigned < 0 || e.Kind != logs.Preparing || !hasPrefix(e.ClientReason, revoking...) || e.Reason == trace.MemberJoined {
			continue
		}
		if took := s.at(i) - s.at(assigned); least == 0 || took < least {
			least = took
		}
	}
	if least < atOnce {
		return 0
	}
	return least.Round(10 * time.Millisecond)
}

// atOnce is how soon a member that has an assignment rejoins because of that.
const atOnce = 500 * time.Millisecond

// followsUps reports whether any member does.
func (s *story) followsUps() bool {
	for i := range s.events {
		if s.followsUp(i) {
			return true
		}
	}
	return false
}

// grew reports whether a group that had an assignment had one for more members next, and rested then.
func (s *story) grew() bool {
	was := int32(0)
	for i := range s.events {
		switch e := &s.events[i]; e.Kind {
		case logs.EmptyGroup:
			was = 0
		case logs.AssignmentReceived:
			next := s.after(i, logs.Preparing, logs.EmptyGroup)
			rests := s.length - s.at(i)
			if next >= 0 {
				rests = s.at(next) - s.at(i)
			}
			if was > 0 && e.Members > was && rests > atOnce {
				return true
			}
			was = e.Members
		}
	}
	return false
}

func allLives(processes []*process) []*life {
	var all []*life
	for _, p := range processes {
		all = append(all, p.lives...)
	}
	return all
}

// delay infers group.initial.rebalance.delay.ms from the first join phases of an empty group.
func (s *story) delay() setting {
	const usual = 3 * time.Second
	for i := range s.events {
		if !s.startsEmpty(i) {
			continue
		}
		end := s.after(i, logs.Completing, logs.EmptyGroup, logs.Preparing)
		if end < 0 || s.events[end].Kind != logs.Completing || s.unseen[end] {
			continue
		}
		took := s.at(end) - s.at(i)
		joins := s.joinsBetween(i, end)
		if (firstPhase(usual, joins) - took).Abs() < time.Second {
			return setting{initialDelay, millis(usual), derived, "the first join phase lasts as long as with the default"}
		}
		for n := 1; n <= len(joins)+1; n++ {
			d := (took / time.Duration(n)).Round(10 * time.Millisecond)
			if (firstPhase(d, joins) - took).Abs() < 100*time.Millisecond {
				return setting{initialDelay, millis(d), derived, "the first join phase lasts that long"}
			}
		}
	}
	return setting{initialDelay, millis(usual), assumed, "the default"}
}

// startsEmpty reports whether an event is the entry of an empty group into a join phase.
func (s *story) startsEmpty(i int) bool {
	e := &s.events[i]
	if e.Kind != logs.Preparing || e.Reason != trace.MemberJoined {
		return false
	}
	for j := i - 1; j >= 0; j-- {
		switch s.events[j].Kind {
		case logs.EmptyGroup:
			return true
		case logs.Preparing, logs.Completing, logs.AssignmentReceived:
			return false
		}
	}
	return e.Generation == 0 || !slices.ContainsFunc(s.lives, func(l *life) bool { return !l.joins })
}

// joinsBetween returns when members were added in a join phase, from its beginning, but for the one that began it.
func (s *story) joinsBetween(from, to int) []time.Duration {
	var all []time.Duration
	for i := from; i < to; i++ {
		if e := &s.events[i]; e.Kind == logs.MemberAdded && e.Member != s.events[from].Member {
			all = append(all, s.at(i)-s.at(from))
		}
	}
	return all
}

// firstPhase returns how long the first join phase of a group lasts: one delay after the other, as long as members came in
// the last one. Kafka: tryCompleteInitialRebalanceElseSchedule.
func firstPhase(delay time.Duration, joins []time.Duration) time.Duration {
	for end := delay; delay > 0; end += delay {
		came := false
		for _, j := range joins {
			came = came || j >= end-delay && j < end
		}
		if !came {
			return end
		}
	}
	return 0
}
