package reports

import (
	"time"

	"simulate/incident"
	"simulate/incident/logs"
)

type clientJSON struct {
	Client            string              `json:"client"`
	Library           string              `json:"library"`
	MemberID          *string             `json:"member_id"`
	InstanceID        *string             `json:"instance_id"`
	Generation        *int32              `json:"generation"`
	Joins             int                 `json:"joins"`
	JoinList          []clientJoinJSON    `json:"join_list"`
	Asked             int                 `json:"asked"`
	AskedAt           []string            `json:"asked_at"`
	AskedBy           *string             `json:"asked_by"`
	PollTimeouts      int                 `json:"poll_timeouts"`
	ExceededMs        millis              `json:"poll_interval_exceeded_by_ms"`
	PollInterval      *string             `json:"poll_interval"`
	SinceHeartbeatMs  *millis             `json:"poll_timeout_after_heartbeat_ms"`
	SessionsLost      int                 `json:"sessions_lost"`
	SessionLostAt     *string             `json:"session_lost_at"`
	SilentMs          *millis             `json:"silent_before_session_lost_ms"`
	Evicted           int                 `json:"evicted"`
	ToldEvicted       int                 `json:"told_evicted"`
	Fenced            int                 `json:"fenced"`
	CommitsRefused    int                 `json:"commits_refused"`
	HeartbeatsFailed  int                 `json:"heartbeats_failed"`
	GaveUp            int                 `json:"gave_up"`
	Moves             []partitionMoveJSON `json:"partition_moves"`
	NoOffsets         int                 `json:"partitions_without_offset"`
	Coordinators      []int32             `json:"coordinators"`
	CoordinatorFound  int                 `json:"coordinator_found"`
	CoordinatorLost   int                 `json:"coordinator_lost"`
	CoordinatorLostAt *string             `json:"coordinator_lost_at"`
	CoordinatorHeldMs *millis             `json:"coordinator_held_ms"`
	CoordinatorAwayMs *millis             `json:"coordinator_away_ms"`
	MetadataAgeMs     *millis             `json:"metadata_age_ms"`
	Clock             *offsetJSON         `json:"clock_ahead"`
}

type clientJoinJSON struct {
	Told       *string `json:"told"`
	Sent       *string `json:"sent"`
	Answered   *string `json:"answered"`
	Synced     *string `json:"synced"`
	FailedAt   *string `json:"failed_at"`
	Error      *string `json:"error"`
	Generation *int32  `json:"generation"`
	Leads      bool    `json:"leads"`
	Leader     *string `json:"leader"`
}

type partitionMoveJSON struct {
	At    *string  `json:"at"`
	Kind  string   `json:"kind"`
	Count *int     `json:"count"`
	All   bool     `json:"all"`
	New   []string `json:"new"`
}

func (a *Analysis) clientJSON(c *incident.Client) clientJSON {
	j := clientJSON{
		Client: c.Name, Library: c.Library.String(), MemberID: given(string(c.Member)), InstanceID: given(string(c.Instance)),
		Generation: knownNumber(c.Generation), Joins: c.JoinCount, JoinList: each(c.Joins, a.clientJoinJSON),
		Asked: c.Asked, AskedAt: a.stamps(c.AskedAt), AskedBy: given(c.AskedBy), MetadataAgeMs: atLeast0(c.MetadataAge),
		PollTimeouts: c.PollTimeouts, ExceededMs: millis(c.Exceeded), PollInterval: given(c.PollInterval), SinceHeartbeatMs: atLeast0(c.SinceHeartbeat),
		SessionsLost: c.SessionsLost, SessionLostAt: a.stamp(c.SessionLostAt), SilentMs: measured(c.Silent, c.Silent > 0),
		Evicted: c.Evicted, ToldEvicted: c.ToldEvicted, Fenced: c.Fenced, CommitsRefused: c.CommitsRefused, HeartbeatsFailed: c.HeartbeatsFailed,
		GaveUp: c.GaveUp, Moves: each(c.Moves, a.partitionMoveJSON), NoOffsets: c.NoOffsets,
		Coordinators: append([]int32{}, c.Coordinators...), CoordinatorFound: c.CoordinatorFound, CoordinatorLost: c.CoordinatorLost,
		CoordinatorLostAt: a.stamp(c.CoordinatorLostAt), CoordinatorHeldMs: atLeast0(c.CoordinatorHeld), CoordinatorAwayMs: atLeast0(c.CoordinatorAway),
	}
	if o := c.Offset; o != nil {
		j.Clock = &offsetJSON{millis(o.Low), millis(o.High), millis(o.Zone), o.Broken}
	}
	return j
}

// atLeast0 turns a time below 0, which is unknown, into null.
func atLeast0(d time.Duration) *millis { return measured(d, d >= 0) }

// stamps writes instants, but for those that are not known.
func (a *Analysis) stamps(list []logs.Instant) []string {
	texts := []string{}
	for _, t := range list {
		if text := a.stamp(t); text != nil {
			texts = append(texts, *text)
		}
	}
	return texts
}

func (a *Analysis) clientJoinJSON(j *incident.ClientJoin) clientJoinJSON {
	return clientJoinJSON{
		a.stamp(j.Told), a.stamp(j.Sent), a.stamp(j.Answered), a.stamp(j.Synced), a.stamp(j.FailedAt), given(j.Failed), knownNumber(j.Generation), j.Leads,
		given(string(j.Leader)),
	}
}

func (a *Analysis) partitionMoveJSON(m *incident.PartitionMove) partitionMoveJSON {
	kind := "revoked"
	switch {
	case m.Assigned():
		kind = "assigned"
	case m.Kind == logs.PartitionsLost:
		kind = "lost"
	}
	return partitionMoveJSON{a.stamp(m.At), kind, knownNumber(m.Count), m.All, append([]string{}, m.New...)}
}
