package lint

import (
	"strconv"
	"strings"
	"time"

	"simulate/sim/consumers"
	"simulate/sim/random"
	"simulate/sim/scenario"
)

func illegalTopic(v *view) {
	check := func(path, who string, topics []string) {
		for j, topic := range topics {
			at := path
			if element := path + "[" + strconv.Itoa(j) + "]"; v.places.Has(element) {
				at = element
			}
			if !consumers.IsLegalTopic(topic) {
				v.report(at, cure{instead: "letters, digits, dots, _ and -, at most 249 of them"},
					"%q is no topic that Kafka allows, and %s asks for it: the leader looks up the topics of all members, gets "+
						"INVALID_TOPIC_EXCEPTION and cannot assign, so the whole group goes without partitions", topic, who)
			}
		}
	}
	for i := range v.Fleets {
		check(fleetKey(i, "topics"), v.Fleets[i].Name, v.Fleets[i].Plan.Topics)
	}
	for i := range v.Events {
		if e := &v.Events[i]; e.Do == scenario.Subscribe {
			check(eventKey(i, "topics"), named(e.Who), e.Topics)
		}
	}
}

// named words whom an event acts on.
func named(who []scenario.Selector) string {
	var names []string
	for _, s := range who {
		switch s.Kind {
		case scenario.ByLeader:
			names = append(names, "the leader of "+s.Name)
		case scenario.ByAny:
			names = append(names, "any of "+s.Name)
		default:
			names = append(names, s.Name)
		}
	}
	return strings.Join(names, ", ")
}

func assignmentLongerThanTimeouts(v *view) {
	for i := range v.Events {
		e := &v.Events[i]
		if e.Do != scenario.SlowAssign && e.Do != scenario.FreezeInAssign {
			continue
		}
		need := rare(e.For)
		for _, at := range v.fleetsOf(e.Who) {
			f := &v.Fleets[at]
			c := f.Plan.Config
			switch {
			case need >= c.SessionTimeout:
				v.report(eventKey(i, "for"), v.longerSession(&f.Plan, "a session longer than the assignment", "fleet."+f.Name+".config."+sessionTimeout, seconds(need)+time.Second),
					"%s, and the leader sends no heartbeat meanwhile: %s %s removes it, and its SyncGroup comes too late for everybody",
					lasts("the assignment", e.For), sessionTimeout, in(c.SessionTimeout))
			case need >= c.RequestTimeout:
				v.report(eventKey(i, "for"), cure{"a request time-out longer than the assignment", fleetSet(f, requestTimeout, seconds(need)+time.Second)},
					"%s: the others give their SyncGroup up after %s %s and join anew, so the assignment is for a generation that is over",
					lasts("the assignment", e.For), requestTimeout, in(c.RequestTimeout))
			}
		}
	}
}

func appendSlowerThanCommitTimeout(v *view) {
	limit := v.Broker.CommitTimeout
	check := func(path string, append random.Distribution) {
		if need := rare(append); need >= limit {
			v.report(path, cure{"a log that is faster, or a longer time-out", setTo("broker.offsets.commit.timeout.ms", seconds(need)+time.Second)},
				"%s, and offsets.commit.timeout.ms is %s: commits fail, which members make before they join, and an assignment that "+
					"fails makes the group rebalance again",
				lasts("an append", append), in(limit))
		}
	}
	check("brokers.append", v.Append)
	for i := range v.Events {
		if e := &v.Events[i]; e.Do == scenario.SlowAppend {
			check(eventKey(i, "append"), e.Append)
		}
	}
}

func onlyBrokerRestarts(v *view) {
	for i := range v.Events {
		if e := &v.Events[i]; e.Do == scenario.BrokerRestart && v.Brokers == 1 {
			v.report(eventKey(i, "do"), cure{"as many brokers as your cluster has", "brokers.count=3"},
				"there is one broker: while it is away no group has a coordinator, which a cluster of several spares")
		}
	}
}
