//go:build unix

package logs

import (
	"bufio"
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime/metrics"
	"syscall"
	"testing"
	"time"
)

// BenchmarkRead reads a generated log of a broker: all lines are of the coordinator, or one of ten. It reports the time of the
// processor as a multiple of that which a bufio.Scanner needs to find the lines of the same file in the same run, and the
// largest heap.
func BenchmarkRead(b *testing.B) {
	for _, mix := range []struct {
		name  string
		every int // one line of so many is of the coordinator
	}{{"coordinator", 1}, {"mixed", 10}} {
		b.Run(mix.name, func(b *testing.B) {
			path := filepath.Join(b.TempDir(), "server.log")
			size := writeLog(b, path, mix.every, 64<<20)
			b.SetBytes(size)
			scan, read, heap := time.Duration(1<<62), time.Duration(1<<62), uint64(0)
			for b.Loop() {
				scan = min(scan, processorTime(func() { scanLines(b, path) }))
				read = min(read, processorTime(func() { heap = max(heap, readEvents(b, path)) }))
			}
			b.ReportMetric(float64(read)/float64(scan), "x-scan")
			b.ReportMetric(float64(size)/read.Seconds()/1e6, "read-MB/s")
			b.ReportMetric(float64(heap)/(1<<20), "heap-MiB")
		})
	}
}

func scanLines(b *testing.B, path string) {
	file, err := os.Open(path)
	if err != nil {
		b.Fatal(err)
	}
	defer file.Close()
	s := bufio.NewScanner(file)
	for s.Scan() {
	}
	if s.Err() != nil {
		b.Fatal(s.Err())
	}
}

// readEvents reads a log and returns the largest heap that it saw.
func readEvents(b *testing.B, path string) (peak uint64) {
	r, err := Open([]string{path}, nil, Options{})
	if err != nil {
		b.Fatal(err)
	}
	sample := []metrics.Sample{{Name: "/memory/classes/heap/objects:bytes"}}
	n := 0
	err = r.Each(context.Background(), func(*Event) error {
		if n++; n%100_000 == 1 {
			metrics.Read(sample)
			peak = max(peak, sample[0].Value.Uint64())
		}
		return nil
	})
	if err != nil || n == 0 {
		b.Fatal(n, err)
	}
	return peak
}

func processorTime(f func()) time.Duration {
	used := func() time.Duration {
		var u syscall.Rusage
		syscall.Getrusage(syscall.RUSAGE_SELF, &u)
		return time.Duration(u.Utime.Nano() + u.Stime.Nano())
	}
	before := used()
	f()
	return used() - before
}

// writeLog writes a log of a size, in which one of so many lines is of the coordinator.
func writeLog(b *testing.B, path string, every int, size int64) int64 {
	file, err := os.Create(path)
	if err != nil {
		b.Fatal(err)
	}
	defer file.Close()
	w := bufio.NewWriter(file)
	g := newGenerator()
	written := int64(0)
	for line := 0; written < size; line++ {
		text := g.unrelated()
		if line%every == 0 {
			text = g.coordinator()
		}
		n, _ := fmt.Fprintf(w, "[%s] INFO %s\n", g.at.Format("2006-01-02 15:04:05,000"), text)
		written += int64(n)
	}
	if err := w.Flush(); err != nil {
		b.Fatal(err)
	}
	return written
}

// generator makes the lines of a broker with fifty groups of twenty members.
type generator struct {
	chance      *rand.Rand
	generations [50]int
	members     [50][20]string
	at          time.Time
	group, step int
}

func newGenerator() *generator {
	g := &generator{chance: rand.New(rand.NewPCG(1, 2)), at: time.Date(2024, 5, 1, 0, 0, 0, 0, time.UTC)}
	for i := range g.members {
		for j := range g.members[i] {
			a, b := g.chance.Uint64(), g.chance.Uint64()
			g.members[i][j] = fmt.Sprintf("consumer-orders-%d-%08x-%04x-4%03x-a%03x-%012x", j, a>>32, a>>16&0xffff, a&0xfff, b>>48&0xfff, b&0xffffffffffff)
		}
	}
	return g
}

func (g *generator) coordinator() string {
	g.at = g.at.Add(time.Duration(g.chance.IntN(900)) * time.Millisecond)
	if g.step = (g.step + 1) % 4; g.step == 0 {
		g.group = g.chance.IntN(len(g.generations))
	}
	n := g.generations[g.group]
	prefix := fmt.Sprintf("[GroupCoordinator id=1 topic=__consumer_offsets partition=%d] ", g.group)
	member := g.members[g.group][g.chance.IntN(20)]
	const logger = "(org.apache.kafka.coordinator.group.GroupMetadataManager)"
	switch g.step {
	case 0:
		return fmt.Sprintf("%sMember %s in group orders-%d has failed, removing it from the group. %s", prefix, member, g.group, logger)
	case 1:
		return fmt.Sprintf("%sPreparing to rebalance group orders-%d in state PreparingRebalance with old generation %d (reason: removing member %s on heartbeat expiration.). %s", prefix, g.group, n, member, logger)
	case 2:
		g.generations[g.group]++
		return fmt.Sprintf("%sStabilized group orders-%d generation %d with 19 members. %s", prefix, g.group, n+1, logger)
	}
	return fmt.Sprintf("%sAssignment received from leader %s for group orders-%d for generation %d. The group has 19 members, 0 of which are static. %s", prefix, member, g.group, n, logger)
}

func (g *generator) unrelated() string {
	n := g.chance.IntN(1000)
	switch n % 4 {
	case 0:
		return fmt.Sprintf("[UnifiedLog partition=events-%d, dir=/var/lib/kafka/data] Rolled new log segment at offset %d in %d ms. (kafka.log.UnifiedLog)", n%64, n*1713, n%9)
	case 1:
		return fmt.Sprintf("[ProducerStateManager partition=events-%d] Wrote producer snapshot at offset %d with %d producer ids in 2 ms. (kafka.log.ProducerStateManager)", n%64, n*1713, n%9)
	case 2:
		return fmt.Sprintf("[LocalLog partition=events-%d, dir=/var/lib/kafka/data] Deleting segment files LogSegment(baseOffset=%d, size=1073, lastModifiedTime=1714554776387, largestRecordTimestamp=1714554776387) (kafka.log.LocalLog$)", n%64, n*1713)
	}
	return fmt.Sprintf("[Partition events-%d broker=1] Expanding ISR from 1,2 to 1,2,3 (kafka.cluster.Partition)", n%64)
}
