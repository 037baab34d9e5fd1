package reports

import (
	"time"

	"simulate/incident"
	"simulate/incident/logs"
)

type clientJSON struct {
	Client           string                `json:"client"`
	Library          string                `json:"library"`
	MemberID         *string               `json:"member_id"`
	InstanceID       *string               `json:"instance_id"`
	Generation       *int32                `json:"generation"`
	Joins            int                   `json:"joins"`
	JoinList         []clientJoinJSON      `json:"join_list"`
	Asked            int                   `json:"asked"`
	AskedAt          []string              `json:"asked_at"`
	AskedBy          *string               `json:"asked_by"`
	PollTimeouts     int                   `json:"poll_timeouts"`
	ExceededMs       millis                `json:"poll_interval_exceeded_by_ms"`
	Limit            *string               `json:"poll_interval"`
	BeatMs           *millis               `json:"poll_timeout_after_heartbeat_ms"`
	SessionsLost     int                   `json:"sessions_lost"`
	SessionAt        *string               `json:"session_lost_at"`
	QuietMs          *millis               `json:"silent_before_session_lost_ms"`
	Evicted          int                   `json:"evicted"`
	Disowned         int                   `json:"told_evicted"`
	Fenced           int                   `json:"fenced"`
	Refused          int                   `json:"commits_refused"`
	FailedHeartbeats int                   `json:"heartbeats_failed"`
	GaveUp           int                   `json:"gave_up"`
	Partitions       []partitionsMovedJSON `json:"partition_moves"`
	NoOffsets        int                   `json:"partitions_without_offset"`
	Coordinators     []int32               `json:"coordinators"`
	Found            int                   `json:"coordinator_found"`
	Lost             int                   `json:"coordinator_lost"`
	LostAt           *string               `json:"coordinator_lost_at"`
	HeldMs           *millis               `json:"coordinator_held_ms"`
	AwayMs           *millis               `json:"coordinator_away_ms"`
	MetadataAgeMs    *millis               `json:"metadata_age_ms"`
	Clock            *offsetJSON           `json:"clock_ahead"`
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

type partitionsMovedJSON struct {
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
		Asked: c.Asked, AskedAt: a.stamps(c.AskedAt), AskedBy: given(c.AskedBy), PollTimeouts: c.PollTimeouts, ExceededMs: millis(c.Exceeded), Limit: given(c.Limit),
		BeatMs: atLeast0(c.Beat), SessionsLost: c.SessionsLost, SessionAt: a.stamp(c.SessionAt), QuietMs: measured(c.Quiet, c.Quiet > 0), Evicted: c.Evicted, Disowned: c.Disowned, Fenced: c.Fenced,
		Refused: c.Refused, FailedHeartbeats: c.Unbeaten, GaveUp: c.GaveUp, Partitions: each(c.Moves, a.partitionsMovedJSON), NoOffsets: c.NoOffsets,
		Coordinators: append([]int32{}, c.Coordinators...), Found: c.Found, Lost: c.Lost, LostAt: a.stamp(c.LostAt), HeldMs: atLeast0(c.Held),
		AwayMs: atLeast0(c.Away), MetadataAgeMs: atLeast0(c.MetadataAge),
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

func (a *Analysis) partitionsMovedJSON(m *incident.PartitionMove) partitionsMovedJSON {
	kind := "revoked"
	switch m.Kind {
	case logs.PartitionsAssigned, logs.Synced:
		kind = "assigned"
	case logs.PartitionsLost:
		kind = "lost"
	}
	return partitionsMovedJSON{a.stamp(m.At), kind, knownNumber(m.Count), m.All, append([]string{}, m.New...)}
}
