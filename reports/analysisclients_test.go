package reports

import (
	"time"

	"simulate/incident"
	"simulate/incident/logs"
)

// loggingClients are clients with everything that a text says of one.
func loggingClients() []incident.Client {
	quiet := incident.Client{Generation: logs.Unknown, CoordinatorLostAt: logs.NoTime, SessionLostAt: logs.NoTime, CoordinatorHeld: -1, CoordinatorAway: -1, SinceHeartbeat: -1, MetadataAge: -1}
	list := make([]incident.Client, 8)
	for i := range list {
		list[i] = quiet
	}
	late := &list[0]
	late.Name, late.Library, late.JoinCount, late.PollTimeouts, late.Exceeded = "billing-1", logs.Java, 20, 3, 2500*time.Millisecond
	late.PollInterval, late.SinceHeartbeat, late.Offset = "300000 ms", 1200*time.Millisecond, &incident.Offset{Low: -time.Second, High: time.Second}
	late.Joins = []incident.ClientJoin{joinOf(19, 0, 0, 22*time.Millisecond), joinOf(20, time.Minute, time.Minute+5*time.Millisecond, time.Minute+30*time.Millisecond)}
	late.Joins[1].Leads = true
	late.Moves = []incident.PartitionMove{
		{Kind: logs.PartitionsAssigned, Count: 2}, {Kind: logs.PartitionsRevoked, Count: 2},
		{Kind: logs.PartitionsAssigned, Count: 3, New: []string{"invoices-4"}}, {Kind: logs.PartitionsLost, Count: 3},
	}

	evicted := &list[1]
	evicted.Name, evicted.Library, evicted.JoinCount, evicted.Evicted, evicted.ToldEvicted, evicted.CommitsRefused = "billing-2", logs.Librdkafka, 2, 1, 3, 2
	evicted.Offset = &incident.Offset{Low: 2 * time.Second, High: 3 * time.Second, Rounds: 4}
	evicted.Joins = []incident.ClientJoin{joinOf(7, 0, 0, 0), joinOf(logs.Unknown, time.Second, 2*time.Second, 0)}
	evicted.Joins[0].Failed, evicted.Joins[0].FailedAt, evicted.Joins[0].Answered = "UNKNOWN_MEMBER_ID", loggedAt(17*time.Millisecond), logs.NoTime
	evicted.Joins[1].Answered = logs.NoTime
	evicted.MetadataAge, evicted.NoOffsets = 90*time.Second, 4

	zoned := &list[2]
	zoned.Name, zoned.JoinCount = "billing-3", 2
	zoned.Offset = &incident.Offset{Low: 19_799 * time.Second, High: 19_801 * time.Second, Zone: 19_800 * time.Second}

	moved := &list[3]
	moved.Name, moved.Library, moved.GaveUp, moved.Coordinators, moved.CoordinatorFound = "billing-4", logs.Sarama, 2, []int32{1, 2}, 3
	moved.Moves = []incident.PartitionMove{{Kind: logs.JoinStateChanged, Count: logs.Unknown}, {Kind: logs.JoinStateChanged, Count: 3, All: true}, {Kind: logs.PartitionsRevoked, Count: 0}}
	moved.CoordinatorLost, moved.CoordinatorLostAt, moved.CoordinatorHeld, moved.CoordinatorAway = 2, loggedAt(time.Minute), time.Millisecond, 101*time.Millisecond

	busy := &list[4]
	busy.Name, busy.Library, busy.Asked, busy.AskedBy, busy.Generation = "billing-5", logs.Java, 3, logs.HeartbeatThread, 12
	busy.AskedAt = []logs.Instant{loggedAt(0), loggedAt(3003 * time.Millisecond), loggedAt(6005 * time.Millisecond)}

	silent := &list[5]
	silent.Name, silent.Library, silent.SessionsLost, silent.Silent = "billing-6", logs.KafkaPython, 1, 9*time.Minute
	silent.SessionLostAt, silent.CoordinatorLost, silent.CoordinatorLostAt = loggedAt(time.Minute), 1, loggedAt(time.Minute)

	led := &list[6]
	led.Name, led.Library, led.JoinCount, led.HeartbeatsFailed, led.HeartbeatsUnexplained = "billing-7", logs.FranzGo, 1, 2, 2
	led.Joins = []incident.ClientJoin{joinOf(3, 0, 0, 5*time.Millisecond)}
	led.Joins[0].Leader = "billing-1-51711e84-5a3d-4b6f-8a11-0d3f5a1c2b3e"
	fenced := &list[7]
	fenced.Name, fenced.Fenced, fenced.Asked, fenced.AskedAt = "billing-8", 1, 1, []logs.Instant{loggedAt(0)}
	return list
}

// joinOf is a JoinGroup that its client was told to send, sent and had answered, so long after the log begins.
func joinOf(generation int32, told, sent, answered time.Duration) incident.ClientJoin {
	return incident.ClientJoin{
		Told: loggedAt(told), Sent: loggedAt(sent), Answered: loggedAt(answered), Synced: logs.NoTime, FailedAt: logs.NoTime, Generation: generation,
		Line: lineAt(1),
	}
}
