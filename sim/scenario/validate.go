package scenario

import (
	"slices"
	"time"

	"simulate/sim/consumers"
	"simulate/sim/metrics"
)

// validate applies the rules across fields. What the real client refuses to start with is an error; what
// is merely unwise is not.
func (l *loader) validate(s *Scenario) {
	if s.Duration == 0 && l.given("duration") && !l.bad["duration"] {
		l.wrong("duration", "duration is 0s; it must be positive")
	}
	l.checkTopics(s)
	l.checkNames(s)
	for i := range s.Fleets {
		l.checkFleet(s, indexed("fleet", i), &s.Fleets[i])
	}
	l.checkVotes(s)
	for i := range s.Events {
		l.checkEvent(s, indexed("event", i), &s.Events[i])
	}
	for i := range s.Expectations {
		l.checkExpectation(s, indexed("expect", i), &s.Expectations[i])
	}
}

// given reports whether the file or a flag says something about the path.
func (l *loader) given(path string) bool {
	_, flag := l.flags[path]
	return flag || len(l.places.spots[path]) > 0
}

func (l *loader) checkTopics(s *Scenario) {
	for i, t := range s.Topics {
		j := slices.IndexFunc(s.Topics, func(o Topic) bool { return o.Name == t.Name })
		if j < i && t.Name != "" {
			path := indexed("topic", i) + ".name"
			l.wrong(path, "topic %s is there twice (%s)", quote(t.Name), l.source(indexed("topic", j)+".name"))
		}
	}
}

// checkNames reports fleets that cannot be told from one another or from a member.
func (l *loader) checkNames(s *Scenario) {
	c := l.newCast(s.Fleets, nil)
	for _, e := range s.Events {
		c.grow(e)
	}
	for i, f := range s.Fleets {
		path := indexed("fleet", i) + ".name"
		j := slices.IndexFunc(s.Fleets, func(o Fleet) bool { return o.Name == f.Name })
		switch owner, n := c.split(f.Name); {
		case f.Name == "":
		case j < i:
			l.wrong(path, "fleet %s is there twice (%s)", quote(f.Name), l.source(indexed("fleet", j)+".name"))
		case owner != nil && n <= c.most[owner.Name]:
			l.wrong(path, "fleet %s is called like a member of fleet %s", quote(f.Name), quote(owner.Name))
		}
	}
}

// grow notes the members that an event adds.
func (c *cast) grow(e Event) {
	for _, s := range e.Who {
		if most, ok := c.most[s.Name]; ok && e.Do == Scale && s.Kind == ByFleet {
			c.most[s.Name] = max(most, e.To)
		}
	}
}

func (l *loader) checkFleet(s *Scenario, path string, f *Fleet) {
	for i, topic := range f.Plan.Topics {
		at := path + ".topics"
		if l.given(at + "[0]") {
			at = path + indexed(".topics", i)
		}
		switch {
		case slices.Contains(f.Plan.Topics[:i], topic):
			l.wrong(at, "topic %s is listed twice", quote(topic))
		case !slices.ContainsFunc(s.Topics, func(t Topic) bool { return t.Name == topic }):
			l.wrong(at, "no topic %s%s", quote(topic), didYouMean(topic, topicNames(s)))
		}
	}
	l.within(s, path+".start.at", "start.at", f.StartAt)
	l.checkConfig(f.Plan.Config, path+".config")
	if f.Static {
		l.checkInstance(path+".name", f.Member(f.Count))
	}
}

func topicNames(s *Scenario) []string {
	var names []string
	for _, t := range s.Topics {
		names = append(names, t.Name)
	}
	return names
}

// checkInstance reports a static member whose name is too long for a group.instance.id.
func (l *loader) checkInstance(path, member string) {
	if len(member) > longestName && !l.bad[path] {
		l.wrong(path, "%s is too long for a group.instance.id of %d characters", quote(member), longestName)
	}
}

// within reports an instant that the run does not reach.
func (l *loader) within(s *Scenario, path, key string, at time.Duration) {
	if s.Duration > 0 && at > s.Duration && !l.bad[path] {
		l.wrong(path, "%s is %s; the run ends at %s", key, metrics.Duration(at), metrics.Duration(s.Duration))
	}
}

// checkConfig applies the rules with which the Java client starts. paths are the tables that the
// settings may stand in, the nearest first.
// Kafka: the constructor of org.apache.kafka.clients.consumer.internals.Heartbeat.
func (l *loader) checkConfig(c consumers.Config, paths ...string) {
	const heartbeat, session = "heartbeat.interval.ms", "session.timeout.ms"
	h, s := l.settingPath(heartbeat, paths), l.settingPath(session, paths)
	if c.HeartbeatInterval < c.SessionTimeout || l.bad[h] || l.bad[s] {
		return
	}
	if !l.given(h) {
		l.wrongKey(s, "%s is %s; the Java client requires more than %s (%s, %s)",
			session, metrics.Duration(c.SessionTimeout), heartbeat, metrics.Duration(c.HeartbeatInterval), l.source(h))
		return
	}
	l.wrongKey(h, "%s is %s; the Java client requires less than %s (%s, %s)",
		heartbeat, metrics.Duration(c.HeartbeatInterval), session, metrics.Duration(c.SessionTimeout), l.source(s))
}

// settingPath returns where a setting is given; the first table when nowhere.
func (l *loader) settingPath(key string, tables []string) string {
	for _, t := range tables {
		if l.given(t + "." + key) {
			return t + "." + key
		}
	}
	return tables[0] + "." + key
}

