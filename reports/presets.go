package reports

import (
	"fmt"
	"io"
	"strings"

	"simulate/sim/scenario"
)

// Presets writes each preset with what it is, what it stands for, and who says so, under the keys that take it.
func Presets(w io.Writer, presets []scenario.Preset) error {
	var p page
	keys := ""
	for i := range presets {
		s := &presets[i]
		if k := keysWords(s.Keys); k != keys {
			if keys != "" {
				p.blank()
			}
			keys = k
			p.line(keys)
		}
		p.para(indent(2)+s.Name+"  ", indent(6), s.About)
		p.para(indent(6), indent(6), s.Written())
		p.para(indent(6), indent(6), fmt.Sprintf("%s: %s", s.Confidence, s.Source))
	}
	_, err := w.Write(p.Bytes())
	return err
}

func keysWords(keys []string) string { return strings.Join(keys, " and ") }

// PresetsMarkdown writes the documentation of all presets.
func PresetsMarkdown(w io.Writer, presets []scenario.Preset) error {
	var b strings.Builder
	b.WriteString(presetsPreface)
	keys := ""
	for i := range presets {
		s := &presets[i]
		if k := "`" + strings.Join(s.Keys, "`, `") + "`"; k != keys {
			keys = k
			fmt.Fprintf(&b, "\n## %s\n\n| name | is | stands for | confidence | source |\n|---|---|---|---|---|\n", keys)
		}
		fmt.Fprintf(&b, "| `%s` | %s | `%s` | %s | %s |\n", s.Name, s.About, s.Written(), s.Confidence, s.Source)
	}
	b.WriteString(podDefaultsPreface)
	for _, d := range scenario.PodDefaults() {
		fmt.Fprintf(&b, "| `%s` | `%s` | %s |\n", d.Key, d.Value, d.Source)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

const podDefaultsPreface = `
## Kubernetes

What [pods, rollouts and autoscalers](scenarios.md#life-that-nobody-scripts) have when nobody says otherwise, as Kubernetes
documents it. So is what has no key: an autoscaler adds at most four or as many as there are every 15 s
(HorizontalPodAutoscalerBehavior, scaleUp), and kubelet restarts a container at once, then after 10 s, twice as long each time,
up to 5 minutes, until it has run for 10 minutes.

| key | default | source |
|---|---|---|
`

const presetsPreface = `# Presets

<!-- Written by make docs from the table in sim/scenario/presets.go. -->

A preset is a name that stands for a time or for kinds of pauses: ` + "`boot = \"spring-boot\"`, `latency = \"cross-az\"`" + `,
` + "`pauses = \"g1\"`" + `. ` + "`simulate show FILE`" + ` prints what each stands for, so that a scenario can keep the numbers when the
table changes; ` + "`simulate presets`" + ` prints this table.

No number here is yours. **Published** is what somebody measured and wrote down, **estimated** a range from experience.
Measure your own as soon as something hangs on it, and look at [replications](scenarios.md#replications) before you trust
one run of what is drawn.

Latencies are one way, half of what is measured there and back. A distance between pauses is from the beginning of one to that of the
next.

No preset has: the time in which a broker handles a request (0.1 to 1 ms), since requests take no time here; the first
calls of a JVM, which are 7 to 14 times slower (jeongil.dev); what a network device does to connections without traffic
(AWS NLB cuts them after 350 s, Azure after 4 minutes), since those of a consumer have heartbeats.
`
