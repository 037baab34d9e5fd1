package lint

import "slices"

// Rule is one thing that lint looks for.
type Rule struct {
	ID       string // is never renamed: files name it in comments
	Severity Severity
	Summary  string   // one line: what is wrong
	Why      string   // what follows from it
	Instead  string   // what to do, in general
	Sources  []string // who says so: addresses, KIPs, Kafka's classes
	check    func(*view)
}

// unusedSuppression is the rule about the comments that take findings back.
const unusedSuppression = "unused-suppression"

const (
	consumerKey = "https://kafka.apache.org/documentation/#consumerconfigs_"
	brokerKey   = "https://kafka.apache.org/documentation/#brokerconfigs_"
	kip735      = "https://cwiki.apache.org/confluence/display/KAFKA/KIP-735%3A+Increase+default+consumer+session+timeout"
	kip345      = "KIP-345: Introduce static membership protocol to reduce consumer rebalances"
	kip429      = "KIP-429: Kafka Consumer Incremental Rebalance Protocol"
	kip1092     = "KIP-1092: Extend Consumer#close with an option to leave the group or not"
)

// Rules returns all rules, in the order of the table.
func Rules() []Rule { return slices.Clone(rules) }

// IDs returns the ids of all rules.
func IDs() []string {
	var ids []string
	for _, r := range rules {
		ids = append(ids, r.ID)
	}
	return ids
}

// Find returns the rule of an id.
func Find(id string) (*Rule, bool) {
	i := slices.IndexFunc(rules, func(r Rule) bool { return r.ID == id })
	if i < 0 {
		return nil, false
	}
	return &rules[i], true
}

// rules is the table of all rules, family by family.
var rules = slices.Concat(sessionRules, pollRules, staticRules, assignorRules, groupRules, clusterRules, runRules, commentRules)

var commentRules = []Rule{
	{
		ID: unusedSuppression, Severity: Warning,
		Summary: "a lint:ignore comment that ignores nothing",
		Why:     "A comment that takes no finding back hides the next one of its rule. It names no rule, or none that there is, gives no reason, or stands at another line.",
		Instead: "Delete it, or write `# lint:ignore RULE reason` in the line of the finding or above it.",
		Sources: []string{"docs/lint.md"},
	},
}

var sessionRules = []Rule{
	{
		ID: "session-outside-broker-bounds", Severity: Error,
		Summary: "session.timeout.ms is outside of what the broker takes",
		Why:     "The coordinator answers JoinGroup with INVALID_SESSION_TIMEOUT, which leaves poll() as an exception. The consumer never joins.",
		Instead: "Choose a session between group.min.session.timeout.ms and group.max.session.timeout.ms, or move these.",
		Sources: []string{brokerKey + "group.min.session.timeout.ms", brokerKey + "group.max.session.timeout.ms", "GroupMetadataManager.classicGroupJoin"},
		check:   sessionOutsideBounds,
	},
	{
		ID: "heartbeat-near-session", Severity: Warning,
		Summary: "heartbeat.interval.ms is more than a third of session.timeout.ms",
		Why:     "The session ends when too few heartbeats come in time. With less than three of them in a session, one or two that are late or lost cost the membership: two rebalances.",
		Instead: "Keep heartbeat.interval.ms at a third of session.timeout.ms or less.",
		Sources: []string{consumerKey + "heartbeat.interval.ms"},
		check:   heartbeatNearSession,
	},
	{
		ID: "session-below-request-timeout", Severity: Warning,
		Summary: "session.timeout.ms is over before the client notices a dead connection",
		Why:     "A connection that nobody closed (a lost node, a firewall) is noticed when a heartbeat has had no answer for request.timeout.ms. A session shorter than heartbeat, request time-out and reconnecting together is over by then, whatever the client does.",
		Instead: "Raise session.timeout.ms (its default became 45 s for this reason), or lower request.timeout.ms.",
		Sources: []string{kip735, consumerKey + "request.timeout.ms"},
		check:   sessionBelowRequestTimeout,
	},
	{
		ID: "session-shorter-than-outage", Severity: Warning,
		Summary: "a pause or a cut of the scenario lasts longer than the session",
		Why:     "A process that is frozen or cut off for longer than its session is removed, and joins again afterwards: two rebalances for something that passes by itself.",
		Instead: "Choose a session longer than the pauses that you see, the time since the last heartbeat included.",
		Sources: []string{kip735, "https://github.com/dpkp/kafka-python/issues/1418"},
		check:   sessionShorterThanOutage,
	},
	{
		ID: "heartbeat-above-stuck-after", Severity: Warning,
		Summary: "heartbeat.interval.ms is as long as the wait that counts as stuck",
		Why:     "The answer to a heartbeat is what tells a member of a rebalance. With long intervals each rebalance takes long, and the request load that they save is small.",
		Instead: "Leave heartbeat.interval.ms at 3 s also where the session is long.",
		Sources: []string{kip735, "https://github.com/RedHatInsights/ros-ocp-backend/pull/187"},
		check:   heartbeatAboveStuckAfter,
	},
	{
		ID: "unequal-sessions", Severity: Note,
		Summary: "members of one group have different sessions",
		Why:     "Each member has its own session at the coordinator. How long partitions go unread after a crash then depends on who crashed.",
		Instead: "Give all members of a group one session.timeout.ms.",
		Sources: []string{consumerKey + "session.timeout.ms"},
		check:   unequalSessions,
	},
}

