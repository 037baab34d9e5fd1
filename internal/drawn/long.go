package drawn

import (
	"fmt"
	"slices"
	"strings"

	"pgregory.net/rapid"

	"simulate/sim/consumers"
)

// Long draws the text of a scenario of half an hour in which little happens: Java consumers of all versions, nothing random
// beside what an application needs for its records, and only a few events.
func Long(t *rapid.T, events int) string {
	var b strings.Builder
	fleets := map[string]fleet{}
	for _, name := range []string{"a", "b", "c"} {
		client := drawJava(t, "client of "+name)
		fleets[name] = fleet{client: client, shared: "range"}
	}
	fmt.Fprintf(&b, "duration = \"30m\"\nseed = %d\n", rapid.IntRange(0, 1000).Draw(t, "seed"))
	fmt.Fprintf(&b, "network.latency = %q\n", drawFrom(t, "latency", "0ms", "100us", "500us", "7ms"))
	fmt.Fprintf(&b, "brokers.append = %q\n", drawFrom(t, "append", "0ms", "1ms", "30ms"))
	fmt.Fprintf(&b, "broker.offsets.topic.num.partitions = %s\n", drawFrom(t, "offsets partitions", "1", "50"))
	b.WriteString("event = [\n")
	for range events {
		e := drawEvent(t, fleets, false)
		if !slices.ContainsFunc([]string{"broker", "coordinator", "client ="}, func(word string) bool { return strings.Contains(e, word) }) {
			late := fmt.Sprintf("at = \"%ds\"", rapid.IntRange(0, 1700).Draw(t, "late"))
			fmt.Fprintf(&b, "  { %s%s },\n", late, e[strings.Index(e, ","):])
		}
	}
	b.WriteString("]\ntopic = [{ name = \"t\", partitions = 4 }]\n")
	for _, name := range []string{"a", "b", "c"} {
		drawSteady(t, &b, name, fleets[name].client)
	}
	return b.String()
}

func drawSteady(t *rapid.T, b *strings.Builder, name string, client consumers.Profile) {
	group := map[string]string{"a": "g", "b": "g", "c": "h"}[name]
	fmt.Fprintf(b, "[[fleet]]\nname = %q\ngroup = %q\ntopics = [\"t\"]\nclient = %q\n", name, group, client.Name)
	fmt.Fprintf(b, "config.partition.assignment.strategy = \"range\"\n")
	fmt.Fprintf(b, "count = %d\n", rapid.IntRange(1, 3).Draw(t, "count"))
	fmt.Fprintf(b, "static = %v\n", rapid.Bool().Draw(t, "static") && !client.AlwaysDynamic)
	fmt.Fprintf(b, "start.every = %q\n", drawFrom(t, "start", "0s", "10ms", "2s"))
	fmt.Fprintf(b, "poll-timeout = %q\n", drawFrom(t, "poll-timeout", "20ms", "100ms", "1s", "7s"))
	fmt.Fprintf(b, "processing = %s\n", drawFrom(t, "processing", `"0s"`, `"0s"`, `"50ms"`, `"300ms"`, `"2s"`,
		`{ min = "10ms", max = "400ms" }`, `{ p50 = "20ms", p99 = "900ms", cap = "2s" }`))
	fmt.Fprintf(b, "config.enable.auto.commit = %v\n", rapid.Bool().Draw(t, "auto-commit"))
	fmt.Fprintf(b, "config.auto.commit.interval.ms = %s\n", drawFrom(t, "commit interval", `"1s"`, `"5s"`, `"30s"`))
	fmt.Fprintf(b, "config.heartbeat.interval.ms = %s\n", drawFrom(t, "heartbeat", `"2s"`, `"3s"`, `"4999ms"`))
	fmt.Fprintf(b, "config.session.timeout.ms = %s\n", drawFrom(t, "session", "6000", "45000"))
	fmt.Fprintf(b, "config.max.poll.interval.ms = %s\n", drawFrom(t, "max poll", "20000", "300000"))
}

// drawJava draws a version of the Java consumer, or a framework on it, that takes part in any group.
func drawJava(t *rapid.T, label string) consumers.Profile {
	profile, _ := consumers.FindProfile(drawFrom(t, label, consumers.Newest, consumers.Newest, "java-3.9", "java-2.8", "spring"))
	return profile
}
