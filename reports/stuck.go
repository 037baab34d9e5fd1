package reports

import (
	"slices"
	"time"

	"simulate/sim/clock"
	"simulate/sim/metrics"
	"simulate/sim/trace"
	"simulate/sim/wire"
)

// firstHolders is how many holders in turn a story tells of before it skips to the last.
const firstHolders = 2

// stuckLines tells the story of a stuck stay: how long, who held it, what the holder did meanwhile, why
// its session did or did not expire, and what ended the wait or will. An open stay is told in the
// present.
func stuckLines(group string, s *metrics.Stuck) []string {
	lines := []string{stayWords(group, s)}
	turns := turnsOf(s)
	last := len(turns) - 1
	for i, b := range turns {
		t := teller{stay: s, blocked: b, open: s.Open && i == last}
		switch {
		case i == 0:
		case i >= firstHolders && i < last:
			if i == firstHolders {
				lines = append(lines, "then for others in turn ("+metrics.Plural(last-firstHolders, "change")+" left out)")
			}
			continue
		default:
			t.from = "from " + instant(b.At) + " on, it "
		}
		lines = append(lines, t.tell(b.Chain)...)
	}
	if s.Open {
		return append(lines, deadlineWords(s))
	}
	return append(lines, "ended when "+freedWords(s)+inVain(s))
}

// briefTurn is how short a turn is that nobody needs to hear of, when the same members held the group before it.
const briefTurn = time.Second

// turnsOf returns whom the group waited for in turn. The steps by which the same members come back at last, such as
// the request that is on its way, are no turn of their own.
func turnsOf(s *metrics.Stuck) []*metrics.Blocked {
	var turns []*metrics.Blocked
	for i := range s.Blocked {
		b, until := &s.Blocked[i], s.Until
		if i+1 < len(s.Blocked) {
			until = s.Blocked[i+1].At
		}
		n := len(turns)
		if n > 0 && until.Sub(b.At) < briefTurn && !(s.Open && i == len(s.Blocked)-1) && sameMembers(turns[n-1].Chain, b.Chain) {
			continue
		}
		turns = append(turns, b)
	}
	return turns
}

func sameMembers(a, b []trace.Link) bool {
	return slices.EqualFunc(a, b, func(a, b trace.Link) bool { return a.Member == b.Member && a.Who == b.Who && a.On == b.On })
}

func stayWords(group string, s *metrics.Stuck) string {
	was, when := " was in ", instant(s.Since)+" to "+instant(s.Until)
	if s.Open {
		was, when = " has been in ", "since "+instant(s.Since)+", to the end of the run"
	}
	where := s.State.String()
	if s.State == wire.Dead {
		where += ", without a coordinator,"
	}
	return short(group) + was + where + " for " + metrics.Brief(s.For()) +
		" (generation " + generation(s.Generation) + ", " + when + ")"
}

// teller puts one chain of waiting into words.
type teller struct {
	stay    *metrics.Stuck
	blocked *metrics.Blocked
	open    bool
	from    string // begins the first sentence when an earlier chain was told before
}

func (t *teller) tell(chain []trace.Link) []string {
	if len(chain) == 0 {
		return nil
	}
	lines := []string{t.waiting(chain)}
	const most = 3
	for i := range chain[:min(most, len(chain))] {
		l := &chain[i]
		for _, line := range []string{t.doing(l), t.session(l)} {
			if line != "" {
				lines = append(lines, line)
			}
		}
	}
	return lines
}

// tense chooses between what was and what is.
func (t *teller) tense(past, present string) string {
	if t.open {
		return present
	}
	return past
}

