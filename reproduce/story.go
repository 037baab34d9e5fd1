package reproduce

import (
	"slices"
	"time"

	"simulate/incident"
	"simulate/incident/logs"
	"simulate/sim/trace"
	"simulate/sim/wire"
)

// story is what a log says of one group, as that which is to be repeated.
type story struct {
	group     string
	events    []logs.Event // of the group and of the brokers that it is on, in order
	unseen    []bool       // of each event, whether nobody logged it, and only the generations tell of it
	start     logs.Instant // of the first of them
	length    time.Duration
	lives     []*life           // in the order in which they appear
	processes []*process        // likewise
	brokers   []int32           // the node ids that logged, in the order of appearance
	libraries map[string]string // client id -> profile, of clients that logged themselves
	reasons   bool              // rebalances have reasons, as those of brokers since 2.1
	counts    bool              // generations have numbers of members, as those of brokers since 2.8
	vague     bool              // only clients logged: neither reasons nor numbers of members are known
}

// life is the time of one member id in the group.
type life struct {
	id       wire.MemberID // "" while nobody prints it
	instance wire.InstanceID
	from     int // the event with which it begins, of a member that was there before it is not logged
	joins    bool
	pending  bool // an id that nobody used
	active   int  // the last event that shows that the member was alive
	end      ending
	until    int // the event with which it ends; -1 where it lasts
	said     string
	reason   string // what its client gave as the reason of its first join
	asks     bool   // it got its id first, and came back with it
	direct   bool   // it was added without that, as old clients are
	details  *logs.MemberDetails
	process  *process // that it is of
}

// ending is how a member id left the group.
type ending uint8

const (
	stays ending = iota
	left
	expired     // its session ran out
	notRejoined // within the rebalance timeout
	notSynced   // likewise
	replaced    // by the next life of its group.instance.id
	vanished    // the group is empty, and nothing says how
	forgotten   // by a coordinator that loaded the group without it
)

// process is what has one life after the other.
type process struct {
	lives  []*life
	static bool
}

// tell orders what a log says of a group.
func tell(group string, events []logs.Event) *story {
	s := &story{group: group}
	if len(events) == 0 {
		return s
	}
	s.start = events[0].At
	s.length = events[len(events)-1].At.Sub(s.start)
	for _, e := range filled(events) {
		s.events, s.unseen = append(s.events, e.Event), append(s.unseen, e.unseen)
	}
	for i := range s.events {
		s.note(i)
		e := &s.events[i]
		s.reasons = s.reasons || e.Kind == logs.Preparing && e.Reason != trace.NoReason
		s.counts = s.counts || e.Kind == logs.Completing && e.Members > 0
	}
	s.populate()
	s.giveProcesses()
	return s
}

// populate adds the members that nothing but their number tells of: those that were there before the log began.
func (s *story) populate() {
	first := s.after(-1, logs.Completing, logs.AssignmentReceived)
	n, counted := 1, first >= 0 && s.events[first].Members > 0
	if counted {
		n = int(s.events[first].Members)
	}
	for _, l := range s.lives {
		switch {
		case !counted && l.end != stays && s.outlived(l):
		case first < 0 || !l.pending && l.from <= first && (l.end == stays || l.until > first):
			n--
		}
	}
	for range max(n, 0) {
		s.lives = append(s.lives, &life{until: -1})
	}
}

// outlived reports whether the group still had members when a life had ended.
func (s *story) outlived(l *life) bool {
	next := s.after(l.until, logs.Completing, logs.EmptyGroup)
	return next >= 0 && s.events[next].Kind == logs.Completing
}

// at returns when an event happened, from the beginning of the story.
func (s *story) at(event int) time.Duration { return s.events[event].At.Sub(s.start) }

// aboutOne are the kinds that say nothing without a member.
var aboutOne = []logs.Kind{
	logs.MemberIDIssued, logs.MemberAdded, logs.MemberFailed, logs.MemberLeft, logs.PendingLeft, logs.PendingExpired,
}

