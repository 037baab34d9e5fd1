package reproduce

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"simulate/incident"
	"simulate/incident/logs"
	"simulate/sim/scenario"
)

// mostEvents is how many events of one group are kept: nobody would read a scenario of more, and a comparison takes their square.
const mostEvents = 2_000

// mostTime is how long the log of a group may be: longer runs take too long to be made hundreds of times.
const mostTime = 7 * 24 * time.Hour

// Log is what logs say.
type Log struct {
	Analysis *incident.Analysis
	events   map[string][]logs.Event // by group; "" has what is about brokers
	cut      map[string]bool         // groups of which there is more than was kept
}

// Read reads a source to its end. What it read is returned beside an error.
func Read(ctx context.Context, source incident.Source) (*Log, error) {
	l := newLog()
	analysis, err := incident.Analyze(ctx, keeper{source, l}, incident.Options{})
	l.Analysis = analysis
	return l, err
}

func newLog() *Log { return &Log{events: map[string][]logs.Event{}, cut: map[string]bool{}} }

// eventsOf returns the events of one group, and nothing of what they come to.
func eventsOf(ctx context.Context, source incident.Source, group string) ([]logs.Event, error) {
	l := newLog()
	err := source.Each(ctx, func(e *logs.Event) error {
		l.keep(e)
		return nil
	})
	return l.events[group], err
}

// keeper hands events on, and keeps them.
type keeper struct {
	incident.Source
	log *Log
}

func (k keeper) Each(ctx context.Context, each func(*logs.Event) error) error {
	return k.Source.Each(ctx, func(e *logs.Event) error {
		k.log.keep(e)
		return each(e)
	})
}

// keep copies an event that a story is told from.
func (l *Log) keep(e *logs.Event) {
	if e.At == logs.NoTime || e.Kind >= logs.CoordinatorFound || e.Group == "" && e.Kind < logs.Elected {
		return
	}
	if len(l.events[e.Group]) >= mostEvents {
		l.cut[e.Group] = true
		return
	}
	c := *e
	c.List, c.Partitions = slices.Clone(e.List), nil
	if e.Details != nil {
		details := *e.Details
		details.Protocols = slices.Clone(details.Protocols)
		c.Details = &details
	}
	l.events[e.Group] = append(l.events[e.Group], c)
}

// group returns the group of that name, or the only one. The error says what to do when there is none, or several.
func (l *Log) group(name string) (*incident.Group, error) {
	groups := l.Analysis.Groups
	switch {
	case name != "":
		i := slices.IndexFunc(groups, func(g incident.Group) bool { return g.Name == name })
		if i < 0 {
			return nil, fmt.Errorf("--group %s: the logs know no such group%s", scenario.Brief(name), among(groups))
		}
		return l.usable(&groups[i])
	case len(groups) == 0:
		return nil, errors.New(`the logs say nothing of a consumer group; "simulate analyze --show-unparsed" tells what was read`)
	case len(groups) > 1:
		return nil, fmt.Errorf("the logs are of %d groups; choose one with --group%s", len(groups), among(groups))
	}
	return l.usable(&groups[0])
}

// mostNamed is how many groups an error names.
const mostNamed = 10

func among(groups []incident.Group) string {
	var names []string
	for _, g := range groups {
		names = append(names, fmt.Sprintf("%s (rebalances: %d)", scenario.Brief(g.Name), g.Count))
	}
	if n := len(names) - mostNamed; n > 0 {
		names = append(names[:mostNamed], fmt.Sprintf("%d more", n))
	}
	if len(names) == 0 {
		return ""
	}
	return ": " + strings.Join(names, ", ")
}

// usable says what a group lacks for a scenario.
func (l *Log) usable(g *incident.Group) (*incident.Group, error) {
	name := scenario.Brief(g.Name)
	switch {
	case g.Consumer:
		return nil, fmt.Errorf("group %s is of the consumer protocol (KIP-848), which is not simulated", name)
	case g.From == logs.NoTime:
		return nil, fmt.Errorf("group %s: no line has a time stamp, and a scenario needs instants", name)
	case l.cut[g.Name]:
		return nil, fmt.Errorf("group %s: the logs have more than %d events of it; take the end with --since, or a part of the log", name, mostEvents)
	case g.To.Sub(g.From) > mostTime || g.To.Sub(g.From) < 0:
		return nil, fmt.Errorf("group %s: the logs of it are of more than %d days; take the end with --since, or a part of the log", name, mostTime/(24*time.Hour))
	case g.Count == 0:
		return nil, fmt.Errorf("group %s: the logs show no rebalance with a generation; what is missing is a broker's log at INFO, or clients' logs "+
			"that tell of joins and their generations", name)
	}
	return g, nil
}

// of returns the events of a group and of the brokers that may have coordinated it, in order.
func (l *Log) of(g *incident.Group) []logs.Event {
	if g.ClientView {
		return imagined(g)
	}
	all := slices.Clone(l.events[g.Name])
	first := all[0].At
	for _, e := range l.events[""] {
		if e.At >= first {
			all = append(all, e)
		}
	}
	slices.SortStableFunc(all, func(a, b logs.Event) int { return int(a.At.Sub(b.At)) })
	return all
}
