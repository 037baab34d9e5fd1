package scenario

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"simulate/sim/assignors"
	"simulate/sim/consumers"
	"simulate/sim/metrics"
)

// validate applies the rules across fields. What the real client refuses to start with is an error; what
// is merely unwise is not.
func (l *loader) validate(s *Scenario) {
	v := &validator{l, s}
	if last := uint64(s.Seed) + uint64(s.Replications-1); last > math.MaxInt64 && !v.bad["seed"] {
		v.wrong("seed", "seed is %d; the last of %d replications would have one above %d", s.Seed, s.Replications, int64(math.MaxInt64))
	}
	v.checkPositive("duration", s.Duration)
	v.checkPositive("stuck-after", s.StuckAfter)
	v.checkTopics()
	v.checkNames()
	for i := range s.Fleets {
		v.checkFleet(indexed("fleet", i), &s.Fleets[i])
	}
	for i := range s.Events {
		v.checkEvent(indexed("event", i), &s.Events[i])
	}
	for i := range s.Expectations {
		v.checkExpectation(indexed("expect", i), &s.Expectations[i])
	}
}

// validator is the loader while it looks at the whole scenario.
type validator struct {
	*loader
	s *Scenario
}

// checkPositive reports a duration of the whole scenario that is given as zero.
func (v *validator) checkPositive(key string, d time.Duration) {
	if d == 0 && v.given(key) && !v.bad[key] {
		v.wrong(key, "%s is 0s; it must be positive", key)
	}
}

// given reports whether the file or a flag says something about the path.
func (v *validator) given(path string) bool {
	_, flag := v.flags[path]
	return flag || len(v.places.spots[path]) > 0
}

func (v *validator) checkTopics() {
	first := map[string]string{}
	for i, t := range v.s.Topics {
		path := indexed("topic", i) + ".name"
		if there, ok := first[t.Name]; ok && t.Name != "" {
			v.wrong(path, "topic %s is there twice (%s)", quote(t.Name), v.source(there))
			continue
		}
		first[t.Name] = path
	}
}

// checkNames reports fleets that cannot be told from one another or from a member.
func (v *validator) checkNames() {
	first := map[string]string{}
	for i, f := range v.s.Fleets {
		path := indexed("fleet", i) + ".name"
		there, twice := first[f.Name]
		if !twice {
			first[f.Name] = path
		}
		switch owner, n := v.cast.split(f.Name); {
		case f.Name == "":
		case twice:
			v.wrong(path, "fleet %s is there twice (%s)", quote(f.Name), v.source(there))
		case owner != nil && n <= v.cast.most[owner.Name]:
			v.wrong(path, "fleet %s is called like a member of fleet %s", quote(f.Name), quote(owner.Name))
		}
	}
}

func (v *validator) checkFleet(path string, f *Fleet) {
	v.checkSubscription(path, f.Plan.Topics, f.Plan.Pattern)
	v.checkWithin(path+".start.at", "start.at", f.StartAt)
	v.checkConfig(&f.Plan, path+".config")
	v.checkAssignors(&f.Plan, path+".config."+strategy, path+".client")
	profile, _ := consumers.FindProfile(f.Plan.Client)
	if poll := path + ".poll-timeout"; profile.PollTimeout > 0 && f.Plan.PollTimeout == 0 && neverAdvances(f.Plan.Processing) && !v.bad[poll] && !v.bad[path+".processing"] {
		v.wrong(poll, "poll-timeout and processing are 0s; the application would poll without end in one instant")
	}
	if f.Static {
		v.checkInstance(path+".name", f.Member(f.Count))
		v.checkDynamic(path+".static", &f.Plan, "leave static out")
	}
}

// checkDynamic reports a static member of a client that has none.
func (v *validator) checkDynamic(path string, p *consumers.Plan, instead string) {
	if profile, _ := consumers.FindProfile(p.Client); profile.AlwaysDynamic && !v.bad[path] {
		v.wrong(path, "client %s has no group.instance.id; %s", quote(p.Client), instead)
	}
}

// checkInstance reports a static member whose name is too long for a group.instance.id.
func (v *validator) checkInstance(path, member string) {
	if len(member) > longestName && !v.bad[path] {
		v.wrong(path, "%s is too long for a group.instance.id of %d characters", quote(member), longestName)
	}
}

// checkWithin reports an instant that the run does not reach.
func (v *validator) checkWithin(path, key string, at time.Duration) {
	if v.s.Duration > 0 && at > v.s.Duration && !v.bad[path] {
		v.wrong(path, "%s is %s; the run ends at %s", key, metrics.Duration(at), metrics.Duration(v.s.Duration))
	}
}

