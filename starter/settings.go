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
	c := d.profile.Config
	var all []clientconfig.Setting
	add := func(key string, value any, note string) {
		if own := d.profile.OwnName(key); own != key {
			note += ", there " + own
		}
		all = append(all, clientconfig.Setting{Key: key, Value: value, Note: note})
	}
	for _, t := range []struct {
		key  string
		time time.Duration
	}{
		{"session.timeout.ms", c.SessionTimeout}, {"heartbeat.interval.ms", c.HeartbeatInterval},
		{"max.poll.interval.ms", c.MaxPollInterval}, {"rebalance.timeout.ms", c.RebalanceTimeout},
	} {
		if t.time > 0 && d.profile.Has(t.key) {
			add(t.key, t.time.Milliseconds(), d.standard())
		}
	}
	add("partition.assignment.strategy", c.Assignors, d.standard())
	if d.profile.Name == "spring" {
		add("enable.auto.commit", false, "Spring Kafka's default")
	}
	return all
}

// standard says whose default something is.
func (d *draft) standard() string {
	switch name := d.profile.Name; {
	case name == "java" || name == "spring":
		return "Kafka's default"
	case d.profile.OnJava():
		return "default of " + name
	default:
		return name + "'s default"
	}
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
