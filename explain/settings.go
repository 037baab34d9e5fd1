package explain

import (
	"slices"

	"simulate/sim/clock"
	"simulate/sim/consumers"
	"simulate/sim/metrics"
	"simulate/sim/scenario"
	"simulate/sim/trace"
	"simulate/sim/wire"
)

// Setting is a setting of Kafka without which something would not have come about as it did.
type Setting struct {
	Name  string // as in Kafka's configuration
	Who   string // whose it is, "" for a setting of the broker
	Value string // as the run shows it, "" where it does not
}

// The settings that a run can show to matter.
const (
	sessionTimeout    = "session.timeout.ms"
	heartbeatInterval = "heartbeat.interval.ms"
	maxPollInterval   = "max.poll.interval.ms"
	partitionWatch    = "PartitionWatchInterval"
	instanceID        = "group.instance.id"
	assignors         = "partition.assignment.strategy"
	initialDelay      = "group.initial.rebalance.delay.ms"
	metadataAge       = "metadata.max.age.ms"
	groupMaxSize      = "group.max.size"
)

// refusals are the settings behind what a coordinator answers.
var refusals = map[wire.Err]string{
	wire.GroupMaxSizeReached:       groupMaxSize,
	wire.InconsistentGroupProtocol: assignors,
	wire.InvalidSessionTimeout:     sessionTimeout,
	wire.FencedInstanceID:          instanceID,
}

// refusedBy returns the setting behind what a coordinator answers to a process; no Name where there is none.
func refusedBy(answer wire.Err, who string) Setting {
	s := Setting{Name: refusals[answer], Who: who}
	if s.Name == groupMaxSize { // of the broker
		s.Who = ""
	}
	return s
}

// cooperative is the one assignor with which members keep in a rebalance what they hold.
const cooperative = "cooperative-sticky"

// settings returns the settings behind a moment, those of the last cause first; none when there should be more moments
// of its kind: it shows nothing of those that did not come.
func (c *Cause) settings(m *metrics.Moment) []Setting {
	if m.Low && m.Nth > 0 && !m.Outside {
		return nil
	}
	if m.Kind == metrics.DeathUnnoticed {
		return []Setting{{Name: sessionTimeout, Who: m.Who}}
	}
	var all []Setting
	add := func(some ...Setting) {
		for _, s := range some {
			same := func(t Setting) bool { return t.Name == s.Name && t.Who == s.Who }
			if s.Name != "" && !slices.ContainsFunc(all, same) {
				all = append(all, s)
			}
		}
	}
	add(settingsOf(c.Steps)...)
	if m.Failure != nil {
		add(refusedBy(m.Failure.Err, m.Who))
	}
	if m.Stuck != nil {
		add(holding(m.Stuck)...)
	}
	if c.Chain == nil || c.apart(m) {
		return all
	}
	if n := len(c.Steps); n > 0 && c.Steps[n-1] == c.Chain.LastJoin {
		add(c.Chain.lateJoin())
	}
	add(settingsOf(c.Chain.Since())...)
	if m.Kind != metrics.Stay || m.State == wire.PreparingRebalance {
		add(c.Chain.joining())
	}
	halted := (m.Kind == metrics.NobodyHeld || m.Kind == metrics.NobodyRan) && !m.Low
	if halted {
		add(settingsOf(sinceRebalance(chainTo(c.Chain.freed)))...)
	}
	if p := c.Chain.Protocol; halted && len(c.Chain.Rebalance.Stopped) > 0 && p != cooperative || c.Chain.Rebalance.FollowUp() {
		add(Setting{Name: assignors, Value: p})
	}
	return all
}

// apart reports whether what happened to a member in the moment would have happened without the rebalance that it fell
// into: a failure, a leave, or the end of a session.
func (c *Cause) apart(m *metrics.Moment) bool {
	switch m.Kind {
	case metrics.PollFailed:
		return true
	case metrics.MemberEvicted, metrics.MemberLeft, metrics.MemberWent:
		return len(c.Steps) > 0 && (m.Reason == trace.SessionExpired || m.Reason == trace.Left)
	}
	return false
}

// settingsOf returns the settings behind the steps of a chain, the last step first.
func settingsOf(steps []*Step) []Setting {
	var all []Setting
	for i, s := range slices.Backward(steps) {
		of := Setting{Who: s.Who}
		switch s.Kind {
		case TimedOut:
			of.Name, of.Value = maxPollInterval, metrics.Brief(s.For)
		case Removed, GivenUp:
			of = behindRemoved(s)
		case Silent:
			if i > 0 && s.because == steps[i-1] && i+1 < len(steps) && rare(steps[i-1], steps[i+1]) {
				of.Name = heartbeatInterval
			}
		case Leaving:
			if s.closes() && s.instance == "" && !s.because.scales() && s.mayBeStatic() { // nobody comes back to a place
				of.Name, of.Value = instanceID, "none"
			}
		case Rejoining, Subscribed:
			if s.because != nil && s.because.changesTopics() {
				of.Name = s.refresh()
			}
		case Failed, Threw:
			of = refusedBy(s.Err, s.Who)
		}
		if of.Name != "" {
			all = append(all, of)
		}
	}
	return all
}

