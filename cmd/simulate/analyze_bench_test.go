package main

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// BenchmarkAnalyze analyzes a log of rolling restarts, one after the other, of which each line is a coordinator's, or one of ten
// as in most logs of brokers. It reports the time of the processor that the whole command needs as a multiple of that of a
// bufio.Scanner which finds the lines of the same file in the same run.
func BenchmarkAnalyze(b *testing.B) {
	for _, mix := range []struct {
		name   string
		others int // lines between two of the coordinator
	}{{"coordinator", 0}, {"mixed", 9}} {
		b.Run(mix.name, func(b *testing.B) {
			path := filepath.Join(b.TempDir(), "server.log")
			size := writeRestarts(b, path, 64<<20, mix.others)
			b.SetBytes(size)
			scan, analyze := math.Inf(1), math.Inf(1)
			for b.Loop() {
				begun := processorTime(b)
				scanLines(b, path)
				scanned := processorTime(b)
				execute(b, io.Discard, "analyze", path)
				scan, analyze = min(scan, scanned-begun), min(analyze, processorTime(b)-scanned)
			}
			b.ReportMetric(analyze/scan, "x-scan")
			b.ReportMetric(float64(size)/analyze/1e6, "analyze-MB/s")
		})
	}
}

func execute(b *testing.B, out io.Writer, args ...string) {
	root := newRoot(&terminal{stdout: out, stderr: io.Discard})
	root.SetArgs(args)
	if err := root.Execute(); err != nil {
		b.Fatal(err)
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

// otherLines are what brokers log beside their coordinators.
var otherLines = []string{
	"] INFO [LocalLog partition=orders-%d, dir=/var/lib/kafka/data] Rolled new log segment at offset %d in 3 ms. (kafka.log.LocalLog)\n",
	"] INFO [Partition orders-%d broker=1] Expanding ISR from 1,2 to 1,2,3 for version %d (kafka.cluster.Partition)\n",
	"] INFO [UnifiedLog partition=orders-%d, dir=/var/lib/kafka/data] Incremented log start offset to %d due to segment deletion (kafka.log.UnifiedLog)\n",
}

// writeRestarts writes a log of a size: what the broker of a run logs over and over, each time a while later, with others' lines
// before each.
func writeRestarts(b *testing.B, path string, size int64, others int) (written int64) {
	const layout, every = "2006-01-02 15:04:05,000", 15 * time.Minute
	var log bytes.Buffer
	execute(b, &log, "run", "rolling-restart", "--format", "broker-log")
	file, err := os.Create(path)
	if err != nil {
		b.Fatal(err)
	}
	defer file.Close()
	w := bufio.NewWriter(file)
	for later := time.Duration(0); written < size; later += every {
		for line := range strings.Lines(log.String()) {
			at, err := time.Parse(layout, line[1:len(layout)+1])
			if err != nil {
				b.Fatal(err)
			}
			stamp := "[" + at.Add(later).Format(layout)
			for i := range others {
				n, _ := fmt.Fprintf(w, stamp+otherLines[i%len(otherLines)], i, written)
				written += int64(n)
			}
			n, _ := w.WriteString(stamp + line[len(layout)+1:])
			written += int64(n)
		}
	}
	if err := w.Flush(); err != nil {
		b.Fatal(err)
	}
	return written
}
