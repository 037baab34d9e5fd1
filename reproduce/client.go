package reproduce

import (
	"strings"

	"simulate/incident"
	"simulate/incident/logs"
	"simulate/sim/trace"
)

// saysLibrary are reasons and client ids that only one library has. Reasons are those of a JoinGroup or LeaveGroup.
var saysLibrary = []struct {
	library string
	says    func(l *life) bool
	why     string
}{
	{"franz-go", reasons("beginning to manage the group lifecycle", "client leaving group per normal operation"), "it says why it joins or leaves as franz-go does"},
	{"java", reasons("need to re-join with the given member-id", "rebalance failed due to", "the consumer is being closed", "consumer poll timeout has expired",
		"the consumer unsubscribed from all topics", "consumer pro-actively leaving the group"), "it says why it joins or leaves as Java consumers since 3.2 do"},
	{"librdkafka", ids("rdkafka"), "the client id is librdkafka's default"},
	{"sarama", ids("sarama"), "the client id is sarama's default"},
	{"franz-go", ids("kgo"), "the client id is franz-go's default"},
	{"kafkajs", ids("kafkajs"), "the client id is kafkajs's default"},
	{"aiokafka", idPrefix("aiokafka-"), "the client id is aiokafka's default"},
	{"kafka-python", idPrefix("kafka-python-"), "the client id is kafka-python's default"},
	{"kafka-go", old, "it joins with an old version, as kafka-go does"},
	{"java", idPrefix("consumer-"), "the client id is like those of Java consumers"},
}

func reasons(begin ...string) func(*life) bool {
	return func(l *life) bool {
		for _, b := range begin {
			if strings.HasPrefix(l.reason, b) || strings.HasPrefix(l.said, b) {
				return true
			}
		}
		return false
	}
}

func ids(client string) func(*life) bool {
	return func(l *life) bool { return incident.ClientOf(l.id) == client }
}

func idPrefix(prefix string) func(*life) bool {
	return func(l *life) bool { return strings.HasPrefix(incident.ClientOf(l.id), prefix) }
}

// old reports whether a member was added without being asked to come back with its id.
func old(l *life) bool { return l.direct }

// silentLibraries are those that give no reasons, in the order in which they are tried.
var silentLibraries = []string{"librdkafka", "sarama", "kafkajs", "kafka-python", "java-2.8"}

// library returns what is known of the library of a process; "" when nothing is.
func (s *story) library(p *process) (name, why string) {
	for _, l := range p.lives {
		if profile := s.libraries[incident.ClientOf(l.id)]; profile != "" {
			return profile, "it logged itself"
		}
		for _, known := range saysLibrary {
			if known.says(l) {
				return known.library, known.why
			}
		}
	}
	return "", ""
}

// silent reports whether a process does not say why it joins, though clients like the Java consumer do.
func (s *story) silent(p *process) bool {
	for _, l := range p.lives {
		if l.reason == "" && l.asks {
			for i := range s.events {
				if e := &s.events[i]; e.Kind == logs.Preparing && e.Reason == trace.MemberJoined && e.Member == l.id {
					return true
				}
			}
		}
	}
	return false
}
