package consumers

import "time"

// What librdkafka spends and waits for that no setting of a scenario says: constants of its sources, and medians of the
// recordings of librdkafka 2.16.0, which are named so.
const (
	rdMainSleep         = time.Second               // rd_kafka_thread_main sleeps no longer
	rdPollCheckInterval = 500300 * time.Microsecond // rkcg_max_poll_interval_tmr, 500 ms, as scheduled: heartbeats 2.0012 s apart
	rdJoinInterval      = time.Second               // rkcg_join_intvl; as much again after a refusal
	rdQueryInterval     = 500 * time.Millisecond    // rkcg_coord_query_intvl while the coordinator is unknown
	rdTransportInterval = time.Second               // the same while its connection is being set up
	rdJoinSlack         = 3 * time.Second           // JoinGroup: max.poll.interval.ms and that; SyncGroup: session.timeout.ms and that
	rdLeaveTimeout      = 5 * time.Second           // LeaveGroup
	rdBootstrapPause    = 51 * time.Millisecond     // all brokers lost -> the next connection (recorded)
	rdFetchPace         = 200 * time.Millisecond    // how often the application looks for records: a broker would answer at once
	rdShortWork         = 10 * time.Millisecond     // work that no callback waits for
	rdWorkSlice         = time.Second               // how much work on records is done in one step
	rdMetadataCost      = 1500 * time.Microsecond   // JoinGroup answer -> the leader's SyncGroup, with Metadata in between (recorded)
)
