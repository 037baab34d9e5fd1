package reports

import (
	"bytes"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"simulate/sim/metrics"
	"simulate/sim/wire"
)

// Description is what an administrator is shown of a group at an instant. A group that does not exist has
// state Dead; State is NoGroup while its coordinator cannot be reached or still loads.
type Description struct {
	wire.DescribedGroup
	Coordinator int32                   // the broker
	Assigned    [][]wire.TopicPartition // by member, in the order of Members
	Offsets     []wire.FetchedOffset    // that are committed, by topic and partition
	Snapshot    metrics.Snapshot

	Ends map[wire.TopicPartition]int64 // where the logs of all these partitions end; 0 where it says nothing
}

// Describe writes the groups as kafka-consumer-groups.sh --describe does: its tables of the state, of the
// members (--members --verbose) and of the offsets, in its columns. Where topics hold no records, every log ends
// at 0. What the tool leaves empty is "-". What no tool shows comes before the tables: since when the group is in its state,
// and its rebalances so far.
// Kafka: ConsumerGroupCommand.
func Describe(w io.Writer, groups []Description) error {
	var out page
	for i := range groups {
		d := &groups[i]
		if i > 0 {
			out.blank()
		}
		if notice := d.notice(); notice != "" {
			out.line(notice)
		}
		for j, text := range snapshotWords(&d.Snapshot) {
			out.para(indent(2*min(j, 1)), indent(4), text)
		}
		if d.State == wire.Dead || d.State == wire.NoGroup {
			continue
		}
		writeTable(&out.Buffer, d.stateTable())
		writeTable(&out.Buffer, d.memberTable())
		writeTable(&out.Buffer, d.offsetTable())
	}
	_, err := w.Write(out.Bytes())
	return err
}

// notice is the sentence that the tool prints about a group in this state.
func (d *Description) notice() string {
	name := "Consumer group '" + clean(d.Group) + "'"
	switch d.State {
	case wire.Empty:
		return name + " has no active members."
	case wire.PreparingRebalance, wire.CompletingRebalance:
		return "Warning: " + name + " is rebalancing."
	case wire.Dead:
		return name + " does not exist."
	case wire.NoGroup:
		return name + " cannot be described: its coordinator is not available."
	}
	return ""
}

func (d *Description) stateTable() [][]string {
	return [][]string{
		{"GROUP", "COORDINATOR (ID)", "ASSIGNMENT-STRATEGY", "STATE", "#MEMBERS"},
		{d.Group, fmt.Sprintf("broker-%d (%d)", d.Coordinator, d.Coordinator), d.Protocol, d.State.String(), strconv.Itoa(len(d.Members))},
	}
}

func (d *Description) memberTable() [][]string {
	if len(d.Members) == 0 {
		return nil
	}
	static := slices.ContainsFunc(d.Members, func(m wire.DescribedMember) bool { return m.Instance != "" })
	row := func(group, id, instance, host, client, count, assignment string) []string {
		cells := []string{group, id, instance, host, client, count, assignment}
		if !static {
			cells = slices.Delete(cells, 2, 3)
		}
		return cells
	}
	rows := [][]string{row("GROUP", "CONSUMER-ID", "GROUP-INSTANCE-ID", "HOST", "CLIENT-ID", "#PARTITIONS", "ASSIGNMENT")}
	for i, m := range d.Members {
		held := d.Assigned[i]
		rows = append(rows, row(d.Group, string(m.Member), string(m.Instance), m.ClientHost, m.ClientID, strconv.Itoa(len(held)), assignment(held)))
	}
	return rows
}

// assignment writes "clicks(0,1), views(3)".
func assignment(held []wire.TopicPartition) string {
	var topics []string
	numbers := map[string][]string{}
	for _, tp := range held {
		if numbers[tp.Topic] == nil {
			topics = append(topics, tp.Topic)
		}
		numbers[tp.Topic] = append(numbers[tp.Topic], strconv.Itoa(int(tp.Partition)))
	}
	for i, topic := range topics {
		topics[i] += "(" + strings.Join(numbers[topic], ",") + ")"
	}
	return strings.Join(topics, ", ")
}

// offsetTable has what is assigned, member by member, and then what is only committed.
func (d *Description) offsetTable() [][]string {
	rows := [][]string{{"GROUP", "TOPIC", "PARTITION", "CURRENT-OFFSET", "LOG-END-OFFSET", "LAG", "CONSUMER-ID", "HOST", "CLIENT-ID"}}
	committed := map[wire.TopicPartition]int64{}
	for _, o := range d.Offsets {
		committed[o.TopicPartition] = o.Offset
	}
	assigned := map[wire.TopicPartition]bool{}
	add := func(tp wire.TopicPartition, m wire.DescribedMember) {
		current, lag := "", ""
		if offset, ok := committed[tp]; ok {
			current, lag = strconv.FormatInt(offset, 10), strconv.FormatInt(d.Ends[tp]-offset, 10)
		}
		rows = append(rows, []string{
			d.Group, tp.Topic, strconv.Itoa(int(tp.Partition)), current, strconv.FormatInt(d.Ends[tp], 10), lag, string(m.Member), m.ClientHost, m.ClientID,
		})
	}
	for i, m := range d.Members {
		for _, tp := range d.Assigned[i] {
			assigned[tp] = true
			add(tp, m)
		}
	}
	for _, o := range d.Offsets {
		if !assigned[o.TopicPartition] {
			add(o.TopicPartition, wire.DescribedMember{})
		}
	}
	if len(rows) == 1 {
		return nil
	}
	return rows
}

// narrowest is the least width of a column, as in the tool.
const narrowest = 15

// writeTable writes rows in columns; the first row is the heading.
func writeTable(out *bytes.Buffer, rows [][]string) {
	if len(rows) == 0 {
		return
	}
	widths := make([]int, len(rows[0]))
	for _, row := range rows {
		for i, cell := range row {
			row[i] = clean(cell)
			if cell == "" {
				row[i] = "-"
			}
			widths[i] = max(widths[i], narrowest, len(row[i]))
		}
	}
	out.WriteByte('\n')
	for _, row := range rows {
		var line strings.Builder
		for i, cell := range row {
			fmt.Fprintf(&line, "%-*s ", widths[i], cell)
		}
		out.WriteString(strings.TrimRight(line.String(), " ") + "\n")
	}
}