// checkConfig applies the rules with which a client starts. paths are the tables that the settings may stand in, the
// nearest first.
// Kafka: the constructor of org.apache.kafka.clients.consumer.internals.Heartbeat. librdkafka: rd_kafka_conf_finalize.
func (v *validator) checkConfig(p *consumers.Plan, paths ...string) {
	const heartbeat, session, poll = "heartbeat.interval.ms", "session.timeout.ms", "max.poll.interval.ms"
	profile, _ := consumers.FindProfile(p.Client)
	c, ordered := &p.Config, bound{client: clientCalled(profile), paths: paths}
	if !profile.AnyHeartbeat && c.HeartbeatInterval >= c.SessionTimeout {
		v.outOfOrder(ordered, heartbeat, c.HeartbeatInterval, session, c.SessionTimeout, "less", "more")
	}
	if profile.PollCoversSession && c.MaxPollInterval < c.SessionTimeout {
		v.outOfOrder(ordered, session, c.SessionTimeout, poll, c.MaxPollInterval, "no more", "no less")
	}
}

// bound is what a client requires of two settings.
type bound struct {
	client string
	paths  []string
}

// clientCalled names a client in messages.
func clientCalled(p consumers.Profile) string {
	if p.Options == nil {
		return "the Java client"
	}
	return p.Name
}

// outOfOrder reports that the first setting is not below the second one, at the one that is given.
func (v *validator) outOfOrder(b bound, low string, least time.Duration, high string, most time.Duration, less, more string) {
	l, h := v.settingPath(low, b.paths), v.settingPath(high, b.paths)
	switch {
	case v.bad[l] || v.bad[h]:
	case !v.given(l):
		v.wrongKey(h, "%s is %s; %s requires %s than %s (%s, %s)",
			high, metrics.Duration(most), b.client, more, low, metrics.Duration(least), v.source(l))
	default:
		v.wrongKey(l, "%s is %s; %s requires %s than %s (%s, %s)",
			low, metrics.Duration(least), b.client, less, high, metrics.Duration(most), v.source(h))
	}
}

const strategy = "partition.assignment.strategy"

// checkAssignors reports assignors that the client does not have, that are listed twice or that it does not take
// together. list and client are the paths of what may have brought them.
// Kafka: ConsumerPartitionAssignor.getAssignorInstances. librdkafka: rd_kafka_assignors_init. kafka-python:
// ConsumerCoordinator._validate_rebalance_protocol.
func (v *validator) checkAssignors(p *consumers.Plan, list, client string) {
	if !v.given(list) && !v.given(client) {
		return
	}
	whole := client
	if v.given(list) {
		whole = list
	}
	profile, _ := consumers.FindProfile(p.Client)
	once := !profile.AssignorsTwice && profile.Options == nil
	for i, name := range p.Config.Assignors {
		at := whole
		if element := fmt.Sprintf("%s[%d]", list, i); v.given(element) {
			at = element
		}
		switch a, has := profile.Assignor(name); {
		case v.bad[at]:
		case !has:
			v.wrong(at, "%s has no assignor %s; it has %s", clientCalled(profile), name, strings.Join(profile.Assignors(), ", "))
		case once && slices.Contains(p.Config.Assignors[:i], name):
			v.wrong(at, "assignor %s is listed twice; the Java client refuses that", name)
		case profile.OneProtocol && a.Cooperative != assignors.Cooperative(p.Config.Assignors[:1]) && !v.bad[whole]:
			v.wrong(whole, "%s does not start with cooperative-sticky and eager assignors together", clientCalled(profile))
		}
	}
}

// settingPath returns where a setting is given; the first table when nowhere.
func (v *validator) settingPath(key string, tables []string) string {
	for _, t := range tables {
		if v.given(t + "." + key) {
			return t + "." + key
		}
	}
	return tables[0] + "." + key
}

