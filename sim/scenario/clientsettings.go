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
	{key: "Consumer.Group.Rebalance.Retry.Backoff", means: "how long a join that failed waits before the next one", least: 0, most: math.MaxInt32, millis: func(c *consumers.Config) *time.Duration { return &c.JoinRetryBackoff }},
	{key: "BlockRebalanceOnPoll", means: "whether a rebalance waits until the application has handled what it has polled", truth: func(c *consumers.Config) *bool { return &c.BlockRebalance }},
	{key: "fetch.max.wait.ms", means: "how long a broker keeps a fetch that finds no records", least: 1, most: math.MaxInt32, millis: func(c *consumers.Config) *time.Duration { return &c.FetchMaxWait }},
	{key: "retries", means: "how often it tries again before it crashes", most: math.MaxInt32, number: func(c *consumers.Config) *int { return &c.Retries }},
	{key: "eachBatch", means: "whether the handler takes all messages of a partition at once", truth: func(c *consumers.Config) *bool { return &c.EachBatch }},
	{key: "handlerHeartbeat", means: "how often the handler calls `heartbeat()`; 0: never", most: math.MaxInt32, millis: func(c *consumers.Config) *time.Duration { return &c.HandlerHeartbeat }},
	{key: "JoinGroupBackoff", means: "how long a member waits after it could not join", most: math.MaxInt32, millis: func(c *consumers.Config) *time.Duration { return &c.JoinGroupBackoff }},
	{key: "WatchPartitionChanges", means: "whether every member looks for new partitions", truth: func(c *consumers.Config) *bool { return &c.WatchPartitionChanges }},
	{key: "PartitionWatchInterval", means: "how often it looks for them", least: 1, most: math.MaxInt32, millis: func(c *consumers.Config) *time.Duration { return &c.PartitionWatchInterval }},
	{key: "CommitInterval", means: "how often commits are sent; 0: one for each message, before the next is read", most: math.MaxInt32, millis: func(c *consumers.Config) *time.Duration { return &c.CommitInterval }},
}

// settingsOf returns the settings of a client: those of the Java consumer, or those that its profile lists.
func settingsOf(client string) []setting[consumers.Config] {
	profile, _ := consumers.FindProfile(client)
	if profile.OnJava() {
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
