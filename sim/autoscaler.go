package sim

import (
	"slices"

	"simulate/sim/clock"
	"simulate/sim/scenario"
	"simulate/sim/trace"
	"simulate/sim/wire"
)

// scaler is the autoscaler of a fleet at work.
// Kubernetes: HorizontalController in pkg/controller/podautoscaler.
type scaler struct {
	*scenario.Autoscaler
	demand  signal
	advised []advice // within the stabilization window, in order of time
}

// signal tells how much work there is, in percent of what one member does; false while nobody knows.
type signal func() (percent int, ok bool)

// advice is how many members there should be by one look at the demand.
type advice struct {
	at      clock.Time
	members int
}

// What a scaler may add in one look. Kubernetes: the default policies of scaleUp, for periods of 15 s.
const (
	mostAdded  = 4
	mostGrowth = 2 // times as many
)

// startScaler begins to look after the size of a fleet at some instant of the first period.
func (w *world) startScaler(f *fleet) {
	if f.Autoscaler == nil {
		return
	}
	f.scaler = &scaler{Autoscaler: f.Autoscaler, demand: w.stepsOf(f)}
	if f.Autoscaler.Lag > 0 {
		f.scaler.demand = w.lagOf(f, w.scenario.MetricsOptions().Fleets[len(w.fleets)-1].Topics)
	}
	first := w.stream("autoscaler/"+f.Name, "sync").Between(0, f.Autoscaler.Sync)
	w.queue.Schedule(w.now().Add(first), event{kind: scalerDue, to: f})
}

// stepsOf is the demand that the scenario says a fleet has: before its first step, that for which it starts.
func (w *world) stepsOf(f *fleet) signal {
	return func() (int, bool) {
		demand := 100 * f.Count
		for _, step := range f.Autoscaler.Demand {
			if clock.At(step.At) <= w.now() {
				demand = step.Percent
			}
		}
		return demand, true
	}
}

// lagOf is the demand by how far a fleet's group is behind: what was committed against what the topics hold. More
// members than partitions would be idle. Nobody knows while the group has no coordinator.
// KEDA: the Apache Kafka scaler, with allowIdleConsumers = false and an offsetResetPolicy like auto.offset.reset.
func (w *world) lagOf(f *fleet, topics []string) signal {
	read := w.records.of(f.plan.Group)
	return func() (int, bool) {
		if read == nil || w.shardOf(f.plan.Group) == nil {
			return 0, false
		}
		lag, partitions := int64(0), 0
		for _, name := range topics {
			partitions += w.topics[name].Partitions
			for p := range w.topics[name].Partitions {
				tp := wire.TopicPartition{Topic: name, Partition: int32(p)}
				end := read.End(tp, w.now())
				committed, ok := read.Committed(tp)
				switch {
				case ok:
					lag += max(0, end-committed)
				case f.plan.Config.AutoOffsetReset == "earliest":
					lag += end
				}
			}
		}
		return int(min(100*lag/int64(f.Autoscaler.Lag), int64(100*partitions))), true
	}
}

// autoscale gives a fleet the size that the demand asks for. In a rollout it waits: pods that are replaced count double.
func (w *world) autoscale(f *fleet) {
	w.queue.Schedule(w.now().Add(f.scaler.Sync), event{kind: scalerDue, to: f})
	current := len(f.living())
	if current == 0 || f.rollout != nil {
		return // Kubernetes leaves a workload of size 0 alone
	}
	demand, known := f.scaler.demand()
	if !known {
		return
	}
	if to := f.scaler.size(w.now(), demand, current); to != current {
		w.resize(f, current, to)
	}
}

// size returns how many members there are to be when there are so many now.
func (s *scaler) size(now clock.Time, demand, current int) int {
	to := current
	if off := 100 * (demand - 100*current); off > s.Tolerance*100*current || off < -s.Tolerance*100*current {
		to = (demand + 99) / 100
	}
	s.advised = slices.DeleteFunc(s.advised, func(a advice) bool { return now.Sub(a.at) >= s.Stabilization })
	s.advised = append(s.advised, advice{now, to})
	if to < current { // the most that was asked for lately
		for _, a := range s.advised {
			to = max(to, a.members)
		}
		to = min(to, current)
	}
	return min(max(min(to, max(mostGrowth*current, current+mostAdded)), s.Min), s.Max)
}

// resize starts members, those with the lowest numbers first, or stops those with the highest.
func (w *world) resize(f *fleet, current, to int) {
	by := f.source(scenario.OfAutoscaler)
	w.cause = by.number
	w.Record(trace.Event{
		At: w.now(), Kind: trace.FaultBegan, Who: f.Name, Group: f.Plan.Group, Text: string(scenario.Scale), Until: w.now(), Operation: by.name,
	})
	for range to - current {
		w.createPod(f, comeback{cause: by.number})
	}
	living := f.living()
	for n := len(living); n > to; n-- {
		w.deletePod(living[n-1])
	}
}
