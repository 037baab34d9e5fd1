package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"time"
	_ "time/tzdata" // zones have names everywhere, whatever the system has

	"github.com/spf13/cobra"

	"simulate/incident/logs"
	"simulate/sim/scenario"
)

// logInput is which logs are read, and what of them.
type logInput struct {
	groups []string
	since  string
	zone   string
	follow bool
}

func (in *logInput) flags(c *cobra.Command) {
	c.Flags().StringArrayVar(&in.groups, "group", nil, "`GROUP` to look at, a name or a pattern such as 'orders-*'; may be\nrepeated")
	c.Flags().StringVar(&in.since, "since", "", "`TIME` before which nothing counts: an instant such as\n\"2026-03-04 09:15\", or a duration before the end such as 30m")
	c.Flags().StringVar(&in.zone, "tz", "", "`ZONE` of stamps that name none, such as Europe/Berlin, and in which\ninstants are shown")
}

// paths are the logs that the arguments name; without one, standard input when something is piped into it.
func (in *logInput) paths(t *terminal, c *cobra.Command, args []string) ([]string, error) {
	if len(args) > 0 {
		return args, nil
	}
	if file, ok := t.stdin.(*os.File); ok && isTerminal(file) {
		return nil, wrongUse(c, "name a log: a file, a directory, a pattern such as 'server.log*', or - for standard input")
	}
	return []string{logs.Stdin}, nil
}

// open opens logs as the flags have it. What was read of standard input is kept for quoting, up to a bound.
func (in *logInput) open(ctx context.Context, t *terminal, paths []string) (*logs.Reader, *heard, error) {
	o, before, err := in.options()
	if err != nil {
		return nil, nil, err
	}
	stdin := &heard{source: t.stdin}
	if before > 0 {
		if o.Since, err = in.beforeEnd(ctx, paths, o, before); err != nil {
			return nil, nil, err
		}
	}
	r, err := logs.Open(paths, stdin, o)
	return r, stdin, err
}

// options reads the flags. A duration in --since is returned apart.
func (in *logInput) options() (o logs.Options, before time.Duration, err error) {
	o = logs.Options{Groups: in.groups, Follow: in.follow}
	var wrong []error
	for _, pattern := range in.groups {
		if err := logs.CheckPattern(pattern); err != nil {
			wrong = append(wrong, fmt.Errorf("--group %s: %w", scenario.Brief(pattern), err))
		}
	}
	if in.zone != "" {
		if o.Location, err = time.LoadLocation(in.zone); err != nil {
			wrong = append(wrong, fmt.Errorf("--tz %s: no such zone; write one such as UTC, Local or Europe/Berlin", scenario.Brief(in.zone)))
		}
	}
	if in.since == "" {
		return o, 0, errors.Join(wrong...)
	}
	if before, err = scenario.ParseDuration(in.since); err == nil {
		return o, before, errors.Join(wrong...)
	}
	if o.Since, err = sinceInstant(in.since, o.Location); err != nil {
		wrong = append(wrong, err)
	}
	return o, 0, errors.Join(wrong...)
}

// sinceLayouts are how an instant may be written.
var sinceLayouts = []string{
	time.RFC3339Nano, "2006-01-02T15:04:05.999999999", "2006-01-02 15:04:05.999999999", "2006-01-02 15:04:05,999", "2006-01-02T15:04", "2006-01-02 15:04", time.DateOnly,
}

// sinceInstant reads an instant in --since, on the clock that logs without a zone have unless it names another one.
func sinceInstant(text string, location *time.Location) (logs.Instant, error) {
	if location == nil {
		location = time.UTC
	}
	for _, layout := range sinceLayouts {
		if at, err := time.ParseInLocation(layout, text, location); err == nil {
			return logs.Instant(at.UnixNano()), nil
		}
	}
	return 0, fmt.Errorf(`--since %s: neither an instant nor a duration; write one such as "2026-03-04 09:15" or 30m`, scenario.Brief(text))
}

// beforeEnd returns the instant that is so long before the last record. It reads the logs for that.
func (in *logInput) beforeEnd(ctx context.Context, paths []string, o logs.Options, before time.Duration) (logs.Instant, error) {
	for _, path := range paths {
		if path == logs.Stdin || in.follow {
			return 0, fmt.Errorf(`--since %s: the end is not known yet; write an instant such as "2026-03-04 09:15"`, in.since)
		}
	}
	r, err := logs.Open(paths, nil, o)
	if err != nil {
		return 0, err
	}
	last := logs.NoTime
	err = r.Each(ctx, func(e *logs.Event) error {
		last = max(last, e.At)
		return nil
	})
	if last == logs.NoTime || ctx.Err() != nil {
		return 0, err
	}
	return last.Add(-before), err
}

// mostHeard is how much of standard input is kept.
const mostHeard = 16 << 20

// heard passes a stream on and keeps its beginning.
type heard struct {
	source io.Reader
	kept   []byte
}

func (h *heard) Read(b []byte) (int, error) {
	n, err := h.source.Read(b)
	h.kept = append(h.kept, b[:min(n, mostHeard-len(h.kept))]...)
	return n, err
}
