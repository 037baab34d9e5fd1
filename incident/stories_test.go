package incident

import (
	"context"
	"strings"
	"testing"

	"simulate/incident/logs"
)

// stories are logs in the shapes that people have posted, with what they come to in the words of TestSamples, of which the logs are not
// in this repository.
var stories = []struct{ name, log, want string }{
	{
		"an assignment that could not be stored", `
[2026-03-01 10:00:00,000] INFO [GroupCoordinator 2]: Preparing to rebalance group invoices in state PreparingRebalance with old generation 7 (__consumer_offsets-11) (reason: Adding new member biller-1-6f1c0000-0000-4000-8000-000000000001 with group instance id None) (kafka.coordinator.group.GroupCoordinator)
[2026-03-01 10:00:00,200] INFO [GroupCoordinator 2]: Stabilized group invoices generation 8 (__consumer_offsets-11) with 1 members (kafka.coordinator.group.GroupCoordinator)
[2026-03-01 10:00:00,210] INFO [GroupCoordinator 2]: Assignment received from leader biller-1-6f1c0000-0000-4000-8000-000000000001 for group invoices for generation 8. The group has 1 members, 0 of which are static. (kafka.coordinator.group.GroupCoordinator)
[2026-03-01 10:00:00,212] ERROR [ReplicaManager broker=2] Error processing append operation on partition __consumer_offsets-11 (kafka.server.ReplicaManager)
org.apache.kafka.common.errors.NotEnoughReplicasException: The size of the current ISR Set(2) is insufficient
`, `invoices: CompletingRebalance 8 members 1; 7>8 open member-joined join 0.200 sync 0.010 not stored NotEnoughReplicasException; fleet 1;
store-errors`,
	},
	{
		"and one of another group, much later", `
[2026-03-01 10:00:00,000] INFO [GroupCoordinator 2]: Preparing to rebalance group invoices in state PreparingRebalance with old generation 7 (__consumer_offsets-11) (reason: Adding new member biller-1-6f1c0000-0000-4000-8000-000000000001 with group instance id None) (kafka.coordinator.group.GroupCoordinator)
[2026-03-01 10:00:00,200] INFO [GroupCoordinator 2]: Stabilized group invoices generation 8 (__consumer_offsets-11) with 1 members (kafka.coordinator.group.GroupCoordinator)
[2026-03-01 10:00:00,210] INFO [GroupCoordinator 2]: Assignment received from leader biller-1-6f1c0000-0000-4000-8000-000000000001 for group invoices for generation 8. The group has 1 members, 0 of which are static. (kafka.coordinator.group.GroupCoordinator)
[2026-03-01 10:00:09,000] ERROR [ReplicaManager broker=2] Error processing append operation on partition __consumer_offsets-11 (kafka.server.ReplicaManager)
org.apache.kafka.common.errors.NotEnoughReplicasException: The size of the current ISR Set(2) is insufficient
`, `invoices: Stable 8 members 1; 7>8 completed member-joined join 0.200 sync 0.010; fleet 1; store-errors`,
	},
	{
		"a rebalance without its begin, behind one who left", `
[2026-03-01 10:00:00,000] INFO [GroupCoordinator 1]: Member MemberMetadata(memberId=biller-6f1c0000-0000-4000-8000-000000000001, groupInstanceId=None, clientId=biller, clientHost=/10.1.0.1, sessionTimeoutMs=30000, rebalanceTimeoutMs=30000, supportedProtocols=List(range)) has left group invoices through explicit ` + "`LeaveGroup`" + `; client reason: not provided (kafka.coordinator.group.GroupCoordinator)
[2026-03-01 10:00:00,300] INFO [GroupCoordinator 1]: Stabilized group invoices generation 2001 (__consumer_offsets-0) with 1 members (kafka.coordinator.group.GroupCoordinator)
`, `invoices: CompletingRebalance 2001 members 1; before 2000; 2000>2001 open headless left before 0.300; fleet 1; Unknown 0.300; left 1;
departures`,
	},
	{
		"sessions told by the thread", `
2018-07-01 10:00:00,000 | INFO | [kafka-request-handler-3] | [GroupCoordinator 2]: Preparing to restabilize group invoices with old generation 3 | kafka.coordinator.GroupCoordinator (Logging.scala:68)
2018-07-01 10:00:01,000 | INFO | [kafka-request-handler-5] | [GroupCoordinator 2]: Stabilized group invoices generation 4 | kafka.coordinator.GroupCoordinator (Logging.scala:68)
2018-07-01 10:00:01,100 | INFO | [kafka-request-handler-7] | [GroupCoordinator 2]: Assignment received from leader for group invoices for generation 4 | kafka.coordinator.GroupCoordinator (Logging.scala:68)
2018-07-01 10:00:31,100 | INFO | [executor-Heartbeat] | [GroupCoordinator 2]: Preparing to restabilize group invoices with old generation 4 | kafka.coordinator.GroupCoordinator (Logging.scala:68)
`, `invoices: PreparingRebalance 4; every 31.100; 3>4 completed requested join 1.000 sync 0.100; 4>-1 open session-expired; fleet 1;
Stable 30.000; evicted 1 30.000 after assignment-received; session-timeouts`,
	},
	{
		"members of both protocols", `
[2026-03-01 10:00:00,000] INFO [GroupCoordinator id=1 topic=__consumer_offsets partition=33] [GroupId invoices] Computed a new target assignment for epoch 12 with 'range' assignor in 7ms: {}. (org.apache.kafka.coordinator.group.GroupMetadataManager)
[2026-03-01 10:00:00,400] INFO [GroupCoordinator id=1 topic=__consumer_offsets partition=33] [GroupId invoices] Member biller-6f1c0000-0000-4000-8000-000000000001 new assignment state: epoch=12, previousEpoch=11, state=STABLE, assignedPartitions=[] and revokedPartitions=[]. (org.apache.kafka.coordinator.group.GroupMetadataManager)
[2026-03-01 10:00:03,000] INFO [GroupCoordinator id=1 topic=__consumer_offsets partition=33] [GroupId invoices] Member hjWzAEmmRlOfypB2AAAAAQ new assignment state: epoch=12, previousEpoch=11, state=STABLE, assignedPartitions=[] and revokedPartitions=[]. (org.apache.kafka.coordinator.group.GroupMetadataManager)
`, `invoices: Stable 12 members 2; fleet 2; epoch 12 3.000 by range in 0.007 +0.400 +3.000; migration`,
	},
	{
		"eager clients: partitions come, go, and come with one more", `
2026-03-01 10:00:00,000 INFO [Consumer clientId=biller-1, groupId=invoices] Discovered group coordinator 10.1.0.1:9092 (id: 2147483644 rack: null)
2026-03-01 10:00:00,010 INFO [Consumer clientId=biller-1, groupId=invoices] (Re-)joining group
2026-03-01 10:00:00,020 INFO [Consumer clientId=biller-1, groupId=invoices] Successfully joined group with generation Generation{generationId=4, memberId='biller-1-6f1c0000-0000-4000-8000-000000000001', protocol='range'}
2026-03-01 10:00:00,030 INFO [Consumer clientId=biller-1, groupId=invoices] Successfully synced group in generation Generation{generationId=4, memberId='biller-1-6f1c0000-0000-4000-8000-000000000001', protocol='range'}
2026-03-01 10:00:00,031 INFO [Consumer clientId=biller-1, groupId=invoices] Adding newly assigned partitions: in-0, in-1
2026-03-01 10:00:00,040 INFO [Consumer clientId=biller-1, groupId=invoices] Found no committed offset for partition in-0
2026-03-01 10:00:09,000 INFO [Consumer clientId=biller-1, groupId=invoices] Request joining group due to: group is already rebalancing
2026-03-01 10:00:09,500 INFO [Consumer clientId=biller-1, groupId=invoices] Revoke previously assigned partitions in-0, in-1
2026-03-01 10:00:09,600 INFO [Consumer clientId=biller-1, groupId=invoices] (Re-)joining group
2026-03-01 10:00:09,700 INFO [Consumer clientId=biller-1, groupId=invoices] Successfully joined group with generation Generation{generationId=5, memberId='biller-1-6f1c0000-0000-4000-8000-000000000001', protocol='range'}
2026-03-01 10:00:09,710 INFO [Consumer clientId=biller-1, groupId=invoices] Finished assignment for group at generation 5: {biller-1-6f1c0000-0000-4000-8000-000000000001=Assignment(partitions=[in-0, in-1, in-2])}
2026-03-01 10:00:09,800 INFO [Consumer clientId=biller-1, groupId=invoices] Successfully synced group in generation Generation{generationId=5, memberId='biller-1-6f1c0000-0000-4000-8000-000000000001', protocol='range'}
2026-03-01 10:00:09,801 INFO [Consumer clientId=biller-1, groupId=invoices] Adding newly assigned partitions: in-0, in-1, in-2
2026-03-01 10:00:20,000 INFO [Consumer clientId=biller-1, groupId=invoices] Group coordinator 10.1.0.1:9092 (id: 2147483644 rack: null) is unavailable or invalid due to cause: coordinator unavailable. isDisconnected: false. Rediscovery will be attempted.
2026-03-01 10:00:20,250 INFO [Consumer clientId=biller-1, groupId=invoices] Discovered group coordinator 10.1.0.2:9092 (id: 2147483643 rack: null)
2026-03-01 10:00:21,000 INFO [Consumer clientId=biller-1, groupId=invoices] Request joining group due to: rebalance failed due to 'This is not the correct coordinator.' (NotCoordinatorException)
`, `invoices: PreparingRebalance 5; every 12.000; -1>4 completed join 0.010 sync 0.010; 4>5 completed join 0.700 sync 0.100; 5>-1 open;
Stable 8.970 11.200; Unknown 0.010; java join 4 0.020 join 5 0.200 told 0.800 leads join -1 failed NOT_COORDINATOR asked 1 partitions-assigned 2
partitions-revoked 2 partitions-assigned 3 new 1 no offset 1 found 2 [3 4] lost 1 held 20.000 away 0.250 at 5; coordinator-moved`,
	},
	{
		"cooperative clients keep what they have", `
%7|1772359200.000|REJOIN|biller#consumer-1| [thrd:main]: Group "invoices": Rejoining group with 2 owned partition(s): Group is rebalancing
%7|1772359200.010|CGRPMETADATA|biller#consumer-1| [thrd:main]: consumer join: metadata for subscription is up to date (61500ms old)
%7|1772359200.010|JOIN|biller#consumer-1| [thrd:main]: 10.1.0.1:9092/1: Joining group "invoices" with 1 subscribed topic(s) and member id "biller-6f1c0000-0000-4000-8000-000000000001"
%7|1772359200.020|JOINGROUP|biller#consumer-1| [thrd:main]: JoinGroup response: GenerationId 38, Protocol cooperative-sticky, LeaderId biller-6f1c0000-0000-4000-8000-000000000002, my MemberId biller-6f1c0000-0000-4000-8000-000000000001, member metadata count 0: (no error)
%7|1772359200.030|ASSIGN|biller#consumer-1| [thrd:main]: Group "invoices": delegating incremental revoke of 1 partition(s) to application on queue rd_kafka_cgrp_new: sync group revoke
%7|1772359200.031|CGRPJOINSTATE|biller#consumer-1| [thrd:main]: Group "invoices" changed join state wait-incr-unassign-call -> wait-incr-unassign-to-complete (state up)
%7|1772359201.000|HEARTBEAT|biller#consumer-1| [thrd:main]: GroupCoordinator/1: Heartbeat for group "invoices" generation id 38
%4|1772359206.250|MAXPOLL|biller#consumer-1| [thrd:main]: Application maximum poll interval (6000ms) exceeded by 55ms (adjust max.poll.interval.ms for long-running message processing): leaving group
`, `invoices: Unknown 38; -1>38 abandoned lost join 0.020; left 1; librdkafka join 38 0.010 told 0.020 led poll timeouts 1
partitions-revoked 1 limit 6000 ms exceeded 0.055 beat 5.250 metadata 61.500; poll-timeouts`,
	},
	{
		"an eager client of librdkafka says how many once", `
%7|1772359200.000|REBALANCE|biller#consumer-1| [thrd:main]: Group "invoices" is rebalancing (EAGER) in state up (join-state steady) with 5 assigned partition(s): rebalance in progress
%7|1772359200.001|CGRPJOINSTATE|biller#consumer-1| [thrd:main]: Group "invoices" changed join state steady -> wait-unassign-call (state up)
%7|1772359200.002|ASSIGN|biller#consumer-1| [thrd:main]: Group "invoices": delegating revoke of 5 partition(s) to application on queue rd_kafka_cgrp_new: rebalance in progress
`, `invoices: PreparingRebalance -1; -1>-1 open; librdkafka asked 1 join-state-changed 5 all`,
	},
	{
		"a topic a line is one assignment", `
I, [2026-03-01T10:00:00.000000 #7]  INFO -- : [[invoices] {}:] Joining group ` + "`invoices`" + `
I, [2026-03-01T10:00:00.100000 #7]  INFO -- : [[invoices] {}:] Partitions assigned for ` + "`in`" + `: 0, 5
I, [2026-03-01T10:00:00.101000 #7]  INFO -- : [[invoices] {}:] Partitions assigned for ` + "`out`" + `: 1, 2, 3
`, `invoices: Stable -1; -1>-1 completed in 0.100; ruby-kafka join -1 0.100 partitions-assigned 5`,
	},
}

func TestStories(t *testing.T) {
	for _, of := range stories {
		t.Run(of.name, func(t *testing.T) {
			reader, err := logs.Open([]string{logs.Stdin}, strings.NewReader(strings.TrimPrefix(of.log, "\n")), logs.Options{})
			if err != nil {
				t.Fatal(err)
			}
			a, err := Analyze(context.Background(), reader, Options{})
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for i := range a.Groups {
				got = append(got, summary(&a.Groups[i]))
			}
			if text, want := strings.Join(got, ". "), strings.Join(strings.Fields(of.want), " "); text != want {
				t.Errorf("got\n%s\nwant\n%s", text, want)
			}
		})
	}
}