// checkVotes refuses groups that could vote for an assignor without code. A member votes for the first
// entry of its list that all members have, which need not be the first of all.
// Kafka: ClassicGroup.selectProtocol.
func (l *loader) checkVotes(s *Scenario) {
	for i, f := range s.Fleets {
		for _, other := range s.Fleets[:i] {
			if other.Plan.Group != f.Plan.Group {
				continue
			}
			if common := firstCommon(f.Plan.Config.Assignors, other.Plan.Config.Assignors); common != "" && !slices.Contains(supportedFirst, common) {
				l.wrongKey(indexed("fleet", i), "group %s would use %s, which fleets %s and %s share; that is not supported yet",
					quote(f.Plan.Group), common, quote(other.Name), quote(f.Name))
			}
		}
	}
}

func firstCommon(a, b []string) string {
	for _, name := range a {
		if slices.Contains(b, name) {
			return name
		}
	}
	return ""
}

func (l *loader) checkEvent(s *Scenario, path string, e *Event) {
	l.within(s, path+".at", "at", e.At)
	l.within(s, path+".until", "until", e.Until)
	if l.given(path+".until") && e.Until <= e.At && !l.bad[path+".until"] && !l.bad[path+".at"] {
		l.wrong(path+".until", "until is %s; the event is at %s", metrics.Duration(e.Until), metrics.Duration(e.At))
	}
	l.checkRepetition(s, path, e)
	switch e.Do {
	case CrashLoop:
		if neverAdvances(e.Up) && neverAdvances(e.Down) && !l.bad[path+".up"] && !l.bad[path+".down"] && l.given(path+".up") {
			l.wrong(path+".up", "up and down are 0s; the loop would never move on")
		}
	case Scale:
		if who := path + ".who"; !l.bad[who] && slices.ContainsFunc(e.Who, func(w Selector) bool { return w.Kind != ByFleet }) {
			l.wrong(who, "scale changes a whole fleet; who must name one")
		}
	case AbandonMemberID:
		if who := path + ".who"; !l.bad[who] && slices.ContainsFunc(e.Who, func(w Selector) bool { return w.Kind != ByFleet && w.Kind != ByMember }) {
			l.wrong(who, "abandon-member-id needs a fleet or a member to take the client.id and the group from")
		}
	}
	if e.Plan != nil {
		l.checkEventConfig(s, path, e)
	}
}

// checkRepetition makes sure that a repetition ends, and soon enough.
func (l *loader) checkRepetition(s *Scenario, path string, e *Event) {
	every := path + ".every"
	if e.Every == nil {
		for _, key := range []string{"times", "until"} {
			if l.given(path+"."+key) && e.Do != CrashLoop && !l.bad[every] && verbTakes(e.Do, "every") {
				l.wrongKey(path+"."+key, "%s needs every: %s", key, meanings["every"])
			}
		}
		return
	}
	if l.bad[every] {
		return
	}
	if neverAdvances(*e.Every) {
		l.wrong(every, "every is 0s; the event would repeat forever")
		return
	}
	end := s.Duration
	if e.Until > 0 {
		end = min(end, e.Until)
	}
	if n := (end - e.At) / max(typical(*e.Every), 1); n > mostTimes && (e.Times == 0 || e.Times > mostTimes) {
		l.wrong(every, "every is so short that the event happens about %d times; at most %d are allowed", n, mostTimes)
	}
}

func verbTakes(verb Verb, key string) bool {
	v := verbNamed(string(verb))
	return v != nil && slices.Contains(v.takes, key)
}

// checkEventConfig checks the settings of an event together with those of the fleet that they change.
func (l *loader) checkEventConfig(s *Scenario, path string, e *Event) {
	paths := []string{path + ".config"}
	c := l.newCast(s.Fleets, nil)
	for _, f := range c.fleetsOfAll(e.Who) {
		i := slices.IndexFunc(s.Fleets, func(o Fleet) bool { return o.Name == f.Name })
		paths = append(paths, indexed("fleet", i)+".config")
	}
	own := func(key string) bool { return l.given(paths[0] + "." + key) }
	if own("heartbeat.interval.ms") || own("session.timeout.ms") {
		l.checkConfig(e.Plan.Config, paths...)
	}
}

// atInstant are the metrics that are looked at once; a window has no meaning for them.
var atInstant = []string{"state", "members", "leader", "generation", "settled"}

func (l *loader) checkExpectation(s *Scenario, path string, e *Expectation) {
	for _, i := range []struct {
		key string
		at  *time.Duration
	}{{"at", e.At}, {"from", e.From}, {"to", e.To}} {
		if i.at != nil {
			l.within(s, path+"."+i.key, i.key, *i.at)
		}
	}
	window := e.From != nil || e.To != nil
	switch {
	case e.At != nil && window:
		l.wrongKey(path+".at", "at looks at one instant, from and to at a window; give one or the other")
	case window && slices.Contains(atInstant, e.Query.Name):
		l.wrong(path+".that", "%s is looked at in one instant; write at instead of from and to", e.Query.Name)
	case e.From != nil && e.To != nil && *e.From >= *e.To && !l.bad[path+".from"] && !l.bad[path+".to"]:
		l.wrong(path+".to", "to is %s; it must be after from (%s)", metrics.Duration(*e.To), metrics.Duration(*e.From))
	case e.From == nil && e.To != nil && *e.To == 0 && !l.bad[path+".to"]:
		l.wrong(path+".to", "to is 0s; the window is empty")
	}
	if e.From != nil && e.To == nil && *e.From == s.Duration && s.Duration > 0 {
		l.wrong(path+".from", "from is %s; the run ends then and the window is empty", metrics.Duration(*e.From))
	}
}
