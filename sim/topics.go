package sim

import (
	"maps"

	"simulate/sim/assignors"
	"simulate/sim/coordinator"
	"simulate/sim/scenario"
	"simulate/sim/trace"
	"simulate/sim/wire"
)

// changesTopics reports whether an event changes the topics of the cluster.
func changesTopics(e *scenario.Event) bool {
	return e.Do == scenario.Partitions || e.Do == scenario.CreateTopic || e.Do == scenario.DeleteTopic
}

// changeTopic changes the cluster's metadata, at this instant and on every broker. Consumers learn of it by
// their own refreshes.
func (w *world) changeTopic(f *fault) {
	e, now := f.event, w.now()
	began := trace.Event{At: now, Kind: trace.FaultBegan, Text: string(e.Do), Until: now, Partitions: []wire.TopicPartition{{Topic: e.Topic}}}
	w.Record(began)
	if err := w.refusesTopic(e); err != wire.None {
		w.warn("%s %s was refused: %v", e.Do, e.Topic, err)
		return
	}
	w.Record(trace.Event{At: now, Kind: trace.TopicChanged, Partitions: began.Partitions, Members: int32(e.Count)})
	topics := maps.Clone(w.topics) // processes keep the old one until they refresh
	if e.Do == scenario.DeleteTopic {
		delete(topics, e.Topic)
	} else {
		topics[e.Topic] = assignors.Topic{Partitions: e.Count}
	}
	w.topics = topics
	w.changeRecords(e)
	if e.Do == scenario.DeleteTopic {
		w.deleteOffsets(e.Topic)
	}
	for _, fl := range w.fleets {
		for _, a := range fl.members {
			if a.process != nil {
				a.process.TopicsChanged(now, topics)
				w.wake(a)
			}
		}
	}
}

// refusesTopic returns the error with which the controller refuses the change.
// Kafka: ReplicationControlManager.
func (w *world) refusesTopic(e *scenario.Event) wire.Err {
	topic, exists := w.topics[e.Topic]
	switch {
	case e.Do == scenario.CreateTopic && exists:
		return wire.TopicAlreadyExists
	case e.Do != scenario.CreateTopic && !exists:
		return wire.UnknownTopicOrPartition
	case e.Do == scenario.Partitions && e.Count <= topic.Partitions:
		return wire.InvalidPartitions
	}
	return wire.None
}

// deleteOffsets removes the offsets of a topic, on every broker that coordinates groups now.
func (w *world) deleteOffsets(topic string) {
	w.topicsDeleted = true
	for _, p := range w.cluster.partitions {
		if s := p.serving; s != nil {
			w.apply(s, s.DeleteTopics(w.now(), []coordinator.Topic{{Name: topic}}))
		}
	}
}

// refuseMissing takes out of a commit what it says of partitions that do not exist, before the coordinator sees it.
// It reports whether nothing is left. Kafka: KafkaApis.handleOffsetCommitRequest.
func (w *world) refuseMissing(c *connection, r *wire.Request) bool {
	if r.API != wire.OffsetCommit || !w.topicsDeleted {
		return false
	}
	body := r.Body.(*wire.OffsetCommitRequest)
	kept := &wire.OffsetCommitRequest{RetentionTimeMs: body.RetentionTimeMs}
	for _, o := range body.Offsets {
		if int(o.Partition) < w.topics[o.Topic].Partitions {
			kept.Offsets = append(kept.Offsets, o)
		} else {
			c.refused = append(c.refused, wire.PartitionError{TopicPartition: o.TopicPartition, Err: wire.UnknownTopicOrPartition})
		}
	}
	r.Body = kept
	return len(c.refused) > 0 && len(kept.Offsets) == 0
}

// addRefused completes the answer to a commit with what was taken out of it.
func (c *connection) addRefused(r *wire.Response) {
	if len(c.refused) == 0 {
		return
	}
	all := &wire.OffsetCommitResponse{Partitions: c.refused}
	if body, ok := r.Body.(*wire.OffsetCommitResponse); ok {
		all.Partitions = append(all.Partitions, body.Partitions...)
	}
	r.Body, c.refused = all, nil
}
