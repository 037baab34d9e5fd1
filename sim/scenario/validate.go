package scenario

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"simulate/sim/consumers"
	"simulate/sim/metrics"
)

// validate applies the rules across fields. What the real client refuses to start with is an error; what
// is merely unwise is not.
func (l *loader) validate(s *Scenario) {
	l.positive("duration", s.Duration)
	l.positive("stuck-after", s.StuckAfter)
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

// positive reports a duration of the whole scenario that is given as zero.
func (l *loader) positive(key string, d time.Duration) {
	if d == 0 && l.given(key) && !l.bad[key] {
		l.wrong(key, "%s is 0s; it must be positive", key)
	}
}

// given reports whether the file or a flag says something about the path.
func (l *loader) given(path string) bool {
	_, flag := l.flags[path]
	return flag || len(l.places.spots[path]) > 0
}

func (l *loader) checkTopics(s *Scenario) {
	first := map[string]string{}
	for i, t := range s.Topics {
		path := indexed("topic", i) + ".name"
		if there, ok := first[t.Name]; ok && t.Name != "" {
			l.wrong(path, "topic %s is there twice (%s)", quote(t.Name), l.source(there))
			continue
		}
		first[t.Name] = path
	}
}

// checkNames reports fleets that cannot be told from one another or from a member.
func (l *loader) checkNames(s *Scenario) {
	first := map[string]string{}
	for i, f := range s.Fleets {
		path := indexed("fleet", i) + ".name"
		there, twice := first[f.Name]
		if !twice {
			first[f.Name] = path
		}
		switch owner, n := l.cast.split(f.Name); {
		case f.Name == "":
		case twice:
			l.wrong(path, "fleet %s is there twice (%s)", quote(f.Name), l.source(there))
		case owner != nil && n <= l.cast.most[owner.Name]:
			l.wrong(path, "fleet %s is called like a member of fleet %s", quote(f.Name), quote(owner.Name))
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
	if poll := path + ".poll-timeout"; f.Plan.PollTimeout == 0 && neverAdvances(f.Plan.Processing) && !l.bad[poll] && !l.bad[path+".processing"] {
		l.wrong(poll, "poll-timeout and processing are 0s; the application would poll without end in one instant")
	}
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

// ballot is one list of assignors that members of a group join with.
type ballot struct {
	path      string // of the fleet or event
	who       string
	group     string
	assignors []string
}

// checkVotes refuses groups that could vote for an assignor without code. A member votes for the first
// entry of its list that all members have, which need not be the first of all; that can only happen when
// two lists disagree. Kafka: ClassicGroup.selectProtocol.
func (l *loader) checkVotes(s *Scenario) {
	all := ballots(s)
	for i, b := range all {
		for j := i - 1; j >= 0 && all[j].group == b.group; j-- {
			common := firstCommon(b.assignors, all[j].assignors)
			if common != "" && !slices.Contains(supportedFirst, common) {
				l.wrongKey(b.path, "group %s could use %s, which %s and %s share; that is not supported yet",
					quote(b.group), common, all[j].who, b.who)
			}
		}
	}
}

func ballots(s *Scenario) []ballot {
	var all []ballot
	for i, f := range s.Fleets {
		all = append(all, ballot{indexed("fleet", i), "fleet " + quote(f.Name), f.Plan.Group, f.Plan.Config.Assignors})
	}
	for i, e := range s.Events {
		if e.Plan != nil {
			all = append(all, ballot{indexed("event", i), fmt.Sprintf("the event in line %d", e.Line), e.Plan.Group, e.Plan.Config.Assignors})
		}
	}
	// Lists that are alike vote alike: the first of each is enough, and few are different.
	slices.SortStableFunc(all, func(a, b ballot) int {
		return cmp.Or(strings.Compare(a.group, b.group), slices.Compare(a.assignors, b.assignors))
	})
	return slices.CompactFunc(all, func(a, b ballot) bool {
		return a.group == b.group && slices.Equal(a.assignors, b.assignors)
	})
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
		l.checkLoop(s, path+".up", path+".down", e)
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
	} else if e.Times == 0 {
		l.bounded(s, every, "every is", e, typical(*e.Every))
	}
}

// bounded reports an event that happens too often: about once in each period, until its end.
func (l *loader) bounded(s *Scenario, path, subject string, e *Event, period time.Duration) {
	end := s.Duration
	if e.Until > 0 {
		end = min(end, e.Until)
	}
	if n := (end - e.At) / max(period, 1); n > mostTimes {
		l.wrong(path, "%s so short that the event happens about %d times; at most %d are allowed", subject, n, mostTimes)
	}
}

func (l *loader) checkLoop(s *Scenario, up, down string, e *Event) {
	switch {
	case l.bad[up] || l.bad[down] || !l.given(up):
	case neverAdvances(e.Up) && neverAdvances(e.Down):
		l.wrong(up, "up and down are 0s; the loop would never move on")
	default:
		l.bounded(s, up, "up and down are", e, typical(e.Up)+typical(e.Down))
	}
}

func verbTakes(verb Verb, key string) bool {
	v := verbNamed(string(verb))
	return v != nil && slices.Contains(v.takes, key)
}

// checkEventConfig checks the settings of an event together with those of the fleet that they change.
func (l *loader) checkEventConfig(s *Scenario, path string, e *Event) {
	paths := []string{path + ".config"}
	for _, f := range l.cast.fleetsOfAll(e.Who) {
		paths = append(paths, indexed("fleet", l.cast.index[f.Name])+".config")
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
