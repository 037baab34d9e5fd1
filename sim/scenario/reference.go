package scenario

import (
	"math"
	"slices"
)

// key is one key of a table in a scenario file. The loader takes those that stand here, the schema offers them in an
// editor, and docs/scenarios.md repeats what they mean.
type key struct {
	name   string
	form   form   // what its value may look like
	means  string // what it is for, in a few words
	more   string // what else there is to know about it; the documentation has this, or else means
	absent string // what holds without it, in words; "" when that is nothing, or when the key is required
	must   bool

	refused string // why a key that has a meaning is not taken; "" when it is
}

func find(keys []key, name string) *key {
	i := slices.IndexFunc(keys, func(k key) bool { return k.name == name })
	if i < 0 {
		return nil
	}
	return &keys[i]
}

func keyNames(keys []key) []string {
	names := make([]string, len(keys))
	for i, k := range keys {
		names[i] = k.name
	}
	return names
}

// scenarioKeys are those outside of all tables.
var scenarioKeys = []key{
	{name: "name", form: aLine, means: "what the scenario is called", absent: "the name of its file"},
	{name: "description", form: aLine, means: "what it shows, in a line"},
	{name: "kafka", form: oneOfWords("4", "3"), means: "whose coordinator it is", more: `"3": the coordinator before Kafka 4`, absent: `"4"`},
	{name: "seed", form: whole(0, math.MaxInt64), means: "what chance is drawn from: the same seed gives the same run", absent: "1"},
	{name: "replications", form: whole(1, MostReplications), means: "how many runs it stands for", absent: "1"},
	{name: "duration", form: aDuration, means: "how long to simulate", must: true},
	{name: "stuck-after", form: aDuration, means: "a group that waits longer for a rebalance or a coordinator is stuck", absent: "30 s"},
	{name: "broker", form: brokerTable, means: "Kafka's keys of the coordinator"},
	{name: "brokers", form: tableOf(brokersKeys), means: "how many brokers there are, and how quick their logs"},
	{name: "network", form: tableOf(networkKeys), means: "the links between consumers and brokers"},
	{name: "topic", form: tablesOf(tableOf(topicKeys)), means: "a topic; one table each"},
	{name: "fleet", form: tablesOf(fleetTable), means: "like consumers; one table for each kind", must: true},
	{name: "event", form: tablesOf(eventTable), means: "something that happens; one table each"},
	{name: "expect", form: tablesOf(expectTable), means: "what must hold; one table each"},
	{name: "sweep", form: tableOf(sweepKeys), means: "what `simulate sweep` varies and measures"},
	{name: "tune", form: tableOf(tuneKeys), means: "what `simulate tune` looks for"},
}

var brokerKeys = []key{
	{name: offsetsLog, form: aFilledText, means: "a file beside the scenario's, with the records of the offsets topic to start from"},
}

var brokersKeys = []key{
	{name: "count", form: whole(1, mostBrokers), means: "how many there are", absent: "1"},
	{name: "append", form: distributionOf("append"), means: "time to commit a record", absent: "1 ms"},
	{name: "load", form: distributionOf("load"), means: "time in which a new coordinator reads the partition that it took over", absent: "`{ p50 = \"10ms\", p99 = \"100ms\" }`"},
}

var networkKeys = []key{
	{name: "latency", form: distributionOf("latency"), means: "one way", absent: "500 µs"},
}

var topicKeys = []key{
	{name: "name", form: aName, means: "what consumers subscribe to", must: true},
	{name: "partitions", form: whole(1, mostPartitions), means: "how many it has", more: "how many it has at the start", must: true},
	{name: "rate", form: matching(rateForm.String()), means: "how many records arrive in it", more: "how many records arrive, in all of its partitions together: `200/s`, `30/min` or `5/h`", absent: "none"},
	{name: "backlog", form: whole(0, mostBacklog), means: "how many records are there at the start", absent: "0"},
}

