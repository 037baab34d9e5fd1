package logs

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"
)

// sampleEvents are the events that samples of real clients have, by the beginning of their names: "line kind", then the
// generation, what the text says, how long it took, and how many partitions.
var sampleEvents = map[string]string{
	"37-client-java-2.5-a": "1 join-sent; 2 synced 28; 3 partitions-assigned [1]; 8 heartbeat-rebalances; 9 partitions-revoked [1]; " +
		"11 join-sent; 12 synced 29; 13 partitions-assigned [1]",
	"37-client-java-2.5-b": "1 join-sent; 2 leader-elected 28; 3 synced 28; 4 partitions-assigned [1]; 6 heartbeat-rebalances; " +
		"7 partitions-revoked [1]; 8 join-sent; 9 leader-elected 29; 10 synced 29; 11 partitions-assigned [2]",
	"37-client-java-2.5-c": "2 coordinator-found; 3 join-sent; 4 join-failed MEMBER_ID_REQUIRED; 5 join-sent; 6 synced 28; " +
		"7 partitions-assigned [1]; 10 leave-sent consumer poll timeout has expired",
	"38-": "2 heartbeat-rebalances; 3 partitions-revoked; 5 join-sent; 6 synced 10; 7 partitions-assigned [1]",
	"40-": "1 heartbeat-rebalances heartbeat thread; 2 heartbeat-rebalances heartbeat thread; 3 heartbeat-rebalances",
	"41-": "6 heartbeat-rebalances; 5 partitions-revoked [12]; 2 heartbeat-rebalances; 1 heartbeat-rebalances",
	"43-": "3 coordinator-found; 5 rejoin-requested rebalance failed due to 'This is not the correct coordinator.' (NotCoordinatorException); " +
		"7 join-sent; 9 coordinator-lost",
	"44-": "1 leader-elected 76; 2 synced 76; 3 partitions-assigned [2]; 4 coordinator-found; 5 coordinator-lost coordinator unavailable; " +
		"7 coordinator-found; 9 rejoin-requested consumer pro-actively leaving the group; 10 client-stopped",
	"46-": "1 partitions-assigned 8; 5 rejoin-requested config state does not match the assignment; 6 rejoin-requested rebalance started; " +
		"7 join-sent; 8 join-answered 9",
	"47-": "2 heartbeat-sent 22; 5 heartbeat-sent 22; 6 poll-timeout 6000 ms 55ms; 7 leave-sent; 8 member-id-changed; 9 rejoin-requested max.poll.",
	"49-": "1 rejoin-requested group rejoin; 2 join-state-changed wait-unassign; 4 join-state-changed init; 5 join-sent; " +
		"6 metadata-used; 7 join-state-changed wait-join; 8 join-failed MEMBER_ID_REQUIRED",
	"50-": "3 heartbeat-sent 102; 5 heartbeat-rebalances; 6 rejoin-requested rebalance in progress [3]; 7 join-state-changed wait-unassign-call; " +
		"9 join-state-changed wait-unassign-to-comp",
	"52-": "2 metadata-used 3m37.189s; 3 join-sent; 4 join-state-changed wait-join; 5 join-failed NOT_COORDINATOR; " +
		"6 rejoin-requested JoinGroup error: Broker: Not coordinator; 7 join-state-changed init",
	"53-": "1 rejoin-requested Group is rebalancing; 2 join-state-changed init; 4 metadata-used 4.961s; 5 join-sent; 6 join-state-changed wait-join; 8 join-answered 38; " +
		"9 join-state-changed wait-sync",
	"55-": "3 heartbeat-failed; 6 partitions-revoked eager; 7 join-sent",
	"56-": "1 client-fenced FENCED_INSTANCE_ID; 4 partitions-lost",
	"58-": "2 partitions-revoked [1]; 3 partitions-revoked [1]; 4 partitions-revoked [1]; 6 coordinator-found",
	"59-": "2 coordinator-found; 3 join-failed NOT_COORDINATOR; 6 coordinator-found; 7 rejoin-requested",
	"61-": "2 heartbeat-evicted UNKNOWN_MEMBER_ID",
	"62-": "2 session-lost; 3 coordinator-lost Heartbeat session expired; 5 coordinator-found; 6 heartbeat-evicted UNKNOWN_MEMBER_ID; " +
		"7 partitions-revoked [1]; 8 join-sent; 9 leader-elected",
	"64-": "1 heartbeat-evicted UNKNOWN_MEMBER_ID; 2 join-sent; 3 join-failed UNKNOWN_MEMBER_ID; 4 join-sent; 5 join-answered; 6 leader-elected; " +
		"7 partitions-assigned [6]",
	"65-": "2 client-started; 4 join-answered 1; 5 leader-elected",
	"67-": "8 commit-refused UNKNOWN_MEMBER_ID; 7 commit-refused UNKNOWN_MEMBER_ID; 6 commit-refused UNKNOWN_MEMBER_ID; " +
		"5 commit-refused UNKNOWN_MEMBER_ID; 4 synced 372; 3 synced 372; 2 synced generation -1; 1 synced generation -1",
	"68-": "1 join-failed 18 UNKNOWN_MEMBER_ID; 5 synced 19 [1]; 10 rejoin-requested 18 UNKNOWN_MEMBER_ID; 12 leader-elected 20; " +
		"16 rejoin-requested 17 UNKNOWN_MEMBER_ID",
}

// TestClientSamples reads the samples in LOGS_DIR, or in the folder beside the repository.
func TestClientSamples(t *testing.T) {
	files, _ := filepath.Glob(filepath.Join(cmp.Or(os.Getenv("LOGS_DIR"), "../../../shared/logs"), "*-client-*.log"))
	for _, file := range files {
		for name, want := range sampleEvents {
			if strings.HasPrefix(filepath.Base(file), name) {
				if diff := gocmp.Diff(strings.Split(want, "; "), eventsOf(t, file)); diff != "" {
					t.Errorf("%s: (-want +got)\n%s", name, diff)
				}
			}
		}
	}
}

func eventsOf(t *testing.T, file string) []string {
	r, err := Open([]string{file}, nil, Options{})
	if err != nil {
		t.Fatal(err)
	}
	var all []string
	err = r.Each(context.Background(), func(e *Event) error {
		line := fmt.Sprint(e.Place.Line, " ", e.Kind)
		if e.Generation != Unknown {
			line += fmt.Sprint(" ", e.Generation)
		}
		if e.Text != "" {
			line += " " + e.Text
		}
		if e.For != 0 {
			line += " " + e.For.String()
		}
		if e.Count > 0 {
			line += fmt.Sprintf(" [%d]", e.Count)
		}
		all = append(all, line)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}
