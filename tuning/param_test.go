package tuning

import (
	"fmt"
	"strings"
	"testing"

	"github.com/cockroachdb/datadriven"

	"simulate/check"
	"simulate/sim/scenario"
)

// TestParams runs testdata/params.txt:
//
//	file            the text of the scenario that the commands after it use
//	params          one parameter a line; prints what each sets and to what, or the error
//	grid            the same; prints the points of the grid
//	lhs n=N         the same; prints the points of a Latin hypercube
//	cells           the same; prints how many cells there are, or why the scenario refuses some
func TestParams(t *testing.T) {
	var text string
	datadriven.RunTest(t, "testdata/params.txt", func(t *testing.T, d *datadriven.TestData) string {
		if d.Cmd == "file" {
			text = d.Input
			return "ok\n"
		}
		study, err := studyOf(t, text, strings.Split(d.Input, "\n")...)
		if err != nil {
			return err.Error() + "\n"
		}
		if d.Cmd == "params" {
			return printParams(study.Params)
		}
		points, err := pointsOf(t, d, study)
		if err == nil && d.Cmd == "cells" {
			_, err = study.Cells(points)
			points = nil
		}
		if err != nil {
			return err.Error() + "\n"
		}
		var b strings.Builder
		for _, at := range points {
			fmt.Fprintln(&b, Label(study.Params, at))
		}
		return b.String()
	})
}

func pointsOf(t *testing.T, d *datadriven.TestData, study *Study) ([]Point, error) {
	if d.Cmd != "lhs" {
		return Grid(study.Params)
	}
	var n int
	d.ScanArgs(t, "n", &n)
	return Hypercube(study.Params, n, study.Base.Scenario.Seed), nil
}

// studyOf reads a study from the text of a scenario, and what --param would say.
func studyOf(t testing.TB, text string, params ...string) (*Study, error) {
	t.Helper()
	source := check.Source{Name: "a.toml", Text: []byte(text)}
	var flags []scenario.Override
	if len(params) > 0 {
		flags = append(flags, scenario.OverrideTexts("--param", "sweep.params", params))
	}
	base, err := source.Load(flags...)
	if err != nil {
		t.Fatal(err)
	}
	s := &Study{Base: base, Load: source.Load, Metrics: Metrics(base.Scenario)}
	s.Params, err = ParseParams(base, base.Scenario.Sweep.Params)
	return s, err
}

func printParams(params []Param) string {
	var b strings.Builder
	for _, p := range params {
		fmt.Fprintf(&b, "%s sets %s to %s", p.Key, strings.Join(p.Paths, ", "), strings.Join(p.Values, " "))
		if p.Range != nil {
			fmt.Fprintf(&b, " of %s..%s", p.Range.At(0), p.Range.At(1))
		}
		b.WriteString("\n")
	}
	return b.String()
}