var pollRules = []Rule{
	{
		ID: "poll-interval-below-processing", Severity: Warning,
		Summary: "max.poll.interval.ms is shorter than what happens between two polls",
		Why:     "A consumer that does not poll for max.poll.interval.ms leaves its group: its partitions move, its commit fails, the batch is processed twice, and it joins again. A static member stays until its session is over.",
		Instead: "Lower max.poll.records, or raise max.poll.interval.ms beyond the slowest batch.",
		Sources: []string{consumerKey + "max.poll.interval.ms", "https://github.com/spring-projects/spring-kafka/issues/2337"},
		check:   pollIntervalBelowProcessing,
	},
	{
		ID: "full-batch-above-poll-interval", Severity: Warning,
		Summary: "a full batch takes longer than max.poll.interval.ms",
		Why:     "Batches are small while consumers keep up, so this shows only behind an outage: then poll() returns max.poll.records, the consumer leaves its group in the middle of them, its commit fails, and the group reads them again with a larger backlog. That does not end by itself.",
		Instead: "Lower max.poll.records until a full batch fits into max.poll.interval.ms.",
		Sources: []string{consumerKey + "max.poll.records", consumerKey + "max.poll.interval.ms"},
		check:   fullBatchAbovePollInterval,
	},
	{
		ID: "poll-interval-unlimited", Severity: Warning,
		Summary: "max.poll.interval.ms is so long that nothing ends a wait for a member that hangs",
		Why:     "max.poll.interval.ms is the rebalance timeout too. An application that hangs while its heartbeats go on is never put out of the group, and the first rebalance stops all others for good.",
		Instead: "Choose a time that a healthy batch never needs. (Kafka Streams once had the largest integer, and took it back.)",
		Sources: []string{consumerKey + "max.poll.interval.ms", "https://github.com/apache/kafka/pull/6509", "https://github.com/reactor/reactor-kafka/issues/96"},
		check:   pollIntervalUnlimited,
	},
	{
		ID: "poll-interval-above-stuck-after", Severity: Note,
		Summary: "the file states a max.poll.interval.ms above the wait that it calls stuck",
		Why:     "One member that does not poll holds a rebalance for up to max.poll.interval.ms.",
		Instead: "Bring both together: the longest wait that you accept, and batches that are shorter.",
		Sources: []string{consumerKey + "max.poll.interval.ms", "https://github.com/confluentinc/kafka-rest/issues/611"},
		check:   pollIntervalAboveStuckAfter,
	},
	{
		ID: "poll-interval-below-rejoin", Severity: Warning,
		Summary: "the rebalance timeout is shorter than a member needs to rejoin",
		Why:     "A member learns of a rebalance at its next heartbeat, ends its batch, gives up its partitions and joins. A coordinator that waits less goes on without it; it comes back, and that is the next rebalance.",
		Instead: "Keep max.poll.interval.ms above heartbeat, batch and callback together.",
		Sources: []string{consumerKey + "max.poll.interval.ms", "https://github.com/kafka4beam/brod/pull/465"},
		check:   pollIntervalBelowRejoin,
	},
	{
		ID: "callback-longer-than-poll-interval", Severity: Warning,
		Summary: "a rebalance callback takes longer than max.poll.interval.ms",
		Why:     "Callbacks run inside poll(). Until onPartitionsRevoked returns there is no JoinGroup, and the group waits; then the coordinator goes on without the member, which has to join anew.",
		Instead: "Bound what the callback waits for, or hand it to another thread.",
		Sources: []string{consumerKey + "max.poll.interval.ms", "https://github.com/confluentinc/parallel-consumer/issues/646", "https://github.com/confluentinc/parallel-consumer/issues/541"},
		check:   callbackLongerThanPollInterval,
	},
	{
		ID: "processing-longer-than-session", Severity: Note,
		Summary: "a batch takes longer than the session",
		Why:     "Heartbeats go on while an application processes, but for one moment: when poll() returned before its JoinGroup was answered. No heartbeat goes out then until one interval after the next poll(), and a long batch outlasts the session.",
		Instead: "Choose a session longer than a batch, or smaller batches.",
		Sources: []string{consumerKey + "session.timeout.ms", "AbstractCoordinator.joinGroupIfNeeded, HeartbeatThread.disable"},
		check:   processingLongerThanSession,
	},
	{
		ID: "handler-longer-than-session", Severity: Warning,
		Summary: "a handler runs for longer than the session, and no heartbeats go out meanwhile",
		Why:     "kafkajs sends heartbeats between two messages, aiokafka from the event loop that a computing handler blocks. A call that takes longer than the session costs the membership: its partitions move, and the same message may do the same to the next member.",
		Instead: "Handle less at once, call heartbeat() within the handler (kafkajs), compute in another thread or process (aiokafka), or choose a longer session.",
		Sources: []string{"https://kafka.js.org/docs/consuming#a-name-each-batch-a-eachbatch", "kafkajs: src/consumer/runner.js; aiokafka: aiokafka/consumer/group_coordinator.py"},
		check:   handlerLongerThanSession,
	},
	{
		ID: "join-deadline-below-rebalance-timeout", Severity: Warning,
		Summary: "a client gives its JoinGroup up before the rebalance of its group has to be over",
		Why:     "The rebalance timeout of a group is the largest of its members, but the Java client waits for its JoinGroup only 5 s longer than its own. In a long rebalance it gives up, closes the connection and joins again.",
		Instead: "Give all members of a group one max.poll.interval.ms.",
		Sources: []string{consumerKey + "max.poll.interval.ms", "AbstractCoordinator.sendJoinGroupRequest, ClassicGroup.rebalanceTimeoutMs", "https://github.com/segmentio/kafka-go/pull/510"},
		check:   joinDeadline,
	},
}

