package conformance

import (
	"fmt"

	"slices"

	"simulate/sim/clock"
	"simulate/sim/coordinator"
	"simulate/sim/wire"
)

// input carries out an op that is no request.
func (h *host) input(now clock.Time, op *Op, s *segment) error {
	switch op.Op {
	case "load":
		return h.load(now, op, s)
	case "load-finish":
		h.do(now, h.shard.EndLoad(now), s)
	case "unload":
		h.unload(now, op, s)
	case "restart":
		cfg, err := config(op.Configs)
		if err != nil {
			return err
		}
		h.start(now, cfg)
	case "metadata":
		h.metadata(now, op, s)
	case "hold":
		h.holdWrite = true
	case "hold-commit":
		h.holdCommit = true
	case "append-ok":
		h.holdWrite = false
		h.flush(now, s)
	case "append-fail":
		h.holdWrite = false
		err, _ := wire.ParseErr(op.Error)
		h.refuse(now, err, s)
	case "commit-ok":
		h.holdCommit = false
		h.commit(now, s)
	case "advance":
	default:
		return fmt.Errorf("no op is called %q", op.Op)
	}
	return nil
}

func (h *host) load(now clock.Time, op *Op, s *segment) error {
	if !h.term.Elected(*op.Epoch) {
		return nil
	}
	records, err := h.records()
	if err != nil {
		return err
	}
	h.shard.BeginLoad(now, records)
	s.lines = h.take()
	if !op.Hold {
		h.do(now, h.shard.EndLoad(now), s)
	}
	return nil
}

func (h *host) unload(now clock.Time, op *Op, s *segment) {
	epoch := int32(0)
	if op.Epoch != nil {
		epoch = *op.Epoch
	}
	if !h.term.Resigned(epoch, op.Epoch != nil) {
		return
	}
	h.timers = slices.DeleteFunc(h.timers, func(t armed) bool { return t.key.Left == 0 })
	h.do(now, h.shard.Unload(now), s)
	h.log.resign()
}

// metadata takes the news about topics. Only their deletion concerns the coordinator.
func (h *host) metadata(now clock.Time, op *Op, s *segment) {
	var topics []coordinator.Topic
	for _, name := range op.Delete {
		topics = append(topics, coordinator.Topic{Name: name})
	}
	if len(topics) > 0 {
		h.do(now, h.shard.DeleteTopics(now, topics), s)
	}
}
