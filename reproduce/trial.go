package reproduce

import (
	"bytes"
	"context"
	"slices"

	"simulate/incident/logs"
	"simulate/reports"
	"simulate/sim"
	"simulate/sim/scenario"
	"simulate/sim/trace"
)

// trial is a draft that was run.
type trial struct {
	draft *draft
	*comparison
	text   []byte
	events []logs.Event
}

// try runs a draft and compares what the broker would have logged with the story.
func (d *draft) try(ctx context.Context) (*trial, error) {
	t := &trial{draft: d, text: d.text()}
	s, _, err := scenario.Load("reproduced.toml", t.text)
	if err != nil {
		return nil, err
	}
	var all trace.Memory
	if _, err := sim.RunWith(ctx, s, &all, sim.Options{}); err != nil {
		return nil, err
	}
	var log bytes.Buffer
	if err := reports.BrokerLog(&log, reports.Report{Events: all.Events}); err != nil {
		return nil, err
	}
	reader, err := logs.Open([]string{logs.Stdin}, &log, logs.Options{Groups: []string{d.group()}})
	if err != nil {
		return nil, err
	}
	if t.events, err = eventsOf(ctx, reader, d.group()); err != nil {
		return nil, err
	}
	from := logs.Instant(reports.Epoch.UnixNano()).Add(d.warmUp)
	t.comparison = compare(d.story.logged(), d.story.moments(t.events, from), d.story.length)
	return t, nil
}

// kinds are those that are compared. Brokers that print reasons print also whose session ended: where they name nobody, nobody's
// did.
func (s *story) kinds() []logs.Kind {
	all := slices.Clone(changes)
	if s.vague {
		return all
	}
	for _, k := range details {
		if k == logs.MemberFailed && s.reasons || slices.ContainsFunc(s.events, func(e logs.Event) bool { return e.Kind == k }) {
			all = append(all, k)
		}
	}
	return all
}