var staticRules = []Rule{
	{
		ID: "static-session-below-restart", Severity: Warning,
		Summary: "the session of static members is shorter than a restart",
		Why:     "A static member that is back within its session finds its partitions as it left them, without a rebalance. One that is late was removed: its restart costs two rebalances, as without a static id.",
		Instead: "Choose a session longer than the slowest restart, from the last heartbeat to the JoinGroup.",
		Sources: []string{consumerKey + "group.instance.id", kip345, "https://www.engineering-notes.com/posts/kafka-rebalance-static-membership.html"},
		check:   staticSessionBelowRestart,
	},
	{
		ID: "static-member-leaves", Severity: Warning,
		Summary: "static members are restarted with LEAVE_GROUP",
		Why:     "Leaving gives up what the static id is for.",
		Instead: "Use DEFAULT for restarts, and LEAVE_GROUP where a member goes for good.",
		Sources: []string{consumerKey + "group.instance.id", kip1092},
		check:   staticMemberLeaves,
	},
	{
		ID: "static-member-gone", Severity: Warning,
		Summary: "static members are stopped for good and stay in the group",
		Why:     "close() of a static member sends no LeaveGroup. Its partitions have no reader until its session is over.",
		Instead: "Close with LEAVE_GROUP, or remove the members as an administrator.",
		Sources: []string{consumerKey + "group.instance.id", kip345, "https://github.com/twmb/franz-go/issues/734"},
		check:   staticMemberGone,
	},
	{
		ID: "static-id-changes", Severity: Warning,
		Summary: "a static member comes back with another group.instance.id",
		Why:     "To the coordinator that is a new member beside the old one, which holds its partitions until its session is over: worse than no static id.",
		Instead: "Let the id outlive the process.",
		Sources: []string{consumerKey + "group.instance.id", "https://github.com/PostHog/posthog/pull/65809"},
		check:   staticIDChanges,
	},
	{
		ID: "static-id-random", Severity: Warning,
		Summary: "a static id looks as if it were new in each process",
		Why:     "Names of a Deployment's pods and UUIDs change with each rollout. All old ids then hold partitions until their sessions are over.",
		Instead: "Use names that stay, such as those of a StatefulSet's pods, or no static ids.",
		Sources: []string{consumerKey + "group.instance.id", "https://github.com/elixir-broadway/broadway_kafka/issues/109", "https://github.com/confluentinc/parallel-consumer/issues/646"},
		check:   staticIDRandom,
	},
	{
		ID: "instance-id-taken", Severity: Error,
		Summary: "two processes have one group.instance.id",
		Why:     "The one that joins later takes the place of the other, which is fenced: FencedInstanceIdException is fatal. Where something restarts it, both fence each other in turn.",
		Instead: "Give each process an id of its own.",
		Sources: []string{consumerKey + "group.instance.id", "https://github.com/kafka4beam/brod/pull/674", "https://github.com/apache/kafka/pull/6899"},
		check:   instanceIDTaken,
	},
	{
		ID: "restart-without-static-ids", Severity: Note,
		Summary: "a rolling restart of dynamic members costs up to two rebalances a member",
		Why:     "Each member leaves and joins again. With static ids and a session longer than one restart there is none.",
		Instead: "Set static ids, if something gives each process a name that stays.",
		Sources: []string{consumerKey + "group.instance.id", kip345, "https://www.engineering-notes.com/posts/kafka-rebalance-static-membership.html"},
		check:   restartWithoutStaticIDs,
	},
	{
		ID: "restart-leaves-ghost", Severity: Warning,
		Summary: "a restarted member waits for what it left behind",
		Why:     "A dynamic member that ends without LeaveGroup (killed, or Kafka Streams) and is back before its session is over joins under a new member id, and the rebalance that this begins waits for the old one.",
		Instead: "Let the process leave, or give it a static id.",
		Sources: []string{consumerKey + "session.timeout.ms", "https://thriving.dev/blog/reduce-rebalance-downtime-for-stateless-kafka-streams-apps"},
		check:   restartLeavesGhost,
	},
	{
		ID: "restart-gap-too-short", Severity: Warning,
		Summary: "a rolling restart goes on before the member is back",
		Why:     "The gap counts from the start of one process to the stop of the next. When that is shorter than booting and joining, two members are away at once.",
		Instead: "Wait until the member is ready: boot time, and for dynamic members a heartbeat in which the others learn of it.",
		Sources: []string{"https://www.systemoverflow.com/learn/message-queues/consumer-groups/failure-modes-rebalance-storms-hot-partitions-and-recovery-strategies"},
		check:   restartGap,
	},
}

