package sim

import (
	"context"
	"testing"

	"simulate/sim/metrics"
	"simulate/sim/scenario"
	"simulate/sim/trace"
)

// TestCauses: rebalances of clients that send no heartbeat while they do what takes only a part of the session have a cause.
func TestCauses(t *testing.T) {
	for name, text := range map[string]string{
		"messages shorter than heartbeat.interval.ms": `
duration = "2m"
network.latency = { min = "1ms", max = "3ms" }
topic = [{ name = "t", partitions = 4, rate = "4/s" }]
[[fleet]]
name = "a"
group = "g"
topics = ["t"]
client = "kafkajs"
count = 2
per-record = "2999ms"
config.session.timeout.ms = 6000
`,
		"fetches that outlast the session": `
duration = "2m"
network.latency = { min = "1ms", max = "3ms" }
topic = [{ name = "t", partitions = 4 }]
event = [{ at = "30s", do = "restart", who = "a-1", down = "1s" }]
[[fleet]]
name = "a"
group = "g"
topics = ["t"]
client = "kafka-go"
count = 2
config.session.timeout.ms = 6000
`,
	} {
		t.Run(name, func(t *testing.T) {
			s, _, err := scenario.Load("scenario", []byte(text))
			if err != nil {
				t.Fatal(err)
			}
			var all everything
			fold := metrics.NewFold(s.MetricsOptions())
			if _, err := Run(context.Background(), s, trace.Tee{&all, fold}); err != nil {
				t.Fatal(err)
			}
			if !sessionExpires(all.events) {
				t.Fatal("no session expires")
			}
			everyRebalanceHasACause(t, all.events, fold)
		})
	}
}

func sessionExpires(events []trace.Event) bool {
	for _, e := range events {
		if e.Kind == trace.MemberRemoved && e.Reason == trace.SessionExpired {
			return true
		}
	}
	return false
}
