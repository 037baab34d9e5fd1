package main

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"simulate/check"
	"simulate/reports"
)

// runForm is a form of the report of a run.
type runForm struct {
	name    string
	file    string      // in the folder of --out
	usual   bool        // --out has it unless --formats says otherwise
	shows   check.Shows // of the course of the run
	advises bool        // it has a place for advice
	write   func(io.Writer, reports.Report, reports.TextOptions) error
}

var runForms = []runForm{
	{"text", "report.txt", true, 0, true, reports.Text},
	{"json", "report.json", true, 0, true, plain(reports.JSON)},
	{"html", "page.html", true, check.Lanes | check.Stories, true, plain(reports.HTML)},
	{"broker-log", "broker.log", false, check.Stories, false, plain(reports.BrokerLog)},
	{"timeline", "timeline.txt", true, check.Lanes, false, plain(reports.TimelineText)},
	{"mermaid", "states.mmd", true, check.Lanes, false, plain(reports.MermaidStates)},
	{"perfetto", "perfetto.json", false, check.Lanes, false, plain(reports.Perfetto)},
	{"openmetrics", "metrics.openmetrics", false, check.Lanes | check.Clients, false, plain(reports.OpenMetrics)},
}

// plotsForm is a form of --formats alone: several pictures, as PNG and SVG.
const plotsForm = "plots"

// formFlags are the flags that choose in which forms a run is reported.
type formFlags struct {
	format    string
	rebalance string
	group     string
	out       string
	formats   []string
	given     func(flag string) bool
}

func (f *formFlags) flags(c *cobra.Command) {
	f.given = c.Flags().Changed
	c.Flags().StringVar(&f.format, "format", "text", "`FORM` of the report: "+either(runFormNames()))
	c.Flags().StringVar(&f.rebalance, "rebalance", "", "`NUMBER` of a rebalance, from 1: --format mermaid draws what was sent in\nit, instead of the states of the groups")
	c.Flags().StringVar(&f.group, "group", "", "`NAME` of the group that --rebalance is about, where there are several")
	c.Flags().StringVar(&f.out, "out", "", "`DIR` to write the report to, besides, in several forms; it has to be new,\nempty or from an earlier run, which is replaced")
	c.Flags().StringSliceVar(&f.formats, "formats", usualForms(), "`FORMS` that --out writes, with commas between: those of --format, or plots")
}

func runFormNames() []string {
	var names []string
	for _, f := range runForms {
		names = append(names, f.name)
	}
	return names
}

func usualForms() []string {
	var names []string
	for _, f := range runForms {
		if f.usual {
			names = append(names, f.name)
		}
	}
	return append(names, plotsForm)
}

// either lists choices: "text, json or csv".
func either(words []string) string {
	last := len(words) - 1
	return strings.Join(words[:last], ", ") + " or " + words[last]
}

// form returns the form of that name, which has to be one of the choices of a flag.
func form(flag, name string, choices []string) (runForm, error) {
	if !slices.Contains(choices, name) {
		return runForm{}, fmt.Errorf("%s %s: no such form; write %s", flag, strings.TrimSpace(name), either(choices))
	}
	for _, f := range runForms {
		if f.name == name {
			return f, nil
		}
	}
	return runForm{name: plotsForm, shows: check.Lanes}, nil
}

// check reports flags that make no sense, alone or together.
func (f *formFlags) check() error {
	_, err := form("--format", f.format, runFormNames())
	if err := cmp.Or(err, f.checkFolder()); err != nil {
		return err
	}
	switch n, err := strconv.Atoi(f.rebalance); {
	case f.rebalance == "" && f.group != "":
		return fmt.Errorf("--group %s: it chooses whose rebalance is drawn; add --rebalance, too", f.group)
	case f.rebalance == "":
		return nil
	case err != nil || n < 1:
		return fmt.Errorf("--rebalance %s: write a whole number from 1", f.rebalance)
	case f.format != "mermaid":
		return fmt.Errorf("--rebalance %s: only --format mermaid draws a single one; see also \"simulate explain\"", f.rebalance)
	}
	return nil
}

