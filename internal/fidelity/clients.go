package fidelity

import (
	"slices"
	"strings"

	"simulate/sim/consumers"
)

// mixed is what the recordings call the clients of a case that has several, or of one that was recorded as those were.
const mixed = "mixed"

// isJava reports whether a client such as "java 4.4.0", "java-2.8" or "sarama" is a Java consumer.
func isJava(client string) bool { return strings.HasPrefix(client, "java") }

// profileOf returns the profile of a recorded client. The error is Unsupported for one that is not modelled.
func profileOf(client string) (consumers.Profile, error) {
	name, version, _ := strings.Cut(client, " ")
	if name == "java" {
		name = javaIn(version)
	}
	profile, ok := consumers.FindProfile(name)
	if !ok || name == "" {
		return consumers.Profile{}, unsupported("client %s", name)
	}
	return profile, nil
}

// javaIn returns the name of the profile of a Java consumer in a version such as "4.4.0".
func javaIn(version string) string {
	switch major, _, _ := strings.Cut(version, "."); major {
	case "0", "1", "2":
		return "java-2.8"
	case "3":
		return "java-3.9"
	}
	return consumers.Newest
}

// configOf returns the configuration of an incarnation: what was given, over the defaults of its library.
func configOf(profile consumers.Profile, how Behaviour) (consumers.Config, error) {
	config := profile.Config
	if err := assign(&config, how.Config, consumerSettings); err != nil {
		return config, err
	}
	if err := assignPassed(&config, how.Passed); err != nil {
		return config, err
	}
	config.Assignors = slices.Clone(config.Assignors)
	for i, name := range config.Assignors {
		if _, known := profile.Assignor(name); known {
			continue
		}
		if config.Assignors[i] = standsFor[name]; standsFor[name] == "" {
			return config, unsupported("assignor %q", name)
		}
	}
	return config, nil
}

// standsFor has the assignor that is another one under a name of its own: the recordings' range that takes as long as
// the action slow-assign says.
var standsFor = map[string]string{"StallRangeAssignor": "range"}
