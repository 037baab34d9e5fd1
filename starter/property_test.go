package starter

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"simulate/clientconfig"
)

// TestAnyConfiguration holds that whatever is read of a random consumer.properties makes a scenario that loads, whose
// settings to try load too, and whose expectations hold.
func TestAnyConfiguration(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := properties(t)
		config, err := clientconfig.Read("consumer.properties", []byte(text), clientconfig.Properties, "")
		if err != nil {
			return
		}
		o := Options{
			Config:     config,
			Members:    rapid.IntRange(0, 4).Draw(t, "members"),
			Partitions: rapid.IntRange(0, 20).Draw(t, "partitions"),
			Static:     rapid.Bool().Draw(t, "static"),
			Shape:      rapid.SampledFrom(Shapes()).Draw(t, "shape"),
		}
		written, err := Write(context.Background(), o)
		if err != nil {
			t.Fatalf("%v of %q", err, text)
		}
		hold(t, written)
		passes(t, written)
	})
}

// properties draws a file; most of them are such that a client would start with them.
func properties(t *rapid.T) string {
	var b strings.Builder
	millis := rapid.OneOf(
		rapid.Int64Range(100, 60_000),
		rapid.SampledFrom([]int64{100, 1000, 6000, 45_000, 300_000, 1_800_001, 2_147_483_647}),
	)
	keys := []string{
		"max.poll.interval.ms", "request.timeout.ms", "retry.backoff.ms", "retry.backoff.max.ms", "reconnect.backoff.ms",
		"reconnect.backoff.max.ms", "metadata.max.age.ms", "default.api.timeout.ms", "auto.commit.interval.ms",
		"connections.max.idle.ms", "max.poll.records", "linger.ms", "broker.id",
	}
	session := rapid.Int64Range(1500, 3_600_000).Draw(t, "session")
	fmt.Fprintf(&b, "session.timeout.ms=%d\n", session)
	fmt.Fprintf(&b, "heartbeat.interval.ms=%d\n", min(session-1, rapid.Int64Range(1000, 30_000).Draw(t, "heartbeat")))
	for _, key := range rapid.SliceOfNDistinct(rapid.SampledFrom(keys), 0, 4, rapid.ID[string]).Draw(t, "keys") {
		fmt.Fprintf(&b, "%s=%d\n", key, millis.Draw(t, key))
	}
	text := rapid.SampledFrom([]string{
		"orders", "a.b.c", "${GROUP}", "my group", "группа", `x"y`, `\\`, "-", "..", "orders-1", strings.Repeat("long", 80), "",
	})
	fmt.Fprintf(&b, "group.id=%s\n", text.Draw(t, "group"))
	fmt.Fprintf(&b, "client.rack=%s\n", text.Draw(t, "rack"))
	fmt.Fprintf(&b, "ssl.key.password=%s\n", mustNotLeak)
	if rapid.Bool().Draw(t, "instance") {
		fmt.Fprintf(&b, "group.instance.id=%s\n", text.Draw(t, "id"))
	}
	fmt.Fprintf(&b, "enable.auto.commit=%t\n", rapid.Bool().Draw(t, "commit"))
	strategies := rapid.SampledFrom([]string{
		"range", "roundrobin", "sticky", "cooperative-sticky", "range,cooperative-sticky", "com.example.Own",
	})
	fmt.Fprintf(&b, "partition.assignment.strategy=%s\n", strategies.Draw(t, "strategy"))
	return b.String()
}
