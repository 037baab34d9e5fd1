package reports

import (
	"fmt"
	"slices"
	"strings"

	"simulate/explain"
	"simulate/sim/metrics"
)

// Checked is what checking many scenarios came to.
type Checked struct {
	Files []CheckedFile // in the order in which they were named

	Passed, Failed, Interrupted int // files; Failed counts all that are neither of the others
}

// CheckedFile is what checking one scenario came to.
type CheckedFile struct {
	Name    string // a path, or the name of a shipped scenario
	IsPath  bool   // editors and CI systems find it
	Verdict FileVerdict
	Problem string // why there is no Report, each line with its place; "" when there is one
	Report  Report
}

// FileVerdict says how checking one scenario ended.
type FileVerdict string

// The verdicts.
const (
	FilePassed      FileVerdict = "passed"
	FileFailed      FileVerdict = "failed"
	FileInterrupted FileVerdict = "interrupted"
	FileWrong       FileVerdict = "wrong"  // it cannot be read, or the scenario is wrong
	FileBroken      FileVerdict = "broken" // the simulator is wrong, or the run spins
)

// Responsible is what an expectation owes its failure to.
type Responsible struct {
	Moment metrics.Moment
	Cause  explain.Cause
}

// Tally writes "10 passed, 1 failed", and before it what was interrupted.
func (c *Checked) Tally() string {
	text := fmt.Sprintf("%d passed, %d failed", c.Passed, c.Failed)
	if c.Interrupted > 0 {
		text = fmt.Sprintf("%d interrupted, %s", c.Interrupted, text)
	}
	return text
}

// bad lists the files that did not pass.
func (c *Checked) bad() []*CheckedFile {
	var list []*CheckedFile
	for i := range c.Files {
		if f := &c.Files[i]; f.Verdict != FilePassed {
			list = append(list, f)
		}
	}
	return list
}

// words says in a few words how the check of a file ended.
func (f *CheckedFile) words() string {
	r := &f.Report
	switch {
	case f.Verdict == FileWrong:
		return "it cannot be read, or is wrong, and did not run"
	case f.Problem != "":
		return "the simulator broke; this is a bug of its own, not of the scenario"
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
	case len(r.Expectations) == 0:
		return "nothing is expected"
	}
	return expectedWords(r)
}

// expectedWords says how many expectations there are, in how many runs they were judged and how many are no good.
func expectedWords(r *Report) string {
	text := metrics.Plural(len(r.Expectations), "expectation")
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

// place is where an expectation stands, as editors and CI systems find it.
func (f *CheckedFile) place(line int) string {
	if line == 0 {
		return clean(f.Name)
	}
	return fmt.Sprintf("%s:%d", clean(f.Name), line)
}

// replay is the command that runs the scenario as it was checked, with the seed that spins if one does.
func (f *CheckedFile) replay() string {
	if spins := f.Report.Replicated.Spins; spins != nil {
		return f.runWith(spins.Seed)
	}
	return f.runWith(f.Report.Scenario.Seed)
}

// worthReplay reports whether that run shows why the file did not pass: not, when all that fails does so with other
// seeds or in other orders of equal instants.
func (f *CheckedFile) worthReplay() bool {
	r := &f.Report
	switch {
	case f.Problem != "":
		return false
	case r.Failed() == 0:
		return len(r.Races) == 0
	}
	return slices.ContainsFunc(r.Expectations, func(e Expectation) bool {
		return !e.Pass && (e.FailedIn == 0 || e.Seed == r.Scenario.Seed)
	})
}

// replayRace is the command that shows the other order.
func (f *CheckedFile) replayRace(r *Race) string {
	return fmt.Sprintf("%s --shuffle-ties %d", f.runWith(f.Report.Scenario.Seed), r.ShuffleSeed)
}

func (f *CheckedFile) runWith(seed uint64) string {
	text := f.command("run", seed)
	for _, t := range f.Report.Thresholds.Changed() {
		text += " --anomaly " + t.String()
	}
	return text
}

func (f *CheckedFile) command(name string, seed uint64) string {
	return fmt.Sprintf("simulate %s %s --seed %d", name, shellWord(clean(f.Name)), seed)
}

// replays lists the commands that show why an expectation failed, the nearest first.
func (f *CheckedFile) replays(e *Expectation) []string {
	seed := f.Report.Scenario.Seed
	if e.FailedIn > 0 {
		seed = e.Seed
	}
	var list []string
	if r := e.Responsible; r != nil && r.Cause.Chain != nil {
		list = append(list, fmt.Sprintf("%s --rebalance %d", f.command("explain", seed), r.Cause.Chain.Number))
	}
	return append(list, f.runWith(seed))
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
