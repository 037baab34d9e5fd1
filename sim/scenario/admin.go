package scenario

import "slices"

// groupOf reads the group that an event is about.
func (l *loader) groupOf(t *table) string {
	name := t.text("group", "")
	if t.has("group") && !l.bad[t.at("group")] && !l.cast.knowsGroup(name) {
		l.wrong(t.at("group"), "%s", l.cast.noGroup(name))
	}
	return name
}

// eventTopics reads the topics that an event is about: whose offsets, or what to subscribe to, which may be a
// pattern instead.
func (l *loader) eventTopics(t *table, e *Event) {
	if e.Do == Subscribe {
		e.Topics, e.Pattern = l.subscription(t)
		return
	}
	names, paths := t.texts("topics")
	if t.has("topics") && len(names) == 0 && !l.bad[t.at("topics")] {
		l.wrong(t.at("topics"), "topics is empty; name at least one")
	}
	for i, name := range names {
		l.checkTopic(paths[i], name)
	}
	e.Topics = names
}

// eventTopic reads the topic that an event changes.
func (l *loader) eventTopic(t *table, do Verb) string {
	name := t.text("topic", "")
	switch {
	case !t.has("topic") || l.bad[t.at("topic")]:
	case do == CreateTopic:
		l.checkName(t.at("topic"), "a topic", name)
	default:
		l.checkTopic(t.at("topic"), name)
	}
	return name
}

func (l *loader) checkTopic(path, name string) {
	if !slices.Contains(l.cast.topics, name) {
		l.wrong(path, "no topic %s%s", quote(name), didYouMean(name, l.cast.topics))
	}
}

// addTopics notes the topics that there can be in the course of the run.
func (c *cast) addTopics(topics []Topic, events []*table) {
	for _, t := range topics {
		c.topics = append(c.topics, t.Name)
	}
	for _, e := range events {
		if name, ok := e.values["topic"].(string); ok && e.values["do"] == string(CreateTopic) && !slices.Contains(c.topics, name) {
			c.topics = append(c.topics, name)
		}
	}
}

// checkCommit makes sure that somebody commits something: members what they hold, or an administrator
// topics of a group.
func (v *validator) checkCommit(path string, e *Event) {
	who, group, topics := v.given(path+".who") || len(e.Who) > 0, v.given(path+".group"), v.given(path+".topics") || len(e.Topics) > 0
	switch {
	case who && group:
		v.wrongKey(path+".group", "commit takes who, the members that commit, or group and topics, for a commit from outside; not both")
	case who && topics:
		v.wrongKey(path+".topics", "a member commits what is assigned to it; topics go with group, for a commit from outside")
	case group && !topics:
		v.wrongKey(path+".group", "commit of a group needs topics: %s", meaning("topics"))
	case !who && !group:
		v.wrongKey(path, "commit needs who, the members that commit, or group and topics, for a commit from outside")
	}
}
