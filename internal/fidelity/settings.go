package fidelity

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"time"

	"simulate/sim/consumers"
	"simulate/sim/coordinator"
)

// brokerSettings are the broker settings that a case may have, and where each goes. Those that are
// always so here go nowhere: every partition is on all brokers, and leadership does not move back by itself.
var brokerSettings = map[string]func(*coordinator.Config, any) error{
	"group.min.session.timeout.ms":     duration(func(c *coordinator.Config) *time.Duration { return &c.MinSessionTimeout }),
	"group.max.session.timeout.ms":     duration(func(c *coordinator.Config) *time.Duration { return &c.MaxSessionTimeout }),
	"group.initial.rebalance.delay.ms": duration(func(c *coordinator.Config) *time.Duration { return &c.InitialRebalanceDelay }),
	"offsets.commit.timeout.ms":        duration(func(c *coordinator.Config) *time.Duration { return &c.CommitTimeout }),
	"group.max.size":                   value(func(c *coordinator.Config) *int { return &c.MaxSize }, wholeNumber),
	"offsets.topic.num.partitions":     value(func(c *coordinator.Config) *int { return &c.OffsetsPartitions }, wholeNumber),

	"offsets.topic.replication.factor": noEffect,
	"min.insync.replicas":              noEffect,
	"default.replication.factor":       noEffect,
	"auto.leader.rebalance.enable":     noEffect,
}

// consumerSettings are the client settings that a case may have, and where each goes. Those that change
// nothing on topics without records, or are told elsewhere, go nowhere.
var consumerSettings = map[string]func(*consumers.Config, any) error{
	"session.timeout.ms":            duration(func(c *consumers.Config) *time.Duration { return &c.SessionTimeout }),
	"heartbeat.interval.ms":         duration(func(c *consumers.Config) *time.Duration { return &c.HeartbeatInterval }),
	"max.poll.interval.ms":          duration(func(c *consumers.Config) *time.Duration { return &c.MaxPollInterval }),
	"rebalance.timeout.ms":          duration(func(c *consumers.Config) *time.Duration { return &c.RebalanceTimeout }),
	"request.timeout.ms":            duration(func(c *consumers.Config) *time.Duration { return &c.RequestTimeout }),
	"retry.backoff.ms":              duration(func(c *consumers.Config) *time.Duration { return &c.RetryBackoff }),
	"retry.backoff.max.ms":          duration(func(c *consumers.Config) *time.Duration { return &c.RetryBackoffMax }),
	"reconnect.backoff.ms":          duration(func(c *consumers.Config) *time.Duration { return &c.ReconnectBackoff }),
	"reconnect.backoff.max.ms":      duration(func(c *consumers.Config) *time.Duration { return &c.ReconnectMax }),
	"default.api.timeout.ms":        duration(func(c *consumers.Config) *time.Duration { return &c.DefaultAPITimeout }),
	"auto.commit.interval.ms":       duration(func(c *consumers.Config) *time.Duration { return &c.AutoCommitInterval }),
	"connections.max.idle.ms":       duration(func(c *consumers.Config) *time.Duration { return &c.IdleTimeout }),
	"metadata.max.age.ms":           duration(func(c *consumers.Config) *time.Duration { return &c.MetadataMaxAge }),
	"enable.auto.commit":            value(func(c *consumers.Config) *bool { return &c.AutoCommit }, truth),
	"partition.assignment.strategy": value(func(c *consumers.Config) *[]string { return &c.Assignors }, names),
	"client.rack":                   value(func(c *consumers.Config) *string { return &c.Rack }, text),

	"fetch.max.wait.ms": ignored,
	"group.instance.id": ignored, // Behaviour.instance
	"group.protocol":    ignored, // Case.Protocol
	"max.poll.records":  ignored,
}

