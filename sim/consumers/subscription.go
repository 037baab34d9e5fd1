package consumers

import (
	"regexp"
	"slices"
	"strings"

	"simulate/sim/trace"
	"simulate/sim/wire"
)

// Subscription is what an application subscribes to: topics by name, or all whose names match a pattern as a
// whole. The zero value is no subscription.
type Subscription struct {
	Topics  []string // names, each once; empty with a pattern
	Pattern string   // one that CompilePattern takes; "" with topics by name
}

// subscription is the one of a process. Kafka: SubscriptionState, ConsumerCoordinator.joinedSubscription.
type subscription struct {
	topics  []string       // of a pattern: the matching ones that the metadata have shown
	pattern *regexp.Regexp // nil for topics by name
	joined  []string       // what the last JoinGroup said
	sent    bool           // whether there was one
}

// none reports whether there is no subscription. Poll() would throw then, so the application does not call it.
func (s *subscription) none() bool { return s.pattern == nil && len(s.topics) == 0 }

// excludes reports whether subscribe() throws: topics by name and a pattern are mutually exclusive, until the
// application unsubscribes. Kafka: SubscriptionState.setSubscriptionType.
func (s *subscription) excludes(to Subscription) bool {
	return s.pattern != nil && len(to.Topics) > 0 || len(s.topics) > 0 && s.pattern == nil && to.Pattern != ""
}

// wants reports whether a topic may be assigned. Kafka: SubscriptionState.checkAssignmentMatchedSubscription.
func (s *subscription) wants(topic string) bool {
	if s.pattern != nil {
		return s.pattern.MatchString(topic)
	}
	return slices.Contains(s.topics, topic)
}

// wanted returns those of the partitions that may be assigned.
func (s *subscription) wanted(partitions []wire.TopicPartition) []wire.TopicPartition {
	var wanted []wire.TopicPartition
	for _, tp := range partitions {
		if s.wants(tp.Topic) {
			wanted = append(wanted, tp)
		}
	}
	return wanted
}

// CompilePattern compiles the pattern of a subscription, which whole names must match as in
// java.util.regex.Matcher.matches. The error says what Go's regexp does not understand of it.
func CompilePattern(pattern string) (*regexp.Regexp, error) {
	return regexp.Compile("^(?:" + pattern + ")$")
}

// subscribe takes a subscription as the current one.
func (p *client) subscribe(to Subscription) {
	s := &p.subscription
	s.topics, s.pattern = slices.Clone(to.Topics), nil
	p.metadata.news = true
	if to.Pattern != "" {
		pattern, err := CompilePattern(to.Pattern)
		if err != nil {
			panic("consumers: " + err.Error())
		}
		s.pattern = pattern
	}
	p.matchPattern()
}

// changeSubscription lets the application subscribe to something else.
func (p *client) changeSubscription(to Subscription) {
	before := p.subscription.topics
	p.subscribe(to)
	p.recordSubscription(before)
}

// matchPattern looks in the metadata for the topics that a pattern matches.
// Kafka: ConsumerCoordinator.updatePatternSubscription.
func (p *client) matchPattern() {
	s := &p.subscription
	if s.pattern == nil {
		return
	}
	s.topics = nil
	for topic := range p.metadata.topics {
		if s.pattern.MatchString(topic) {
			s.topics = append(s.topics, topic)
		}
	}
	slices.Sort(s.topics)
}

// recordSubscription tells what is subscribed to, if it was something else before.
func (p *client) recordSubscription(before []string) {
	if topics := p.subscription.topics; !equalSets(before, topics) {
		p.record(trace.Event{Kind: trace.SubscriptionChanged, Member: p.member, Text: strings.Join(slices.Sorted(slices.Values(topics)), ",")})
	}
}

// noLongerSubscribed returns what is assigned of topics that are not subscribed to any more.
func (p *client) noLongerSubscribed() []wire.TopicPartition {
	return slices.DeleteFunc(slices.Clone(p.assigned), func(tp wire.TopicPartition) bool {
		return slices.Contains(p.subscription.topics, tp.Topic)
	})
}

// subscriptionChanged reports whether the last JoinGroup said something else.
func (p *client) subscriptionChanged() bool {
	s := &p.subscription
	return s.sent && !equalSets(s.topics, s.joined)
}

// adoptTopics adds to the subscription what the leader assigned beyond it, which happens to a pattern when the
// leader's metadata are newer. Kafka: ConsumerCoordinator.maybeUpdateJoinedSubscription.
func (p *client) adoptTopics(assigned []wire.TopicPartition) {
	s := &p.subscription
	if s.pattern == nil {
		return
	}
	before := slices.Clone(s.topics)
	for _, tp := range assigned {
		if !slices.Contains(s.joined, tp.Topic) {
			s.joined = append(s.joined, tp.Topic)
		}
		if !slices.Contains(s.topics, tp.Topic) {
			s.topics = append(s.topics, tp.Topic)
		}
	}
	p.recordSubscription(before)
}

func equalSets(a, b []string) bool {
	return len(a) == len(b) && !slices.ContainsFunc(a, func(s string) bool { return !slices.Contains(b, s) })
}