func (t *teller) waiting(chain []trace.Link) string {
	first := &chain[0]
	wait := t.from + t.tense("waited", "waits")
	switch {
	case first.Because == trace.CauseDelay:
		return wait + " for group.initial.rebalance.delay.ms, to let more members join"
	case first.On == trace.OwesCoordinator:
		return wait + " for a broker that coordinates it"
	case first.On == trace.OwesAppend:
		return wait + " for the log to store the assignment"
	}
	var names []string
	for i := range chain {
		if chain[i].On == first.On {
			names = append(names, t.holder(&chain[i]))
		}
	}
	return wait + " for " + first.On + " from " + listed(names) + t.parked(chain)
}

// holder names whom the group waits for. A process that asked for a member id need not be the one that
// has its name among the members.
func (t *teller) holder(l *trace.Link) string {
	if l.Because == trace.CausePendingID {
		return "the holder of the member id given out at " + instant(l.Since)
	}
	return t.name(l)
}

// name names the member of a link; what the process was before it started anew is not what it is now.
func (t *teller) name(l *trace.Link) string {
	if slices.Contains(t.blocked.Ghosts, l.Member) {
		return "the earlier " + nameOf(l.Who, l.Member)
	}
	return nameOf(l.Who, l.Member)
}

// parked counts who waits for the answer meanwhile. They are the others of the group where the group waits
// for members, and all of it where it only waits for member ids to be used.
func (t *teller) parked(chain []trace.Link) string {
	n, others := chain[0].Parked, "the other "
	if len(t.blocked.Pending) == len(chain) {
		others = "the "
	}
	switch n {
	case 0:
		return ""
	case 1:
		return "; " + others + "member " + t.tense("was", "is") + " parked"
	}
	return "; " + others + metrics.Plural(n, "member") + " " + t.tense("were", "are") + " parked"
}

// doing says what the process did instead of what it owed.
func (t *teller) doing(l *trace.Link) string {
	name := t.name(l)
	switch l.Because {
	case trace.CauseProcessing:
		return name + " " + t.tense(libraryOf(l.Client).processed()) + during(l)
	case trace.CauseStalled:
		return name + " " + t.tense(libraryOf(l.Client).stalled()) + during(l)
	case trace.CauseListener:
		return name + t.tense(" was", " is") + " inside a rebalance callback" + during(l)
	case trace.CauseAssigning:
		return name + t.tense(" was", " is") + " computing the assignment" + during(l)
	case trace.CauseFrozen:
		return name + t.tense(" was", " is") + " frozen" + during(l)
	case trace.CauseDead:
		return name + " ended at " + instant(l.Since) + " without leaving the group"
	case trace.CauseDeadParked:
		return name + " ended at " + instant(l.Since) + ", while its JoinGroup was parked; that counted, and " +
			"the coordinator made it the leader"
	case trace.CauseStaticGhost:
		return name + " ended at " + instant(l.Since) + " without leaving the group, as a static member does: its " +
			"place is kept"
	case trace.CausePendingID:
		return t.pending(l)
	case trace.CauseForgotten:
		return "the process of " + name + t.tense(" had", " has") + " given this member id up without leaving: nobody " +
			t.tense("answered", "answers") + " for it"
	case trace.CauseUnreachable:
		return name + t.tense(" was", " is") + " cut off from the broker" + during(l)
	case trace.CauseUnaware:
		return name + t.tense(" was", " is") + " alive but learns of a rebalance only at its next heartbeat"
	case trace.CauseUnsubscribed:
		return name + t.tense(" was", " is") + " subscribed to nothing, and a static member does not leave for that"
	case trace.CauseConnecting:
		return name + t.tense(" was", " is") + " looking for its coordinator"
	case trace.CauseQueued:
		return "the request of " + name + t.tense(" waited", " waits") + " behind a parked one on the same connection"
	case trace.CauseCommitting:
		return name + t.tense(" could", " can") + " not commit its offsets, as it does before it rejoins," + during(l)
	case trace.CauseLoading:
		return "the new coordinator " + t.tense("was", "is") + " loading the offsets partition" + during(l)
	case trace.CauseDeadBroker:
		return "the old coordinator went at " + instant(l.Since) + ", and no broker " +
			t.tense("had", "has") + " taken over"
	case trace.CauseRejoining:
		return "the request of " + name + t.tense(" was", " is") + " on its way"
	}
	return ""
}

