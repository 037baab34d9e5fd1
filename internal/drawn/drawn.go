// Package drawn draws random scenarios for property tests.
package drawn

import (
	"fmt"
	"slices"
	"strings"

	"pgregory.net/rapid"

	"simulate/sim/assignors"
	"simulate/sim/consumers"
)

// Scenario draws the text of a scenario: two small fleets in one group and one in another, each of one client or
// another, with whatever may befall them. There is a label for each draw, so that rapid shrinks each by itself.
func Scenario(t *rapid.T, events int) string {
	var b strings.Builder
	fleets := drawClients(t, events > 0)
	fmt.Fprintf(&b, "duration = \"3m\"\nseed = %d\nstuck-after = \"4s\"\n", rapid.IntRange(0, 1000).Draw(t, "seed"))
	b.WriteString("network.latency = { min = \"100us\", max = \"3ms\" }\nevent = [\n")
	pods := rapid.Bool().Draw(t, "pods")
	for range events {
		fmt.Fprintf(&b, "  { %s },\n", drawEvent(t, fleets, pods))
	}
	fmt.Fprintf(&b, "]\nbrokers.count = %d\n", rapid.IntRange(2, 3).Draw(t, "brokers"))
	fmt.Fprintf(&b, "topic = [{ name = \"t\", partitions = 7%s }]\n", drawFrom(t, "records", "", `, rate = "40/s"`,
		`, rate = "7/s", backlog = 3000`, `, backlog = 100`))
	for _, name := range []string{"a", "b", "c"} {
		drawFleet(t, &b, name, fleets[name])
		if pods {
			drawPod(t, &b)
		}
	}
	return b.String()
}

func drawFleet(t *rapid.T, b *strings.Builder, name string, f fleet) {
	group := map[string]string{"a": "g", "b": "g", "c": "h"}[name]
	fmt.Fprintf(b, "[[fleet]]\nname = %q\ngroup = %q\n%s\n", name, group, drawFrom(t, "subscription", `topics = ["t"]`, `pattern = "t?"`))
	fmt.Fprintf(b, "client = %q\n", f.client.Name)
	fmt.Fprintf(b, "config.partition.assignment.strategy = %s\n", drawAssignors(t, "assignors", f))
	fmt.Fprintf(b, "count = %d\n", rapid.IntRange(1, 3).Draw(t, "count"))
	fmt.Fprintf(b, "static = %v\n", rapid.Bool().Draw(t, "static") && !f.client.AlwaysDynamic)
	fmt.Fprintf(b, "per-record = %s\n", drawFrom(t, "per-record", `"0s"`, `"30ms"`, `{ p50 = "100ms", p99 = "3s" }`))
	fmt.Fprintf(b, "config.enable.auto.commit = %v\n", rapid.Bool().Draw(t, "auto-commit"))
	fmt.Fprintf(b, "config.auto.offset.reset = %s\n", drawFrom(t, "reset", `"earliest"`, `"latest"`))
	fmt.Fprintf(b, "start.every = %q\n", drawFrom(t, "start", "0s", "10ms", "2s"))
	fmt.Fprintf(b, "processing = %s\n", drawFrom(t, "processing", `"0s"`, `"300ms"`, `{ p50 = "20ms", p99 = "9s" }`))
	fmt.Fprintf(b, "on-revoke = %s\non-assign = %s\n", drawFrom(t, "revoke", `"0s"`, `"2s"`), drawFrom(t, "assign", `"0s"`, `"1s"`))
	fmt.Fprintf(b, "pauses = %s\n", drawFrom(t, "pauses", `"g1"`, `{ every = { mean = "20s" }, for = { p50 = "900ms", p99 = "20s" } }`,
		`["cms", { name = "long", every = "50s", for = "9s" }]`))
	fmt.Fprintf(b, "config.session.timeout.ms = %s\n", drawFrom(t, "session", "6000", "15000"))
	fmt.Fprintf(b, "config.max.poll.interval.ms = %s\n", drawFrom(t, "max poll", "15000", "60000"))
}

