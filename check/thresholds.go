package check

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"simulate/sim/metrics"
	"simulate/sim/scenario"
)

// ParseThresholds returns the default thresholds of anomalies with some changed, each "KIND.WORD=VALUE" as
// metrics.Threshold writes it. The error says what to write instead.
func ParseThresholds(changes []string) (metrics.Thresholds, error) {
	thresholds := metrics.Defaults()
	each := thresholds.Each()
	for _, change := range changes {
		name, value, ok := strings.Cut(change, "=")
		if !ok {
			return thresholds, fmt.Errorf("%q is no KIND.WORD=VALUE, such as %s", change, each[3])
		}
		i := slices.IndexFunc(each, func(t metrics.Threshold) bool { return t.Name == name })
		if i < 0 {
			return thresholds, fmt.Errorf("there is no threshold %q; there are %s", name, thresholdNames(each))
		}
		if err := setThreshold(each[i], value); err != nil {
			return thresholds, fmt.Errorf("%s: %w", name, err)
		}
	}
	return thresholds, nil
}

func thresholdNames(each []metrics.Threshold) string {
	names := make([]string, len(each))
	for i, t := range each {
		names[i] = t.Name
	}
	return strings.Join(names, ", ")
}

func setThreshold(t metrics.Threshold, value string) error {
	switch {
	case t.Count != nil:
		n, err := strconv.Atoi(value)
		if err != nil || n < 2 {
			return fmt.Errorf("%q is no count; write a whole number of at least 2", value)
		}
		*t.Count = n
	case t.Time != nil:
		d, err := scenario.ParseDuration(value)
		if err != nil {
			return err
		}
		*t.Time = d
	default:
		x, err := strconv.ParseFloat(value, 64)
		if err != nil || !(1 <= x && x <= 1e6) {
			return fmt.Errorf("%q is no ratio; write a number from 1 to 1000000", value)
		}
		*t.Ratio = x
	}
	return nil
}
