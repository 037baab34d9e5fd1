package incident

// samples are the rows of TestSamples.
var samples = []sample{
	{"01-broker-0.10-pipe-thread", `
		orders: Stable 121; every 109.308; 118>119 completed requested join 0.684 sync 0.315; 119>120 completed
		session-expired join 0.228 sync 0.001; 120>121 completed requested join 1.661 sync 0.330; fleet 1; Stable 30.002
		187.387; evicted 1 30.002 after assignment-received; session-timeouts
	`},
	{"02-mixed-0.10.1-springboot-two-groups", `
		orders: Elsewhere 1; 0>1 completed join 0.013 sync 0.006; Stable 3.686; java join 1 0.087 partitions-assigned 1
		found 1 [0] lost 1 held 1.612 at 1; coordinator-moved. payments: Elsewhere 1; 0>1 completed join 0.010 sync
		0.009; Stable 3.686; java join 1 0.087 partitions-assigned 2 at 1; coordinator-moved
	`},
	{"04-broker-2.3-new-member-every-10s", `
		orders: Stable 1691; before 1689; every 9.844; 1689>1690 completed member-joined join 0.004 sync 0.003;
		1690>1691 completed member-joined join 0.017 sync 0.001; fleet 2; Stable 9.837; new-members
	`},
	{"05-broker-2.2-heartbeat-expiry-markdown-noise", `
		orders: CompletingRebalance 14; every 95.264; 12>13 completed member-joined join 0.003 sync 0.003; 13>14 open
		session-expired join 9.796; fleet 2; Stable 95.258; evicted 1 95.257 after assignment-received; session-timeouts
	`},
	{"07-broker-2.3-coordinator-move-dead-members", `
		orders: PreparingRebalance 5052; before 5051; 5052>-1 open member-joined; fleet 4; Stable 0.689; Elsewhere
		208.931; evicted 3 30.000 after group-loaded; unseen 1 in 208.931; stuck in PreparingRebalance 29.311;
		coordinator-moved
	`},
	{"08-broker-2.2-kibana-two-line-localtime", `
		orders: Empty 2; 1>2 emptied session-expired join 0.000; fleet 1; Unknown 0.001; evicted 1; session-timeouts
	`},
	{"10-broker-2.5-strimzi-connect-hotloop", `
		connect: CompletingRebalance 311127281; before 311127279; every 0.005; 311127279>311127280 completed
		member-rejoined join 0.001 sync 0.001; 311127280>311127281 open member-rejoined join 0.001; Stable 0.003;
		leader-loop
	`},
	{"11-broker-3.x-masked-never-synced", `
		***: PreparingRebalance 3; every 13.002; 2>3 superseded member-joined join 3.000; 3>-1 open session-expired;
		fleet 1; evicted 1 10.001 after completing; stuck in CompletingRebalance 10.002; never-synced
	`},
	{"13-broker-2.6-out-of-order-duplicate", `
		orders: PreparingRebalance 64; every 296.232; 63>64 completed lost member-joined in 296.232; 64>-1 open
		member-joined; fleet 2; Stable 0.000; Unknown 296.232; left 1 after 474.097; poll-timeouts
	`},
	{"14-broker-2.x-store-error-wrapped-padded", `
		orders: CompletingRebalance 394; 393>394 open append-failed join 0.203 sync 0.000 not stored
		NotEnoughReplicasException; store-errors
	`},
	{"16-broker-2.7-min-isr-store-error", `
		payments: CompletingRebalance 10; 9>10 open append-failed NotEnoughReplicasException join 0.187 sync 0.004 not
		stored NotEnoughReplicasException; store-errors
	`},
	{"17-broker-3.4-grep-prefix-notcoordinator", `
		orders: PreparingRebalance 71 members 1; 70>71 superseded headless sync 0.002; 71>-1 open append-failed
		NOT_COORDINATOR; coordinator-moved
	`},
	{"19-broker-2.8-leader-rejoin-loop-gap", `
		orders: PreparingRebalance 138903 members 1; before 138895; every 8.471; 138895>138896 completed headless sync
		0.001; 138896>138897 completed leader-rejoined join 0.000 sync 0.001; 138902>138903 completed leader-rejoined
		join 0.000 sync 0.001; 138903>-1 open leader-rejoined; Stable 8.162 8.675; Unknown 50.619; unseen 5 in 50.619;
		leader-loop
	`},
	{"20-broker-2.8-leave-to-empty", `
		orders: Empty 6; 4>5 superseded headless left before 0.000; 5>6 emptied left join 0.000; fleet 2; Unknown 0.001;
		left 2; shutdown
	`},
	{"22-broker-2.8-two-brokers-failover", `
		orders: Stable 70; 69>-1 abandoned lost leader-rejoined; fleet 1; Unknown 280.272; coordinator-moved
	`},
	{"23-broker-3.x-leave-join-churn", `
		orders: PreparingRebalance 234 members 1; 233>234 completed headless sync 0.001 left before 0.125; 234>-1 open
		member-joined; fleet 1; Stable 1.889; Unknown 0.125; left 1; restarts
	`},
	{"25-broker-3.x-compose-two-groups-expiry", `
		UUID: Empty 2; 1>2 emptied session-expired join 0.000; fleet 1; evicted 1; session-timeouts. UUID: Empty 2; 1>2
		emptied session-expired join 0.000; fleet 1; Unknown 0.001; evicted 1; session-timeouts
	`},
	{"26-broker-2.x-empty-to-dead-comment-prefix", `
		orders: Dead 2; 1>2 emptied session-expired join 0.001; fleet 1; Empty 233.094; Unknown 0.003; evicted 1; java
		no offset 1; session-timeouts
	`},
	{"28-broker-4.x-three-joins", `
		orders: Stable 3 members 3; every 411.433; 0>1 completed member-joined join 3.010 sync 0.018; 1>2 completed
		member-joined join 1.767 sync 0.012; 2>3 completed member-joined join 2.519 sync 0.001; fleet 3; Stable 100.284
		717.774; new-members
	`},
	{"29-broker-4.x-tail-three-groups-partial", `
		catalog: Stable 1 members 1; 0>1 completed headless sync 0.070. orders: Stable 1 members 2; 0>1 completed
		member-joined join 6.001 sync 0.010; fleet 2; startup. payments: Stable 1 members 2; 0>1 completed headless sync
		0.041
	`},
	{"31-broker-3.9-kip848-epochs", `
		orders: Stable 6 members 3; fleet 3; Stable 60.087; epoch 4 5.046 by uniform in 0.010 +0.284 +5.046; epoch 5
		superseded 14.439 by uniform in 0.001; epoch 6 5.024 by uniform in 0.001 +0.717 +5.024; migration
	`},
	{"32-broker-2.x-grep-n-duplicated-lines", `
		orders: PreparingRebalance 56; 56>-1 open session-expired; fleet 1; Stable 10.001; evicted 1 10.001 after
		group-loaded; coordinator-moved
	`},
	{"34-broker-3.2-nested-parens-reason", `
		orders: Stable 7 members 1; 6>7 completed member-joined join 0.000 sync 0.009; fleet 1; startup
	`},
	{"35-broker-3.x-loaded-members-high-generation", `
		orders: Stable 267681; loaded 3 of 267680 to 267681; before 267680; fleet 3
	`},
	{"37-client-java-2.5", `
		orders: Stable 29; -1>28 completed join 1.651 sync 0.009; 28>29 completed left join 1.346 sync 0.010 told 1.335
		to 1.339; Stable 37.693; Unknown 0.003; left 1 after 37.693; java join -1 failed MEMBER_ID_REQUIRED 0.017 join
		28 1.643 poll timeouts 1 partitions-assigned 1 found 1 [1001]; java join 28 0.022 join 29 0.016 told 0.017
		partitions-assigned 1 partitions-revoked 1 partitions-assigned 1 at 29; java join 28 0.016 leads join 29 0.021
		told 0.021 leads partitions-assigned 1 partitions-revoked 1 partitions-assigned 2 new 1 at 29; poll-timeouts
	`},
	{"38-client-java-2.0-springcloud-k8s", `
		orders: Stable 10; -1>10 completed in 0.009; java join 10 0.008 told 0.009 partitions-revoked 0
		partitions-assigned 1 at 10
	`},
	{"40-client-java-3.x-logstash-json-not-polling", `
		orders: PreparingRebalance -1; -1>-1 open; java asked 3 by heartbeat thread 3.003 3.002; stuck in
		PreparingRebalance 6.005; slow-rejoin
	`},
	{"41-client-java-3.x-csv-newest-first", `
		orders: PreparingRebalance -1; -1>-1 open; java asked 3 3.101 3.004 partitions-revoked 12; stuck in
		PreparingRebalance 6.105; slow-rejoin
	`},
	{"43-client-java-3.x-jul-two-line", `
		orders: PreparingRebalance -1; -1>-1 open; java join -1 failed NOT_COORDINATOR join -1 sent 0.000 found 1 [1]
		lost 1; coordinator-moved
	`},
	{"44-client-java-3.1-coordinator-flap-close", `
		orders: Unknown 76; -1>76 completed headless sync 0.021; Stable 52.816; left 1 after 52.816; java join 76 leads
		partitions-assigned 2 found 2 [0] lost 1 held 0.001 away 0.101; coordinator-moved
	`},
	{"46-connect-worker-forced-rebalance", `
		connect: CompletingRebalance 9; -1>8 completed headless; 8>9 open join 0.145; Stable 5.781; connect join 8 join
		9 0.145 told 0.145 at 9; metadata-changes
	`},
	{"47-client-librdkafka-1.5-maxpoll-leave", `
		orders: Unknown 22; left 1; librdkafka poll timeouts 1 asked 1 limit 6000 ms exceeded 0.055 beat 1.185;
		poll-timeouts
	`},
	{"49-client-librdkafka-1.5-memberid-required", `
		orders: PreparingRebalance -1; -1>-1 open; librdkafka join -1 sent 0.000 failed MEMBER_ID_REQUIRED 0.000
	`},
	{"50-client-librdkafka-dotnet-k8s-nanos", `
		orders: PreparingRebalance 102; 102>-1 open; librdkafka asked 2 0.000 join-state-changed 3 all at 102
	`},
	{"52-client-librdkafka-1.6-join-notcoordinator-loop", `
		orders: PreparingRebalance -1; -1>-1 open; librdkafka join -1 failed NOT_COORDINATOR 0.001 asked 1 metadata
		217.189; coordinator-moved
	`},
	{"53-client-librdkafka-2.x-cooperative-no-timestamps", `
		orders: CompletingRebalance 38; -1>38 open; librdkafka join 38 led metadata 4.961 at 38
	`},
	{"55-client-franz-zap-kibana-epoch-out-of-order", `
		orders: PreparingRebalance -1; -1>-1 open; Unknown 0.004; franz-go join -1 sent 0.004 heartbeats failed unsaid 1
		partitions-revoked -1 all
	`},
	{"56-client-franz-1.18-fenced-instance", `
		orders: Unknown -1; franz-go fenced 1; duplicate-instance
	`},
	{"58-client-sarama-1.20-coordinator-move", `
		orders: Unknown -1; sarama partitions-revoked 3 found 1 [1]; coordinator-moved
	`},
	{"59-client-sarama-cluster-notcoordinator-loop", `
		orders: PreparingRebalance -1; -1>-1 open; sarama join -1 failed NOT_COORDINATOR asked 1 found 2 [146];
		coordinator-moved
	`},
	{"61-client-kafkajs-1.4-unknown-member", `
		orders: Unknown -1; evicted 1; kafkajs evicted 1 told so 1; session-timeouts
	`},
	{"62-client-kafka-python-1.4-session-expired", `
		orders: CompletingRebalance -1; -1>-1 open join 0.005; Unknown 4.133; evicted 1; kafka-python join -1 0.005
		leads sessions lost 1 evicted 1 told so 1 partitions-revoked 1 found 1 [0] lost 1 away 0.504 silent 594.984;
		session-timeouts
	`},
	{"64-client-ruby-kafka-syslog-json", `
		orders: Stable -1; -1>-1 completed join 23.000 sync 0.000; evicted 2; ruby-kafka join -1 failed
		UNKNOWN_MEMBER_ID 22.000 join -1 0.000 leads evicted 2 told so 2 partitions-assigned 6; session-timeouts
	`},
	{"65-client-kafka-go-0.4-first-join", `
		orders: CompletingRebalance 1; -1>1 open join 0.014; kafka-go join 1 0.014 leads at 1
	`},
	{"67-client-aiokafka-kibana-newest-first-gen-minus1", `
		orders: Stable 372; -1>372 completed headless; Unknown 0.018; evicted 1; aiokafka join 372 join 372 join -1
		failed generation -1 join -1 failed generation -1 evicted 1 told so 4 commits refused 4 at 372; session-timeouts
	`},
	{"68-client-brod-multiline-no-date", `
		orders: PreparingRebalance 20; every 3.985; -1>19 completed headless; 19>20 superseded join 0.009; 20>-1 open;
		Stable 1.000; Unknown 0.001; evicted 2; brod evicted 1 told so 1 asked 1 at 17; brod join 18 failed
		UNKNOWN_MEMBER_ID join 20 told 0.009 leads evicted 1 told so 2 at 20; brod join 19 synced 1 at 19;
		session-timeouts
	`},
}
