package scenario

import (
	"math"
	"slices"
	"time"

	"simulate/sim/consumers"
)

// otherSettings are those that no Java consumer has, in the order in which they are printed.
var otherSettings = []setting[consumers.Config]{
	{key: "rebalance.timeout.ms", means: "how long the group waits for the member in a rebalance", least: 1, most: math.MaxInt32, millis: func(c *consumers.Config) *time.Duration { return &c.RebalanceTimeout }},
}

// settingsOf returns the settings of a client: those of the Java consumer, or those that its profile lists.
func settingsOf(client string) []setting[consumers.Config] {
	profile, _ := consumers.FindProfile(client)
	if profile.Options == nil {
		return consumerSettings
	}
	settings := make([]setting[consumers.Config], len(profile.Options))
	for i, o := range profile.Options {
		settings[i] = settingOf(o)
	}
	return settings
}

// settingOf returns what an option of a library sets.
func settingOf(o consumers.Option) setting[consumers.Config] {
	for _, list := range [][]setting[consumers.Config]{consumerSettings, otherSettings} {
		i := slices.IndexFunc(list, func(s setting[consumers.Config]) bool { return s.key == o.Key })
		if i < 0 {
			continue
		}
		s := list[i]
		if o.Name != o.Key {
			s.own = o.Name
		}
		return s
	}
	panic("scenario: no setting is called " + o.Key)
}

// everySetting returns the settings of all clients, each once; s.own is empty.
func everySetting() []setting[consumers.Config] {
	return slices.Concat(consumerSettings, otherSettings)
}

// foreign lists the settings that other clients have and this one has not: without effect on it.
func foreign(settings []setting[consumers.Config]) []string {
	var keys []string
	for _, s := range everySetting() {
		if !hasSetting(settings, s.key) {
			keys = append(keys, s.key)
		}
	}
	return keys
}

// Default is a setting of a client that a run follows, with what holds when nobody sets it.
type Default struct {
	Key    string // Kafka's, or the library's own where only that has it
	Name   string // the library's own; the same for those that have Kafka's
	Means  string
	Value  string // as TOML has it
	Source string // of the value: file and symbol of the library, or Kafka's class
}

// Defaults returns the settings of a client in the order of its profile. It panics when there is no such client.
func Defaults(client string) []Default {
	profile, ok := consumers.FindProfile(client)
	if !ok {
		panic("scenario: no client is called " + client)
	}
	settings := settingsOf(client)
	all := make([]Default, len(settings))
	for i, s := range settings {
		all[i] = Default{Key: s.key, Name: s.key, Means: s.means, Value: s.literal(&profile.Config), Source: "Kafka: ConsumerConfig, CommonClientConfigs"}
		if profile.Options != nil {
			all[i].Name, all[i].Source = profile.Options[i].Name, profile.Options[i].Source
		}
	}
	return all
}
