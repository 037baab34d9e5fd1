package scenarios

import (
	"bytes"
	"context"
	"slices"
	"strings"
	"testing"

	"simulate/check"
	"simulate/reports"
)

// planted are changes of configuration, each in a shipped scenario, that bring rebalances back or make them worse; and
// whom and which setting a check has to name then.
var planted = []struct {
	what, scenario string
	old, now       string
	who, setting   string
}{
	{"a lowered session", "gc-pause-short",
		"session.timeout.ms    = 45000", "session.timeout.ms    = 10000",
		"order-processor-3", "session.timeout.ms (10s) of order-processor-3"},
	{"a session shorter than the pauses of a frozen process", "frozen-consumer",
		"session.timeout.ms = 45000", "session.timeout.ms = 20000",
		"parcel-router-2", "session.timeout.ms (20s) of parcel-router-2"},
	{"static ids removed", "static-restart-too-long",
		"static       = true", "static       = false",
		"order-service-2", "group.instance.id (none) of order-service-2"},
	{"restarts of static members longer than their session", "rolling-restart-static",
		`down = "20s"`, `down = "60s"`,
		"order-service-1", "session.timeout.ms (45s) of order-service-1"},
	{"no initial delay", "first-start",
		"rebalance.delay.ms = 3000", "rebalance.delay.ms = 0",
		"payment-service-2", "group.initial.rebalance.delay.ms"},
	{"a rebalance timeout shorter than a callback", "slow-revoke",
		"max.poll.interval.ms          = 300000", "max.poll.interval.ms          = 20000",
		"ledger-writer-2", "max.poll.interval.ms (20s) of ledger-writer-2"},
	{"a poll interval shorter than a batch", "slow-poll",
		"max.poll.interval.ms = 300000", "max.poll.interval.ms = 90000",
		"invoice-writer-2", "max.poll.interval.ms (1m30s) of invoice-writer-2"},
	{"batches that take longer", "rolling-restart",
		`processing   = { p50 = "50ms", p99 = "1s", cap = "5s" }`, `processing   = { p50 = "8s", p99 = "20s" }`,
		"order-service-1", "max.poll.interval.ms of order-service-1"},
	{"heartbeats that come seldom", "rolling-restart-cooperative",
		"[fleet.config]", "[fleet.config]\nheartbeat.interval.ms = 20000",
		"order-service-6", "heartbeat.interval.ms of order-service-6"},
	{"an eager assignor again", "deploy-twenty",
		`partition.assignment.strategy = "cooperative-sticky"`, `partition.assignment.strategy = "range"`,
		"cooperative-1", "partition.assignment.strategy (range)"},
	{"more members than the group may have", "slow-offsets-log",
		"[broker]", "[broker]\ngroup.max.size = 3",
		"price-feed-4", "group.max.size"},
	{"a poll interval shorter than batches, while others restart", "families/slow-consumer",
		"max.poll.interval.ms          = 300000", "max.poll.interval.ms          = 30000",
		"report-1", "max.poll.interval.ms (30s) of report-1"},
	{"the other assignor in one step", "eager-to-cooperative-upgrade",
		`config = { partition.assignment.strategy = ["cooperative-sticky", "range"] }`, `config = { partition.assignment.strategy = "cooperative-sticky" }`,
		"payments-3", "partition.assignment.strategy of payments-3"},
	{"refreshes of the metadata every 30 s", "regex-new-topic",
		`metadata.max.age.ms = "5m"`, `metadata.max.age.ms = "30s"`,
		"order-archiver-1", "metadata.max.age.ms of order-archiver-1"},
}

// TestPlanted holds that a check of each fails with a message that names the rebalance, the member and the setting, and
// pins what is printed of all.
func TestPlanted(t *testing.T) {
	var all check.Tally
	seen := map[string]bool{}
	for _, p := range planted {
		text, ok := Read(p.scenario)
		if !ok || seen[p.scenario] || bytes.Count(text, []byte(p.old)) != 1 {
			t.Fatalf("%s: %s is not there, was planted before, or has no one %q", p.what, p.scenario, p.old)
		}
		seen[p.scenario] = true
		source := check.Source{Name: p.scenario, Text: bytes.Replace(text, []byte(p.old), []byte(p.now), 1)}
		r := check.One(context.Background(), source)
		all.Add(r)
		if r.Verdict != check.Failed {
			t.Errorf("%s: the verdict is %v (%v)", p.what, r.Verdict, r.Err)
			continue
		}
		messages := messagesOf(t, r)
		if !slices.ContainsFunc(messages, func(m string) bool {
			return strings.Contains(m, "rebalance ") && strings.Contains(m, p.who) && strings.Contains(m, p.setting)
		}) {
			t.Errorf("%s: no message has the rebalance, %s and %q:\n%s", p.what, p.who, p.setting, strings.Join(messages, "\n"))
		}
	}
	compareGolden(t, "testdata/planted.golden", printed(t, &all))
}

// messagesOf returns what is printed of each expectation that failed, in one line.
func messagesOf(t *testing.T, r check.Result) []string {
	t.Helper()
	var all []string
	for _, e := range r.Report.Expectations {
		if e.Pass {
			continue
		}
		alone := r
		alone.Report.Expectations = []reports.Expectation{e}
		var tally check.Tally
		tally.Add(alone)
		all = append(all, strings.Join(strings.Fields(printed(t, &tally)), " "))
	}
	return all
}

func printed(t *testing.T, tally *check.Tally) string {
	t.Helper()
	var text strings.Builder
	if err := reports.CheckText(&text, tally.Checked, reports.CheckTextOptions{}); err != nil {
		t.Fatal(err)
	}
	return text.String()
}
