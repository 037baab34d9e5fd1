package reports

import (
	"bufio"
	"fmt"
	"io"
	"strings"
	"time"

	"simulate/sim/clock"
	"simulate/sim/metrics"
	"simulate/sim/trace"
	"simulate/sim/wire"
)

// MermaidRebalance writes rebalance number n of a group, from 1, as a sequence diagram in Mermaid's language: what
// members and coordinator sent, and what happened to them, up to the assignments. From a longer one the middle is cut
// out, and a note says what that was. The report must have the group and the rebalance.
func MermaidRebalance(w io.Writer, r Report, group string, n int) error {
	g := r.Summary.Group(group)
	shown, cut := cutMiddle(sequenceOf(&r, g, n-1))
	b := bufio.NewWriter(w)
	fmt.Fprintf(b, "sequenceDiagram\n    title Rebalance %d of %s, %s to %s%s\n", n, mermaidText(short(group)),
		instant(g.Rebalances[n-1].At), instant(g.Rebalances[n-1].Until), r.cutShort())
	b.WriteString("    participant c as coordinator\n")
	ids := map[string]string{"": "c"}
	for _, m := range shown {
		if ids[m.who] == "" {
			ids[m.who] = fmt.Sprintf("m%d", len(ids))
			fmt.Fprintf(b, "    participant %s as %s\n", ids[m.who], mermaidText(short(m.who)))
		}
	}
	for i, m := range shown {
		if len(cut) > 0 && i == mostShown/2 {
			fmt.Fprintf(b, "    Note over c: left out here: %s\n", tallied(cut))
		}
		text := instant(m.at) + " " + m.text()
		switch m.way {
		case toCoordinator:
			fmt.Fprintf(b, "    %s->>c: %s\n", ids[m.who], text)
		case fromCoordinator:
			fmt.Fprintf(b, "    c-->>%s: %s\n", ids[m.who], text)
		default:
			fmt.Fprintf(b, "    Note over %s: %s\n", ids[m.who], text)
		}
	}
	return b.Flush()
}

// message is an arrow or a note of a sequence diagram.
type message struct {
	at   clock.Time
	who  string // the process, "" for the coordinator
	way  way
	name string // what it is
	more string // what it says, as it was said
}

type way uint8

const (
	note way = iota // what happened to somebody
	toCoordinator
	fromCoordinator
)

func (m *message) text() string {
	if m.more == "" {
		return m.name
	}
	return m.name + " (" + mermaidText(shorten(m.more, longestReason)) + ")"
}

// cutMiddle cuts the middle out of a long sequence.
func cutMiddle(all []message) (shown, cut []message) {
	if len(all) <= mostShown {
		return all, nil
	}
	head, tail := mostShown/2, len(all)-mostShown/2
	return append(all[:head:head], all[tail:]...), all[head:tail]
}

// tallied counts messages by what they are, in the order of the first of each.
func tallied(all []message) string {
	var names []string
	counts := map[string]int{}
	for _, m := range all {
		if counts[m.name] == 0 {
			names = append(names, m.name)
		}
		counts[m.name]++
	}
	for i, name := range names {
		names[i] = fmt.Sprintf("%d × %s", counts[name], name)
	}
	return strings.Join(names, ", ")
}

// leadIn is how long before a rebalance its diagram begins, unless the one before was not over by then.
const leadIn = time.Second

// sequenceOf lists what belongs to a rebalance: what happened shortly before and until it ended, and the assignments of
// its generation after that, up to the next one.
func sequenceOf(r *Report, g *metrics.Group, index int) []message {
	rebalance := &g.Rebalances[index]
	from, next := rebalance.At.Add(-leadIn), clock.Never
	if index > 0 {
		from = max(from, g.Rebalances[index-1].Until)
	}
	if index+1 < len(g.Rebalances) {
		next = g.Rebalances[index+1].At
	}
	s := sequence{group: g, names: r.Names, of: map[string]bool{}}
	for _, lane := range laneOf(&r.Timeline, g.Name).Members {
		s.of[lane.Who] = true
	}
	for _, e := range r.Events {
		late := e.At > rebalance.Until && (e.Kind != trace.PartitionsAssigned || e.Generation != rebalance.Generation)
		if e.At >= from && e.At < next && !late {
			s.add(e)
		}
	}
	return s.messages
}