// checkFolder reports what makes no sense about --out and --formats, and leaves each form of these once.
func (f *formFlags) checkFolder() error {
	switch {
	case f.out == "" && f.given("out"):
		return errors.New("--out has no value; name a folder that is new, empty or from an earlier run")
	case f.out == "" && f.given("formats"):
		return errors.New("--formats says what --out writes; add --out DIR, or choose one with --format")
	case len(f.formats) == 0:
		return fmt.Errorf("--formats has no value; write %s, with commas between", either(append(runFormNames(), plotsForm)))
	}
	var formats []string
	for _, name := range f.formats {
		one, err := form("--formats", strings.TrimSpace(name), append(runFormNames(), plotsForm))
		if err != nil {
			return err
		}
		if !slices.Contains(formats, one.name) {
			formats = append(formats, one.name)
		}
	}
	f.formats = formats
	return nil
}

// chosen returns the form of --format, with what --rebalance makes of it. check has found nothing wrong.
func (f *formFlags) chosen() runForm {
	chosen, _ := form("--format", f.format, runFormNames())
	if f.rebalance != "" {
		chosen.shows, chosen.write = check.Lanes|check.Stories, plain(f.drawRebalance)
	}
	return chosen
}

// drawRebalance draws the rebalance that the flags choose.
func (f *formFlags) drawRebalance(w io.Writer, r reports.Report) error {
	n, _ := strconv.Atoi(f.rebalance)
	var names []string
	for i := range r.Summary.Groups {
		if g := &r.Summary.Groups[i]; f.group == "" && len(g.Rebalances) > 0 || f.group == g.Name {
			names = append(names, g.Name)
		}
	}
	switch {
	case len(names) > 1:
		return fmt.Errorf("--rebalance %d: several groups rebalanced, %s; choose one with --group", n, strings.Join(names, ", "))
	case len(names) == 0 && f.group != "":
		return fmt.Errorf("--group %s: there is no such group", f.group)
	case len(names) == 0:
		return fmt.Errorf("--rebalance %d: no group rebalanced", n)
	}
	if most := len(r.Summary.Group(names[0]).Rebalances); n > most {
		return fmt.Errorf("--rebalance %d: %s has %d", n, names[0], most)
	}
	return reports.MermaidRebalance(w, r, names[0], n)
}

// all returns the form of --format and those of --out.
func (f *formFlags) all() []runForm {
	all := []runForm{f.chosen()}
	if f.out == "" {
		return all
	}
	for _, name := range f.formats {
		one, _ := form("--formats", name, append(runFormNames(), plotsForm))
		all = append(all, one)
	}
	return all
}

// shows returns what the forms show of the course of the run.
func (f *formFlags) shows() check.Shows {
	var all check.Shows
	for _, one := range f.all() {
		all |= one.shows
	}
	return all
}

// advises reports whether a form has a place for advice.
func (f *formFlags) advises() bool {
	return slices.ContainsFunc(f.all(), func(f runForm) bool { return f.advises })
}

// fill writes the forms of --out.
func (f *formFlags) fill(to *folder, r reports.Report) error {
	if f.out == "" {
		return nil
	}
	for _, one := range f.all()[1:] {
		if one.name == plotsForm {
			if err := drawPlots(to, r); err != nil {
				return err
			}
			continue
		}
		err := to.write(one.file, func(w io.Writer) error { return one.write(w, r, reports.TextOptions{}) })
		if err != nil {
			return err
		}
	}
	return to.keep()
}

func drawPlots(to *folder, r reports.Report) error {
	for _, p := range reports.RunPlots(r) {
		for _, kind := range []string{"png", "svg"} {
			if err := to.write(p.Name+"."+kind, func(w io.Writer) error { return p.Write(w, kind) }); err != nil {
				return err
			}
		}
	}
	return nil
}