// closes reports whether a LeaveGroup is that of a process which is stopped. Versions before 5 give no reason.
func (s *Step) closes() bool {
	return says(s.Text, "being closed", "per normal operation") || s.Text == "" && s.because != nil && s.because.Kind == Scripted
}

// mayBeStatic reports whether the client has a group.instance.id.
func (s *Step) mayBeStatic() bool {
	profile, _ := consumers.FindProfile(s.Client)
	return !profile.AlwaysDynamic
}

// refresh is the setting that says how often the client looks for topics and partitions.
func (s *Step) refresh() string {
	if profile, _ := consumers.FindProfile(s.Client); !profile.Has(metadataAge) {
		return partitionWatch
	}
	return metadataAge
}

// waitsFor is the setting that says how long a group waits for a process of the client.
func waitsFor(client string) string {
	profile, _ := consumers.FindProfile(client)
	return profile.RebalanceTimeoutKey()
}

// scales reports whether a step is an event that changes how many members there are to be.
func (s *Step) scales() bool {
	return s != nil && s.Kind == Scripted && scenario.Verb(s.Text) == scenario.Scale
}

// behindRemoved returns the setting behind the removal of a member; no Name where there is none.
func behindRemoved(s *Step) Setting {
	switch s.Reason {
	case trace.SessionExpired:
		return timer(sessionTimeout, s)
	case trace.NotRejoinedInTime, trace.SyncExpired:
		return s.limit
	case trace.OverCapacity:
		return Setting{Name: groupMaxSize}
	}
	return Setting{}
}

func timer(name string, s *Step) Setting {
	of := Setting{Name: name, Who: s.Who}
	if s.For > 0 {
		of.Value = metrics.Brief(s.For)
	}
	return of
}

// rare reports whether a member was silent for longer than a session because its heartbeats are rare: what kept it
// silent was over sooner, so that it would have been heard of in time if it had sent its last heartbeat later; or it was
// busy, which keeps nobody from sending heartbeats.
func rare(s, removed *Step) bool {
	if s.Kind == Stalled || s.Kind == Processing || s.Kind == InCallback {
		return removed.Reason == trace.SessionExpired && !s.silences()
	}
	return s.Kind == Scripted && s.At < s.Until && s.Until < clock.Never && s.Until.Sub(s.At) < removed.For
}

// silences reports whether what the application does keeps its client from sending heartbeats.
func (s *Step) silences() bool {
	profile, _ := consumers.FindProfile(s.Client)
	switch s.Kind {
	case Processing:
		return profile.HandlerSilent
	case Stalled:
		return profile.HandlerSilent && profile.Handler // without one, the application awaits something else
	}
	return profile.CallbackSilent
}

// lateJoin returns the setting that let the last member join so late: it did not poll meanwhile, or learned of the
// rebalance only with its next heartbeat.
func (c *Chain) lateJoin() Setting {
	join := c.LastJoin
	switch b := join.because; {
	case b == nil:
	case b.Kind == Processing || b.Kind == Stalled || b.Kind == InCallback:
		return Setting{Name: waitsFor(join.Client), Who: join.Who}
	case b.Kind == Rejoining && says(b.Text, "rebalancing", wire.RebalanceInProgress.String()):
		return Setting{Name: heartbeatInterval, Who: join.Who}
	}
	return Setting{}
}

// joining returns the setting without which nobody had joined then. A process that starts anew has no place to come
// back to when it has no group.instance.id, or when its session ran out meanwhile; one that starts with the others finds
// them waiting for as long as the broker says.
func (c *Chain) joining() Setting {
	last := c.Steps[len(c.Steps)-1]
	if c.Rebalance.Reason != trace.MemberJoined {
		return Setting{}
	}
	switch s := last.because; {
	case last.lapsed != nil && last.lapsed.Reason == trace.SessionExpired:
		return timer(sessionTimeout, last.lapsed)
	case s == nil || s.Kind != Started:
		return Setting{}
	case s.again && s.instance == "" && s.mayBeStatic():
		return Setting{Name: instanceID, Who: s.Who, Value: "none"}
	case s.because == nil || c.Rebalance.From == wire.Empty:
		return Setting{Name: initialDelay}
	}
	return Setting{}
}

// holding returns the timers that end the waiting of a stuck stay at the latest.
func holding(s *metrics.Stuck) []Setting {
	var all []Setting
	for _, b := range s.Blocked {
		for _, l := range b.Chain {
			of := Setting{Name: l.Timer, Who: l.Who}
			switch l.Timer {
			case trace.TimerRebalance:
				of.Name = waitsFor(l.Client)
			case trace.TimerDelay:
				of.Who = ""
			}
			all = append(all, of)
		}
	}
	return all
}
