package scenario

import (
	"math"
	"regexp"
	"slices"
	"strings"

	"simulate/sim/consumers"
	"simulate/sim/random"
)

// versionOf matches what of a client's name is a version.
var versionOf = regexp.MustCompile(`-[0-9].*$`)

func (l *loader) fleet(t *table) Fleet {
	t.must("name")
	f := Fleet{
		Name:   t.text("name", ""),
		Count:  int(t.number("count", 1, 1, mostMembers)),
		Static: t.truth("static", false),
	}
	if t.has("name") && !l.bad[t.at("name")] {
		l.checkName(t.at("name"), "a fleet", f.Name)
	}
	start := t.sub("start", "[fleet.start]", startKeys)
	f.StartAt = start.duration("at", 0)
	f.StartEvery = start.duration("every", 0)
	start.done()
	f.Plan = l.plan(t, f.Name)
	f.Pauses, f.Pod, f.Autoscaler = l.pauses(t), l.pod(t), l.autoscaler(t)
	if f.Autoscaler != nil && f.Pod == nil {
		l.wrongKey(t.at("autoscaler"), "autoscaler needs a [fleet.pod]; an empty one has the defaults of Kubernetes")
	}
	t.done() // member-ids are read when all fleets are known
	return f
}

// plan reads what each member is started from.
func (l *loader) plan(t *table, fleet string) consumers.Plan {
	profile := l.client(t)
	p := consumers.Plan{
		Client:      profile.Name,
		Group:       t.text("group", fleet),
		PollTimeout: t.duration("poll-timeout", profile.PollTimeout),
		PollAgain:   t.duration("poll-again", profile.PollAgain),
		Processing:  t.distribution("processing", random.Distribution{}),
		PerRecord:   t.distribution("per-record", random.Distribution{}),
		OnRevoke:    t.distribution("on-revoke", random.Distribution{}),
		OnAssign:    t.distribution("on-assign", random.Distribution{}),
		OnLost:      t.distribution("on-lost", random.Distribution{}),
		Boot:        t.distribution("boot", random.Distribution{}),
	}
	if t.has("group") && !l.bad[t.at("group")] {
		l.checkGroup(t.at("group"), p.Group)
	}
	p.Topics, p.Pattern = l.subscription(t)
	config := t.sub("config", "[fleet.config]", fleetConfigKeys)
	p.Config = l.config(config, profile.Name, profile.Config)
	return p
}

// checkGroup reports a group that expectations could not name.
func (l *loader) checkGroup(path, group string) {
	if !LegalGroup(group) {
		l.wrong(path, "a group cannot be called %s; use no spaces, commas or parentheses", quote(group))
	}
}

// client reads a profile, in a version where it has several.
func (l *loader) client(t *table) consumers.Profile {
	name := t.text("client", consumers.Newest)
	profile, ok := consumers.FindProfile(name)
	if ok && name != "" {
		return profile
	}
	var known, like []string
	family := versionOf.ReplaceAllString(name, "")
	for _, p := range consumers.Profiles() {
		known = append(known, p.Name)
		if versionOf.ReplaceAllString(p.Name, "") == family {
			like = append(like, p.Name)
		}
	}
	if len(like) > 0 {
		l.wrong(t.at("client"), "client %s is not supported yet; of that kind there are %s", quote(name), strings.Join(like, ", "))
	} else {
		l.wrong(t.at("client"), "unknown client %s%s", quote(name), meantOrAll(name, known, known))
	}
	profile, _ = consumers.FindProfile(consumers.Newest)
	return profile
}

// become gives a plan another profile. What is set otherwise than in the old profile stays.
func become(p *consumers.Plan, profile consumers.Profile) {
	old, _ := consumers.FindProfile(p.Client)
	config := profile.Config
	config.Assignors = slices.Clone(config.Assignors)
	for _, s := range everySetting() {
		s.keep(&config, &p.Config, &old.Config)
	}
	p.Client, p.Config = profile.Name, config
	if p.PollTimeout == old.PollTimeout {
		p.PollTimeout = profile.PollTimeout
	}
	if p.PollAgain == old.PollAgain {
		p.PollAgain = profile.PollAgain
	}
}

// config reads the settings of a client on top of others.
func (l *loader) config(t *table, client string, c consumers.Config) consumers.Config {
	c.Assignors = slices.Clone(c.Assignors)
	if protocol := t.text("group.protocol", "classic"); !strings.EqualFold(protocol, "classic") {
		l.wrong(t.at("group.protocol"), "group.protocol %s is not supported yet; classic is", quote(protocol))
	}
	settings := settingsOf(client)
	readSettings(t, settings, slices.Concat(otherConsumerKeys, foreign(settings)), &c)
	// Kafka: CommonClientConfigs.postProcessReconnectBackoffConfigs. A back-off without a maximum does not grow.
	if t.has("reconnect.backoff.ms") && !t.has("reconnect.backoff.max.ms") && c.ReconnectMax == consumers.Defaults().ReconnectMax {
		c.ReconnectMax = c.ReconnectBackoff
	}
	return c
}

// memberIDs reads the ids that a fleet pins.
func (l *loader) memberIDs(fleet *table, f *Fleet) {
	t := fleet.sub("member-ids", "[fleet.member-ids]", nil)
	seen := map[string]bool{}
	for _, member := range sortedKeys(t.values) {
		owner, n := l.cast.split(member)
		if owner == nil || owner.Name != f.Name || n > l.cast.most[f.Name] {
			l.wrongKey(t.at(member), "no member %s; fleet %s has %s", quote(member), quote(f.Name), l.cast.reach(f))
			continue
		}
		ids, paths := t.texts(member)
		for j, id := range ids {
			switch {
			case id == "" || len(id) > math.MaxInt16:
				l.wrong(paths[j], "a member id has 1 to %d bytes; this one has %d", math.MaxInt16, len(id))
			case seen[id]:
				l.wrong(paths[j], "member id %s is pinned twice", quote(id))
			}
			l.checkPlain(paths[j], "the member id", id)
			seen[id] = true
		}
		if f.MemberIDs == nil {
			f.MemberIDs = map[string][]string{}
		}
		f.MemberIDs[member] = ids
	}
}
