package reproduce

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"simulate/incident/logs"
	"simulate/sim/consumers"
	"simulate/sim/scenario"
	"simulate/sim/trace"
)

// revoking are the reasons of cooperative members that have given partitions away.
var revoking = []string{"need to revoke partitions and re-join", "after revoking what we lost"}

// naturalReasons are others with which clients rejoin because of what happened before; the simulated ones do so, too.
var naturalReasons = []string{"rebalance failed due to", "encountered "}

// placeRejoin lets a member rejoin that nobody has asked to.
func (d *draft) placeRejoin(i int) {
	e := &d.story.events[i]
	a := act{at: d.story.at(i) - justTime, aims: i, ends: -1}
	switch {
	case e.Reason == trace.AppendFailed:
		a.do, a.note = scenario.FailAppend, "the assignment could not be stored"
		a.keys = []pair{{"error", quoted(appendError(e.Text))}, {"group", quoted(d.group())}}
		a.at, a.lasts = a.at-20*time.Millisecond, 100*time.Millisecond
		if next := d.story.after(i, logs.Completing); next >= 0 {
			a.lasts = max(30*time.Millisecond, min(d.story.at(next)-a.at-justTime, a.lasts))
		}
		d.add(a)
	case e.Reason == trace.NoReason && !d.explained(i):
		a.do, a.note = scenario.EnforceRebalance, "why the group rebalances is not logged"
		if p := d.anybody(i); p != nil {
			a.who = d.member(p)
			d.add(a)
		}
	case !d.natural(i):
		d.insist(i, false)
	}
}

// insist lets the member rejoin that did in the log, or else subscribe to one more topic: a coordinator takes no notice of a
// member that rejoins with what it said before, unless it leads. It reports whether there is such a member, and something
// makes it.
func (d *draft) insist(i int, subscribes bool) bool {
	e := &d.story.events[i]
	p := d.processOf(e.Member)
	if p == nil || e.Reason != trace.LeaderRejoined && e.Reason != trace.MemberRejoined {
		return false
	}
	a := act{at: d.story.at(i) - justTime, aims: i, ends: -1, who: d.member(p)}
	if subscribes {
		d.acts = slices.DeleteFunc(d.acts, func(other act) bool { return other.aims == i })
		d.subscribes(&a, e)
		a.note = "it rejoins: " + orUnknown(e.ClientReason) + "; here, since it reads one more topic"
	} else if !d.rejoins(&a, p, e) {
		return false
	}
	d.add(a)
	return true
}

// natural reports whether a member rejoins because of what happened before.
func (d *draft) natural(i int) bool {
	return hasPrefix(d.story.events[i].ClientReason, naturalReasons...) || d.justLoaded(i) || d.choices.assignors != eager && d.story.gives(i)
}

// gives reports whether a member rejoins to give partitions away, as cooperative ones do.
func (s *story) gives(i int) bool {
	return hasPrefix(s.events[i].ClientReason, revoking...) || s.followsUp(i)
}

// rejoins says in what an act makes a process rejoin as it did; false when nothing is known that does.
func (d *draft) rejoins(a *act, p *process, e *logs.Event) bool {
	profile, _ := consumers.FindProfile(d.fleetOf(p).client.value)
	switch {
	case e.ClientReason == "subscription has changed":
		d.subscribes(a, e)
	case profile.OnJava(), slices.Contains(enforcing, profile.Name) && (e.Reason == trace.MemberRejoined || d.story.gives(a.aims)):
		a.do, a.note = scenario.EnforceRebalance, "it rejoins: "+orUnknown(e.ClientReason)
	case e.Reason == trace.LeaderRejoined:
		d.more++
		a.do, a.who, a.note = scenario.Partitions, "", "the leader rejoins, as when there are more partitions: "+orUnknown(e.ClientReason)
		a.keys = []pair{{"topic", `"topic-1"`}, {"count", strconv.Itoa(d.partitions() + d.more)}}
		d.watchTopics()
	default:
		return false
	}
	return true
}

// subscribes lets a member rejoin since it subscribes to one more topic.
func (d *draft) subscribes(a *act, e *logs.Event) {
	other := "no topic" // its name is illegal
	if !d.poisoned(a.aims) {
		d.topics++
		other = "topic-" + strconv.Itoa(d.topics)
	}
	a.do, a.note = scenario.Subscribe, e.ClientReason
	a.keys = []pair{{"topics", quotedList([]string{"topic-1", other})}}
}

// enforcing are the libraries besides Java's whose members rejoin when the application wants it.
var enforcing = []string{"franz-go", "sarama"}

// appendErrors are errors of a log that brokers print.
var appendErrors = []string{"NOT_ENOUGH_REPLICAS_AFTER_APPEND", "NOT_ENOUGH_REPLICAS", "REQUEST_TIMED_OUT", "NOT_LEADER_OR_FOLLOWER", "KAFKA_STORAGE_ERROR"}

// appendError returns the error that a reason names, or the usual one.
func appendError(reason string) string {
	for _, name := range appendErrors {
		if strings.Contains(reason, name) {
			return name
		}
	}
	return "NOT_ENOUGH_REPLICAS"
}

// explained reports whether something else that is logged makes the group rebalance.
func (d *draft) explained(i int) bool {
	s := d.story
	return s.startsEmpty(i) || slices.ContainsFunc(s.lives, func(l *life) bool {
		near := func(event int) bool { return event >= 0 && (s.at(event)-s.at(i)).Abs() < 50*time.Millisecond }
		return near(l.until) || l.joins && near(s.joinedAt(l))
	})
}

// anybody returns a process that is a Java consumer in the group; nil when there is none.
func (d *draft) anybody(i int) *process {
	for _, p := range d.story.processes {
		profile, _ := consumers.FindProfile(d.fleetOf(p).client.value)
		if profile.OnJava() && d.story.memberThroughout(p, i, i) {
			return p
		}
	}
	return nil
}

// watchTopics lets members notice soon that a topic has changed.
func (d *draft) watchTopics() {
	why := "that a topic changed is noticed at once"
	for _, f := range d.fleets {
		profile, _ := consumers.FindProfile(f.client.value)
		if profile.Has("WatchPartitionChanges") {
			f.settings = set(f.settings, setting{"WatchPartitionChanges", "true", derived, why})
			f.settings = set(f.settings, setting{"PartitionWatchInterval", `"500ms"`, assumed, why})
		} else if profile.Has(metadataMaxAge) {
			f.settings = set(f.settings, setting{metadataMaxAge, "500", assumed, why})
		}
	}
}

// poisoned reports whether members fail because of a wrong topic between this rejoin and the next one of that kind.
func (d *draft) poisoned(i int) bool {
	for _, e := range d.story.events[i+1:] {
		switch {
		case e.Kind == logs.Preparing && strings.Contains(e.ClientReason, "InvalidTopicException"):
			return true
		case e.Kind == logs.Preparing && e.ClientReason == "subscription has changed":
			return false
		}
	}
	return false
}

func orUnknown(reason string) string {
	if reason == "" {
		return "it does not say why"
	}
	return reason
}

// justLoaded reports whether the group had come to another coordinator a moment before.
func (d *draft) justLoaded(i int) bool {
	last := d.story.before(i, logs.GroupLoaded)
	return last >= 0 && d.story.at(i)-d.story.at(last) < 10*time.Second
}

func hasPrefix(text string, prefixes ...string) bool {
	return slices.ContainsFunc(prefixes, func(p string) bool { return strings.HasPrefix(text, p) })
}