// librarySettings are the settings that a case has only as they were passed to a library; the others stand under
// Kafka's keys too.
var librarySettings = map[string]func(*consumers.Config, any) error{
	"auto.offset.reset":                  value(func(c *consumers.Config) *string { return &c.AutoOffsetReset }, text),
	"auto_offset_reset":                  value(func(c *consumers.Config) *string { return &c.AutoOffsetReset }, text),
	"blockRebalanceOnPoll":               value(func(c *consumers.Config) *bool { return &c.BlockRebalance }, truth),
	"metadata":                           metadataMaxAge, // franz-go, sarama
	"metadata_max_age_ms":                metadataMaxAge, // kafka-python
	"metadataMaxAge":                     metadataMaxAge, // kafkajs
	"topic.metadata.refresh.interval.ms": metadataMaxAge, // librdkafka
	"maxWait": func(c *consumers.Config, v any) (err error) {
		c.FetchMaxWait, err = passedDuration(v)
		return err
	},
	"watchPartitionChanges": value(func(c *consumers.Config) *bool { return &c.WatchPartitionChanges }, truth),
}

// metadataMaxAge sets what recorded programs write in milliseconds, as a number or in a string, or as Go writes a
// duration; 0 leaves the default.
func metadataMaxAge(c *consumers.Config, v any) error {
	age, err := passedDuration(v)
	if err == nil && age > 0 {
		c.MetadataMaxAge = age
	}
	return err
}

func passedDuration(v any) (time.Duration, error) {
	written, ok := v.(string)
	if !ok {
		ms, number := v.(float64)
		if !number {
			return 0, fmt.Errorf("%v (%T) is of the wrong type", v, v)
		}
		return millis(ms), nil
	}
	if ms, err := strconv.Atoi(written); err == nil {
		return time.Duration(ms) * time.Millisecond, nil
	}
	return time.ParseDuration(written)
}

// assign gives each setting to the field that the table names; the error names the first setting,
// in the order of their names, that the table lacks or that has a wrong value.
func assign[C any](config *C, settings map[string]any, table map[string]func(*C, any) error) error {
	for _, key := range slices.Sorted(maps.Keys(settings)) {
		set, ok := table[key]
		if !ok {
			return unsupported("setting %s", key)
		}
		if err := set(config, settings[key]); err != nil {
			return fmt.Errorf("%s: %w", key, err)
		}
	}
	return nil
}

// assignPassed gives each setting that librarySettings has to its field.
func assignPassed(config *consumers.Config, passed map[string]any) error {
	known := maps.Clone(passed)
	maps.DeleteFunc(known, func(key string, _ any) bool { return librarySettings[key] == nil })
	return assign(config, known, librarySettings)
}

// duration makes a setter of a field that the recording gives in milliseconds.
func duration[C any](field func(*C) *time.Duration) func(*C, any) error {
	return value(field, func(v any) (time.Duration, bool) {
		ms, ok := v.(float64)
		return millis(ms), ok
	})
}

// value makes a setter of a field from what turns a JSON value into the field's type.
func value[C, T any](field func(*C) *T, convert func(any) (T, bool)) func(*C, any) error {
	return func(c *C, v any) error {
		converted, ok := convert(v)
		if !ok {
			return fmt.Errorf("%v (%T) is of the wrong type", v, v)
		}
		*field(c) = converted
		return nil
	}
}

func noEffect(*coordinator.Config, any) error { return nil }

func ignored(*consumers.Config, any) error { return nil }

func wholeNumber(v any) (int, bool) {
	n, ok := v.(float64)
	return int(n), ok
}

func truth(v any) (bool, bool) {
	b, ok := v.(bool)
	return b, ok
}

func text(v any) (string, bool) {
	s, ok := v.(string)
	return s, ok
}

func names(v any) ([]string, bool) {
	list, ok := v.([]any)
	if !ok {
		return nil, false
	}
	all := make([]string, len(list))
	for i, item := range list {
		if all[i], ok = item.(string); !ok {
			return nil, false
		}
	}
	return all, true
}
