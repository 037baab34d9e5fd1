package consumers

import "time"

// What librdkafka adds to its settings: constants of its sources, and medians of the recordings with librdkafka 2.16.0.
// They are variables only so that a test can double them all.
var (
	mainSleep         = time.Second               // rd_kafka_thread_main sleeps no longer
	pollCheckInterval = 500300 * time.Microsecond // rkcg_max_poll_interval_tmr, 500 ms, as scheduled: heartbeats 2.0012 s apart
	joinInterval      = time.Second               // rkcg_join_intvl; as much again after a refusal
	queryInterval     = 500 * time.Millisecond    // rkcg_coord_query_intvl while the coordinator is unknown
	transportInterval = time.Second               // the same while its connection is being set up
	joinSlack         = 3 * time.Second           // JoinGroup: max.poll.interval.ms and that; SyncGroup: session.timeout.ms and that
	leaveTimeout      = 5 * time.Second           // LeaveGroup
	bootstrapPause    = 51 * time.Millisecond     // all brokers lost -> the next connection (recorded)
	fetchPace         = 200 * time.Millisecond    // how often the application looks for records: a broker would answer at once
	shortWork         = 10 * time.Millisecond     // work that no callback waits for
	workSlice         = time.Second               // how much work on records is done in one step
	metadataCost      = 1500 * time.Microsecond   // JoinGroup answer -> the leader's SyncGroup, with Metadata in between (recorded)
)
