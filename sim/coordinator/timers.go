package coordinator

import (
	"time"

	"simulate/sim/clock"
	"simulate/sim/trace"
	"simulate/sim/wire"
)

// firstJoinTimeout bounds how long a new member waits for its first join phase to end: it does not
// heartbeat meanwhile.
//
// Kafka: GroupCoordinatorConfig.CLASSIC_GROUP_NEW_MEMBER_JOIN_TIMEOUT_MS.
const firstJoinTimeout = 5 * time.Minute

func (g *group) sessionTimer(id wire.MemberID) TimerKey {
	return TimerKey{Kind: SessionTimer, Group: g.id, Member: id}
}

func (g *group) joinTimer() TimerKey { return TimerKey{Kind: JoinTimer, Group: g.id} }
func (g *group) syncTimer() TimerKey { return TimerKey{Kind: SyncTimer, Group: g.id} }

// touch arms a member's session timer anew.
//
// Kafka: GroupMetadataManager.rescheduleClassicGroupMemberHeartbeat.
func (g *group) touch(m *member) { g.armSession(m, m.sessionTimeout) }

func (g *group) armSession(m *member, timeout time.Duration) {
	m.armed, m.session = g.shard.now, g.after(timeout)
	g.shard.setTimer(g.sessionTimer(m.id), m.session)
}

func (g *group) armJoin(timeout time.Duration) {
	g.joinDeadline = g.after(timeout)
	g.shard.setTimer(g.joinTimer(), g.joinDeadline)
}

func (g *group) stopJoin() {
	g.joinDeadline = clock.Never
	g.shard.stopTimer(g.joinTimer())
}

func (g *group) armSync(timeout time.Duration) {
	g.syncDeadline = g.after(timeout)
	g.shard.syncTimers[g.id] = g.generation
	g.shard.setTimer(g.syncTimer(), g.syncDeadline)
}

func (g *group) stopSync() {
	g.syncDeadline = clock.Never
	g.shard.stopTimer(g.syncTimer())
}

// after returns the instant that lies the timeout ahead; a negative one has passed.
func (g *group) after(timeout time.Duration) clock.Time {
	return g.shard.now.Add(max(timeout, 0))
}

// timerFailed is what Kafka logs of a timer whose event ended badly; one of them tries again.
//
// Kafka: CoordinatorRuntime.EventBasedCoordinatorTimer.schedule.
func (s *Shard) timerFailed(k TimerKey, why failure) {
	if why.err == wire.NotCoordinator || why.err == wire.CoordinatorLoadInProgress {
		return
	}
	e := timerFailed(s.now, k, "")
	e.Err, e.For = why.err, why.late
	s.sink.Record(e)
	if k.Kind == RetentionTimer {
		s.armRetention()
	}
}

// timerReasons says of each timer what its firing would have been the reason of.
var timerReasons = map[TimerKind]trace.Reason{
	SessionTimer: trace.SessionExpired, JoinTimer: trace.JoinPhaseComplete, SyncTimer: trace.SyncExpired, RetentionTimer: trace.Retired,
}

func timerFailed(now clock.Time, k TimerKey, internal string) trace.Event {
	return trace.Event{At: now, Kind: trace.TimerFailed, Group: k.Group, Member: k.Member, Reason: timerReasons[k.Kind], Text: internal}
}
