package check

import (
	"fmt"

	"simulate/sim/scenario"
)

// Update returns the source with what was measured in the place of every snapshot that failed, and the lines that
// changed; none when there is nothing to do, as in a shipped scenario. It writes no file. The error begins with the place
// that cannot be rewritten.
func (r *Result) Update() (Source, []scenario.Rewritten, error) {
	s := r.Source
	measured := map[int]string{}
	for i := range r.Report.Expectations {
		if e := &r.Report.Expectations[i]; e.Snapshot && !e.Pass && e.Problem == "" && r.Verdict == Failed {
			measured[i] = e.Got
		}
	}
	if len(measured) == 0 || !s.File {
		return s, nil, nil
	}
	text, lines, err := scenario.WithSnapshots(s.Name, s.Text, measured)
	if err != nil {
		return s, nil, err
	}
	s.Text = text
	loaded, err := s.Load()
	if err != nil {
		return s, nil, fmt.Errorf("%s is left as it is, since with what was measured it would be wrong:\n%w", s.Name, err)
	}
	for i := range loaded.Scenario.Expectations {
		got, changed := measured[i]
		if is := loaded.Scenario.Expectations[i].Value.String(); changed && is != got {
			return s, nil, fmt.Errorf("%s is left as it is: %s would become %s", s.Name, got, is)
		}
	}
	return s, lines, nil
}
