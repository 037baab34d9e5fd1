package reports

import (
	"bytes"
	"path/filepath"
	"testing"

	"simulate/sim/consumers"
	"simulate/sim/metrics"
	"simulate/sim/trace"
)

// TestLibrarySentences holds how a stuck stay is told whose holder runs on each library: it is busy, with heartbeats
// and without, and the rebalance timeout removes it.
func TestLibrarySentences(t *testing.T) {
	var got bytes.Buffer
	for _, p := range consumers.Profiles() {
		if p.OnJava() && p.Name != consumers.Newest {
			continue
		}
		client := ""
		if !p.OnJava() {
			client = p.Name
		}
		for _, cause := range []string{trace.CauseStalled, trace.CauseProcessing} {
			s := held(cause)
			s.Clients = []string{client}
			s.Freed = metrics.Freed{Reason: trace.NotRejoinedInTime, Who: "orders-3"}
			l := &s.Blocked[0].Chain[0]
			l.Client = client
			tell(&got, p.Name+", "+cause, &s)
			if client != "" {
				s.Freed.Reason, s.Freed.Member = trace.SessionExpired, l.Member
				l.Silent, l.Timer = true, trace.TimerSession
				tell(&got, p.Name+", "+cause+", without heartbeats", &s)
			}
		}
	}
	s := held(trace.CauseStalled)
	s.Clients = []string{"sarama", "", "kafkajs"}
	s.Freed = metrics.Freed{Reason: trace.NotRejoinedInTime, Who: "orders-3"}
	tell(&got, "a group of several libraries", &s)

	compareGolden(t, filepath.Join("testdata", "library-sentences.txt"), got.String())
}
