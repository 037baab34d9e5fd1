package starter

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"simulate/clientconfig"
	"simulate/sim/assignors"
	"simulate/sim/scenario"
)

// settings writes Kafka's keys: those that matter most whether they are given or not, then what else is given.
func (d *draft) settings() {
	var all []row
	var written []string
	for _, standard := range d.defaults() {
		written = append(written, standard.Key)
		all = append(all, d.settingRow(standard))
	}
	for _, s := range d.Config.Settings {
		if !slices.Contains(written, s.Key) {
			all = append(all, row{s.Key, literal(s.Value), d.source(s)})
		}
	}
	d.rows("[fleet.config]", all...)
}

// settingRow is the value of the configuration, or else the default; its note says whose.
func (d *draft) settingRow(standard clientconfig.Setting) row {
	if s, ok := d.Config.Find(standard.Key); ok {
		return row{s.Key, literal(s.Value), d.source(s)}
	}
	return row{standard.Key, literal(standard.Value), standard.Note}
}

// defaults are the settings that are always written, with the client's defaults.
func (d *draft) defaults() []clientconfig.Setting {
	if d.Config.Format == clientconfig.Librdkafka && d.Client == "" {
		all := slices.Clone(clientconfig.LibrdkafkaDefaults)
		for i := range all {
			all[i].Note = "librdkafka's default"
		}
		return all
	}
	c, whose := d.profile.Config, "Kafka's default"
	if name := d.profile.Name; name != "java" && name != "spring" {
		whose = "default of " + name
	}
	all := []clientconfig.Setting{
		{Key: "session.timeout.ms", Value: c.SessionTimeout.Milliseconds(), Note: whose},
		{Key: "heartbeat.interval.ms", Value: c.HeartbeatInterval.Milliseconds(), Note: whose},
		{Key: "max.poll.interval.ms", Value: c.MaxPollInterval.Milliseconds(), Note: whose},
		{Key: "partition.assignment.strategy", Value: c.Assignors, Note: whose},
	}
	if d.profile.Name == "spring" {
		all = append(all, clientconfig.Setting{Key: "enable.auto.commit", Value: false, Note: "Spring Kafka's default"})
	}
	return all
}

// time returns a time of the configuration, or else the default.
func (d *draft) time(key string, standard time.Duration) time.Duration {
	if s, ok := d.Config.Find(key); ok {
		return s.Millis()
	}
	return standard
}

// cooperative reports whether the members keep working in a rebalance.
func (d *draft) cooperative() bool {
	names := d.profile.Config.Assignors
	if s, ok := d.Config.Find("partition.assignment.strategy"); ok {
		names = s.Value.([]string)
	}
	return assignors.Cooperative(names)
}

// literal writes a value as TOML.
func literal(v any) string {
	switch v := v.(type) {
	case int:
		return strconv.Itoa(v)
	case int64:
		return strconv.FormatInt(v, 10)
	case bool:
		return strconv.FormatBool(v)
	case []string:
		return scenario.Literal(strings.Join(v, ","))
	}
	return scenario.Literal(v.(string))
}