func drawPod(t *rapid.T, b *strings.Builder) {
	fmt.Fprintf(b, "pod = %s\n", drawFrom(t, "pod", `{ scheduling = "1s", readiness = "2s" }`,
		`{ grace = "2s", liveness = { period = "3s", failures = 2, poll-within = "20s" } }`))
	if rapid.Bool().Draw(t, "scaled") {
		b.WriteString("autoscaler = { max = 5, sync = \"10s\", stabilization = \"20s\", " +
			"demand = [{ at = \"40s\", members = 4 }, { at = \"90s\", members = 1.5 }] }\n")
	}
}

func drawEvent(t *rapid.T, fleets map[string]fleet, pods bool) string {
	who := drawFrom(t, "who", "a-1", "a", "b", "c", "?-1", "leader(g)", "any(g)", "any(c)")
	lasts := drawFrom(t, "for", "300ms", "2s", "7s", "20s", "45s")
	e := fmt.Sprintf("at = \"%dms\", ", rapid.IntRange(0, 120_000).Draw(t, "at"))
	switch do := drawFrom(t, "do", "pause", "stall", "kill", "stop", "start", "restart", "rolling-restart", "become", "rollout", "scale",
		"crash-loop", "broker-restart", "move-coordinator", "slow-append", "fail-append", "drop", "reset", "delay", "abandon-member-id", "slow-assign",
		"slow-revoke", "freeze-in-assign", "hold-leader-sync", "raw-join", "subscribe", "unsubscribe", "enforce-rebalance", "configure",
		"commit", "delete-group", "delete-offsets", "remove-members", "partitions", "create-topic", "delete-topic"); do {
	case "pause", "stall", "slow-assign", "slow-revoke", "freeze-in-assign", "hold-leader-sync":
		return e + fmt.Sprintf("do = %q, who = %q, for = %q", do, who, lasts)
	case "drop":
		return e + fmt.Sprintf("do = %q, who = %q, for = %q, held = %v, direction = %q%s",
			do, who, lasts, rapid.Bool().Draw(t, "held"), drawFrom(t, "direction", "both", "in", "out"),
			drawFrom(t, "from", "", ", broker = 2", `, broker = "coordinator(g)"`))
	case "delay":
		return e + fmt.Sprintf("do = %q, who = %q, for = %q, add = \"700ms\"", do, who, lasts)
	case "restart", "rolling-restart":
		return e + fmt.Sprintf("do = %q, who = %q, down = %q, graceful = %v", do, who, lasts, rapid.Bool().Draw(t, "graceful"))
	case "become":
		return e + drawBecome(t, fleets) + fmt.Sprintf(", down = %q", lasts)
	case "rollout":
		if !pods {
			return e + `do = "start", who = "a"`
		}
		return e + fmt.Sprintf("do = %q, who = %q, %s", do, drawFrom(t, "fleet", "a", "b", "c"), drawFrom(t, "kind", `kind = "statefulset"`,
			`kind = "deployment"`, `kind = "deployment", max-surge = 2, max-unavailable = "50%", min-ready = "3s"`))
	case "configure":
		of := drawFrom(t, "of", "a-1", "b", "c")
		return e + fmt.Sprintf("do = %q, who = %q, config.partition.assignment.strategy = %s", do, of, drawAssignors(t, "then", fleets[of[:1]]))
	case "raw-join":
		return e + fmt.Sprintf("do = %q, group = \"g\", version = %d, %s", do, rapid.IntRange(2, 9).Draw(t, "version"),
			drawFrom(t, "mode", `mode = "vanish-after-id"`, `mode = "send-and-vanish"`, `mode = "hold-after-join", hold = "9s"`))
	case "subscribe":
		return e + fmt.Sprintf("do = %q, who = %q, %s", do, who, drawFrom(t, "to", `topics = "t"`, `topics = ["t", "!"]`, `pattern = ".*"`))
	case "broker-restart":
		return e + fmt.Sprintf("do = %q, broker = %s, down = %q, graceful = %v", do,
			drawFrom(t, "broker", "1", "2", `"coordinator(g)"`), lasts, rapid.Bool().Draw(t, "graceful"))
	case "move-coordinator":
		return e + fmt.Sprintf("do = %q, group = \"g\"", do)
	case "slow-append":
		return e + fmt.Sprintf("do = %q, append = \"900ms\", for = %q", do, lasts)
	case "fail-append":
		return e + fmt.Sprintf("do = %q, error = %q, for = %q", do, drawFrom(t, "error", "NOT_ENOUGH_REPLICAS", "MESSAGE_TOO_LARGE"), lasts)
	case "delete-group":
		return e + fmt.Sprintf("do = %q, group = \"g\"", do)
	case "delete-offsets":
		return e + fmt.Sprintf("do = %q, group = \"h\", topics = \"t\"", do)
	case "remove-members":
		return e + fmt.Sprintf("do = %q, group = \"g\"%s", do, drawFrom(t, "named", "", `, who = "a"`, `, who = "b-1"`))
	case "partitions", "create-topic":
		return e + fmt.Sprintf("do = %q, topic = \"t\", count = %d", do, rapid.IntRange(1, 12).Draw(t, "count"))
	case "delete-topic":
		return e + fmt.Sprintf("do = %q, topic = \"t\"", do)
	case "crash-loop":
		return e + fmt.Sprintf("do = %q, who = %q, up = %q, down = \"1s\"", do, who, lasts)
	case "scale":
		return e + fmt.Sprintf("do = %q, who = %q, to = %d", do, drawFrom(t, "fleet", "a", "b", "c"), rapid.IntRange(0, 5).Draw(t, "to"))
	case "abandon-member-id":
		return e + fmt.Sprintf("do = %q, who = %q", do, drawFrom(t, "of", "a-1", "b", "c"))
	default:
		return e + fmt.Sprintf("do = %q, who = %q", do, who)
	}
}

