package reports

import (
	"fmt"
	"io"
	"strings"

	"simulate/sim/metrics"
)

// Verdict writes one line about a run, and for each expectation that does not hold the measured value, its
// place in the file, and the command that shows the whole run. file is what the scenario was read from.
// Places stay in one line, whatever its width, so that editors find them.
func Verdict(w io.Writer, file string, r Report, o TextOptions) error {
	p := page{color: o.Color}
	p.line(p.verdict(&r) + "  " + clean(file) + ": " + verdictWords(&r))
	for _, e := range r.Expectations {
		if !e.Pass {
			p.line(fmt.Sprintf("        %s:%d: %s: %s", clean(file), e.Line, clean(e.That), gotWords(&e)))
		}
	}
	if r.Outcome != Finished || r.Failed() > 0 {
		again := fmt.Sprintf("        simulate run %s --seed %d", shellWord(clean(file)), r.Scenario.Seed)
		for _, t := range r.Thresholds.Changed() {
			again += " --anomaly " + t.String()
		}
		p.line(again)
	}
	_, err := w.Write(p.Bytes())
	return err
}

// verdict is one word in a column of its own.
func (p *page) verdict(r *Report) string {
	switch {
	case r.Outcome == Interrupted:
		return p.bad("CUT") + " "
	case r.Outcome != Finished || r.Failed() > 0:
		return p.bad("FAIL")
	}
	return p.good("ok") + "  "
}

func verdictWords(r *Report) string {
	all := len(r.Expectations)
	switch {
	case r.Outcome == Interrupted:
		return "interrupted at " + instant(r.At) + " of " + metrics.Duration(r.Scenario.Duration)
	case r.Outcome == EventLimit:
		return "the event limit was reached at " + instant(r.At) + ": something spins"
	case all == 0:
		return "nothing is expected"
	case r.Failed() > 0:
		return fmt.Sprintf("%d of %s failed", r.Failed(), counted(all, "expectation"))
	}
	return counted(all, "expectation")
}

// shellWord quotes a name for a shell where it needs that.
func shellWord(s string) string {
	const safe = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_./"
	if strings.HasPrefix(s, "-") {
		s = "./" + s // it would be taken for a flag
	}
	if s != "" && strings.Trim(s, safe) == "" {
		return s
	}
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}