var fleetKeys = []key{
	{name: "name", form: aName, means: "what its members are called after", more: "members are called `<name>-1`, `<name>-2`, …", must: true},
	{name: "count", form: whole(1, mostMembers), means: "how many start", absent: "1"},
	{name: "static", form: aTruth, means: "`group.instance.id` is the member's name", absent: "`false`"},
	{name: "start", form: tableOf(startKeys), means: "`{ at, every }`: the first start, and the distance of the others", absent: "at once"},
	{name: "client", form: aClient, means: "the client library", absent: "`\"java\"`"},
	{name: "group", form: aGroup, means: "their group", absent: "the name"},
	{name: "poll-timeout", form: aDuration, means: "the argument of `poll()`", absent: "of the client"},
	{name: "poll-again", form: aDuration, means: "how long the application waits before it polls again after an exception that may pass; 0: it ends", absent: "of the client"},
	{name: "processing", form: aDistribution, means: "between two polls, also after empty ones", absent: "0"},
	{name: "per-record", form: aDistribution, means: "besides, for each record that a poll returned", absent: "0"},
	{name: "on-revoke", form: aDistribution, means: "how long `onPartitionsRevoked` takes", absent: "0"},
	{name: "on-assign", form: aDistribution, means: "how long `onPartitionsAssigned` takes", absent: "0"},
	{name: "on-lost", form: aDistribution, means: "how long `onPartitionsLost` takes", absent: "0"},
	{name: "boot", form: distributionOf("boot"), means: "from process start to the first `poll()`", absent: "0"},
	{name: "pauses", form: somePauses, means: "what freezes each member as a whole now and then: a preset, `{ every, for }`, or a list of kinds", absent: "none"},
	{name: "pod", form: tableOf(podKeys), means: "how Kubernetes runs each member", absent: "it does not"},
	{name: "autoscaler", form: anAutoscaler, means: "what changes the number of members with the demand", absent: "none"},
	{name: "topics", form: someTopics, means: "topics by name"},
	{name: "pattern", form: aFilledText, means: "all topics whose whole names match a regular expression"},
	{name: "config", form: aFleetConfig, means: "Kafka's keys of the consumer", absent: "of the client"},
	{name: "member-ids", form: idsOfMembers, means: "pins the ids that the coordinator hands out", absent: "drawn"},
}

var startKeys = []key{
	{name: "at", form: aDuration, means: "when the first one starts", absent: "0"},
	{name: "every", form: aDuration, means: "how far apart the others start", absent: "0"},
}

// pausesKeys are those of one kind of pauses.
var pausesKeys = []key{
	{name: "name", form: aName, means: "what the kind is called in reports"},
	{name: "every", form: aDistribution, means: "from the beginning of one pause to that of the next", must: true},
	{name: "for", form: distributionOf("for"), means: "how long a pause lasts", must: true},
}

// podKeys are those of [fleet.pod].
var podKeys = []key{
	{name: "scheduling", form: distributionOf("scheduling"), means: "from the creation of a pod, by `rollout`, `scale` or an autoscaler, to the start of its process", absent: "`\"pod\"`"},
	{name: "grace", form: aDuration, means: "how long a process may take to close before it is killed: terminationGracePeriodSeconds, less what a preStop hook takes", absent: "30 s"},
	{name: "readiness", form: aDuration, means: "the period of the readiness probe: a new pod is ready at the first one that finds it polling", absent: "10 s"},
	{name: "liveness", form: tableOf(livenessKeys), means: "the probe that restarts a process which does not answer", absent: "none"},
}

var livenessKeys = []key{
	{name: "initial-delay", form: aDuration, means: "no probe before the process has run for so long", absent: "0"},
	{name: "period", form: aDuration, means: "how often it asks", absent: "10 s"},
	{name: "timeout", form: aDuration, means: "how long it waits for an answer", absent: "1 s"},
	{name: "failures", form: whole(1, mostProbes), means: "how many in a row restart the process", absent: "3"},
	{name: "poll-within", form: aDuration, means: "it also fails while one batch, stall or callback has taken longer; 0: it asks the process alone", absent: "0"},
}

// autoscalerKeys are those of [fleet.autoscaler].
var autoscalerKeys = []key{
	{name: "min", form: whole(1, mostMembers), means: "never fewer members", absent: "1"},
	{name: "max", form: whole(1, mostMembers), means: "never more members", must: true},
	{name: "demand", form: listOf(tableOf(demandKeys)), means: "how many members the load is work for, step by step"},
	{name: "lag", form: whole(1, math.MaxInt32), means: "the demand follows the group's lag: one member for so many records, and none beyond the partitions (KEDA's lagThreshold)"},
	{name: "sync", form: aDuration, means: "how often it looks", absent: "15 s"},
	{name: "tolerance", form: matching(percentage.String()), means: "the difference between demand and members that it bears", absent: "`\"10%\"`"},
	{name: "stabilization", form: aDuration, means: "it takes members away only if there was no more demand for so long", absent: "5 m"},
}

