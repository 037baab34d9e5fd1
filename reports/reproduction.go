package reports

import (
	"fmt"
	"io"
	"strings"
	"time"

	"simulate/sim/metrics"
)

// Reproduction is how well a scenario that was made from logs repeats what they say.
type Reproduction struct {
	Group      string
	From, To   string // of the log, as its stamps have it
	ClientView bool   // no broker logged: only what clients saw is repeated
	Scenario   string // the file; "" for standard output
	Runs       int
	Ended      SearchEnd
	Rebalances Repeated
	Stays      Repeated      // stays in a state, up to the end of the log
	Within     time.Duration // by how much a stay may differ to count as repeated
	Furthest   time.Duration // by how much one differs that counts or not, at most
	Members    int           // processes that the scenario has
	Settings   []Inferred
	Remaining  []Remaining // what the run does otherwise, in order
	Doubts     []string    // what the log does not say, and the scenario had to
}

// SearchEnd is why no further run was made.
type SearchEnd string

// The reasons.
const (
	SearchRight       SearchEnd = "right"       // nothing was left to improve
	SearchSettled     SearchEnd = "settled"     // nothing that was tried improved it
	SearchSpent       SearchEnd = "spent"       // the budget was
	SearchInterrupted SearchEnd = "interrupted" // the user did not wait
)

// Repeated counts what the log has and what the run has of it.
type Repeated struct{ Logged, Simulated, Matched int }

// Inferred is a setting of the scenario.
type Inferred struct {
	Fleet  string // "" for one of the brokers
	Key    string
	Value  string
	Origin string // observed, derived, assumed or given
	Why    string
}

// Remaining is a difference between the log and the run.
type Remaining struct {
	At        time.Duration // from the beginning of the log
	Logged    string        // "": the run has it alone
	Simulated string        // "": the log has it alone
}

// Complete reports whether every rebalance and every stay is repeated.
func (r *Reproduction) Complete() bool {
	return r.Rebalances.complete() && r.Stays.complete()
}

func (r Repeated) complete() bool { return r.Matched == r.Logged && r.Matched == r.Simulated }

// mostRemaining is how many differences a text lists.
const mostRemaining = 12

// ReproductionText writes it for people, at 80 columns.
func ReproductionText(w io.Writer, r Reproduction) error {
	p := &page{}
	p.para("", "  ", fmt.Sprintf("%s, from %s to %s: %s", short(r.Group), r.From, r.To, r.verdict()))
	if r.ClientView {
		p.para("", "  ", "No broker's log is among these: this is what the clients saw. Reasons of rebalances, evictions and the "+
			"members of others are not in it.")
	}
	p.blank()
	p.para("  Rebalances  ", indent(14), r.Rebalances.words("with the same reason and generation"))
	p.para("  Stays       ", indent(14), r.stays())
	p.para("  Members     ", indent(14), processes(r.Members))
	p.para("  Runs        ", indent(14), fmt.Sprintf("%d, %s", r.Runs, searchEnds[r.Ended]))
	r.settings(p)
	r.remaining(p)
	if len(r.Doubts) > 0 {
		p.blank()
		p.line("What the log does not say")
		for _, d := range r.Doubts {
			p.para("  - ", "    ", clean(d))
		}
	}
	_, err := w.Write(p.Bytes())
	return err
}

var searchEnds = map[SearchEnd]string{
	SearchRight:       "until nothing was left to improve",
	SearchSettled:     "until nothing improved it any more",
	SearchSpent:       "until the budget was spent; --budget allows more",
	SearchInterrupted: "until it was interrupted; this is the best so far",
}

func (r *Reproduction) verdict() string {
	switch {
	case r.Complete():
		return "the run repeats it"
	case r.Rebalances.complete():
		return "the run has the same rebalances, not all of them as long"
	case r.Rebalances.Matched == 0:
		return "the run does not repeat it"
	}
	return "the run repeats a part of it"
}

func (r Repeated) words(how string) string {
	text := fmt.Sprintf("%d of %d %s", r.Matched, r.Logged, how)
	if r.Logged == 0 {
		text = "the log has none"
	}
	if extra := r.Simulated - r.Matched; extra > 0 {
		text += fmt.Sprintf("; the run has %d more", extra)
	}
	return text
}

// stays says how many stays are as long as in the log.
func (r *Reproduction) stays() string {
	how := "within " + metrics.Duration(r.Within)
	if r.Furthest > 0 {
		how += "; the furthest is " + metrics.Duration(r.Furthest) + " off"
	}
	return r.Stays.words(how)
}

func (r *Reproduction) settings(p *page) {
	p.blank()
	p.line("Settings")
	for _, s := range r.Settings {
		where := "broker"
		if s.Fleet != "" {
			where = short(s.Fleet)
		}
		p.para("  ", "      ", fmt.Sprintf("%s: %s = %s", where, s.Key, shorten(s.Value, longestReason)))
		p.para("      ", "      ", s.Origin+": "+clean(s.Why))
	}
}

func (r *Reproduction) remaining(p *page) {
	if len(r.Remaining) == 0 {
		return
	}
	p.blank()
	p.line("What the run does otherwise, by the time since the log begins")
	for i, d := range r.Remaining {
		if i == mostRemaining {
			p.para("  ", "  ", fmt.Sprintf("and %d more; --format json has all", len(r.Remaining)-i))
			return
		}
		p.para("  ", "      ", d.words())
	}
}

func (d *Remaining) words() string {
	at := metrics.Duration(d.At.Truncate(time.Millisecond))
	switch {
	case d.Simulated == "":
		return fmt.Sprintf("%s: the log has %s, the run has not", at, clean(d.Logged))
	case d.Logged == "":
		return fmt.Sprintf("%s: the run has %s, the log has not", at, clean(d.Simulated))
	}
	return strings.TrimSpace(fmt.Sprintf("%s: the log has %s, the run %s", at, clean(d.Logged), clean(d.Simulated)))
}

func processes(n int) string {
	if n == 1 {
		return "1 process"
	}
	return fmt.Sprintf("%d processes", n)
}
