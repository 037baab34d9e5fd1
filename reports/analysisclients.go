package reports

import (
	"cmp"
	"strconv"
	"strings"
	"time"

	"simulate/incident"
	"simulate/incident/logs"
	"simulate/sim/metrics"
)

// lastOfClient is how many joins, and how many moves of partitions, a text has of a client.
const lastOfClient = 6

// clientWords says what a client logged.
func (a *Analysis) clientWords(c *incident.Client) string {
	text := cmp.Or(short(c.Name), "one without a name")
	if c.Member != "" {
		text = memberName(c.Member)
	}
	if c.Library != logs.NoLibrary {
		text += " (" + c.Library.String() + ")"
	}
	parts := []string{a.joinsWords(c)}
	for _, part := range []string{
		askedWords(c), a.countsWords(c), pollWords(c), partitionsWords(c), a.coordinatorWords(c), metadataWords(c), generationOf(c),
	} {
		if part != "" {
			parts = append(parts, part)
		}
	}
	return text + ": " + strings.Join(parts, "; ") + offsetWords(c.Offset)
}

// joinsWords says how the last joins of a client went.
func (a *Analysis) joinsWords(c *incident.Client) string {
	text := metrics.Plural(c.JoinCount, "join")
	shown := c.Joins[max(0, len(c.Joins)-lastOfClient):]
	words := make([]string, len(shown))
	for i := range shown {
		same := i > 0 && shown[i].Leader == shown[i-1].Leader
		words[i] = joinWords(&shown[i], same)
		if i > 0 {
			words[i] = waited(&shown[i-1], &shown[i]) + words[i]
		}
	}
	switch {
	case len(words) == 0:
		return text
	case len(words) < c.JoinCount:
		text += ", the last " + strconv.Itoa(len(words))
	}
	return text + ": " + strings.Join(words, ", ")
}

// waited says how long a client waited to join again after it had failed.
func waited(failed, next *incident.ClientJoin) string {
	const atOnce = 10 * time.Millisecond
	from := next.Told
	if from == logs.NoTime {
		from = next.Sent
	}
	if failed.FailedAt == logs.NoTime || from == logs.NoTime || from.Sub(failed.FailedAt) < atOnce {
		return ""
	}
	return timed(from.Sub(failed.FailedAt)) + " later "
}

// joinWords says what became of a JoinGroup, and who leads unless that is still the same member.
func joinWords(j *incident.ClientJoin, sameLeader bool) string {
	end := max(j.Answered, j.Synced)
	if j.Failed != "" {
		text := "failed" + after(" after ", j.Sent, j.FailedAt)
		if j.Generation != logs.Unknown {
			text += " at generation " + strconv.Itoa(int(j.Generation))
		}
		return text + " (" + truncated(clean(j.Failed), longestReason) + ")"
	}
	text := "no answer logged"
	switch {
	case j.Generation != logs.Unknown:
		text = "generation " + strconv.Itoa(int(j.Generation))
	case end != logs.NoTime || j.Line.Line != 0 && j.Sent == logs.NoTime:
		text = "joined"
	}
	text += after(" in ", j.Sent, end)
	switch {
	case j.Leads:
		text += " as leader"
	case j.Leader != "" && !sameLeader:
		text += ", led by " + memberName(j.Leader)
	}
	if j.Told == logs.NoTime || j.Sent != logs.NoTime && end != logs.NoTime && j.Sent.Sub(j.Told) < time.Millisecond {
		return text
	}
	if end == logs.NoTime {
		return text + after(", sent ", j.Told, j.Sent) + " after it was told to"
	}
	return text + after(", ", j.Told, end) + " after it was told to"
}

// after writes how long it was from one instant to another; "" when one is not known.
func after(words string, since, until logs.Instant) string {
	if since == logs.NoTime || until == logs.NoTime {
		return ""
	}
	return words + timed(until.Sub(since))
}

// timed writes how long something took in a log, to the nearest millisecond, whose stamps may be finer.
func timed(d time.Duration) string {
	const fine = 10 * time.Millisecond // below it a tenth of a millisecond is worth a digit
	switch {
	case d < time.Millisecond:
		return metrics.Brief(d)
	case d < fine:
		return metrics.Duration(d.Round(time.Millisecond / 10))
	}
	return metrics.Brief(d.Round(time.Millisecond))
}

// askedWords says how often a client was told of a rebalance that it has not joined.
func askedWords(c *incident.Client) string {
	if c.Asked == 0 {
		return ""
	}
	const atOnce = 50 * time.Millisecond // of one cause
	var apart []string
	for i := 1; i < len(c.AskedAt); i++ {
		if d := c.AskedAt[i].Sub(c.AskedAt[i-1]); d > atOnce {
			apart = append(apart, timed(d))
		}
	}
	text := "asked to join again"
	if c.AskedBy == logs.HeartbeatThread {
		text += " by its " + c.AskedBy
	}
	if len(apart) > 0 {
		text += " " + metrics.Times(c.Asked) + ", " + listed(apart) + " apart,"
	}
	return text + " and has not joined since"
}