func (v *validator) checkEvent(path string, e *Event) {
	v.checkWithin(path+".at", "at", e.At)
	v.checkWithin(path+".until", "until", e.Until)
	if v.given(path+".until") && e.Until <= e.At && !v.bad[path+".until"] && !v.bad[path+".at"] {
		v.wrong(path+".until", "until is %s; the event is at %s", metrics.Duration(e.Until), metrics.Duration(e.At))
	}
	v.checkRepetition(path, e)
	v.checkBroker(path, e)
	switch e.Do {
	case Commit:
		v.checkCommit(path, e)
	case Subscribe:
		v.checkSubscription(path, e.Topics, e.Pattern)
	case HoldLeaderSync:
		v.checkHoldLeaderSync(path, e)
	case RawJoin:
		v.checkRawJoin(path, e)
	case Stop, Restart, RollingRestart:
		v.checkClosing(path, e)
	case CrashLoop:
		v.checkLoop(path+".up", path+".down", e)
	case Rollout:
		v.checkRollout(path, e)
	case Scale:
		if who := path + ".who"; !v.bad[who] && slices.ContainsFunc(e.Who, func(w Selector) bool { return w.Kind != ByFleet }) {
			v.wrong(who, "scale changes a whole fleet; who must name one")
		}
	case AbandonMemberID:
		if who := path + ".who"; !v.bad[who] && slices.ContainsFunc(e.Who, func(w Selector) bool { return w.Kind != ByFleet && w.Kind != ByMember }) {
			v.wrong(who, "abandon-member-id needs a fleet or a member to take the client.id and the group from")
		}
	}
	if e.Plan != nil {
		v.checkEventConfig(path, e)
	}
}

// checkClosing reports what a process cannot say to close().
func (v *validator) checkClosing(path string, e *Event) {
	const timeout, operation = ".timeout", ".group-membership-operation"
	for _, key := range []string{timeout, operation} {
		if v.given(path+key) && e.Do != Stop && !e.Graceful && !v.bad[path+".graceful"] {
			v.wrongKey(path+key, "%s is for close(), which a process that is killed does not call", key[1:])
		}
	}
	if !v.given(path+operation) || v.bad[path+operation] {
		return
	}
	for _, f := range v.cast.fleetsOfAll(e.Who) {
		if profile, _ := consumers.FindProfile(f.Plan.Client); !profile.CloseOptions {
			v.wrongKey(path+operation, "%s has no CloseOptions (KIP-1092); the newest Java consumer has", profile.Name)
		}
	}
}

// checkEventConfig checks the settings of an event together with those of the fleet that they change.
func (v *validator) checkEventConfig(path string, e *Event) {
	paths := []string{path + ".config"}
	for _, f := range v.cast.fleetsOfAll(e.Who) {
		paths = append(paths, indexed("fleet", v.cast.index[f.Name])+".config")
	}
	v.checkAssignors(e.Plan, paths[0]+"."+strategy, path+".client")
	static := func(f *Fleet) bool { return f.Static }
	switch {
	case e.Instance != nil && *e.Instance != "":
		v.checkDynamic(paths[0]+".group.instance.id", e.Plan, "leave it out")
	case e.Instance == nil && v.given(path+".client") && slices.ContainsFunc(v.cast.fleetsOfAll(e.Who), static):
		v.checkDynamic(path+".client", e.Plan, `add config = { group.instance.id = "" }`)
	}
	own := func(key string) bool { return v.given(paths[0] + "." + key) }
	if v.given(path+".client") || own("heartbeat.interval.ms") || own("session.timeout.ms") || own("max.poll.interval.ms") {
		v.checkConfig(e.Plan, paths...)
	}
}

// atInstant are the metrics that are looked at once; a window has no meaning for them.
var atInstant = []string{"state", "members", "leader", "generation", "settled"}

func (v *validator) checkExpectation(path string, e *Expectation) {
	for _, i := range []struct {
		key string
		at  *time.Duration
	}{{"at", e.At}, {"from", e.From}, {"to", e.To}} {
		if i.at != nil {
			v.checkWithin(path+"."+i.key, i.key, *i.at)
		}
	}
	window := e.From != nil || e.To != nil
	switch {
	case e.At != nil && window:
		v.wrongKey(path+".at", "at looks at one instant, from and to at a window; give one or the other")
	case window && slices.Contains(atInstant, e.Query.Name):
		v.wrong(path+".that", "%s is looked at in one instant; write at instead of from and to", e.Query.Name)
	case e.From != nil && e.To != nil && *e.From >= *e.To && !v.bad[path+".from"] && !v.bad[path+".to"]:
		v.wrong(path+".to", "to is %s; it must be after from (%s)", metrics.Duration(*e.To), metrics.Duration(*e.From))
	case e.From == nil && e.To != nil && *e.To == 0 && !v.bad[path+".to"]:
		v.wrong(path+".to", "to is 0s; the window is empty")
	}
	if e.From != nil && e.To == nil && *e.From == v.s.Duration && v.s.Duration > 0 {
		v.wrong(path+".from", "from is %s; the run ends then and the window is empty", metrics.Duration(*e.From))
	}
}
