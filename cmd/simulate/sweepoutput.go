package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"simulate/check"
	"simulate/reports"
)

// sweepOutput is where the report of a sweep goes.
type sweepOutput struct{ format, out, plots string }

func (o *sweepOutput) flags(c *cobra.Command) {
	c.Flags().StringVar(&o.format, "format", "text", "`FORM` of the report: text, csv, json (see \"simulate schema sweep\"),\nmarkdown or html")
	c.Flags().StringVar(&o.out, "out", "", "`DIR` to write the report to, besides, in all forms")
	c.Flags().StringVar(&o.plots, "plots", "", "`DIR` to write a plot of each metric to, as PNG and SVG, when one or two\nparameters are varied")
}

// sweepFormats are the forms of the report of a sweep, and how files in them end.
var sweepFormats = []struct {
	name, extension string
	write           func(io.Writer, reports.Sweep, reports.TextOptions) error
}{
	{"text", "txt", reports.SweepText},
	{"csv", "csv", plain(reports.SweepCSV)},
	{"json", "json", plain(reports.SweepJSON)},
	{"markdown", "md", plain(reports.SweepMarkdown)},
	{"html", "html", plain(reports.SweepHTML)},
}

func (o *sweepOutput) check() error {
	for _, f := range sweepFormats {
		if f.name == o.format {
			return nil
		}
	}
	return fmt.Errorf("--format %s: no such form; write %s", strings.TrimSpace(o.format), either(sweepForms()))
}

// prepare makes the folders, so that one that cannot be made is known before hours of runs and not after them.
func (o *sweepOutput) prepare() error {
	var wrong []error
	for _, dir := range []output{{flag: "--out", path: o.out}, {flag: "--plots", path: o.plots}} {
		if dir.path == "" {
			continue
		}
		if err := os.MkdirAll(dir.path, 0o755); err != nil {
			wrong = append(wrong, dir.wrong(err))
		}
	}
	return errors.Join(wrong...)
}

// write writes the report and the files, and returns how the sweep ended.
func (o *sweepOutput) write(t *terminal, s reports.Sweep) error {
	for _, f := range sweepFormats {
		if f.name == o.format {
			if err := f.write(t.stdout, s, reports.TextOptions{Color: t.color()}); err != nil {
				return err
			}
		}
		if o.out == "" {
			continue
		}
		err := writeRendered("--out", o.out, "sweep."+f.extension, func(w io.Writer) error { return f.write(w, s, reports.TextOptions{}) })
		if err != nil {
			return err
		}
	}
	if o.plots != "" {
		if err := o.plot(t, s); err != nil {
			return err
		}
	}
	if s.Cut() {
		return ended(check.Interrupted)
	}
	return nil
}

// plot writes all plots.
func (o *sweepOutput) plot(t *terminal, s reports.Sweep) error {
	plots := reports.SweepPlots(s)
	if len(plots) == 0 {
		warn(t, "--plots", []string{"there is no plot of " + fmt.Sprint(len(s.Params)) + " parameters; vary one or two"})
	}
	return writePlots(o.plots, plots)
}

// writePlots writes pictures into the folder of --plots.
func writePlots(dir string, plots []reports.Plot) error {
	for _, p := range plots {
		for _, kind := range []string{"png", "svg"} {
			err := writeRendered("--plots", dir, p.Name+"."+kind, func(w io.Writer) error { return p.Write(w, kind) })
			if err != nil {
				return err
			}
		}
	}
	return nil
}

// writeRendered writes a whole file in a folder.
func writeRendered(flag, dir, name string, render func(io.Writer) error) error {
	o, err := startOutput(flag, filepath.Join(dir, name))
	if err != nil {
		return err
	}
	defer o.discard()
	if err := render(o.buffer); err != nil {
		return o.wrong(err)
	}
	return o.keep()
}

func sweepForms() []string {
	var names []string
	for _, f := range sweepFormats {
		names = append(names, f.name)
	}
	return names
}
