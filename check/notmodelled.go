package check

import (
	"slices"

	"simulate/sim/consumers"
	"simulate/sim/scenario"
)

// notModelled says what a real cluster has and no run has.
var notModelled = []string{
	"records: nothing is produced or fetched, so poll() returns empty at its time-out, lag is unknown, and processing takes what the scenario says",
	"metadata refreshes that a lost connection causes: consumers learn of changed topics by their periodic ones, or because a topic is missing",
	"controller, replication and the balancing of leaders: a broker that stops hands over in measured times, and gets nothing back",
	"brokers beside the offsets topic: where the partitions of other topics are led makes no difference",
	"load: requests cost the broker no time, and the consumers no CPU",
	"TLS, SASL, ACLs and quotas",
	"clock skew between machines",
	"the consumer protocol of KIP-848, and transactions",
}

// withRecords takes the place of the first of them where topics hold records.
const withRecords = "of records their sizes and keys, retention, producers that stop, fetches ahead and quotas of bytes: " +
	"a fetch returns at once what is there, else at the next arrival, and partitions get equal parts"

// missing adds what the clients of a scenario do besides, those included that come by an event.
func missing(s *scenario.Scenario) []string {
	list := slices.Clone(notModelled)
	if s.HasRecords() {
		list[0] = withRecords
	}
	add := func(client string) {
		profile, _ := consumers.FindProfile(client)
		for _, text := range profile.NotModelled {
			if !slices.Contains(list, text) {
				list = append(list, text)
			}
		}
	}
	for i := range s.Fleets {
		add(s.Fleets[i].Plan.Client)
	}
	for i := range s.Events {
		if p := s.Events[i].Plan; p != nil {
			add(p.Client)
		}
	}
	return list
}
