//go:build unix

package logs

import (
	"bufio"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"testing"
)

// BenchmarkLayouts reads logs that have other layouts than Kafka's own; one of ten lines is of the coordinator.
func BenchmarkLayouts(b *testing.B) {
	for _, layout := range []struct{ name, format, stamp string }{
		{"spring", "%s  INFO 1 --- [ntainer#0-0-C-1] k.c.g.GroupCoordinator : %s\n", "2006-01-02 15:04:05.000"},
		{"compose", "kafka-1  | [%s] INFO %s\n", "2006-01-02 15:04:05,000"},
		{"cri", "%s stdout F %s\n", "2006-01-02T15:04:05.000000000Z"},
		{"json", `{"@timestamp":"%s","message":%s,"logger_name":"kafka","level":"INFO"}` + "\n", "2006-01-02T15:04:05.000Z"},
	} {
		b.Run(layout.name, func(b *testing.B) {
			path := filepath.Join(b.TempDir(), "log")
			file, err := os.Create(path)
			if err != nil {
				b.Fatal(err)
			}
			w, g, size := bufio.NewWriter(file), newGenerator(), 0
			for line := 0; size < 8<<20; line++ {
				text := g.unrelated()
				if line%10 == 0 {
					text = g.coordinator()
				}
				if layout.name == "json" {
					text = strconv.Quote(text)
				}
				n, _ := fmt.Fprintf(w, layout.format, g.at.Format(layout.stamp), text)
				size += n
			}
			w.Flush()
			file.Close()
			b.SetBytes(int64(size))
			for b.Loop() {
				readEvents(b, path)
			}
		})
	}
}