var assignorRules = []Rule{
	{
		ID: "framework-shares-group", Severity: Error,
		Summary: "Kafka Streams or Connect shares a group with other clients",
		Why:     "Both have protocols of their own. The coordinator refuses whoever comes second with INCONSISTENT_GROUP_PROTOCOL. In a run cooperative-sticky stands in for these protocols, so that it does not show.",
		Instead: "Give each application its own group.",
		Sources: []string{consumerKey + "group.id", "GroupMetadataManager.classicGroupJoin, ClassicGroup.supportsProtocols"},
		check:   frameworkSharesGroup,
	},
	{
		ID: "no-common-assignor", Severity: Error,
		Summary: "members of one group have no assignor in common",
		Why:     "A group needs an assignor that all members list. Whoever comes with a list that shares nothing is refused with INCONSISTENT_GROUP_PROTOCOL, as long as the others are there.",
		Instead: "Add an assignor of the others to one of the lists.",
		Sources: []string{consumerKey + "partition.assignment.strategy", "https://github.com/confluentinc/confluent-kafka-go/issues/605"},
		check:   noCommonAssignor,
	},
	{
		ID: "one-step-assignor-change", Severity: Error,
		Summary: "a rolling change to an assignor that the others do not list",
		Why:     "The first member that comes back is refused with INCONSISTENT_GROUP_PROTOCOL, and so are all others until the last one with the old list is gone: capacity falls to nothing in between.",
		Instead: "Two rolling restarts, the first with both assignors, the second without the old one; or stop all members first.",
		Sources: []string{consumerKey + "partition.assignment.strategy", kip429, "https://github.com/confluentinc/librdkafka/issues/3589"},
		check:   oneStepAssignorChange,
	},
	{
		ID: "mixed-rebalance-protocols", Severity: Note,
		Summary: "some members of a group are eager, others cooperative",
		Why:     "A list is cooperative only when all of its assignors are. Members that list range too give up everything in each rebalance.",
		Instead: "Finish the migration: cooperative-sticky alone.",
		Sources: []string{consumerKey + "partition.assignment.strategy", kip429},
		check:   mixedRebalanceProtocols,
	},
	{
		ID: "assignor-listed-twice", Severity: Error,
		Summary: "an assignor is listed twice, which blocks the group",
		Why:     "The coordinator counts each name of a JoinGroup. A name that is there twice counts wrong. Where the members have no other in common, it finds no assignor that every member supports, fails in the middle of ending the join phase, and leaves the group in PreparingRebalance without a timer. Newer Java clients refuse such a list; older ones and other libraries send it.",
		Instead: "List each assignor once.",
		Sources: []string{consumerKey + "partition.assignment.strategy", "ClassicGroup.selectProtocol (recorded with 4.4.0)"},
		check:   assignorListedTwice,
	},
	{
		ID: "range-leaves-members-idle", Severity: Warning,
		Summary: "range leaves members without partitions that another assignor would use",
		Why:     "range shares out each topic by itself and begins with the first member each time. With more members than partitions in one topic the last ones get nothing, however many topics there are.",
		Instead: "Use an assignor that looks at all topics together: roundrobin, sticky, cooperative-sticky.",
		Sources: []string{consumerKey + "partition.assignment.strategy", "RangeAssignor"},
		check:   rangeLeavesIdle,
	},
	{
		ID: "empty-subscription-in-sticky-group", Severity: Warning,
		Summary: "a pattern that matches nothing yet, in a sticky group",
		Why:     "AbstractStickyAssignor does not count a member with an empty list of topics as different when it comes first, and gives it partitions of topics that it does not subscribe to.",
		Instead: "Start the consumers when the topics are there, or put them into a group of their own.",
		Sources: []string{consumerKey + "partition.assignment.strategy", "AbstractStickyAssignor.allSubscriptionsEqual (recorded with 4.4.0)"},
		check:   emptySubscription,
	},
	{
		ID: "topic-recreated-smaller", Severity: Warning,
		Summary: "a topic of a sticky group comes back with fewer partitions",
		Why:     "AbstractStickyAssignor checks that a claimed topic exists, not that the partition does. A claim beyond the count stays, and the scan for unassigned partitions goes wrong: one partition for two members, or an exception in the leader.",
		Instead: "Keep the number of partitions, or stop all members first.",
		Sources: []string{consumerKey + "partition.assignment.strategy", "AbstractStickyAssignor.constrainedAssign (recorded with 4.4.0)"},
		check:   topicRecreatedSmaller,
	},
}

