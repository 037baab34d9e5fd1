package main

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"simulate/check"
	"simulate/sim/metrics"
)

// anomalyFlag adds --anomaly, which collects changes of thresholds.
func anomalyFlag(c *cobra.Command, changes *[]string) {
	c.Flags().StringArrayVar(changes, "anomaly", nil, "`KIND.WORD=VALUE` to replace a threshold of anomalies, such as\nfrequent-rebalances.count=4; may be repeated")
}

// thresholdsOf reads what --anomaly changes.
func thresholdsOf(changes []string) (metrics.Thresholds, error) {
	thresholds, err := check.ParseThresholds(changes)
	if err != nil {
		return thresholds, fmt.Errorf("--anomaly: %w", err)
	}
	return thresholds, nil
}

// thresholdsHelp lists the thresholds that --anomaly changes.
func thresholdsHelp() string {
	var b strings.Builder
	b.WriteString("What counts as an anomaly has these thresholds, which --anomaly replaces:\n")
	defaults := metrics.Defaults()
	for _, t := range defaults.Each() {
		b.WriteString("\n  " + t.String())
	}
	return b.String()
}
