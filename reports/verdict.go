package reports

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"simulate/sim/metrics"
)

// Verdict writes one line about a run, and for each expectation that does not hold the measured value, its
// place in the file, and the command that shows the whole run; then the same of each that hangs on the order of equal
// instants. file is what the scenario was read from. Places stay in one line, whatever its width, so that editors find
// them.
func Verdict(w io.Writer, file string, r Report, o TextOptions) error {
	p := page{color: o.Color}
	p.line(p.verdict(&r) + "  " + clean(file) + ": " + verdictWords(&r))
	for _, e := range r.Expectations {
		if !e.Pass {
			p.line(fmt.Sprintf("        %s:%d: %s: %s", clean(file), e.Line, clean(e.That), gotWords(&e)))
		}
	}
	if seed, ok := worthALook(&r); ok {
		p.line("        " + again(file, &r, seed))
	}
	p.races(file, &r)
	_, err := w.Write(p.Bytes())
	return err
}

// races writes of each expectation that hangs on the order of equal instants its value in two orders, and the commands
// that show the others.
func (p *page) races(file string, r *Report) {
	var seeds []uint64
	for _, race := range r.Races {
		p.line(fmt.Sprintf("        %s:%d: %s: hangs on the order of equal instants: %s, but with --shuffle-ties %d %s",
			clean(file), race.Line, clean(race.That), clean(race.Unshuffled), race.ShuffleSeed, clean(race.Got)))
		if !slices.Contains(seeds, race.ShuffleSeed) {
			seeds = append(seeds, race.ShuffleSeed)
		}
	}
	for _, seed := range seeds {
		p.line(fmt.Sprintf("        %s --shuffle-ties %d", again(file, r, r.Scenario.Seed), seed))
	}
}

// worthALook returns the seed of the run that shows why a scenario did not pass; ok is false when it did.
func worthALook(r *Report) (seed uint64, ok bool) {
	if r.Replicated.Spins != nil {
		return r.Replicated.Spins.Seed, true
	}
	for _, e := range r.Expectations {
		if !e.Pass && e.FailedIn > 0 {
			return e.Seed, true
		}
	}
	return r.Scenario.Seed, r.Outcome != Finished || r.Failed() > 0
}

// again is the command that shows the run with a seed.
func again(file string, r *Report, seed uint64) string {
	command := fmt.Sprintf("simulate run %s --seed %d", shellWord(clean(file)), seed)
	for _, t := range r.Thresholds.Changed() {
		command += " --anomaly " + t.String()
	}
	return command
}

// verdict is one word in a column of its own.
func (p *page) verdict(r *Report) string {
	switch {
	case r.Outcome == Interrupted, r.Replicated.Cut(), r.RacesCut:
		return p.bad("CUT") + " "
	case r.Outcome != Finished, r.Replicated.Spins != nil, r.Fails():
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
	case r.Replicated.Spins != nil:
		return "the event limit was reached at " + instant(r.Replicated.Spins.At) + " in one of its runs: something spins"
	case r.Replicated.Cut():
		return fmt.Sprintf("interrupted after %d of %d runs", r.Replicated.Ended, r.Replicated.Planned)
	case r.RacesCut:
		return "interrupted before it had run in all orders of equal instants"
	case all == 0:
		return "nothing is expected"
	}
	text := counted(all, "expectation")
	if r.Failed() > 0 {
		text = fmt.Sprintf("%d of %s failed", r.Failed(), text)
	}
	if n := r.Replicated.Planned; n > 1 {
		text += fmt.Sprintf(" (%d runs)", n)
	}
	switch n := len(r.Races); n {
	case 0:
	case 1:
		text += ", 1 hangs on the order of equal instants"
	default:
		text += fmt.Sprintf(", %d hang on the order of equal instants", n)
	}
	return text
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
