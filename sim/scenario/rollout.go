package scenario

import (
	"slices"
	"strconv"
	"strings"
)

// RolloutKind says what kind of workload replaces its pods.
type RolloutKind string

// The kinds.
const (
	Deployment  RolloutKind = "deployment"  // new pods beside the old ones, within bounds
	StatefulSet RolloutKind = "statefulset" // one pod after the other, the highest number first
)

var rolloutKinds = []string{string(Deployment), string(StatefulSet)}

// Portion is a number of members, or a percentage of them.
type Portion struct {
	N       int
	Percent bool
}

// Of returns how many of n members a portion is. What is no whole number is rounded up or down.
func (p Portion) Of(n int, up bool) int {
	switch {
	case !p.Percent:
		return p.N
	case up:
		return (n*p.N + 99) / 100
	}
	return n * p.N / 100
}

func (p Portion) literal() string {
	if p.Percent {
		return literal(strconv.Itoa(p.N) + "%")
	}
	return strconv.Itoa(p.N)
}

// aQuarter is the default of both bounds of a Deployment.
var aQuarter = Portion{25, true}

// portion reads a whole number, or a percentage.
func (t *table) portion(key string, absent Portion) Portion {
	if _, isText := t.values[key].(string); isText {
		return Portion{t.percent(key, absent.N), true}
	}
	if !t.has(key) {
		return absent
	}
	return Portion{N: int(t.number(key, 0, 0, mostMembers))}
}

func (l *loader) rolloutKind(t *table) RolloutKind {
	kind := t.text("kind", rolloutKinds[0])
	if !slices.Contains(rolloutKinds, kind) {
		l.wrong(t.at("kind"), "kind is %s; write one of %s", quote(kind), strings.Join(rolloutKinds, ", "))
	}
	return RolloutKind(kind)
}

// checkRollout makes sure that there is something to replace and that it can move.
func (v *validator) checkRollout(path string, e *Event) {
	const surge, unavailable = ".max-surge", ".max-unavailable"
	who := path + ".who"
	if !v.bad[who] && slices.ContainsFunc(e.Who, func(w Selector) bool { return w.Kind != ByFleet }) {
		v.wrong(who, "rollout replaces a whole fleet; who must name one")
	}
	for _, f := range v.cast.fleetsOfAll(e.Who) {
		if f.Pod == nil && !v.bad[who] {
			v.wrong(who, "rollout needs a [fleet.pod] of %s; an empty one has the defaults of Kubernetes", quote(f.Name))
		}
	}
	for _, key := range []string{surge, unavailable} {
		if e.Kind == StatefulSet && v.given(path+key) && !v.bad[path+".kind"] {
			v.wrongKey(path+key, "%s is for a deployment; a statefulset replaces one after the other", key[1:])
		}
	}
	if e.MaxSurge.N == 0 && e.MaxUnavailable.N == 0 && !v.bad[path+surge] && !v.bad[path+unavailable] && v.given(path+surge) {
		v.wrong(path+surge, "max-surge and max-unavailable are 0; no pod could be replaced")
	}
}