// countsWords counts what went wrong.
func (a *Analysis) countsWords(c *incident.Client) string {
	var words []string
	if c.Evicted > 0 {
		text := metrics.Plural(c.Evicted, "eviction")
		if c.ToldEvicted > c.Evicted {
			text += " (told " + metrics.Times(c.ToldEvicted) + ")"
		}
		words = append(words, text)
	}
	if c.Fenced > 0 {
		words = append(words, metrics.Plural(c.Fenced, "fencing"))
	}
	if c.CommitsRefused > 0 {
		words = append(words, metrics.Plural(c.CommitsRefused, "refused commit"))
	}
	if c.SessionsLost > 0 {
		text := metrics.Plural(c.SessionsLost, "lost session") + a.at(c.SessionLostAt)
		if c.Silent > 0 {
			text += " (its log is silent for " + timed(c.Silent) + " before)"
		}
		words = append(words, text)
	}
	if c.HeartbeatsFailed > 0 {
		text := metrics.Plural(c.HeartbeatsFailed, "failed heartbeat")
		if c.HeartbeatsUnexplained == c.HeartbeatsFailed {
			text += " of which the log does not say why"
		}
		words = append(words, text)
	}
	return strings.Join(words, ", ")
}

// pollWords says how often and by how much a client polled late, and whether it was heard meanwhile.
func pollWords(c *incident.Client) string {
	if c.PollTimeouts == 0 {
		return ""
	}
	text := metrics.Plural(c.PollTimeouts, "poll timeout")
	if c.Exceeded > 0 {
		text += ": max.poll.interval.ms"
		if c.PollInterval != "" {
			text += " of " + clean(c.PollInterval)
		}
		text += " exceeded by up to " + timed(c.Exceeded)
	}
	if c.SinceHeartbeat >= 0 {
		text += ", " + timed(c.SinceHeartbeat) + " after its last heartbeat"
	}
	return text
}

// partitionsWords lists the last moves of a client's partitions.
func partitionsWords(c *incident.Client) string {
	shown := c.Moves[max(0, len(c.Moves)-lastOfClient):]
	words := make([]string, len(shown))
	eager := ""
	for i := range shown {
		words[i] = moveOfPartitions(&shown[i])
		if shown[i].All {
			eager = " (it is eager)"
		}
	}
	if c.NoOffsets > 0 {
		words = append(words, "no committed offset for "+strconv.Itoa(c.NoOffsets))
	}
	if len(words) == 0 {
		return ""
	}
	return "partitions: " + strings.Join(words, ", ") + eager
}

func moveOfPartitions(m *incident.PartitionMove) string {
	count := "some"
	if m.Count != logs.Unknown {
		count = strconv.Itoa(m.Count)
	}
	switch {
	case m.Kind == logs.PartitionsLost:
		return count + " lost"
	case m.Assigned():
		text := count + " assigned"
		if len(m.New) > 0 {
			names := make([]string, len(m.New))
			for i := range names {
				names[i] = short(m.New[i])
			}
			text += " (" + listed(names) + " new)"
		}
		return text
	case m.All && m.Count == logs.Unknown:
		count = "all"
	case m.All:
		count = "all " + count
	}
	return count + " given up"
}

// coordinatorWords says at which brokers a client found its coordinator, and how it lost it.
func (a *Analysis) coordinatorWords(c *incident.Client) string {
	var words []string
	if c.CoordinatorFound > 1 || c.JoinCount == 0 && c.CoordinatorFound > 0 {
		text := "found its coordinator " + metrics.Times(c.CoordinatorFound)
		if len(c.Coordinators) > 0 {
			text += ", at broker " + brokerList(c.Coordinators)
		}
		words = append(words, text)
	}
	if c.CoordinatorLost > 0 {
		text := "lost it " + metrics.Times(c.CoordinatorLost)
		if len(words) == 0 {
			text = "lost its coordinator " + metrics.Times(c.CoordinatorLost)
		}
		if c.CoordinatorLost > 1 {
			text += ", the last time"
		}
		text += a.at(c.CoordinatorLostAt)
		if c.CoordinatorHeld >= 0 {
			text += ", " + timed(c.CoordinatorHeld) + " after it had found it"
		}
		if c.CoordinatorAway >= 0 {
			text += ", and found one again " + timed(c.CoordinatorAway) + " later"
		}
		words = append(words, text)
	}
	return strings.Join(words, ", ")
}

// staleMetadata is from when on it is worth a word how old the metadata is that a client takes as up to date.
const staleMetadata = time.Minute

func metadataWords(c *incident.Client) string {
	if c.MetadataAge < staleMetadata {
		return ""
	}
	return "what it knew of its topics when it joined was " + timed(c.MetadataAge) + " old, and counted as up to date"
}

// generationOf says the generation of a client of which no join is logged that has one.
func generationOf(c *incident.Client) string {
	for i := range c.Joins {
		if c.Joins[i].Generation != logs.Unknown {
			return ""
		}
	}
	if c.Generation == logs.Unknown {
		return ""
	}
	return "of generation " + strconv.Itoa(int(c.Generation))
}