var demandKeys = []key{
	{name: "at", form: aDuration, means: "from when on", must: true},
	{name: "members", form: someMembers, means: "how many members the load is work for", must: true},
}

// Keys of [fleet.config] and [event.config] that are no settings of a consumer's machine.
var (
	protocol = key{name: "group.protocol", form: matching(`^[Cc][Ll][Aa][Ss][Ss][Ii][Cc]$`), means: "the rebalance protocol", absent: "`\"classic\"`"}

	groupID    = key{name: "group.id", refused: `group.id is the fleet's group; write group = "..." in [[fleet]]`}
	clientID   = key{name: "client.id", refused: "client.id is always the member's name"}
	instanceID = key{name: "group.instance.id", refused: "group.instance.id would be the same for all members; write static = true in [[fleet]], " +
		"which takes the member's name, or give it to one member by an event that starts it"}

	fleetConfigKeys = []key{protocol, groupID, clientID, instanceID}
	eventConfigKeys = []key{
		protocol, groupID, clientID,
		{name: instanceID.name, form: anInstance, means: "the id with which one member is started; \"\" makes it dynamic"},
	}
)

// eventKeys are those of all verbs together; verbSpecs says which verb takes which.
var eventKeys = []key{
	{name: "at", form: aDuration, means: "when it happens", must: true},
	{name: "do", form: aVerb, means: "what happens", must: true},
	{name: "who", form: someTexts, means: "whom it happens to", more: "a member, a fleet, a glob (`orders-*`), a list of these, `leader(GROUP)`, or `any(FLEET or GROUP)`"},
	{name: "for", form: distributionOf("for"), means: "how long it lasts"},
	{name: "down", form: distributionOf("down"), means: "how long the process, or the broker, is away", more: "from the end of the process to its next start; of a broker, from the closing of its port until it is registered and reachable again", absent: "0"},
	{name: "gap", form: aDuration, means: "from one start to the next stop", more: "of a rolling restart: from one start to the next stop", absent: "0"},
	{name: "batch", form: whole(1, mostMembers), means: "how many restart at once", absent: "1"},
	{name: "graceful", form: aTruth, means: "whether the process ends in order", more: "closed in order, or killed", absent: "`true`"},
	{name: "timeout", form: aDuration, means: "how long close() waits for the coordinator", absent: "30 s, but no longer than request.timeout.ms"},
	{name: "group-membership-operation", form: oneOfWords(operations...), means: "whether close() leaves the group", more: "`DEFAULT`: dynamic members leave, static ones stay; `LEAVE_GROUP`, `REMAIN_IN_GROUP` (KIP-1092)", absent: "`DEFAULT`"},
	{name: "to", form: whole(0, mostMembers), means: "how many members there are to be"},
	{name: "up", form: aDistribution, means: "how long the process runs", more: "of a crash loop: how long it runs each time"},
	{name: "until", form: aDuration, means: "the last instant", more: "the last instant of a repetition, or of a crash loop", absent: "the end"},
	{name: "direction", form: oneOfWords(string(Both), string(Out), string(In)), means: "both, out or in", more: "`both`, `out` (client to broker) or `in`", absent: "`both`"},
	{name: "held", form: aTruth, means: "whether bytes are kept until the heal", more: "bytes are kept and delivered at the heal, as by a proxy; else they are lost and TCP sends them again", absent: "`false`"},
	{name: "broker", form: aBroker, means: "which one: a number or coordinator(GROUP)", more: "a number, or `\"coordinator(GROUP)\"`", absent: "of `drop`: all"},
	{name: "append", form: distributionOf("append"), means: "how long an append takes"},
	{name: "error", form: oneOfWords(logErrorNames()...), means: "what the log refuses with"},
	{name: "add", form: aDistribution, means: "how much is added one way"},
	{name: "group", form: aText, means: "which group it is about"},
	{name: "topics", form: someTopics, means: "which topics it is about"},
	{name: "pattern", form: aFilledText, means: "which topics, as a regular expression"},
	{name: "topic", form: aText, means: "which topic it is about"},
	{name: "count", form: whole(1, mostPartitions), means: "how many partitions there are then"},
	{name: "every", form: aDistribution, means: "how far apart the repetitions are"},
	{name: "times", form: whole(1, mostTimes), means: "how often it happens"},
	{name: "kind", form: oneOfWords(rolloutKinds...), means: "whether a deployment or a statefulset replaces its pods", more: "`deployment` or `statefulset`"},
	{name: "max-surge", form: aPortion, means: "how many pods more there may be, as a number or a percentage", absent: "`\"25%\"`"},
	{name: "max-unavailable", form: aPortion, means: "how many pods less may be ready, as a number or a percentage", absent: "`\"25%\"`"},
	{name: "min-ready", form: aDuration, means: "from ready to available: minReadySeconds", absent: "0"},
	{name: "version", form: whole(0, newestJoin), means: "which version its JoinGroup has"},
	{name: "mode", form: oneOfWords(joinModes...), means: "what the client does", more: "`vanish-after-id`, `send-and-vanish` or `hold-after-join`"},
	{name: "hold", form: aDistribution, means: "how long the client stays once it has joined", more: "of a raw join that holds: how long", absent: "0"},
	{name: "client", form: aClient, means: "what it comes back with"},
	{name: "config", form: anEventConfig, means: "the settings with which it starts"},
}

