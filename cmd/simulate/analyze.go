package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/spf13/cobra"

	"simulate/check"
	"simulate/incident"
	"simulate/incident/logs"
	"simulate/reports"
	"simulate/sim/scenario"
)

// analyzeFlags are the flags of analyze.
type analyzeFlags struct {
	logInput
	format       string
	out          string
	stuckAfter   string
	anomalies    []string
	showUnparsed bool
}

func newAnalyze(t *terminal) *cobra.Command {
	var f analyzeFlags
	c := &cobra.Command{
		Use:   "analyze [LOG...]",
		Short: "Say from logs what happened to consumer groups, and why",
		Long: `Analyze reads what brokers and clients logged and says of each consumer group in
which state it was and for how long, why it rebalanced, who was evicted, what
was stuck and by whom, and which causes are likely, each with the lines that say
so. What no line tells is unknown, and is called so.

LOG is a file, compressed or not, a directory, a pattern such as 'server.log*',
or - for standard input. Brokers from 0.10 to 4.x and clients of Java,
librdkafka, franz-go, sarama, kafkajs and others are understood, in any layout
and mixed; docs/logs.md has the details.

` + thresholdsHelp(),
		Example: `  simulate analyze /var/log/kafka/server.log*
  kubectl logs kafka-0 | simulate analyze --group orders
  simulate analyze server.log app.log --since 30m --format html > page.html
  simulate analyze server.log --follow`,
		Args: cobra.ArbitraryArgs,
		RunE: func(c *cobra.Command, args []string) error {
			paths, err := f.paths(t, c, args)
			if err != nil {
				return err
			}
			return analyze(t, paths, &f)
		},
	}
	f.logInput.flags(c)
	c.Flags().BoolVar(&f.follow, "follow", false, "go on reading as the logs grow and print what changes; an interrupt\nends it with the report")
	c.Flags().StringVar(&f.format, "format", "text", "`FORM` of the report: text, html, or json (see \"simulate schema\nanalysis\")")
	c.Flags().StringVarP(&f.out, "output", "o", "", "`FILE` to write the report to")
	c.Flags().StringVar(&f.stuckAfter, "stuck-after", "30s", "`DURATION` beyond which a stay in PreparingRebalance or\nCompletingRebalance is stuck")
	c.Flags().BoolVar(&f.showUnparsed, "show-unparsed", false, "list lines that may be about groups and were not understood")
	anomalyFlag(c, &f.anomalies)
	return c
}

// analysisFormats are the forms of the report.
var analysisFormats = map[string]func(io.Writer, reports.Analysis, reports.TextOptions) error{
	"text": reports.AnalysisText,
	"json": plain(reports.AnalysisJSON),
	"html": plain(reports.AnalysisHTML),
}

func analyze(t *terminal, paths []string, f *analyzeFlags) error {
	o, err := f.options()
	if err != nil {
		return err
	}
	out, err := startRecord("--output", f.out)
	if err != nil {
		return err
	}
	defer out.discard()
	ctx, stop := interruptible(context.Background())
	defer stop()
	reader, stdin, err := f.open(ctx, t, paths)
	if ctx.Err() != nil {
		return ended(check.Interrupted)
	}
	if err != nil {
		return err
	}
	fold := incident.NewFold(o)
	if err := f.read(ctx, t, reader, fold); err != nil && ctx.Err() == nil {
		return err
	}
	a := f.report(reader, fold, stdin)
	a.StuckAfter, a.Thresholds, a.Cut = o.StuckAfter, o.Thresholds, ctx.Err() != nil
	if err := f.write(t, &out, a); err != nil {
		return err
	}
	if a.Cut {
		return ended(check.Interrupted)
	}
	return nil
}

// options reads the flags that say what counts.
func (f *analyzeFlags) options() (incident.Options, error) {
	thresholds, wrong := thresholdsOf(f.anomalies)
	o := incident.Options{Thresholds: thresholds, Groups: f.groups}
	if analysisFormats[f.format] == nil {
		wrong = errors.Join(wrong, fmt.Errorf("--format %s: no such form; write text, json or html", scenario.Brief(f.format)))
	}
	var err error
	if o.StuckAfter, err = scenario.ParseDuration(f.stuckAfter); err != nil {
		wrong = errors.Join(wrong, fmt.Errorf("--stuck-after: %w", err))
	} else if o.StuckAfter <= 0 {
		wrong = errors.Join(wrong, fmt.Errorf("--stuck-after %s: write a longer duration, such as 30s", f.stuckAfter))
	}
	return o, wrong
}

// progressEvery is after how many records the user hears how far it is.
const progressEvery = 1 << 16

// read takes in all records. With --follow, what each changes is printed as it comes.
func (f *analyzeFlags) read(ctx context.Context, t *terminal, r *logs.Reader, fold *incident.Fold) error {
	defer t.noProgress()
	location, n := f.location(), 0
	changes := t.stdout
	if f.format != "text" && f.out == "" {
		changes = t.stderr // what is for programs or a browser stays whole
	}
	return r.Each(ctx, func(e *logs.Event) error {
		fold.Add(e)
		if n++; n%progressEvery == 0 {
			t.progress("read %d records, of %d lines", n, lines(r))
		}
		if !f.follow {
			return nil
		}
		return reports.FollowEvent(changes, e, location)
	})
}

// location is that of --tz, which is in order; nil without it.
func (f *analyzeFlags) location() *time.Location {
	if f.zone == "" {
		return nil
	}
	location, _ := time.LoadLocation(f.zone)
	return location
}

func lines(r *logs.Reader) (sum int64) {
	for _, s := range r.Sources {
		sum += s.Lines
	}
	return sum
}

// report puts together what was read, with the lines that it names.
func (f *analyzeFlags) report(r *logs.Reader, fold *incident.Fold, stdin *heard) reports.Analysis {
	fold.Read(r)
	a := reports.Analysis{Analysis: fold.Analysis(), Sources: r.Sources, Location: f.location()}
	if f.showUnparsed {
		a.Unparsed = r.Unparsed.Lines
	}
	if !f.follow { // a file may be another one by now
		a.Quotes = r.Quote(a.Places(f.format != "text"), bytes.NewReader(stdin.kept))
	}
	return a
}

// write writes the report to where it belongs.
func (f *analyzeFlags) write(t *terminal, out *output, a reports.Analysis) error {
	write := analysisFormats[f.format]
	if f.out == "" {
		return write(t.stdout, a, reports.TextOptions{Color: t.color()})
	}
	if err := write(out.buffer, a, reports.TextOptions{}); err != nil {
		return out.wrong(err)
	}
	return out.keep()
}