// sequence collects the messages of a group.
type sequence struct {
	group    *metrics.Group
	names    map[wire.MemberID]string // of the processes behind members
	of       map[string]bool          // the group's processes
	messages []message
}

// add adds what an event is in a diagram, if it is anything there and about the group.
func (s *sequence) add(e trace.Event) {
	who := e.Who
	if who == "" {
		who = s.names[e.Member]
	}
	if e.Kind < trace.ProcessStarted && e.Group != s.group.Name || e.Kind >= trace.ProcessStarted && !s.of[who] {
		return
	}
	m := message{at: e.At, who: who}
	if s.ofCoordinator(&m, e) || ofMember(&m, e) {
		s.messages = append(s.messages, m)
	}
}

// ofCoordinator fills in what the coordinator does.
func (s *sequence) ofCoordinator(m *message, e trace.Event) bool {
	switch e.Kind {
	case trace.GroupBecame:
		m.who, m.name, m.more = "", e.To.String(), e.Reason.String()
		if e.To == wire.CompletingRebalance {
			m.name, m.more = fmt.Sprintf("%v, generation %d", e.To, e.Generation), "answers every JoinGroup"
		}
	case trace.MemberIDIssued:
		m.way, m.name = fromCoordinator, "MEMBER_ID_REQUIRED"
	case trace.MemberAdded:
		m.who, m.name, m.more = "", "member added", nameOf(m.who, e.Member)
	case trace.MemberRemoved:
		m.more = nameOf(m.who, e.Member) + ", " + e.Reason.String()
		m.who, m.name = "", "member removed"
	case trace.AssignmentReceived:
		m.way, m.name = toCoordinator, fmt.Sprintf("SyncGroup with the assignment of %s", metrics.Plural(int(e.Members), "member"))
	case trace.Fenced:
		m.way, m.name = fromCoordinator, "FENCED_INSTANCE_ID"
	case trace.Blocked:
		m.who, m.name = "", "stuck"
		if len(e.Chain) > 0 {
			m.more = "waits for " + e.Chain[0].On + " from " + nameOf(e.Chain[0].Who, e.Chain[0].Member) + ", " + e.Chain[0].Because
		}
	default:
		return false
	}
	return true
}

// ofMember fills in what a member does, or what befalls it.
func ofMember(m *message, e trace.Event) bool {
	switch e.Kind {
	case trace.JoinSent:
		m.way, m.name, m.more = toCoordinator, "JoinGroup", e.Text
	case trace.LeaveSent:
		m.way, m.name, m.more = toCoordinator, "LeaveGroup", e.Text
	case trace.PartitionsAssigned:
		m.way, m.name, m.more = fromCoordinator, "SyncGroup is answered", metrics.Plural(len(e.Partitions), "partition")
	case trace.PartitionsRevoked:
		m.name, m.more = "onPartitionsRevoked", metrics.Plural(len(e.Partitions), "partition")
	case trace.PartitionsLost:
		m.name, m.more = "onPartitionsLost", metrics.Plural(len(e.Partitions), "partition")
	case trace.PollTimeout:
		m.name, m.more = "max.poll.interval.ms ran out", metrics.Duration(e.For)
	case trace.ProcessStarted:
		m.name = "starts"
	case trace.ProcessExited:
		m.name = "ends"
		m.more = e.Reason.String()
	case trace.FaultBegan:
		m.name = "fault begins"
		m.more = e.Text
		return !e.Passes()
	case trace.FaultEnded:
		m.name, m.more = "fault ends", e.Text
	case trace.StallBegan, trace.ProcessingBegan:
		m.name, m.more = "does not poll", metrics.Duration(e.For)
	default:
		return false
	}
	return true
}
