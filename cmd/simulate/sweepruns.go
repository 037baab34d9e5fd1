package main

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"runtime"
	"strings"
	"time"

	"github.com/schollz/progressbar/v3"

	"simulate/tuning"
)

// runsExtension ends the names of files of runs.
const runsExtension = ".runs.jsonl"

// part returns the shard that is wanted: that of --shard, or of the scheduler that runs this.
func (f *sweepFlags) part() (tuning.Shard, error) {
	switch f.shard {
	case "none":
		return tuning.Shard{}, nil
	case "":
		s, _, err := tuning.FromEnvironment(os.Getenv)
		return s, err
	}
	s, err := tuning.ParseShard(f.shard)
	if err != nil {
		return s, fmt.Errorf("--shard %s: %w", f.shard, err)
	}
	return s, nil
}

// open opens the file that keeps the runs, if there is to be one, and tells what part of them this is.
func (f *sweepFlags) open(t *terminal, s *tuning.Sweep) (*tuning.Store, error) {
	if f.state == "" && s.Shard.Of > 0 {
		f.state = fmt.Sprintf("%s-%d-of-%d%s", fileName(s.Plan.Scenario), s.Shard.Number, s.Shard.Of, runsExtension)
	}
	if f.state == "" {
		return nil, nil
	}
	if err := noScenario("--state", f.state); err != nil {
		return nil, err
	}
	store, err := s.Open(f.state)
	if err != nil {
		o := output{flag: "--state", path: f.state}
		return nil, o.wrong(err)
	}
	done, planned := s.Progress()
	if s.Shard.Of > 0 && !t.quiet {
		from := ""
		if _, variable, _ := tuning.FromEnvironment(os.Getenv); f.shard == "" {
			from = " (" + variable + ")"
		}
		fmt.Fprintf(t.stderr, "shard %v%s: %d runs, kept in %s\n", s.Shard, from, planned, f.state)
	}
	if done > 0 && !t.quiet {
		fmt.Fprintf(t.stderr, "%s has %d of them already\n", f.state, done)
	}
	return store, nil
}

// fileName makes a name for a file of a text that anybody wrote.
func fileName(text string) string {
	plain := func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '_' {
			return r
		}
		return ' '
	}
	return cmp.Or(strings.Join(strings.Fields(strings.Map(plain, text)), "-"), "sweep")
}

// runSweep does the runs that there are not yet and keeps them, and tells on a terminal how far it is.
func runSweep(ctx context.Context, t *terminal, s *tuning.Sweep, parallel int, store *tuning.Store) error {
	defer headroom()()
	bar := t.bar(s.Progress())
	defer bar.Finish()
	return s.Run(ctx, parallel, func(r tuning.Run) error {
		bar.Add(1)
		return store.Add(r)
	})
}

// headroom makes the heap larger until release is called, by memory that nobody touches and that therefore takes none.
// Garbage is collected when the heap has doubled; that of small runs is a few MB, and many of them would spend a tenth of
// their time on it.
func headroom() (release func()) {
	untouched := make([]byte, 64<<20)
	return func() { runtime.KeepAlive(untouched) }
}

// bar shows how many of the runs that were left are done, how fast they come and how long the others will take; only a
// terminal shows it.
func (t *terminal) bar(done, planned int) *progressbar.ProgressBar {
	return progressbar.NewOptions(planned-done,
		progressbar.OptionSetWriter(t.stderr),
		progressbar.OptionSetVisibility(t.live && !t.quiet),
		progressbar.OptionShowCount(),
		progressbar.OptionShowIts(),
		progressbar.OptionSetItsString("runs"),
		progressbar.OptionSetPredictTime(true),
		progressbar.OptionSetWidth(20),
		progressbar.OptionThrottle(100*time.Millisecond),
		progressbar.OptionClearOnFinish(),
	)
}
