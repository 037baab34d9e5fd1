package scenario

import (
	"slices"
	"strings"
)

// idleInRun are keys of a scenario that are not about what happens in a run.
var idleInRun = []string{"name", "description", "replications", "expect", "sweep", "tune"}

// Paths returns what a parameter of a study sets, each as KEY of --set: a bare key of Kafka stands for that key of every
// fleet whose client has it, or of the coordinator; anything else is such a KEY itself. The problem is "" when there is
// something to set; whether the scenario takes the value is found out when it is loaded.
func (s *Scenario) Paths(key string) (paths []string, problem string) {
	first, _, _ := strings.Cut(key, ".")
	if slices.Contains(idleInRun, first) {
		return nil, first + " changes nothing in a run"
	}
	if find(scenarioKeys, first) != nil {
		return []string{key}, ""
	}
	if hasSetting(brokerSettings, key) {
		return []string{"broker." + key}, ""
	}
	for i := range s.Fleets {
		if f := &s.Fleets[i]; hasSetting(settingsOf(f.Plan.Client), key) {
			paths = append(paths, "fleet."+f.Name+".config."+key)
		}
	}
	if paths != nil {
		return paths, ""
	}
	return nil, s.noParam(key)
}

// noParam says why a key names nothing.
func (s *Scenario) noParam(key string) (problem string) {
	if KindOf(key) != UnknownKey {
		return "no client of a fleet has " + quote(key)
	}
	known := append(keyNames(scenarioKeys), keysOf(brokerSettings)...)
	for i := range s.Fleets {
		known = append(known, keysOf(settingsOf(s.Fleets[i].Plan.Client))...)
	}
	hint := didYouMean(key, known)
	if hint == "" {
		hint = "; write a key of --set, such as fleet." + s.Fleets[0].Name + ".count, or one of Kafka's"
	}
	return "unknown parameter " + quote(key) + hint
}

func keysOf[C any](settings []setting[C]) []string {
	names := make([]string, len(settings))
	for i, s := range settings {
		names[i] = s.key
	}
	return names
}
