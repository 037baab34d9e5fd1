package reports

import (
	"strconv"
	"strings"

	"simulate/sim/metrics"
	"simulate/sim/trace"
	"simulate/sim/wire"
)

// happened says of every kind of event what happened.
var happened = map[trace.Kind]string{
	trace.GroupCreated:          "group {group} came to exist",
	trace.GroupBecame:           "group {group} went from {from} to {to}",
	trace.MemberAdded:           "{who} became a member",
	trace.MemberRemoved:         "{who} is no member any more",
	trace.MemberIDIssued:        "{who} was given a member id",
	trace.PendingRemoved:        "an unused member id of {who} is gone",
	trace.LeaderElected:         "{who} leads from now on",
	trace.LeaderReplaced:        "{who} leads from now on; {other} did not rejoin",
	trace.NobodyRejoined:        "nobody rejoined; the join phase of {group} goes on",
	trace.NotRejoined:           "members did not rejoin in time",
	trace.SyncTimedOut:          "members never sent a SyncGroup",
	trace.AssignmentReceived:    "the assignment of {who}, the leader, arrived",
	trace.AssignmentMissing:     "the leader gave nothing to some members",
	trace.AssignmentEmpty:       "{who} gets an empty assignment",
	trace.StaticNoRebalance:     "{who} came back under its group.instance.id without a rebalance",
	trace.Fenced:                "{who} was refused: {other} took over its group.instance.id",
	trace.SyncTimerUnexpected:   "the sync timer of {group} fired without effect",
	trace.GroupLoaded:           "group {group} was loaded",
	trace.GroupUnloaded:         "the coordinator gave up group {group}",
	trace.GroupsDeleted:         "groups were deleted",
	trace.DeletionRefused:       "the coordinator could not look whether {group} may be deleted",
	trace.OffsetsExpired:        "committed offsets expired",
	trace.TopicDeleted:          "the offsets of a deleted topic went",
	trace.OffsetSuperseded:      "an offset of a transaction came too late",
	trace.SubscriptionMalformed: "what a member of {group} subscribes to cannot be read",
	trace.AppendRefused:         "the log refused records",
	trace.GroupRecordRefused:    "the log did not store the record of {group}",
	trace.GhostPrepared:         "a failed request began a rebalance of {group}, which is gone",
	trace.ReplacementRefused:    "the log did not store that {who} took over from {other}",
	trace.OperationFailed:       "a request failed",
	trace.TimerFailed:           "a timer of {group} failed",
	trace.OffsetsCommitted:      "{group} committed offsets",
	trace.Blocked:               "group {group} is stuck in {to}",

	trace.ProcessStarted:      "{who} started",
	trace.ProcessExited:       "{who} ended",
	trace.PartitionsAssigned:  "{who} was assigned partitions",
	trace.PartitionsRevoked:   "{who} gave up partitions",
	trace.PartitionsLost:      "{who} lost partitions",
	trace.RejoinRequested:     "{who} decided to join again",
	trace.JoinSent:            "{who} sent a JoinGroup",
	trace.LeaveSent:           "{who} sent a LeaveGroup",
	trace.PollTimeout:         "{who} exceeded its max.poll.interval.ms",
	trace.CoordinatorLost:     "{who} lost its coordinator",
	trace.CoordinatorFound:    "{who} found its coordinator",
	trace.MembershipReset:     "{who} forgot its membership",
	trace.SubscriptionChanged: "{who} changed its subscription",
	trace.ConsumerFailed:      "{who} got an exception and its application ended",
	trace.ProcessingBegan:     "{who} began a long batch",
	trace.CallbackBegan:       "{who} entered a rebalance callback",
	trace.CallbackEnded:       "{who} left a rebalance callback",
	trace.PollThrew:           "{who} got an exception and its application goes on",
	trace.StallBegan:          "the application of {who} stopped to take records",
	trace.StallEnded:          "the application of {who} takes records again",
	trace.PositionsSet:        "{who} knows from where it reads on",
	trace.RecordsRedelivered:  "{who} got {members} records that its group had got before",

	trace.FaultBegan:   "the scenario's {text} of {target} began",
	trace.FaultEnded:   "the scenario's {text} of {target} ended",
	trace.TopicChanged: "a topic changed; it has {members} partitions",
	trace.RunWarning:   "a warning",
	trace.RunEnded:     "the run ended",
}

// eventWords says what happened, as a sentence without a full stop; nil is nothing.
func eventWords(e *trace.Event) string {
	if e == nil {
		return "nothing more happened"
	}
	template := happened[e.Kind]
	if e.Operation != "" {
		template = strings.Replace(template, "the scenario's", "{operation}: the", 1)
	}
	text := strings.NewReplacer(
		"{text}", shorten(e.Text, longestReason), "{group}", short(e.Group), "{who}", memberWords(e.Who, e.Member), "{other}", memberWords("", e.Other),
		"{target}", targetWords(e), "{operation}", shorten(e.Operation, longestReason), "{from}", e.From.String(), "{to}", e.To.String(), "{members}", strconv.Itoa(int(e.Members)),
	).Replace(template)
	if details := eventDetails(e, !strings.Contains(template, "{text}")); len(details) > 0 {
		text += " (" + strings.Join(details, "; ") + ")"
	}
	return text
}

// eventDetails are what else is known of an event; its text only when that is not told yet.
func eventDetails(e *trace.Event, withText bool) []string {
	var all []string
	add := func(text string, is bool) {
		if is {
			all = append(all, text)
		}
	}
	add(e.Reason.String(), e.Reason != trace.NoReason)
	add(e.Err.String(), e.Err != wire.None)
	add(shorten(e.Text, longestReason), withText && e.Text != "")
	add("for "+metrics.Brief(e.For), e.For > 0 && e.Kind != trace.ProcessStarted)
	add("generation "+generation(e.Generation), e.Generation > 0)
	add(listed(partitionWords(e.Partitions)), len(e.Partitions) > 0)
	var names []string
	for _, id := range e.List {
		names = append(names, memberWords("", id))
	}
	for _, l := range e.Chain {
		names = append(names, owesWords(&l))
	}
	add(listed(names), len(names) > 0)
	return all
}

// owesWords says what the process does that a group waits for.
func owesWords(l *trace.Link) string {
	t := teller{stay: &metrics.Stuck{}, blocked: &metrics.Blocked{}, open: true}
	if doing := t.doing(l); doing != "" {
		return doing + " and owes " + l.On
	}
	return memberWords(l.Who, l.Member) + " owes " + l.On
}

// targetWords names what an event of the scenario acts on.
func targetWords(e *trace.Event) string {
	switch {
	case e.Who != "" || e.Member != "":
		return memberWords(e.Who, e.Member)
	case e.Group != "":
		return "group " + short(e.Group)
	}
	return "the cluster"
}

// memberWords names a member by its process, or else by what its id was made from.
func memberWords(who string, member wire.MemberID) string {
	if who == "" {
		who = metrics.Prefix(member)
	}
	return nameOf(who, member)
}

func partitionWords(list []wire.TopicPartition) []string {
	var names []string
	for _, tp := range list {
		names = append(names, short(tp.Topic)+"-"+strconv.Itoa(int(tp.Partition)))
	}
	return names
}
