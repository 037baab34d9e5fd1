package incident

import (
	"simulate/incident/logs"
	"simulate/sim/wire"
)

// group is what is known of one group so far.
type group struct {
	fleet
	name    string
	room    *room
	options *Options

	owner      int32   // the writer that is its coordinator; nobody
	writers    []int32 // that were
	partition  int32
	shardOf    int32 // the writer whose partition that is
	partitions int   // times that its partition changed
	zombies    int   // records of brokers that were no more, or not yet, its coordinator
	fell       int   // times that the generation fell without a reason

	course  course
	records int
	from    logs.Instant
	to      logs.Instant
	members int // live ones, as far as known; logs.Unknown
	past    past

	loads      int
	away       bool  // its coordinator gave it up, not only stopped
	loading    bool  // members of it were loaded, it itself not yet
	before     int32 // its generation when loading began
	unloadedIn State
	unloadedAt int32 // its generation then

	fleetCount int
	evictions  kept[Eviction]
	evicted    [32]int32 // by trace.Reason
	departures kept[Leave]
	unattached int // evictions since the last entry to PreparingRebalance
	burstCount int // evictions that bursts have seen
	leader     wire.MemberID

	epochs  epochs
	view    *view     // what its clients say; nil while none did
	samples *sampling // nil while there are none
	causes  causes
}

func newGroup(name string, r *room, o *Options) *group {
	g := &group{
		fleet: newFleet(), name: name, room: r, options: o, owner: nobody, partition: logs.Unknown, shardOf: nobody,
		course: newCourse(r, o), from: logs.NoTime, to: logs.NoTime, members: logs.Unknown, unloadedAt: logs.Unknown, before: logs.Unknown, past: newPast(),
	}
	g.epochs.epoch = logs.Unknown
	g.causes = causes{before: NumCauseKinds, saidFor: MetadataChanges, leaving: leaving{kind: Restarts}, burstAt: logs.NoTime, silent: silences{}}
	return g
}

// touch counts a record about the group.
func (g *group) touch(e *logs.Event) {
	g.records++
	g.past.began(e)
	if e.At == logs.NoTime {
		return
	}
	if g.from == logs.NoTime {
		g.from, g.to = e.At, e.At
	}
	g.to = max(g.to, e.At)
}

// brokered reports whether a broker told of the group.
func (g *group) brokered() bool { return g.owner != nobody }

// polledLate reports whether a client said that it leaves because its max.poll.interval.ms ran out.
func (g *group) polledLate(id wire.MemberID) bool { return g.view != nil && g.view.late(id) }

// leads takes who is the leader of a generation.
func (g *group) leads(id wire.MemberID, at logs.Instant) {
	if id == "" {
		return
	}
	if before := g.leader; before != "" && before != id && (ClientOf(before) != ClientOf(id) || g.member(before) != nil) {
		g.course.watch.churn.add(at, &g.course.watch)
	}
	g.leader = id
}