var expectKeys = []key{
	{name: "that", form: aComparison, means: "what must hold, such as rebalances(GROUP) == 1", more: "`METRIC OP VALUE` with `<`, `<=`, `==`, `!=`, `>=`, `>`", must: true},
	{name: "at", form: aDuration, means: "the instant to look at", absent: "the end"},
	{name: "from", form: aDuration, means: "where the window begins", absent: "the beginning"},
	{name: "to", form: aDuration, means: "where the window ends", absent: "the end"},
	{name: "snapshot", form: aTruth, means: "whether it holds what was measured, which `simulate check --update` writes anew", absent: "`false`"},
}

// sweepKeys are those of [sweep].
var sweepKeys = []key{
	{name: "question", form: aLine, means: "what the numbers are to answer, in a line"},
	{name: "params", form: someTexts, means: "what is varied, as `simulate sweep --param` takes it"},
	{name: "metrics", form: someMetrics, means: "what is measured, such as rebalances(GROUP) or p95(stopped(GROUP))", absent: "rebalances, evictions, stopped and unassigned of each group"},
	{name: "replications", form: whole(1, MostReplications), means: "how often each point is run", absent: "those of the scenario, or 10"},
}

// tuneKeys are those of [tune].
var tuneKeys = []key{
	{name: "question", form: aLine, means: "what the settings are to answer, in a line"},
	{name: "minimise", form: aMetric, means: "whose mean over all runs is to be the least, such as stopped(GROUP)"},
	{name: "subject-to", form: someLimits, means: "what must hold besides, such as max(detection(GROUP)) < 30s"},
	{name: "params", form: someTexts, means: "what may be changed, as `simulate tune --param` takes it"},
	{name: "replications", form: whole(leastTuned, MostReplications), means: "how often settings run that are taken seriously", absent: "those of the scenario, or 30"},
	{name: "budget", form: whole(1, MostBudget), means: "how many runs there may be in all", absent: "a fifth of what all settings would take"},
}

// shapeKeys are those of a table that stands for a distribution.
var shapeKeys = []key{
	{name: "mean", form: aDuration, means: "the mean of an exponential distribution"},
	{name: "p50", form: aDuration, means: "the median of a log-normal distribution; p99 goes with it"},
	{name: "p99", form: aDuration, means: "what one in a hundred exceeds; p50 goes with it"},
	{name: "min", form: aDuration, means: "the least of a uniform distribution; max goes with it"},
	{name: "max", form: aDuration, means: "the most of a uniform distribution; min goes with it"},
	{name: "values", form: durations, means: "one of these, each as likely as the others"},
	{name: "cap", form: aDuration, means: "what is longer is cut to this"},
}
