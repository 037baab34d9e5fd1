package scenario

import (
	"slices"
	"strings"

	"simulate/sim/consumers"
	"simulate/sim/random"
)

// mostTimes bounds how often one event happens.
const mostTimes = 1_000_000

func (l *loader) event(t *table) Event {
	e := Event{Line: l.places.line(t.path)}
	t.must("at")
	e.At = t.duration("at", 0)
	v := l.verb(t)
	if v == nil {
		return e
	}
	e.Do = v.verb
	for _, key := range v.needs {
		t.must(key)
	}
	for _, key := range v.keys() {
		l.eventKey(t, &e, key)
	}
	l.strayKeys(t, v)
	return e
}

// eventKey reads one of the keys that the verb takes.
func (l *loader) eventKey(t *table, e *Event, key string) {
	switch key {
	case "who":
		e.Who = l.who(t)
	case "for":
		e.For = t.distribution(key, random.Distribution{})
	case "down":
		e.Down = t.distribution(key, random.Distribution{})
	case "gap":
		e.Gap = t.duration(key, 0)
	case "batch":
		e.Batch = int(t.number(key, 1, 1, mostMembers))
	case "graceful":
		e.Graceful = t.truth(key, true)
	case "timeout":
		e.Close.Timeout = t.instant(key)
	case "group-membership-operation":
		e.Close.Operation = l.operation(t)
	case "to":
		e.To = int(t.number(key, 0, 0, mostMembers))
	case "up":
		e.Up = t.distribution(key, random.Distribution{})
	case "until":
		e.Until = t.duration(key, 0)
	case "direction":
		e.Direction = l.direction(t)
	case "held":
		e.Held = t.truth(key, false)
	case "add":
		e.Add = t.distribution(key, random.Distribution{})
	case "broker":
		l.eventBroker(t, e)
	case "append":
		e.Append = t.distribution(key, random.Distribution{})
	case "error":
		e.Error = l.eventError(t)
	case "group":
		e.Group = l.groupOf(t)
	case "topics":
		l.eventTopics(t, e)
	case "kind":
		e.Kind = l.rolloutKind(t)
	case "max-surge":
		e.MaxSurge = t.portion(key, aQuarter)
	case "max-unavailable":
		e.MaxUnavailable = t.portion(key, aQuarter)
	case "min-ready":
		e.MinReady = t.duration(key, 0)
	case "version":
		e.Version = int16(t.number(key, newestJoin, 0, newestJoin))
	case "mode":
		e.Mode = l.joinMode(t)
	case "hold":
		e.Hold = t.distribution(key, random.Distribution{})
	case "topic":
		e.Topic = l.eventTopic(t, e.Do)
	case "count":
		e.Count = int(t.number(key, 1, 1, mostPartitions))
	case "every":
		if t.has(key) {
			every := t.distribution(key, random.Distribution{})
			e.Every = &every
		}
	case "times":
		e.Times = int(t.number(key, 0, 1, mostTimes))
	case "config": // and client
		l.eventConfig(t, e)
	}
}

// operations are the names of consumers.MembershipOperation, in the order of their values.
// Kafka: CloseOptions.GroupMembershipOperation.
var operations = []string{"DEFAULT", "LEAVE_GROUP", "REMAIN_IN_GROUP"}

func (l *loader) operation(t *table) consumers.MembershipOperation {
	const key = "group-membership-operation"
	name := t.text(key, operations[consumers.LeaveByDefault])
	i := slices.Index(operations, name)
	if i < 0 {
		l.wrong(t.at(key), "%s is %s; write one of %s", key, quote(name), strings.Join(operations, ", "))
		return consumers.LeaveByDefault
	}
	return consumers.MembershipOperation(i)
}

func (l *loader) direction(t *table) Direction {
	known := []string{string(Both), string(Out), string(In)}
	d := t.text("direction", string(Both))
	if !slices.Contains(known, d) {
		l.wrong(t.at("direction"), `direction is %s; write "both", "out" (client to broker) or "in"`, quote(d))
	}
	return Direction(d)
}

// eventConfig reads what processes come back with: the fleet's plan with some settings changed.
func (l *loader) eventConfig(t *table, e *Event) {
	config := t.sub("config", "[event.config]", eventConfigKeys)
	client := verbTakes(e.Do, "client") && t.has("client")
	if !t.has("config") && !client {
		return
	}
	if instance, ok := config.get("group.instance.id"); ok {
		l.instance(config, e, instance)
	}
	fleets := l.cast.fleetsOfAll(e.Who)
	if len(fleets) > 1 {
		l.wrongKey(t.at("config"), "config needs who to name members of one fleet; these are of %s", strings.Join(fleetNamesOf(fleets), ", "))
	}
	if len(fleets) == 0 {
		fleets = []*Fleet{{}} // who is wrong; the settings are read for their own mistakes
	}
	plan := fleets[0].Plan
	if client {
		become(&plan, l.client(t))
	}
	plan.Config = l.config(config, plan.Client, plan.Config)
	e.Plan = &plan
}

// instance reads the group.instance.id that one member is started with; "" makes it dynamic.
func (l *loader) instance(config *table, e *Event, v any) {
	const key = "group.instance.id"
	name, isText := v.(string)
	one := len(e.Who) == 1 && e.Who[0].Kind == ByMember
	switch {
	case !isText:
		l.wrong(config.at(key), "%s is %s; write a string in quotes", key, show(v))
	case e.Do != Start || !one && !l.bad[config.path]:
		l.wrongKey(config.at(key), "%s can be given when one member is started, and only then", key)
	case name != "":
		l.checkName(config.at(key), key, name)
	}
	e.Instance = &name
}

func (c *cast) fleetsOfAll(who []Selector) []*Fleet {
	var all []*Fleet
	for _, s := range who {
		for _, f := range c.fleetsOf(s) {
			if !slices.Contains(all, f) {
				all = append(all, f)
			}
		}
	}
	return all
}

func fleetNamesOf(fleets []*Fleet) []string {
	var names []string
	for _, f := range fleets {
		names = append(names, f.Name)
	}
	return names
}

// strayKeys reports keys that the verb does not take.
func (l *loader) strayKeys(t *table, v *verbSpec) {
	for _, key := range sortedKeys(t.values) {
		switch {
		case key == "at" || key == "do" || slices.Contains(v.keys(), key):
		case find(eventKeys, key) != nil:
			l.wrongKey(t.at(key), "%s takes no %s; it takes %s", v.verb, key, strings.Join(v.keys(), ", "))
		default:
			t.unknown(key, append(v.keys(), "at", "do"))
		}
	}
}