// fleet is what members of a fleet are.
type fleet struct {
	client consumers.Profile
	shared string // an assignor that all fleets of its group have
	odd    bool   // it may list others alone, with which it does not get into its group
}

// drawClients draws what the fleets run: in one group only clients that have an assignor in common.
func drawClients(t *rapid.T, odd bool) map[string]fleet {
	a, c := drawClient(t, "client of a"), drawClient(t, "client of c")
	b := drawClient(t, "client of b")
	if len(common(a, b)) == 0 {
		b = a
	}
	shared := drawFrom(t, "shared", common(a, b)...)
	return map[string]fleet{"a": {a, shared, odd}, "b": {b, shared, odd}, "c": {c, c.Assignors()[0], odd}}
}

// drawClient draws a client, as often as not the newest Java consumer.
func drawClient(t *rapid.T, label string) consumers.Profile {
	names := []string{consumers.Newest}
	if !rapid.Bool().Draw(t, label+" is Java's") {
		for _, p := range consumers.Profiles() {
			names = append(names, p.Name)
		}
	}
	profile, _ := consumers.FindProfile(drawFrom(t, label, names...))
	return profile
}

// common returns the assignors that both clients have.
func common(a, b consumers.Profile) []string {
	return slices.DeleteFunc(a.Assignors(), func(name string) bool { return !slices.Contains(b.Assignors(), name) })
}

// drawAssignors draws a list of assignors that the fleet's client takes: with the one that its group has in common, or now
// and then without.
func drawAssignors(t *rapid.T, label string, f fleet) string {
	other := drawFrom(t, label+" beside it", f.client.Assignors()...)
	together := fmt.Sprintf("[%q, %q]", other, f.shared)
	mixed := assignors.Cooperative([]string{other}) != assignors.Cooperative([]string{f.shared})
	if other == f.shared || mixed && f.client.OneProtocol {
		together = fmt.Sprintf("%q", f.shared)
	}
	lists := []string{together, fmt.Sprintf("%q", f.shared)}
	if f.odd {
		lists = append(lists, together, fmt.Sprintf("%q", other))
	}
	return drawFrom(t, label, lists...)
}

// drawBecome draws the restart of a fleet as another client of its group.
func drawBecome(t *rapid.T, fleets map[string]fleet) string {
	who, to := drawFrom(t, "fleet", "a", "b", "c"), drawClient(t, "becomes")
	f := fleets[who]
	if _, has := to.Assignor(f.shared); !has || to.AlwaysDynamic {
		to = f.client
	}
	return fmt.Sprintf("do = \"restart\", who = %q, client = %q, config.partition.assignment.strategy = %s", who, to.Name,
		drawAssignors(t, "as that", fleet{to, f.shared, f.odd}))
}

func drawFrom(t *rapid.T, label string, values ...string) string {
	return rapid.SampledFrom(values).Draw(t, label)
}