var groupRules = []Rule{
	{
		ID: "more-members-than-partitions", Severity: Warning,
		Summary: "a group has more members than partitions",
		Why:     "The surplus has nothing to do, but each one that comes or goes is a rebalance for all.",
		Instead: "Have at most as many members as partitions, or add partitions.",
		Sources: []string{consumerKey + "group.id", "https://github.com/segmentio/kafka-go/issues/200", "https://github.com/sentry-kubernetes/charts/pull/2258"},
		check:   moreMembersThanPartitions,
	},
	{
		ID: "group-max-size", Severity: Error,
		Summary: "a group has more members than group.max.size",
		Why:     "Whoever comes last is refused with GROUP_MAX_SIZE_REACHED, an exception from poll().",
		Instead: "Raise group.max.size, or have fewer members.",
		Sources: []string{brokerKey + "group.max.size", "https://github.com/apache/kafka/pull/8437"},
		check:   groupMaxSize,
	},
	{
		ID: "one-group-for-different-topics", Severity: Warning,
		Summary: "members of one group subscribe to different topics",
		Why:     "They share nothing but the rebalances: each deployment, crash or slow batch of one application stops the others.",
		Instead: "Give each application its own group.",
		Sources: []string{consumerKey + "group.id", "https://github.com/Azure/azure-event-hubs-for-kafka/issues/72", "https://github.com/confluentinc/librdkafka/issues/4457"},
		check:   oneGroupDifferentTopics,
	},
	{
		ID: "initial-delay-zero", Severity: Warning,
		Summary: "group.initial.rebalance.delay.ms is 0 and several members start",
		Why:     "The delay lets the members of an empty group gather before the first assignment. Without it the first one gets everything, and the others take it away again.",
		Instead: "Leave it at 3 s; 0 is for tests with one consumer.",
		Sources: []string{brokerKey + "group.initial.rebalance.delay.ms"},
		check:   initialDelayZero,
	},
	{
		ID: "starts-outlast-initial-delay", Severity: Note,
		Summary: "members start further apart than the initial delay waits",
		Why:     "Each member that joins during the delay prolongs it; one that comes after it finds a running group and rebalances it.",
		Instead: "Start them closer together, or raise group.initial.rebalance.delay.ms.",
		Sources: []string{brokerKey + "group.initial.rebalance.delay.ms"},
		check:   startsOutlastInitialDelay,
	},
	{
		ID: "same-instant-start", Severity: Note,
		Summary: "many members start in the same instant",
		Why:     "Their heartbeats are in phase from then on, which real ones are not. Whether the group learns of a change at once or one heartbeat later then hangs on a millisecond.",
		Instead: "Give start an every, or boot a distribution, and look at other seeds.",
		Sources: []string{consumerKey + "heartbeat.interval.ms", "AbstractCoordinator.HeartbeatThread"},
		check:   sameInstantStart,
	},
}

