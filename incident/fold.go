package incident

import (
	"math"
	"slices"
	"strings"
	"time"

	"simulate/incident/logs"
)

// Fold turns events into an Analysis, one after the other. Its memory does not grow with their number.
type Fold struct {
	options Options
	room    room
	groups  map[string]*group
	order   []*group // in the order of appearance
	recent  *group   // that the last record was about
	sources []source
	writers writers
	shards  map[shard][]*group
	moves   kept[Move]
	others  otherNames

	clientGroups map[string]*group // of a client, by its name, as its records with a group said
	nameless     int32             // the source of all records that name no group; nobody: of several
	bursts       bursts
	refused      map[shard]logs.Event // the last append that failed
	from, to     logs.Instant
	records      int
	noStamps     int
	uncovered    []logs.Gap
	homeless     int // records of coordinators of which nobody knows the group
}

// source is what is known of one source.
type source struct {
	written  logs.Instant // until when it goes, as far as that is known; NoTime
	writer   int32        // the broker that wrote its last record; nobody
	group    *group       // that its clients' last record with a group was about; nil
	nameless bool         // its clients have records that name no group
}

// shard is a partition of the offsets topic at a broker.
type shard struct{ writer, partition int32 }

// NewFold returns a fold without events.
func NewFold(o Options) *Fold {
	o = o.withDefaults()
	return &Fold{
		options: o, room: room{each: max(1, o.MaxKept), left: roomForAll}, groups: map[string]*group{},
		shards: map[shard][]*group{}, refused: map[shard]logs.Event{}, clientGroups: map[string]*group{}, from: logs.NoTime, to: logs.NoTime,
	}
}

// Add takes the next event, in the order of time. It keeps nothing of it but its strings and the details of members.
func (f *Fold) Add(e *logs.Event) {
	o := &f.options
	if e.At != logs.NoTime && (o.Since != 0 && e.At < o.Since || o.Until != 0 && e.At >= o.Until) {
		return
	}
	f.records++
	s := f.source(e.Place.Source)
	s.written = max(s.written, e.At)
	switch {
	case e.At == logs.NoTime:
		f.noStamps++
	case f.from == logs.NoTime:
		f.from, f.to = e.At, e.At
	default:
		f.to = max(f.to, e.At)
	}
	switch {
	case e.Kind == logs.GroupsDeleted:
		f.deleted(s, e)
	case e.Kind == logs.GroupObserved:
		f.sampled(e)
	case e.Kind >= logs.CoordinatorFound:
		f.client(s, e)
	case e.Kind >= logs.ConsumerJoined, e.Kind < logs.Elected, e.Kind == logs.GroupLoaded, e.Kind == logs.GroupUnloaded, e.Kind == logs.MemberLoaded:
		f.coordinator(s, e)
	default:
		f.broker(s, e)
	}
}

// deleted takes that several groups were deleted at once.
func (f *Fold) deleted(s *source, e *logs.Event) {
	for name := range strings.SplitSeq(e.Text, ", ") {
		one := *e
		one.Kind, one.Group, one.Text = logs.DeadGroup, name, ""
		f.coordinator(s, &one)
	}
}

// source returns what is known of a source, until the next one is asked for.
func (f *Fold) source(index int32) *source {
	at := max(0, int(index))
	for len(f.sources) <= at {
		f.sources = append(f.sources, source{written: logs.NoTime, writer: nobody})
	}
	return &f.sources[at]
}

// coordinator takes what a broker says about a group.
func (f *Fold) coordinator(s *source, e *logs.Event) {
	w := f.writers.who(s, e)
	g := f.coordinatedGroup(w, e)
	if g == nil {
		return
	}
	f.writers.list[w].group = g
	g.touch(e)
	if !g.owned(f, w, e) {
		return
	}
	at := g.course.at(e)
	if e.Kind >= logs.ConsumerJoined {
		g.consumer(e, at)
	} else {
		g.coordinated(e, at)
	}
	g.course.last = at
	if n := g.evictions.count; n != g.burstCount {
		f.bursts.evicted(g, n-g.burstCount, at)
		g.burstCount = n
	}
}

