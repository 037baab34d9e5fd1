// Fidelity replays recorded runs of a real Kafka broker and prints how well the simulator agrees.
//
//	fidelity                                      the kept cases; exits 1 if they agree too little
//	LIVE_DIR=DIR fidelity                         every case.json below DIR; only prints
//	FIDELITY_CASE=07-sigkill-leader/run1 fidelity one case, line by line; without /run1 all of its runs
//	LIVE_DIR=DIR fidelity -keep FILE              writes the cases that can be repeated, as kept beside the code
//	fidelity -markdown FILE                       writes docs/fidelity.md
package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"strings"

	"simulate/internal/fidelity"
	"simulate/sim"
)

func main() {
	keep := flag.String("keep", "", "write the cases that can be repeated to `file` and run nothing")
	markdown := flag.String("markdown", "", "write the figures to `file` as a page")
	flag.Parse()
	ok, err := replay(*keep, *markdown)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(2)
	}
	if !ok {
		os.Exit(1)
	}
}

// replay does what flags and environment ask for, and reports whether the kept cases agree well enough.
func replay(keep, markdown string) (bool, error) {
	folder, id := os.Getenv("LIVE_DIR"), os.Getenv("FIDELITY_CASE")
	recordings, err := read(folder)
	if err != nil {
		return false, err
	}
	if keep != "" {
		return true, write(keep, func(w io.Writer) error { return fidelity.Keep(w, recordings) })
	}
	report := fidelity.Replay(context.Background(), recordings, sim.Run)
	if id != "" {
		return true, writeCase(report, id)
	}
	if markdown != "" {
		return true, write(markdown, report.WriteMarkdown)
	}
	var problems []string
	if folder == "" {
		if problems, err = report.Problems(); err != nil {
			return false, err
		}
	}
	for _, p := range problems {
		fmt.Fprintln(os.Stderr, p)
	}
	report.WriteRows(os.Stdout)
	return len(problems) == 0, nil
}

func read(folder string) ([]fidelity.Recording, error) {
	if folder == "" {
		return fidelity.Kept()
	}
	return fidelity.Below(folder)
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

func writeCase(report fidelity.Report, id string) error {
	found := false
	for _, r := range report.Rows {
		if r.Case.ID == id || strings.HasPrefix(r.Case.ID, id+"/") {
			found = true
			r.WriteLines(os.Stdout)
		}
	}
	if !found {
		return fmt.Errorf("no case %q was run; cases are called such as %s", id, report.Rows[0].Case.ID)
	}
	return nil
}
