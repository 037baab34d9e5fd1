package main

import (
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"simulate/reports"
)

// runForm is a form of the report of a run.
type runForm struct {
	name     string
	file     string // that --out gives it
	detailed bool   // it shows the course of the run
	advises  bool   // it has a place for advice
	write    func(io.Writer, reports.Report, reports.TextOptions) error
}

var runForms = []runForm{
	{"text", "report.txt", false, true, reports.Text},
	{"json", "report.json", false, true, plain(reports.JSON)},
	{"broker-log", "broker.log", true, false, plain(reports.BrokerLog)},
	{"mermaid", "states.mmd", true, false, plain(reports.MermaidStates)},
	{"openmetrics", "metrics.openmetrics", true, false, plain(reports.OpenMetrics)},
}

// laterFormats will come; asking for one is no slip of the pen.
var laterFormats = []string{"timeline", "perfetto"}

// formFlags are the flags that choose in which forms a run is reported.
type formFlags struct {
	format    string
	rebalance string
	group     string
}

func (f *formFlags) flags(c *cobra.Command) {
	c.Flags().StringVar(&f.format, "format", "text", "`FORM` of the report: "+either(runFormNames()))
	c.Flags().StringVar(&f.rebalance, "rebalance", "", "`NUMBER` of a rebalance, from 1: --format mermaid draws what was sent in\nit, instead of the states of the groups")
	c.Flags().StringVar(&f.group, "group", "", "`NAME` of the group that --rebalance is about, where there are several")
}

func runFormNames() []string {
	var names []string
	for _, f := range runForms {
		names = append(names, f.name)
	}
	return names
}

// either lists choices: "text, json or csv".
func either(words []string) string {
	last := len(words) - 1
	return strings.Join(words[:last], ", ") + " or " + words[last]
}

// form returns the form of that name, which --format or --formats has.
func form(flag, name string) (runForm, error) {
	for _, f := range runForms {
		if f.name == name {
			return f, nil
		}
	}
	wrong := "no such form"
	if slices.Contains(laterFormats, name) {
		wrong = "not supported yet"
	}
	return runForm{}, fmt.Errorf("%s %s: %s; write %s", flag, strings.TrimSpace(name), wrong, either(runFormNames()))
}

// check reports flags that make no sense, alone or together.
func (f *formFlags) check() error {
	if _, err := form("--format", f.format); err != nil {
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

// chosen returns the form of --format, with what --rebalance makes of it. check has found nothing wrong.
func (f *formFlags) chosen() runForm {
	chosen, _ := form("--format", f.format)
	if f.rebalance != "" {
		chosen.write = plain(f.drawRebalance)
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
