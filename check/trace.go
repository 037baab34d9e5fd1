package check

import (
	"simulate/sim/scenario"
	"simulate/sim/trace"
)

// TraceHeader is what the trace of a scenario begins with. It holds what metrics need beside the events.
func TraceHeader(s *scenario.Scenario) trace.Header {
	h := trace.Header{
		Scenario: s.Name, Seed: uint64(s.Seed), Duration: s.Duration, Kafka: s.Broker.Kafka, StuckAfter: s.StuckAfter,
	}
	for _, t := range s.Topics {
		h.Topics = append(h.Topics, trace.Topic{
			Name: t.Name, Partitions: t.Partitions, Records: t.Rate.Records, Per: t.Rate.Per, Backlog: t.Backlog,
		})
	}
	for _, f := range s.MetricsOptions().Fleets {
		h.Fleets = append(h.Fleets, trace.Fleet(f))
	}
	return h
}