func (s *story) note(i int) {
	e := &s.events[i]
	if e.Broker >= 0 && !slices.Contains(s.brokers, e.Broker) {
		s.brokers = append(s.brokers, e.Broker)
	}
	if e.Member == "" && slices.Contains(aboutOne, e.Kind) {
		return // the line was cut
	}
	switch e.Kind {
	case logs.MemberIDIssued:
		l := s.begin(i, e.Member)
		l.asks = true
		l.pending = true
	case logs.MemberAdded:
		s.added(i)
	case logs.StaticReplaced:
		s.replace(i)
	case logs.Preparing:
		s.prepared(i)
	case logs.AssignmentReceived:
		if e.Other != "" {
			s.seen(i, e.Other)
		}
	case logs.MemberFailed:
		s.finish(i, e.Member, expired)
	case logs.MemberLeft:
		s.seen(i, e.Member).details = e.Details
		s.finish(i, e.Member, left).said = e.ClientReason
	case logs.PendingLeft:
		s.finish(i, e.Member, left)
	case logs.PendingExpired:
		s.finish(i, e.Member, expired)
	case logs.NotRejoined:
		s.finishAll(i, e.List, notRejoined)
	case logs.NotSynced:
		s.finishAll(i, e.List, notSynced)
	case logs.EmptyGroup:
		for _, l := range s.lives {
			if l.end == stays && !l.pending {
				l.end, l.until = vanished, i
			}
		}
	}
}

// begin notes a member id that comes up.
func (s *story) begin(i int, id wire.MemberID) *life {
	l := &life{id: id, from: i, active: i, joins: true, until: -1}
	s.lives = append(s.lives, l)
	return l
}

// life returns the life of an id; nil when it has none yet.
func (s *story) life(id wire.MemberID) *life {
	for _, l := range slices.Backward(s.lives) {
		if l.id == id && id != "" {
			return l
		}
	}
	return nil
}

// seen notes that a member was alive, or is spoken of; one that nobody has heard of was there before the log began, or is the
// new id of a static member that was not printed.
func (s *story) seen(i int, id wire.MemberID) *life {
	l := s.life(id)
	if l == nil {
		l = s.unnamed(id)
	}
	if l == nil {
		l = s.begin(i, id)
		l.joins = false
		l.from = 0
	}
	if l.end == stays {
		l.active = i
	}
	return l
}

// unnamed gives an id to the life of a static member whose new id was not printed; nil when there is none.
func (s *story) unnamed(id wire.MemberID) *life {
	for _, l := range slices.Backward(s.lives) {
		if l.id == "" && l.end == stays && incident.ClientOf(id) == string(l.instance) {
			l.id = id
			return l
		}
	}
	return nil
}

func (s *story) added(i int) {
	e := &s.events[i]
	l := s.life(e.Member)
	if l == nil {
		l = s.begin(i, e.Member)
	}
	l.pending, l.active = false, i
	l.direct = l.direct || e.Reason == trace.NewDynamic
	if e.Instance != "" {
		l.instance = e.Instance
	}
}

func (s *story) replace(i int) {
	e := &s.events[i]
	if e.Other != "" {
		s.finish(i, e.Other, replaced).instance = e.Instance
	}
	l := s.begin(i, e.Member)
	l.instance = e.Instance
}

func (s *story) prepared(i int) {
	e := &s.events[i]
	switch {
	case e.Reason == trace.MemberJoined && e.Member != "":
		if l := s.life(e.Member); l == nil || l.pending {
			s.added(i)
		}
		l := s.life(e.Member)
		l.reason, l.instance = e.ClientReason, e.Instance
	case e.Reason == trace.MemberJoined:
		s.joinedUnnamed(i)
	case e.Reason == trace.SyncExpired:
		s.finishAll(i, e.List, notSynced)
	case e.Reason == trace.SessionExpired && e.Member == "":
		s.evictedUnnamed(i)
	case e.Reason == trace.SessionExpired:
		if l := s.life(e.Member); l == nil || l.end == stays {
			s.finish(i, e.Member, expired)
		}
	case e.Member != "":
		s.seen(i, e.Member)
	}
}

