package logs

import "bytes"

// brod are the messages of brod's group coordinator, in Erlang: "Group member (orders,coor=#PID<0.1077.0>,cb=#PID<0.1073.0>,
// generation=20):", and what happened in the lines that follow.
func brod() []template {
	return by(Brod, template{literal: "Group member (", parse: brodMessage})
}

func brodMessage(m *message, e *Event) bool {
	head, text, ok := bytes.Cut(m.after, []byte("):"))
	group, processes, found := bytes.Cut(head, []byte(",coor="))
	client, _, _ := bytes.Cut(processes, []byte(","))
	if !ok || !found {
		return false
	}
	lines := m.more
	if text = bytes.TrimSpace(text); len(text) > 0 {
		lines = append([][]byte{text}, lines...)
	}
	if len(lines) == 0 || !brodEvent(lines[0], lines[1:], m.names, e) {
		return false
	}
	e.Group, e.Client = m.names.text(group), m.names.text(client)
	if _, generation, ok := bytes.Cut(head, []byte("generation=")); ok {
		e.Generation = wholly(generation)
	}
	return true
}

// brodEvent reads the line that says what happened, and those behind it.
func brodEvent(line []byte, more [][]byte, n *names, e *Event) bool {
	text := string(bytes.TrimSpace(line))
	why := func(prefix string) {
		_, reason, _ := bytes.Cut(line, []byte(prefix))
		e.Text = n.text(bytes.TrimLeft(reason, ": "))
		named(nil, e)
	}
	switch {
	case text == "elected=true":
		e.Kind = LeaderElected
	case text == "elected=false":
		e.Kind = JoinAnswered
	case bytes.HasPrefix(line, []byte("re-joining group")):
		e.Kind = RejoinRequested
		why("reason:")
	case bytes.HasPrefix(line, []byte("failed to join group")):
		e.Kind = JoinFailed
		if len(more) > 0 {
			line = more[0]
		}
		why("reason:")
	case bytes.HasPrefix(line, []byte("Leaving group")):
		e.Kind = LeaveSent
		why("reason:")
	case bytes.HasPrefix(line, []byte("assignments received:")):
		e.Kind = Synced
		e.Partitions = brodPartitions(e.Partitions, more, n)
	default:
		return false
	}
	return true
}

// brodPartitions reads lines "  topic:" each with lines "    partition=0 begin_offset=undefined".
func brodPartitions(list []string, lines [][]byte, n *names) []string {
	var topic []byte
	for _, line := range lines {
		line = bytes.TrimSpace(line)
		if partition, ok := cut(line, "partition=", " "); ok && len(topic) > 0 && wholly(partition) >= 0 {
			list = addPartition(list, topic, partition, n)
		} else if name, ok := bytes.CutSuffix(line, []byte(":")); ok {
			topic = name
		}
	}
	return list
}