var clusterRules = []Rule{
	{
		ID: "illegal-topic-name", Severity: Error,
		Summary: "one member asks for a topic that Kafka does not allow",
		Why:     "The subscription travels to the leader, whose metadata request for the topics of all members is refused with INVALID_TOPIC_EXCEPTION. It cannot assign: the whole group loops in CompletingRebalance.",
		Instead: "Use letters, digits, dots, underscores and dashes only, at most 249.",
		Sources: []string{"org.apache.kafka.common.internals.Topic.validate (recorded with live clients)"},
		check:   illegalTopic,
	},
	{
		ID: "assignment-longer-than-timeouts", Severity: Warning,
		Summary: "the leader's assignment takes longer than the session or the request time-out",
		Why:     "While it assigns, the leader sends nothing. Beyond its session it is removed; beyond request.timeout.ms the others give their SyncGroup up and join anew. Either way the assignment is for a generation that is over, and the next one begins the same.",
		Instead: "Choose time-outs longer than an assignment of that size.",
		Sources: []string{consumerKey + "session.timeout.ms", "https://github.com/apache/kafka/pull/9173"},
		check:   assignmentLongerThanTimeouts,
	},
	{
		ID: "append-slower-than-commit-timeout", Severity: Warning,
		Summary: "the offsets log is slower than offsets.commit.timeout.ms",
		Why:     "The coordinator gives writes up after that time. A rebalance waits for commits that members try again before they join, and an assignment that cannot be written sends the group back to PreparingRebalance.",
		Instead: "Find out why the log is slow; a longer time-out only makes it wait.",
		Sources: []string{brokerKey + "offsets.commit.timeout.ms", "CoordinatorRuntime"},
		check:   appendSlowerThanCommitTimeout,
	},
	{
		ID: "only-broker-restarts", Severity: Note,
		Summary: "the only broker restarts",
		Why:     "Where there are others, one of them takes the groups over while a broker is away.",
		Instead: "Give [brokers] the count of your cluster.",
		Sources: []string{brokerKey + "offsets.topic.replication.factor"},
		check:   onlyBrokerRestarts,
	},
}