// coordinatedGroup returns the group that a coordinator's record is about. Some messages about static members name none: they
// are about that of the broker's record before, when that knows the member or came just before.
func (f *Fold) coordinatedGroup(w int32, e *logs.Event) *group {
	if e.Group != "" {
		return f.group(e.Group)
	}
	if g := f.writers.list[w].group; g != nil && (g.member(e.Member) != nil || g.member(e.Other) != nil || e.At.Sub(g.to) <= slack) {
		return g
	}
	f.homeless++
	return nil
}

// group returns the group of that name; nil when it is not wanted, or one too many.
func (f *Fold) group(name string) *group {
	if g := f.recent; g != nil && g.name == name {
		return g
	}
	g := f.groups[name]
	if g == nil {
		if !logs.Matches(f.options.Groups, name) {
			return nil
		}
		if len(f.order) >= f.options.MaxGroups {
			f.others.add(name)
			return nil
		}
		g = newGroup(name, &f.room, &f.options)
		f.groups[name] = g
		f.order = append(f.order, g)
	}
	f.recent = g
	return g
}

// broker takes what a broker says about itself, or about a partition of the offsets topic.
func (f *Fold) broker(s *source, e *logs.Event) {
	w := f.writers.who(s, e)
	id := f.writers.list[w].broker
	f.moves.add(Move{At: e.At, Broker: id, Partition: e.Partition, Kind: e.Kind, For: e.For, Line: e.Place}, &f.room)
	switch e.Kind {
	case logs.Resigned, logs.UnloadingPartition, logs.UnloadedPartition:
		f.ended(f.shards[shard{w, e.Partition}], w, e)
	case logs.Elected, logs.LoadingPartition, logs.LoadedPartition:
		f.writers.claim(w, e)
	case logs.BrokerStarting, logs.BrokerStopping, logs.BrokerStopped:
		f.ended(f.writers.list[w].groups, w, e)
	case logs.AppendFailed:
		if len(f.refused) < mostShards {
			f.refused[shard{w, e.Partition}] = logs.Event{At: e.At, Place: e.Place, Text: e.Text}
		}
		for _, g := range f.shards[shard{w, e.Partition}] {
			g.appendFailed(e)
		}
	}
}

// ended says that a broker is no more the coordinator of some groups. Of one that starts again nobody knows when it ended.
func (f *Fold) ended(groups []*group, w int32, e *logs.Event) {
	for _, g := range groups {
		if g.owner != w || g.course.state == Elsewhere || g.course.last == logs.NoTime {
			continue
		}
		at := g.course.at(e)
		if e.Kind == logs.BrokerStarting {
			g.course.lose(at)
		}
		g.away = g.away || e.Partition != logs.Unknown
		g.unloaded(at)
		g.causes.moved(e)
		g.course.last = at
	}
}

// otherNames counts the different names beyond those that are followed, about, in constant memory: linear counting over
// the bits that their hashes set (Whang et al. 1990).
type otherNames struct {
	bits    []uint64
	set     int
	records int
}

const otherBits = 1 << 23

func (o *otherNames) add(name string) {
	if o.bits == nil {
		o.bits = make([]uint64, otherBits/64)
	}
	hash := uint64(14695981039346656037) // FNV-1a
	for i := range len(name) {
		hash = (hash ^ uint64(name[i])) * 1099511628211
	}
	hash ^= hash >> 29
	bit := hash % otherBits
	if o.bits[bit/64]&(1<<(bit%64)) == 0 {
		o.bits[bit/64] |= 1 << (bit % 64)
		o.set++
	}
	o.records++
}

// count returns about how many there are.
func (o *otherNames) count() int {
	if o.set == 0 {
		return 0
	}
	free := float64(max(1, otherBits-o.set)) / otherBits
	return int(math.Round(-otherBits * math.Log(free)))
}

// bursts finds evictions of several members or groups at one time, behind which is a host or a broker that stood still.
type bursts struct {
	since   logs.Instant
	members int
	groups  []*group
}

// burstWithin is how near evictions lie that count as at one time.
const burstWithin = time.Second

func (b *bursts) evicted(g *group, n int, at logs.Instant) {
	if b.members == 0 || at.Sub(b.since) > burstWithin || at < b.since {
		b.since, b.members, b.groups = at, 0, b.groups[:0]
	}
	b.members += n
	if !slices.Contains(b.groups, g) && len(b.groups) < 100 {
		b.groups = append(b.groups, g)
	}
	if len(b.groups) < 2 {
		return
	}
	for _, of := range b.groups {
		of.causes.burst(b.members, len(b.groups), g.evictions.last().Line)
	}
}