// pending says who was given a member id and did not use it.
func (t *teller) pending(l *trace.Link) string {
	if l.Who == "" {
		return "nobody " + t.tense("had joined", "has joined") + " with that id"
	}
	return "a process with the client.id " + short(l.Who) + " asked for that id and " +
		t.tense("had", "has") + " not joined with it"
}

func during(l *trace.Link) string {
	if l.Until == clock.Never {
		return " from " + instant(l.Since) + " on"
	}
	return " from " + instant(l.Since) + " to " + instant(l.Until) + " (" + metrics.Brief(l.Until.Sub(l.Since)) + ")"
}

// session says why the session of the holder did or did not expire.
func (t *teller) session(l *trace.Link) string {
	switch {
	case silent(l):
		return "it " + t.tense("sent", "sends") + " no heartbeats" + t.sessionEnd(l)
	case busy(l) && t.someSessionExpired():
		return libraryOf(l.Client).heartbeats() + " was alive at first (answered " + t.heartbeat() + ")"
	case busy(l) && !t.expired(l):
		return libraryOf(l.Client).heartbeats() + " " + t.tense("was", "is") + " alive (answered " + t.heartbeat() +
			"), so its session " + t.tense("did", "does") + " not expire"
	}
	return ""
}

// busy reports whether only the application of the holder does something else.
func busy(l *trace.Link) bool {
	switch l.Because {
	case trace.CauseProcessing, trace.CauseStalled, trace.CauseListener:
		return !l.Silent
	}
	return false
}

// silent reports whether no heartbeats of the holder arrive. One that assigns holds the lock of its heartbeat thread.
func silent(l *trace.Link) bool {
	switch l.Because {
	case trace.CauseUnsubscribed, trace.CauseAssigning, trace.CauseFrozen, trace.CauseForgotten, trace.CauseUnreachable,
		trace.CauseDead, trace.CauseDeadParked, trace.CauseStaticGhost:
		return true
	}
	return l.Silent
}

// heartbeat is what the coordinator answers to a member's heartbeats during the stay.
func (t *teller) heartbeat() string {
	if t.stay.State == wire.CompletingRebalance {
		return wire.None.String()
	}
	return wire.RebalanceInProgress.String()
}

func (t *teller) sessionEnd(l *trace.Link) string {
	switch {
	case t.expired(l):
		return ", so its session expired"
	case l.Timer != trace.TimerSession || l.Fires == clock.Never:
		return ""
	case t.open:
		return ", so its session expires at " + instant(l.Fires)
	}
	return ", but its session was to last until " + instant(l.Fires)
}

// someSessionExpired reports whether the stay ended with the session of some member, which may have been held like the
// others: a static member that exceeds max.poll.interval.ms stays silent from then on.
func (t *teller) someSessionExpired() bool {
	return !t.stay.Open && t.stay.Freed.Reason == trace.SessionExpired && !t.stay.Freed.Pending
}

// expired reports whether the stay ended with the session of this very member.
func (t *teller) expired(l *trace.Link) bool {
	f := &t.stay.Freed
	return !t.stay.Open && f.Reason == trace.SessionExpired && f.Who == l.Who && f.Member == l.Member
}

// lastLink returns the link of the chain recorded last that can last longest: when its timer fires, the
// group waits for nobody any more.
func lastLink(s *metrics.Stuck) *trace.Link {
	turns := turnsOf(s)
	if len(turns) == 0 {
		return nil
	}
	chain := turns[len(turns)-1].Chain
	if len(chain) == 0 {
		return nil
	}
	longest := &chain[0]
	for i := range chain {
		if chain[i].Fires > longest.Fires {
			longest = &chain[i]
		}
	}
	return longest
}

