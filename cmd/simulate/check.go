package main

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"

	"github.com/spf13/cobra"

	"simulate/check"
	"simulate/reports"
	"simulate/scenarios"
)

// checkFlags are the flags of check.
type checkFlags struct {
	anomalies []string
	only      string
	format    string
	junit     string
	summary   string
	update    bool

	shuffleTies string
	strict      bool
}

func newCheck(t *terminal) *cobra.Command {
	var f checkFlags
	c := &cobra.Command{
		Use:   "check PATH...",
		Short: "Run scenarios and test what they expect",
		Long: `Check runs scenarios in parallel and tests what they expect. A PATH is a file, a
directory (every *.toml below it is run), a pattern such as 'ops/**/*.toml', or
one of those that "simulate scenarios list" shows. A file that is named twice
runs once. A wrong file does not stop the others.

What failed comes first, when all have run: the expectation with its place and
the value that was measured, the moment that is responsible, how it came about
and which settings had a part in it, and the commands that show more. Then comes
what passed, and at last "N passed, N failed".

With GITHUB_ACTIONS=true in the environment, what failed also goes to standard
error as annotations, which GitHub shows at their lines of the files.

An expectation with "snapshot = true" holds a value that --update writes.

A scenario with replications = N runs N times, and whatever it has, once more
for each seed of --shuffle-ties: with these, what happens in one instant to
different processes, brokers and events comes in another order, which in a real
cluster is an accident. An expectation that comes out otherwise then is a
warning.

` + thresholdsHelp(),
		Example: `  simulate check ops/scenarios
  simulate check 'ops/**/*.toml' --run orders
  simulate check ops --junit report.xml
  simulate check ops --github-summary "$GITHUB_STEP_SUMMARY"
  simulate check ops --update`,
		Args: func(c *cobra.Command, args []string) error {
			if len(args) == 0 {
				return wrongUse(c, "name at least one path")
			}
			return nil
		},
		RunE: func(c *cobra.Command, args []string) error {
			return runChecks(t, args, &f)
		},
	}
	f.flags(c)
	return c
}

func (f *checkFlags) flags(c *cobra.Command) {
	c.Flags().StringVar(&f.only, "run", "", "`REGEX` that the names of the scenarios to run match,\nas they are printed")
	c.Flags().StringVar(&f.format, "format", "text", "`FORM` of the output: text, json (see \"simulate schema check\")\nor tap (TAP 14)")
	c.Flags().StringVar(&f.junit, "junit", "", "`FILE` to write as JUnit XML as well")
	c.Flags().StringVar(&f.summary, "github-summary", "", "`FILE` to append a summary in Markdown to, such as\n\"$GITHUB_STEP_SUMMARY\"")
	c.Flags().BoolVar(&f.update, "update", false, "write the values that were measured into snapshots that differ, and show\nwhat changed; files only, not shipped scenarios")
	c.Flags().StringVar(&f.shuffleTies, "shuffle-ties", "1,2,3", "`SEEDS` of other orders of what happens in one instant, in which\neach file runs again; none: it does not")
	c.Flags().BoolVar(&f.strict, "strict", false, "an expectation that hangs on such an order is a failure")
	anomalyFlag(c, &f.anomalies)
}

// checkFormats are the forms of output, by the name that --format takes.
var checkFormats = map[string]func(io.Writer, reports.Checked) error{
	"json": reports.CheckJSON,
	"tap":  reports.CheckTAP,
}

// writer returns what writes the form that --format names.
func (f *checkFlags) writer(t *terminal) (func(io.Writer, reports.Checked) error, error) {
	if f.format == "text" {
		o := reports.CheckTextOptions{TextOptions: reports.TextOptions{Color: t.color()}, Quiet: t.quiet}
		return func(w io.Writer, c reports.Checked) error { return reports.CheckText(w, c, o) }, nil
	}
	if write := checkFormats[f.format]; write != nil {
		return write, nil
	}
	return nil, fmt.Errorf("--format %s: no such form; write text, json or tap", f.format)
}

