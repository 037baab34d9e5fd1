package reports

import (
	"cmp"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"

	"simulate/incident"
	"simulate/incident/logs"
	"simulate/sim/metrics"
)

// followed says what a record of each kind means which changes what a reader should know. What stands in braces is of the
// record.
var followed = map[logs.Kind]string{
	logs.Preparing:          "PreparingRebalance: {why}",
	logs.Completing:         "CompletingRebalance: generation {generation}{members}",
	logs.AssignmentReceived: "Stable: generation {generation}{members}",
	logs.EmptyGroup:         "Empty: no member is left",
	logs.DeadGroup:          "Dead: deleted, or expired",
	logs.NobodyRejoined:     "nobody rejoined in time",
	logs.StaticReplaced:     "{instance} came back under its group.instance.id",
	logs.MemberFailed:       "the session of {member} expired",
	logs.MemberLeft:         "{member} left{because}",
	logs.NotRejoined:        "{list} did not rejoin in time",
	logs.NotSynced:          "{list} never sent a SyncGroup",
	logs.Fenced:             "{member} was fenced: another process has {instance}",
	logs.StoreFailed:        "the assignment could not be stored{text}",

	logs.Elected:           "elected for partition {partition}",
	logs.Resigned:          "resigned from partition {partition}",
	logs.LoadedPartition:   "loaded partition {partition}{for}",
	logs.UnloadedPartition: "unloaded partition {partition}",
	logs.GroupLoaded:       "loaded{members}",
	logs.GroupUnloaded:     "no coordinator here any more",
	logs.AppendFailed:      "an append to partition {partition} failed{text}",
	logs.BrokerStarted:     "started",
	logs.BrokerStopping:    "is stopping",

	logs.ConsumerJoined: "{member} joined",
	logs.EpochBumped:    "epoch {generation}",
	logs.ConsumerLeft:   "{member} left",
	logs.ConsumerFenced: "{member} was removed{text}",
	logs.Migrated:       "is of the {text} protocol now",

	logs.CoordinatorLost:  "lost its coordinator{text}",
	logs.JoinSent:         "joins",
	logs.Synced:           "has its assignment, generation {generation}",
	logs.HeartbeatEvicted: "was told that nobody knows it",
	logs.SessionLost:      "had no answer for its session timeout",
	logs.PollTimeout:      "exceeded max.poll.interval.ms{for}",
	logs.LeaveSent:        "leaves{text}",
	logs.ClientFenced:     "was fenced: another process has its group.instance.id",
	logs.CommitRefused:    "could not commit{text}",
}

// FollowEvent writes in a line what a record that has just come changes; nothing for one that changes nothing. Location is
// as in Analysis.
func FollowEvent(w io.Writer, e *logs.Event, location *time.Location) error {
	template, ok := followed[e.Kind]
	if !ok {
		return nil
	}
	a := Analysis{Location: location}
	at := noTime
	if e.At != logs.NoTime {
		at = a.time(e.At).Format(dayLayout)
	}
	_, err := fmt.Fprintf(w, "%s  %s  %s\n", at, subject(e), eventSaid(template, e))
	return err
}

// subject names whom a record is about: a group, a broker, or a client.
func subject(e *logs.Event) string {
	switch {
	case e.Kind >= logs.CoordinatorFound:
		return strings.TrimSpace(cmp.Or(short(e.Client), memberName(e.Member)) + "  " + short(e.Group))
	case e.Group != "":
		return short(e.Group)
	case e.Broker == logs.Unknown:
		return "a broker"
	}
	return "broker " + numbered32(e.Broker)
}

// eventSaid fills in what a record says.
func eventSaid(template string, e *logs.Event) string {
	text, members, lasted := "", "", ""
	if e.Text != "" {
		text = " (" + shorten(e.Text, longestReason) + ")"
	}
	if e.Members != logs.Unknown {
		members = ", " + metrics.Plural(int(e.Members), "member")
	}
	if e.For > 0 {
		lasted = " by " + timed(e.For)
		if e.Kind == logs.LoadedPartition {
			lasted = " in " + timed(e.For)
		}
	}
	if e.Kind == logs.Migrated {
		text = clean(e.Text)
	}
	return strings.NewReplacer(
		"{why}", rebalanceSaid(&incident.Rebalance{
			Reason: e.Reason, Member: e.Member, Leavers: e.List, ClientReason: e.ClientReason, Ended: metrics.Completed,
		}),
		"{generation}", numbered32(e.Generation), "{members}", members, "{member}", memberName(e.Member), "{list}", listed(memberNames(e.List)),
		"{because}", because(e.ClientReason), "{instance}", short(string(e.Instance)), "{partition}", numbered32(e.Partition), "{text}", text,
		"{for}", lasted,
	).Replace(template)
}

func numbered32(n int32) string {
	if n == logs.Unknown {
		return noTime
	}
	return strconv.Itoa(int(n))
}
