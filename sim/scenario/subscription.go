package scenario

import (
	"errors"
	"math"
	"regexp"
	"regexp/syntax"
	"slices"
	"strings"

	"simulate/sim/consumers"
)

// subscription reads what consumers subscribe to: topics by name, or all that match a pattern.
func (l *loader) subscription(t *table) (topics []string, pattern string) {
	topics, _ = t.texts("topics")
	pattern = t.text("pattern", "")
	switch byName, byPattern := t.has("topics"), t.has("pattern"); {
	case byName && byPattern:
		l.wrongKey(t.at("pattern"), "%s has topics and a pattern; a consumer subscribes by one or the other", t.label)
	case !byName && !byPattern:
		l.wrongKey(t.path, "%s has neither topics nor pattern: what to subscribe to", t.label)
	case byName && len(topics) == 0 && !l.bad[t.at("topics")]:
		l.wrong(t.at("topics"), "topics is empty; a consumer without a subscription joins no group")
	}
	return topics, pattern
}

// checkSubscription reports what nobody can subscribe to. Topics must exist at some time, but for those that
// Kafka refuses by their names: that one member asks for such a topic and blocks its group is what a scenario
// may be about.
func (v *validator) checkSubscription(path string, topics []string, pattern string) {
	for i, topic := range topics {
		at := path + ".topics"
		if v.given(at + "[0]") {
			at = path + indexed(".topics", i)
		}
		switch {
		case strings.TrimSpace(topic) == "":
			v.wrong(at, "topic %s is blank; no topic is called that", quote(topic))
		case len(topic) > math.MaxInt16:
			v.wrong(at, "a topic has at most %d bytes in a JoinGroup; this one has %d", math.MaxInt16, len(topic))
		case slices.Contains(topics[:i], topic):
			v.wrong(at, "topic %s is listed twice", quote(topic))
		case !consumers.IsLegalTopic(topic):
			v.checkPlain(at, "the topic", topic)
		default:
			v.checkTopic(at, topic)
		}
	}
	v.checkPattern(path+".pattern", pattern)
}

// checkPattern reports a pattern that cannot be compiled, or that no topic ever matches.
func (v *validator) checkPattern(path, pattern string) {
	if !v.given(path) || v.bad[path] {
		return
	}
	matches, err := compilePattern(pattern)
	switch {
	case pattern == "":
		v.wrong(path, "pattern is empty; it has to match something")
	case err != nil:
		v.wrong(path, "pattern %s cannot be used: %s", quote(pattern), reasonOf(err))
	case !slices.ContainsFunc(v.cast.topics, matches.MatchString):
		v.wrong(path, "no topic's whole name matches %s", quote(pattern))
	}
}

// compilePattern is consumers.CompilePattern; alone, too, the pattern has to be an expression.
func compilePattern(pattern string) (*regexp.Regexp, error) {
	if _, err := regexp.Compile(pattern); err != nil {
		return nil, err
	}
	return consumers.CompilePattern(pattern)
}

// reasonOf says what Go's regexp does not understand.
func reasonOf(err error) string {
	var e *syntax.Error
	if errors.As(err, &e) {
		switch e.Code {
		case syntax.ErrInvalidPerlOp, syntax.ErrInvalidRepeatOp, syntax.ErrInvalidEscape:
			return quote(e.Expr) + " is not supported; no look-around, back-references or possessive quantifiers, which Java has"
		}
		return string(e.Code) + ": " + quote(e.Expr)
	}
	return brief(err.Error())
}

// subscribed returns the names of the topics that a plan subscribes to, those included that events create.
func (s *Scenario) subscribed(p *consumers.Plan) []string {
	if p.Pattern == "" {
		return p.Topics
	}
	matches, err := compilePattern(p.Pattern)
	if err != nil {
		return nil
	}
	var names []string
	add := func(name string) {
		if matches.MatchString(name) && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	for _, t := range s.Topics {
		add(t.Name)
	}
	for _, e := range s.Events {
		if e.Do == CreateTopic {
			add(e.Topic)
		}
	}
	return names
}