// joinedUnnamed takes a member that the line does not name, since it was cut, for the one that got its id a moment before.
func (s *story) joinedUnnamed(i int) {
	if last := len(s.lives) - 1; last >= 0 && s.lives[last].pending && s.at(i)-s.at(s.lives[last].from) < time.Second {
		s.events[i].Member = s.lives[last].id
		s.added(i)
	}
}

// evictedUnnamed notes that a member was evicted which the line does not name, as those of brokers before 0.11, unless one before
// did.
func (s *story) evictedUnnamed(i int) {
	if !slices.ContainsFunc(s.lives, func(l *life) bool { return l.end == expired && s.at(i)-s.at(l.until) < 50*time.Millisecond }) {
		s.lives = append(s.lives, &life{end: expired, until: i})
	}
}

func (s *story) finishAll(i int, ids []wire.MemberID, how ending) {
	for _, id := range ids {
		s.finish(i, id, how)
	}
}

func (s *story) finish(i int, id wire.MemberID, how ending) *life {
	l := s.life(id)
	if l == nil {
		l = s.seen(i, id)
		l.active = l.from
	}
	if l.end == stays || l.end == vanished {
		l.end, l.until = how, i
	}
	return l
}

// owner is what lives must have in common to be of one process.
func (l *life) owner() string {
	if l.instance != "" {
		return "static " + string(l.instance)
	}
	return incident.ClientOf(l.id)
}

// giveProcesses gives every life to a process: that of the same client whose life before has ended, or a new one.
func (s *story) giveProcesses() {
	byStart := slices.Clone(s.lives)
	slices.SortStableFunc(byStart, func(a, b *life) int { return a.from - b.from })
	for _, l := range byStart {
		if l.pending {
			l.process = &process{lives: []*life{l}}
			s.processes = append(s.processes, l.process)
			continue
		}
		l.process = s.processFor(l)
		l.process.lives = append(l.process.lives, l)
		l.process.static = l.instance != ""
	}
}

func (s *story) processFor(l *life) *process {
	for _, p := range s.processes {
		last := p.lives[len(p.lives)-1]
		if last.pending || last.owner() != l.owner() {
			continue
		}
		if loaded := s.lostAt(last, l); loaded >= 0 {
			last.end, last.until = forgotten, loaded
		}
		if last.end != stays && last.until <= l.from && l.joins {
			return p
		}
	}
	p := &process{}
	s.processes = append(s.processes, p)
	return p
}

// lostAt returns the event with which a coordinator loaded the group without a member of which nothing was heard any more and
// whose client then came as another one; -1 when there is none.
func (s *story) lostAt(l, next *life) int {
	loaded := s.before(next.from, logs.GroupLoaded)
	if l.end != stays || loaded < l.active {
		return -1
	}
	return loaded
}

// newMemberTimeout is how long a member may be parked in its first join phase. Kafka:
// GroupCoordinatorConfig.CLASSIC_GROUP_NEW_MEMBER_JOIN_TIMEOUT_MS.
const newMemberTimeout = 5 * time.Minute

// neverJoined reports whether a life ended because its first join phase took too long.
func (s *story) neverJoined(l *life) bool {
	if l.end != expired || l.pending {
		return false
	}
	joined := s.joinedAt(l)
	return (s.at(l.until)-s.at(joined)-newMemberTimeout).Abs() < onGrid && !slices.ContainsFunc(s.events[joined:l.until], func(e logs.Event) bool {
		return e.Kind == logs.Completing
	})
}
