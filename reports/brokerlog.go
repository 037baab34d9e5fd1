package reports

import (
	"bufio"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf16"

	"simulate/sim/trace"
)

// Epoch is the date that a broker log shows for the start of a run.
var Epoch = time.Date(2026, time.January, 1, 0, 0, 0, 0, time.UTC)

// BrokerLog writes what a Kafka 4 broker, number 1, would have logged of the coordinator, in the layout
// of Kafka's own configuration, "[%d] %p %m (%c)%n". Times are cut to milliseconds, as a broker's are.
// Control characters inside names are escaped, so that a line stays a line and a terminal unharmed. A run
// that ended early says so in a last line, which no broker writes: it begins with "#".
func BrokerLog(w io.Writer, r Report) error {
	partitions := r.Scenario.OffsetsPartitions
	if partitions == 0 {
		partitions = 50
	}
	b := bufio.NewWriter(w)
	for _, e := range r.Events {
		for _, l := range LogLines(e) {
			fmt.Fprintf(b, "[%s] %s [GroupCoordinator id=%d topic=__consumer_offsets partition=%d] %s (%s)\n",
				stamp(e), l.Level, max(1, e.Broker), offsetsPartition(e.Group, partitions), oneLine(l.Text), l.Logger)
		}
	}
	if r.Outcome != Finished {
		fmt.Fprintf(b, "# the run was cut short (%v) at %s\n", r.Outcome, instant(r.At))
	}
	return b.Flush()
}

// oneLine escapes control characters as Go does, "\n" and "\x1b".
func oneLine(s string) string {
	if strings.IndexFunc(s, unicode.IsControl) < 0 {
		return s
	}
	var b strings.Builder
	for _, r := range s {
		if unicode.IsControl(r) {
			quoted := strconv.QuoteRune(r)
			b.WriteString(quoted[1 : len(quoted)-1])
			continue
		}
		b.WriteRune(r)
	}
	return b.String()
}

func stamp(e trace.Event) string {
	t := Epoch.Add(e.At.SinceStart())
	return t.Format("2006-01-02 15:04:05,") + millisOf(t)
}

func millisOf(t time.Time) string {
	return strconv.Itoa(1000 + t.Nanosecond()/int(time.Millisecond))[1:]
}

// offsetsPartition returns the partition of __consumer_offsets that a group belongs to: Java's
// String.hashCode, made positive, modulo the number of partitions. Kafka: Utils.abs, GroupCoordinator.
func offsetsPartition(group string, partitions int) int {
	var hash int32
	for _, unit := range utf16.Encode([]rune(group)) {
		hash = 31*hash + int32(unit)
	}
	if hash < 0 {
		hash = -hash
	}
	return int(max(hash, 0)) % partitions // the smallest int32 has no positive
}
