// Fidelity replays recorded runs of a real Kafka broker and prints how well the simulator agrees.
//
//	fidelity                                  the kept cases; exits 1 if they agree too little
//	fidelity -cases DIR                       every case.json below DIR, which can be given again; only prints
//	fidelity -run '^07-sigkill-leader/run1' -v  only the cases whose names match; -v writes them line by line
//	fidelity -cases DIR -keep FILE            writes the cases that can be repeated, as kept beside the code
//	fidelity -markdown FILE                   writes docs/fidelity.md
//
// LIVE_DIR=DIR:DIR stands for -cases, and FIDELITY_CASE=NAME for -run and -v of the case, or experiment, of that name.
package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"

	"simulate/internal/fidelity"
	"simulate/sim"
)

// options are what the command line asks for.
type options struct {
	folders        []string
	only           *regexp.Regexp // nil: all
	lines          bool
	keep, markdown string
}

func main() {
	var o options
	flag.Func("cases", "read every case.json below `folder` instead of the kept ones", func(folder string) error {
		o.folders = append(o.folders, folder)
		return nil
	})
	flag.Func("run", "run only the cases whose names match the regular `expression`", func(text string) (err error) {
		o.only, err = regexp.Compile(text)
		return err
	})
	flag.BoolVar(&o.lines, "v", false, "write each case line by line")
	flag.StringVar(&o.keep, "keep", "", "write the cases that can be repeated to `file` and run nothing")
	flag.StringVar(&o.markdown, "markdown", "", "write the figures to `file` as a page")
	flag.Parse()
	o.fromEnvironment()
	ok, err := replay(o)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(2)
	}
	if !ok {
		os.Exit(1)
	}
}

// fromEnvironment adds what the environment asks for and the command line does not.
func (o *options) fromEnvironment() {
	if o.folders == nil {
		o.folders = filepath.SplitList(os.Getenv("LIVE_DIR"))
	}
	if name := os.Getenv("FIDELITY_CASE"); name != "" && o.only == nil {
		o.only, o.lines = regexp.MustCompile("^"+regexp.QuoteMeta(name)+"(/|$)"), true
	}
}

// replay does what the options ask for, and reports whether the kept cases agree well enough.
func replay(o options) (bool, error) {
	recordings, err := read(o.folders)
	if err != nil {
		return false, err
	}
	if o.only != nil {
		recordings = fidelity.Experiments(recordings, o.only)
	}
	if o.keep != "" {
		return true, write(o.keep, func(w io.Writer) error { return fidelity.Keep(w, recordings) })
	}
	report := fidelity.Replay(context.Background(), recordings, sim.Run)
	if o.only != nil {
		report = report.Only(o.only)
	}
	if o.markdown != "" {
		return true, write(o.markdown, report.WriteMarkdown)
	}
	if o.lines {
		for _, row := range report.Rows {
			row.WriteLines(os.Stdout)
		}
	}
	report.WriteRows(os.Stdout)
	if o.only != nil || len(o.folders) > 0 {
		return true, nil
	}
	return enough(report)
}

// enough writes what keeps the kept cases from agreeing well enough, and reports whether nothing does.
func enough(report fidelity.Report) (bool, error) {
	problems, err := report.Problems()
	for _, p := range problems {
		fmt.Fprintln(os.Stderr, p)
	}
	return len(problems) == 0, err
}

func read(folders []string) ([]fidelity.Recording, error) {
	if len(folders) == 0 {
		return fidelity.Kept()
	}
	var all []fidelity.Recording
	for _, folder := range folders {
		recordings, err := fidelity.Below(folder)
		if err != nil {
			return nil, err
		}
		all = append(all, recordings...)
	}
	return all, nil
}

func write(file string, content func(io.Writer) error) error {
	f, err := os.Create(file)
	if err != nil {
		return err
	}
	if err := content(f); err != nil {
		f.Close()
		return err
	}
	return f.Close()
}
