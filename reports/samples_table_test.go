package reports

// sampleTexts are the rows of TestSampleTexts.
var sampleTexts = []saidOf{
	{"01-", []string{
		"frequent rebalances: 3 from 10:58:42.561 to 11:02:21.178 (3m38.617s)",
		"10:58:42.561 118>119 684ms 315ms 999ms 30.002s a request of a member, by the thread that logs it",
		"10:59:13.562 119>120 228ms 1ms 229ms 3m07.387s the session of a member expired",
		"11:02:21.178 120>121 1.661s 330ms 1.991s",
		"a member that the log does not name at 10:59:13.562 (session expired, by the thread that logs the rebalance; 30.002s after",
		"9 records about groups, 4 about something else",
	}},
	{"02-", []string{
		"0>1 13ms 6ms 19ms", "0>1 10ms 9ms 19ms", "generation 1 in 87ms; partitions: 1 assigned; lost its coordinator once at 07:17:21.160",
		"generation 1 in 87ms; partitions: 2 assigned", "07:17:23.262 broker 0: broker stopping", "07:17:23.471 broker 0: broker stopped",
	}},
	{"04-", []string{
		"1689>1690 4ms 3ms 7ms 9.837s", "1690>1691 17ms 1ms 18ms", "consumer-1 joined twice, 9.844s apart, each time with an id that nobody had, and nobody left",
		"1689 generations before these logs begin",
	}},
	{"05-", []string{"12>13 3ms 3ms 6ms 1m35.258s", "13>14 9.796s ? 9.796s+", "1m35.257s after the assignment came"}},
	{"07-", []string{
		"at no broker here 3m28.931s", "the generations tell of 1 more", "3 members did not come back to it within 30s", "for 29.311s",
		"3 evictions", "5052>? ? ? 29.311s+",
	}},
	{"08-", []string{"1>2 0s ? 0s", "1 eviction", "stamps outside of its records are +5h30m from those inside"}},
	{"10-", []string{
		"311127280 1ms 1ms 2ms 3ms connect-1-71149d8d joined again", "311127281 1ms ? 1ms+", "twice, every 5ms", "would be 18.0 days",
	}},
	{"11-", []string{
		"2>3 3s ? 13.002s", "which waited 3s for group.initial.rebalance.delay.ms", "10.001s after the join phase ended, which is session.timeout.ms",
		"in CompletingRebalance for 10.002s", "*** (masked)",
	}},
	{"13-", []string{
		"17:44:58.548 63>64", "17:49:54.780 64>?", "unknown 4m56.232s", "when it ended was not logged",
		"consumer-22-a1d6b81e at 17:52:52.645, 7m54.097s after it joined", "1 record logged twice and counted once",
		"the default of max.poll.interval.ms",
	}},
	{"14-", []string{"393>394 203ms 0s 203ms+", "its assignment could not be stored (NotEnoughReplicasException)", "broker 0: append failed 49"}},
	{"16-", []string{
		"9>10 187ms 4ms 191ms+", "its assignment could not be stored (NotEnoughReplicasException)", "07:12:57.779 broker 2: append failed 5",
		"07:12:57.974 broker 2: append failed 5",
	}},
	{"17-", []string{"08:25:49.741 70>71 ? 2ms ? 0s", "08:25:49.743 71>?", "the assignment could not be stored (NOT_COORDINATOR)"}},
	{"19-", []string{
		"11:19:06.977 138896 ? 1ms ? 8.162s", "11:19:15.140 138897 0s 1ms 1ms", "11:20:05.760 138903 0s 1ms 1ms 8.675s", "138903>?",
		"the generations tell of 5 more", "5 of them came every 8.437s on average", "joined again 3 times, every 8.471s",
	}},
	{"20-", []string{"07:35:08.888 4>5", "07:35:08.889 5>6 0s ? 0s", "CompletingRebalance 1ms", "every member left, 2 of them by closing", "orders is Empty"}},
	{"22-", []string{
		"69>?", "broker 1002 tells of the group 4m40.272s after the last record of broker 1001", "Brokers 1001, then 1002", "Group orders is Stable",
		"orders-01b27d0d from 07:36:11.041",
	}},
	{"23-", []string{"233>234 ? 1ms ? 1.889s", "rdkafka-ceca6b7a had left 125ms before", "rdkafka-ceca6b7a at 19:08:22.974", "234>?", "restarts"}},
	{"25-", []string{"2 groups", "1>2 0s ? 0s", "1 eviction"}},
	{"26-", []string{"1>2 1ms ? 1ms", "Empty 3m53.094s", "is dead: deleted, or expired", "consumer-1 (java): 0 joins; partitions: no committed offset for 1"}},
	{"28-", []string{
		"0>1 3.01s 18ms 3.028s 1m40.284s console-consumer-191d265f joined; 1 member", "1>2 1.767s 12ms 1.779s 11m57.774s console-consumer-11094721 joined; 2 members",
		"2>3 2.519s 1ms 2.52s 0s+ console-consumer-69ab7877 joined; 3 members", "waited 3.01s for group.initial.rebalance.delay.ms",
	}},
	{"29-", []string{
		"3 groups", "0>1 6.001s 10ms 6.011s", "which waited 6.001s for group.initial.rebalance.delay.ms (3s by default, and anew as others come)",
		"Group catalog is Stable, generation 1, 1 member", "0>1 ? 70ms ? 0s+ its begin was not logged", "0>1 ? 41ms ? 0s+ its begin was not logged",
	}},
	{"31-", []string{
		"epoch 4: assigned by uniform in 10ms; 2 members reached it after 284ms and 5.046s", "epoch 5: assigned by uniform in 1ms; 0 members reached it; the next one began after 14.439s",
		"epoch 6: assigned by uniform in 1ms; 2 members reached it after 717ms and 5.024s", "1 member of the classic protocol and 2 members of the consumer protocol",
		"with their heartbeats, every 5s by default", "Evicted nobody",
	}},
	{"32-", []string{"10.001s after the group was loaded", "56>?", "within 10.001s, the longest that session.timeout.ms can be", "2 records logged twice and counted once"}},
	{"34-", []string{
		"6>7 0s 9ms 9ms", "joined (rebalance failed due to 'The group member needs to have a valid member id before actually entering a consumer group.' (", "1 member",
	}},
	{"35-", []string{"No rebalance was logged", "Loaded 3 members, of generation 267680 to 267681", "it has rebalanced often", "its last line, 4, ends in its middle"}},
	{"37-", []string{
		"28 1.651s 9ms 1.66s 37.693s", "28>29", "told after 1.335s to 1.339s", "11:38:14.037, 37.693s after it joined (max.poll.interval.ms ran out)",
		"failed after 17ms (MEMBER_ID_REQUIRED), generation 28 in 1.643s; 1 poll timeout", "generation 28 in 22ms, generation 29 in 16ms, 17ms after it was told to",
		"generation 28 in 16ms as leader, generation 29 in 21ms as leader", "2 assigned (orders.events-1 new)",
	}},
	{"38-", []string{"05:28:26.780 10 ? ? 9ms", "generation 10 in 8ms, 9ms after it was told to; partitions: 0 given up, 1 assigned"}},
	{"40-", []string{
		"asked to join again by its heartbeat thread 3 times, 3.003s and 3.002s apart, and has not joined since", "0 joins",
		"its last line, 3, ends in the middle of its message and was taken for \"Request joining group due to\"", "waits for JoinGroup from consumer-orders-19",
	}},
	{"41-", []string{
		"0 joins; asked to join again 3 times, 3.101s and 3.004s apart, and has not joined since; partitions: 12 given up", "for 6.105s",
		"the newest line came first",
	}},
	{"43-", []string{"failed (NOT_COORDINATOR)", "(0s)", "stamps are of whole seconds", "lost its coordinator once"}},
	{"44-", []string{
		"18:35:04.693 76 ? 21ms", "lost it once at 18:35:56.623, 1ms after it had found it, and found one again 101ms later", "at 18:35:57.530",
	}},
	{"46-", []string{"8 ? ? ? 5.781s", "8>9 145ms ? 145ms+ - a client says: config state does not match the assignment", "generation 8, generation 9 in 145ms"}},
	{"47-", []string{"max.poll.interval.ms of 6000 ms exceeded by up to 55ms, 1.185s after its last heartbeat", "generation 22", "at 14:20:34.520"}},
	{"49-", []string{"15:56:35.171 ?", "1 join: failed after 0s (MEMBER_ID_REQUIRED)"}},
	{"50-", []string{"19:31:50.528 102>?", "partitions: all 3 given up (it is eager)", "not over at the end"}},
	{"52-", []string{
		"1 join: failed after 1ms (NOT_COORDINATOR)", "what it knew of its topics when it joined was 3m37.189s old, and counted as up to date",
	}},
	{"53-", []string{"is still in CompletingRebalance, generation 38", "generation 38, led by consumer-3-0326d726", "without times", "records have no time"}},
	{"55-", []string{
		"no answer logged, sent 4.1ms after it was told to", "1 failed heartbeat of which the log does not say why", "out of order by up to 16µs",
		"partitions: all given up (it is eager)",
	}},
	{"56-", []string{"No rebalance was logged", "1 fencing", "two processes have one group.instance.id"}},
	{"58-", []string{"3 given up; found its coordinator once, at broker 1", "looked their coordinator up again", "stamps are of whole seconds"}},
	{"59-", []string{"1 join: failed (NOT_COORDINATOR)", "found its coordinator twice, at broker 146", "stamps are of whole seconds"}},
	{"61-", []string{"kafkajs-7ea97341 at 12:35:16.757 (session expired)", "1 eviction"}},
	{"62-", []string{
		"1 lost session at 14:46:45.363 (its log is silent for 9m54.984s before)", "at 14:46:49.495 (session expired)", "14:46:49.496 ? 5ms", "joined in 5ms as leader",
	}},
	{"64-", []string{
		"failed after 22s (UNKNOWN_MEMBER_ID), 1s later joined in 0s as leader; 2 evictions", "stamps outside of its records are -5h from those inside",
		"stamps are of whole seconds",
	}},
	{"65-", []string{"1 join: generation 1 in 14ms as leader"}},
	{"67-", []string{"generation 372, generation 372, failed (generation -1), failed (generation -1); 1 eviction (told 4 times), 4 refused commits"}},
	{"68-", []string{
		"1 eviction; of generation 17", "failed at generation 18 (UNKNOWN_MEMBER_ID), 1.001s later generation 20 as leader", "1 join: generation 19", "(told twice)",
	}},
}
