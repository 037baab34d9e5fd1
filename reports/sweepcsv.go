package reports

import (
	"encoding/csv"
	"io"
	"slices"
	"strconv"
	"strings"
)

// SweepCSV writes a sweep as CSV (RFC 4180), a row for each metric of each point. Times are in milliseconds, shares from
// 0 to 1; a field is empty where there is no number. runs is less than planned in what was interrupted or stopped early.
func SweepCSV(w io.Writer, s Sweep) error {
	out := csv.NewWriter(w)
	heads := slices.Concat([]string{"cell"}, s.Params, []string{
		"runs", "planned", "metric", "unit", "values", "value", "low", "high", "mean", "min", "p50", "p95", "max",
		"pairs", "difference", "difference_low", "difference_high",
	})
	if err := out.Write(heads); err != nil {
		return err
	}
	for i := range s.Cells {
		c := &s.Cells[i]
		cell := slices.Concat([]string{strconv.Itoa(i + 1)}, each(c.Values, noFormula), []string{strconv.Itoa(c.Runs), strconv.Itoa(s.Replications)})
		for m := range s.Metrics {
			row := slices.Concat(cell, []string{s.Metrics[m].Text, units[s.Metrics[m].Type]}, c.Metrics[m].fields())
			if err := out.Write(row); err != nil {
				return err
			}
		}
	}
	out.Flush()
	return out.Error()
}

// noFormula puts an apostrophe before a text that spreadsheets would take for a formula.
func noFormula(text *string) string {
	if _, err := strconv.ParseFloat(*text, 64); err != nil && *text != "" && strings.ContainsAny((*text)[:1], "=+-@\t\r") {
		return "'" + *text
	}
	return *text
}

// fields are the numbers of an estimate in the order of the heads.
func (e *Estimate) fields() []string {
	fields := make([]string, 13)
	fields[0] = strconv.Itoa(e.Runs)
	if e.Runs > 0 {
		fields[1] = rounded(e.Value).String()
		copy(fields[2:], e.Interval.fields())
		for i, x := range []float64{e.Mean, e.Min, e.P50, e.P95, e.Max} {
			fields[4+i] = rounded(x).String()
		}
	}
	if d := e.Difference; d != nil {
		fields[9], fields[10] = strconv.Itoa(d.Pairs), rounded(d.Value).String()
		copy(fields[11:], d.Interval.fields())
	}
	return fields
}

func (i *Interval) fields() []string {
	if i == nil {
		return nil
	}
	return []string{rounded(i.Low).String(), rounded(i.High).String()}
}

// rounded is a number that is written with nine digits: beyond those, processors differ in what they make of a sum.
type rounded float64

// String writes the number without an exponent.
func (r rounded) String() string {
	short, _ := strconv.ParseFloat(strconv.FormatFloat(float64(r), 'e', 8, 64), 64)
	if short == 0 {
		return "0" // and never -0
	}
	return strconv.FormatFloat(short, 'f', -1, 64)
}

// MarshalJSON is String.
func (r rounded) MarshalJSON() ([]byte, error) { return []byte(r.String()), nil }