func deadlineWords(s *metrics.Stuck) string {
	l := lastLink(s)
	switch {
	case l == nil:
		return "nobody recorded whom it waits for"
	case l.Timer == trace.TimerNone || l.Fires == clock.Never:
		return "no timer ends the wait"
	}
	return "will end at " + instant(l.Fires) + " at the latest, when " + timerWords(l.Timer, s) + " runs out" + timerOf(l)
}

// inVain names the timer that would have ended the stay, when something else did earlier. The session of
// a silent holder was told before.
func inVain(s *metrics.Stuck) string {
	l := lastLink(s)
	if l == nil || l.Timer == trace.TimerNone || l.Fires == clock.Never || l.Fires <= s.Until || byTimer(&s.Freed) {
		return ""
	}
	if l.Timer == trace.TimerSession && silent(l) {
		return ""
	}
	return "; " + timerWords(l.Timer, s) + " would have ended the wait at " + instant(l.Fires)
}

// timerOf names whose timer it is, where members have one each.
func timerOf(l *trace.Link) string {
	switch {
	case l.Timer != trace.TimerSession && l.Timer != trace.TimerPoll:
		return ""
	case l.Because == trace.CausePendingID:
		return " for the unused member id"
	}
	return " for " + nameOf(l.Who, l.Member)
}

func byTimer(f *metrics.Freed) bool {
	switch f.Reason {
	case trace.SessionExpired, trace.NewMemberExpired, trace.NotRejoinedInTime, trace.SyncExpired:
		return true
	}
	return f.PollTimeout
}

func timerWords(timer string, s *metrics.Stuck) string {
	if timer == trace.TimerRebalance {
		return rebalanceTimeoutWords(s.Clients)
	}
	return timer
}

// freedWords says what ended a stay.
func freedWords(s *metrics.Stuck) string {
	f := &s.Freed
	name := nameOf(f.Who, f.Member)
	switch f.Reason {
	case trace.JoinPhaseComplete:
		switch {
		case f.Delayed:
			return trace.TimerDelay + " was over"
		case f.Who == "":
			return "the last missing JoinGroup arrived"
		}
		return "the JoinGroup of " + name + " arrived"
	case trace.NoMembersLeft:
		return "no member was left"
	case trace.AssignmentStored:
		return "the assignment was stored"
	case trace.Unloaded:
		return "its coordinator went"
	case trace.Loaded:
		return "the new coordinator had loaded it"
	case trace.Left:
		return leftWords(f, name)
	case trace.SessionExpired:
		return "session.timeout.ms" + limitWords(f.Limit) + " ran out for " + expiredWords(f, name)
	case trace.NewMemberExpired:
		return "the five minutes ran out in which " + name + ", a new member, had to be answered"
	case trace.NotRejoinedInTime:
		return timerWords(trace.TimerRebalance, s) + " removed " + andOthers(name, f.Alike)
	case trace.SyncExpired:
		return "the sync timeout removed " + andOthers(name, f.Alike)
	case trace.NewDynamic, trace.NewStatic, trace.PendingJoined, trace.MemberJoined:
		return andOthers(name, f.Alike) + " joined"
	}
	return rebalanceWords(&metrics.Rebalance{Reason: f.Reason, Who: f.Who, Member: f.Member, ClientReason: f.ClientReason})
}

func expiredWords(f *metrics.Freed, name string) string {
	switch {
	case f.Pending:
		return "the unused member id"
	case f.Ghost:
		return "the earlier " + name
	}
	return name
}

// limitWords gives a time-out its value, when that is known.
func limitWords(limit time.Duration) string {
	if limit == 0 {
		return ""
	}
	return " (" + metrics.Brief(limit) + ")"
}

func leftWords(f *metrics.Freed, name string) string {
	switch {
	case f.Pending:
		return "the unused member id was given back"
	case f.PollTimeout:
		return "max.poll.interval.ms" + limitWords(f.Limit) + " made " + name + " leave"
	}
	return andOthers(name, f.Alike) + " left"
}