var runRules = []Rule{
	{
		ID: "no-expectation", Severity: Note,
		Summary: "the scenario expects nothing",
		Why:     "As a check it passes whatever happens.",
		Instead: "Pin the numbers that matter in [[expect]].",
		Sources: []string{"docs/scenarios.md, [[expect]]"},
		check:   noExpectation,
	},
	{
		ID: "expectation-decides-nothing", Severity: Warning,
		Summary: "an expectation that every run meets, or none",
		Why:     "A count is never below 0, a share never above 100 %, a time in a state never longer than what is looked at.",
		Instead: "Choose a bound that a bad run would break.",
		Sources: []string{"docs/scenarios.md, [[expect]]"},
		check:   expectationDecidesNothing,
	},
	{
		ID: "stuck-after-longer-than-run", Severity: Warning,
		Summary: "stuck-after is as long as the run",
		Why:     "No stay can be longer, so that nothing is reported as stuck.",
		Instead: "Set stuck-after to the longest wait that you accept.",
		Sources: []string{"docs/scenarios.md"},
		check:   stuckAfterLongerThanRun,
	},
	{
		ID: "run-ends-before-refresh", Severity: Note,
		Summary: "the run ends before consumers have to learn of new partitions",
		Why:     "Consumers learn of new topics and partitions when they refresh their metadata, up to metadata.max.age.ms later.",
		Instead: "Let the run last longer.",
		Sources: []string{consumerKey + "metadata.max.age.ms"},
		check:   runEndsBeforeRefresh,
	},
	{
		ID: "run-ends-before-eviction", Severity: Note,
		Summary: "the run ends before a killed member is removed",
		Why:     "What a crash costs comes when the session is over.",
		Instead: "Let the run last longer than the session.",
		Sources: []string{consumerKey + "session.timeout.ms"},
		check:   runEndsBeforeEviction,
	},
}
