package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"simulate/check"
	"simulate/incident/logs"
	"simulate/reports"
	"simulate/reproduce"
	"simulate/sim/scenario"
)

// reproduceFlags are the flags of reproduce.
type reproduceFlags struct {
	logInput
	client string
	sets   []string
	budget string
	format string
	out    string
}

func newReproduce(t *terminal) *cobra.Command {
	var f reproduceFlags
	c := &cobra.Command{
		Use:   "reproduce [LOG...]",
		Short: "Make a scenario of what logs say, whose run says the same",
		Long: `Reproduce reads what brokers logged about a consumer group and writes a scenario
in which the same happens: as many members, with the ids that they had; settings
that fit the times, each with a comment that says how sure it is; and what must
have happened to them, placed to the millisecond. It runs the scenario, reads
the log of its broker as it read yours, compares, and changes what differs as
long as that helps. How well the run repeats the log is reported.

The scenario goes to standard output and the report to standard error; with
--output the scenario goes to a file and the report to standard output. An
interrupt keeps the best scenario so far, which says so.

LOG is what "simulate analyze" takes. Of clients' logs alone only what the
clients saw can be repeated; that is said, too.`,
		Example: `  simulate reproduce server.log -o incident.toml
  simulate reproduce logs/ --group orders --set session.timeout.ms=30000
  simulate explain incident.toml --ablate`,
		Args: cobra.ArbitraryArgs,
		RunE: func(c *cobra.Command, args []string) error {
			paths, err := f.paths(t, c, args)
			if err != nil {
				return err
			}
			return f.reproduce(t, paths)
		},
	}
	f.logInput.flags(c)
	flags := c.Flags()
	flags.StringVar(&f.client, "client", "", "`NAME` of the client library of all members: see \"simulate clients\"")
	flags.StringArrayVar(&f.sets, "set", nil, "`KEY=VALUE` that is known, such as session.timeout.ms=30000; may be\nrepeated")
	flags.StringVar(&f.budget, "budget", "", fmt.Sprintf("`NUMBER` of runs in all (default %d)", reproduce.DefaultBudget))
	flags.StringVar(&f.format, "format", "text", "`FORM` of the report: text, or json (see \"simulate schema\nreproduction\")")
	flags.StringVarP(&f.out, "output", "o", "", "`FILE` to write the scenario to")
	return c
}

// reproductionFormats are the forms of the report.
var reproductionFormats = map[string]func(io.Writer, reports.Reproduction) error{
	"text": reports.ReproductionText,
	"json": reports.ReproductionJSON,
}

func (f *reproduceFlags) reproduce(t *terminal, paths []string) error {
	o, err := f.options()
	if err != nil {
		return err
	}
	out, err := startOutput("--output", f.out) // before the search, so that its result has somewhere to go
	if err != nil {
		return err
	}
	defer out.discard()
	ctx, stop := interruptible(context.Background())
	defer stop()
	log, err := f.read(ctx, t, paths)
	if err != nil {
		return err
	}
	result, err := reproduce.From(ctx, log, o)
	switch {
	case errors.Is(err, context.Canceled):
		return ended(check.Interrupted)
	case err != nil:
		return err
	}
	if err := f.write(t, &out, result); err != nil {
		return err
	}
	if result.Report.Ended == reports.SearchInterrupted {
		return ended(check.Interrupted)
	}
	return nil
}

// read reads what the logs say of the groups that are wanted.
func (f *reproduceFlags) read(ctx context.Context, t *terminal, paths []string) (*reproduce.Log, error) {
	reader, _, err := f.open(ctx, t, paths)
	if err != nil {
		return nil, err
	}
	log, err := reproduce.Read(ctx, reader)
	switch {
	case ctx.Err() != nil:
		return nil, ended(check.Interrupted)
	case err != nil:
		return nil, err
	case len(log.Analysis.Groups) == 0:
		if err := f.passedOver(reader.Sources); err != nil {
			return nil, err
		}
	}
	if !t.quiet {
		for _, w := range log.Analysis.Warnings {
			fmt.Fprintln(t.stderr, w)
		}
	}
	return log, nil
}

// passedOver says which flag left nothing of the logs; nil when none did.
func (f *reproduceFlags) passedOver(sources []*logs.Source) error {
	unwanted, others := logs.PassedOver(sources)
	for i, name := range others {
		others[i] = scenario.Brief(name)
	}
	switch {
	case len(others) > 0:
		return fmt.Errorf("--group %s: the logs have no such group%s; they have %s", scenario.Brief(strings.Join(f.groups, ", ")),
			sinceWhen(f.since), strings.Join(others, ", "))
	case unwanted > 0:
		return fmt.Errorf("--since %s: what the logs say of groups is from before that", f.since)
	case len(f.groups) > 0:
		return fmt.Errorf("--group %s: the logs have no such group", scenario.Brief(strings.Join(f.groups, ", ")))
	}
	return nil
}

// sinceWhen names the flag that may have left out what is looked for.
func sinceWhen(since string) string {
	if since == "" {
		return ""
	}
	return " since " + since
}

// options reads the flags that are not about the logs.
func (f *reproduceFlags) options() (reproduce.Options, error) {
	o := reproduce.Options{Client: f.client, File: f.out}
	wrong := []error{wholeNumber("--budget", f.budget, 1, scenario.MostBudget, &o.Budget)}
	if reproductionFormats[f.format] == nil {
		wrong = append(wrong, fmt.Errorf("--format %s: no such form; write text or json", scenario.Brief(f.format)))
	}
	if f.out != "" && filepath.Ext(f.out) != ".toml" {
		wrong = append(wrong, fmt.Errorf("--output %s: scenarios have names that end in .toml", scenario.Brief(f.out)))
	}
	for _, s := range f.sets {
		key, value, ok := strings.Cut(s, "=")
		if !ok || key == "" || value == "" {
			wrong = append(wrong, fmt.Errorf("--set %s: write KEY=VALUE, such as session.timeout.ms=30000", scenario.Brief(s)))
			continue
		}
		o.Set = append(o.Set, reproduce.Set{Key: strings.TrimSpace(key), Value: strings.TrimSpace(value)})
	}
	return o, errors.Join(wrong...)
}

// write writes the scenario and the report to where each belongs.
func (f *reproduceFlags) write(t *terminal, out *output, r *reproduce.Result) error {
	var report bytes.Buffer
	if err := reproductionFormats[f.format](&report, r.Report); err != nil {
		return err
	}
	to, reported := io.Writer(t.stdout), t.stderr
	if f.out != "" {
		to, reported = out.buffer, t.stdout
	}
	if _, err := to.Write(r.Text); err != nil {
		return err
	}
	if err := out.keep(); err != nil {
		return err
	}
	_, err := reported.Write(report.Bytes())
	return err
}
