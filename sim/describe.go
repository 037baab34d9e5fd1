package sim

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"simulate/sim/assignors"
	"simulate/sim/clock"
	"simulate/sim/scenario"
	"simulate/sim/trace"
	"simulate/sim/wire"
)

// Description is what an administrator is shown of a group at an instant. A group that does not exist has
// state Dead; State is NoGroup while its coordinator cannot be reached or still loads.
type Description struct {
	wire.DescribedGroup
	Coordinator int32                   // the broker that FindCoordinator names
	Assigned    [][]wire.TopicPartition // by member, in the order of Members
	Offsets     []wire.FetchedOffset    // that are committed, by topic and partition

	Ends map[wire.TopicPartition]int64 // where the logs of all these partitions end; nil where no topic holds records
}

// Describe runs s up to an instant, all events of that instant included, and describes the groups of its
// fleets and all others that there are then, by name. Like Run it is a pure function of s, and records to sink.
func Describe(ctx context.Context, s *scenario.Scenario, at clock.Time, sink trace.Sink) (groups []Description, r Result, err error) {
	w := newWorld(s, sink)
	w.end = at
	defer func() {
		if bug := recover(); bug != nil {
			err = fmt.Errorf("at %v [seed %d]: %v", w.now(), s.Seed, bug)
		}
	}()
	r = w.run(ctx)
	for _, name := range w.groupNames() {
		groups = append(groups, w.describe(name))
	}
	return groups, r, nil
}

func (w *world) groupNames() []string {
	var names []string
	for i := range w.scenario.Fleets {
		names = append(names, w.scenario.Fleets[i].Plan.Group)
	}
	for _, p := range w.cluster.partitions {
		if p.serving == nil {
			continue
		}
		if body, ok := w.ask(p, wire.Request{API: wire.ListGroups, Body: &wire.ListGroupsRequest{}}).(*wire.ListGroupsResponse); ok {
			for _, g := range body.Groups {
				names = append(names, g.Group)
			}
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}

func (w *world) describe(group string) Description {
	p := w.partitionOf(group)
	d := Description{DescribedGroup: wire.DescribedGroup{Group: group}, Coordinator: p.leader}
	if p.serving == nil {
		return d
	}
	shown, ok := w.ask(p, wire.Request{
		API: wire.DescribeGroups, Version: adminDescribeVersion, Group: group, Body: &wire.DescribeGroupsRequest{Groups: []string{group}},
	}).(*wire.DescribeGroupsResponse)
	if !ok || len(shown.Groups) == 0 {
		return d
	}
	d.DescribedGroup = shown.Groups[0]
	for _, m := range d.Members {
		partitions, _, err := assignors.DecodeAssignment(m.Assignment)
		if err != nil {
			partitions = nil // nothing is assigned yet
		}
		d.Assigned = append(d.Assigned, partitions)
	}
	if d.State == wire.Dead {
		return d
	}
	request := wire.Request{API: wire.OffsetFetch, Group: group, Generation: wire.NoGeneration, Body: &wire.OffsetFetchRequest{All: true}}
	if fetched, ok := w.ask(p, request).(*wire.OffsetFetchResponse); ok {
		d.Offsets = slices.SortedFunc(slices.Values(fetched.Offsets), func(a, b wire.FetchedOffset) int {
			return cmp.Or(cmp.Compare(a.Topic, b.Topic), cmp.Compare(a.Partition, b.Partition))
		})
	}
	d.Ends = w.logEnds(&d)
	return d
}

func (w *world) logEnds(d *Description) map[wire.TopicPartition]int64 {
	if w.records.logs == nil {
		return nil
	}
	ends := map[wire.TopicPartition]int64{}
	for _, partitions := range d.Assigned {
		for _, tp := range partitions {
			ends[tp] = w.records.logs.End(tp, w.now())
		}
	}
	for _, o := range d.Offsets {
		ends[o.TopicPartition] = w.records.logs.End(o.TopicPartition, w.now())
	}
	return ends
}

// ask puts a question to the coordinator that is answered at once. It returns the body of the answer.
func (w *world) ask(p *partition, r wire.Request) any {
	r.Ticket = 1
	for _, e := range p.serving.Handle(w.now(), &r) {
		if e.Response.Ticket == r.Ticket && e.Response.Err == wire.None {
			return e.Response.Body
		}
	}
	return nil
}