func runChecks(t *terminal, paths []string, f *checkFlags) error {
	write, err := f.writer(t)
	if err != nil {
		return err
	}
	if f.junit != "" && filepath.Clean(f.junit) == filepath.Clean(f.summary) {
		return fmt.Errorf("--junit and --github-summary both write %s; name two files", f.junit)
	}
	sources, err := f.sources(paths)
	if err != nil {
		return err
	}
	junit, err := startRecord("--junit", f.junit)
	if err != nil {
		return err
	}
	defer junit.discard()
	summary, err := startAppending("--github-summary", f.summary)
	if err != nil {
		return err
	}
	defer summary.close()
	results := t.checkAll(sources)
	if f.update {
		if results, err = f.updated(t, results); err != nil {
			return err
		}
	}
	var tally check.Tally
	for _, r := range results {
		tally.Add(r)
	}
	if err := write(t.stdout, tally.Checked); err != nil {
		return err
	}
	err = cmp.Or(f.writeJUnit(&junit, tally.Checked), summary.add(func(w io.Writer) error { return reports.CheckSummary(w, tally.Checked) }))
	if err == nil && os.Getenv("GITHUB_ACTIONS") == "true" {
		err = reports.CheckAnnotations(t.stderr, tally.Checked)
	}
	return cmp.Or(err, ended(tally.Worst))
}

// sources finds what is to be checked.
func (f *checkFlags) sources(paths []string) ([]check.Source, error) {
	thresholds, err := thresholdsOf(f.anomalies)
	if err != nil {
		return nil, err
	}
	ties, err := parseTies(f.shuffleTies)
	if err != nil {
		return nil, err
	}
	only, err := regexp.Compile(f.only)
	if err != nil {
		return nil, fmt.Errorf("--run %s: this is no regular expression: %w", f.only, err)
	}
	all := check.Find(paths, scenarios.Read)
	some := slices.DeleteFunc(slices.Clone(all), func(s check.Source) bool {
		return s.Err == nil && !only.MatchString(s.Name) // a path that names nothing has no scenarios to choose from
	})
	if len(some) == 0 {
		return nil, fmt.Errorf("--run %s: none of the %d scenarios has such a name", f.only, len(all))
	}
	for i := range some {
		s := &some[i]
		s.Thresholds, s.ShuffleTies, s.Strict = thresholds, ties, f.strict
	}
	return some, nil
}

// checkAll runs the sources. Mistakes and warnings go to standard error as they come, in the order of the sources, and
// how far it is to a terminal.
func (t *terminal) checkAll(sources []check.Source) []check.Result {
	ctx, stop := interruptible(context.Background())
	defer stop()
	defer t.noProgress()
	var results []check.Result
	check.All(ctx, sources, func(r check.Result) {
		results = append(results, r)
		t.noProgress()
		warn(t, r.Source.Name, r.Report.Warnings)
		if r.Err != nil {
			fmt.Fprintln(t.stderr, r.Err)
		}
		t.progress("checked %d of %d", len(results), len(sources))
	})
	return results
}

// updated writes what was measured into the snapshots that differ, shows what changed and returns the results of the
// files as they are now. When one cannot be rewritten, all stay as they are.
func (f *checkFlags) updated(t *terminal, results []check.Result) ([]check.Result, error) {
	sources := make([]check.Source, len(results))
	updates := make([]reports.Update, len(results))
	for i, r := range results {
		var err error
		sources[i], updates[i].Lines, err = r.Update()
		if err != nil {
			return nil, err
		}
		updates[i].File = sources[i].Name
		if len(updates[i].Lines) == 0 {
			continue
		}
		if err := notReadOnly("--update", updates[i].File); err != nil {
			return nil, err
		}
	}
	for i, u := range updates {
		if len(u.Lines) == 0 {
			continue
		}
		if err := replaceFile("--update", u.File, sources[i].Text); err != nil {
			return nil, err
		}
		results[i] = check.One(context.Background(), sources[i])
	}
	w := t.stdout
	if f.format != "text" {
		w = t.stderr
	}
	return results, reports.Updates(w, updates)
}

func (f *checkFlags) writeJUnit(o *output, c reports.Checked) error {
	if f.junit == "" {
		return nil
	}
	if err := reports.CheckJUnit(o.buffer, c); err != nil {
		return o.wrong(err)
	}
	return o.keep()
}
