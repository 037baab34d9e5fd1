package starter

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"simulate/check"
	"simulate/reports"
	"simulate/sim/scenario"
)

// expected is something that a scenario may expect: what the run measures is the limit.
type expected struct {
	metric  string // with GROUP
	op      string
	zero    string // the least value of its type, or any where there is none
	from    string
	comment string
}

// happens is when the first event is; what went before is the start.
const happens = "5m"

var pinned = []expected{
	{"rebalances(GROUP)", "<=", "0", happens, "after the start"},
	{"evictions(GROUP)", "<=", "0", "", "members that the coordinator gave up"},
	{"longest(GROUP, PreparingRebalance)", "<=", "0s", "", "the longest wait for members to rejoin"},
	{"unassigned(GROUP)", "<=", "0s", happens, "partition x time without a consumer"},
	{"stuck(GROUP)", "<=", "0", "", "waits of more than 30 s"},
	{"members(GROUP)", "==", "0", "", "at the end"},
	{"state(GROUP)", "==", "Stable", "", "at the end"},
}

// ErrBroken is the error when an invariant of the simulator broke in the run.
var ErrBroken = errors.New("the run broke")

// expectations runs what is written so far and adds what it measured.
func (d *draft) expectations(ctx context.Context) error {
	measured, err := d.measure(ctx)
	if err != nil {
		return err
	}
	d.text.WriteByte('\n')
	d.comment("", `What this run measures. "simulate check" fails when a change of the settings makes it worse; write what you `+
		"demand, and leave out what does not matter to you.")
	for i, e := range pinned {
		got := measured[i]
		if got.Problem != "" {
			continue
		}
		op, limit := e.op, rounded(got.Got)
		if limit == e.zero {
			op = "==" // nothing is less
		}
		all := []row{{"that", scenario.Literal(d.that(e) + " " + op + " " + limit), e.comment}}
		if e.from != "" {
			all = append(all, row{"from", scenario.Literal(e.from), ""})
		}
		d.text.WriteString("[[expect]]\n")
		d.rows("", all...)
	}
	return nil
}

func (d *draft) that(e expected) string { return strings.ReplaceAll(e.metric, "GROUP", d.named()) }

// measure runs the scenario with expectations of which only the measured values count.
func (d *draft) measure(ctx context.Context) ([]reports.Expectation, error) {
	var text strings.Builder
	text.WriteString(d.text.String())
	for _, e := range pinned {
		fmt.Fprintf(&text, "[[expect]]\nthat = %s\n", scenario.Literal(d.that(e)+" "+e.op+" "+e.zero))
		if e.from != "" {
			fmt.Fprintf(&text, "from = %q\n", e.from)
		}
	}
	loaded, err := check.Source{Name: "simulate init", Text: []byte(text.String())}.Load()
	if err != nil {
		return nil, err
	}
	report, err := check.Run(ctx, loaded)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrBroken, err)
	}
	if report.Outcome != reports.Finished {
		return nil, fmt.Errorf("a run with these settings does not come to its end; it got as far as %s", report.At.SinceStart())
	}
	return report.Expectations, nil
}

// rounded rounds a duration up to what people write; other values stay.
func rounded(got string) string {
	d, err := scenario.ParseDuration(got)
	if err != nil {
		return got
	}
	if up := d.Truncate(time.Second); up < d {
		d = up + time.Second
	}
	return strings.Trim(scenario.Span(d), `"`)
}
