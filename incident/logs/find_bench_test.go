package logs

import (
	"strings"
	"testing"
)

// benchLines are the lines of a coordinator that come most, one of an old broker, and one that is not about groups.
var benchLines = map[string]string{
	"preparing":  "[2026-03-01 10:00:00,000] INFO [GroupCoordinator id=3 topic=__consumer_offsets partition=12] Preparing to rebalance group orders in state PreparingRebalance with old generation 41 (reason: Adding new member consumer-1-6f1c2a90-0a4e-4b7e-9a51-0c3d1f5b7e11 with group instance id null; client reason: need to re-join with the given member-id: consumer-1-6f1c2a90-0a4e-4b7e-9a51-0c3d1f5b7e11). (org.apache.kafka.coordinator.group.GroupMetadataManager)",
	"stabilized": "[2026-03-01 10:00:00,000] INFO [GroupCoordinator id=3 topic=__consumer_offsets partition=12] Stabilized group orders generation 42 with 3 members. (org.apache.kafka.coordinator.group.GroupMetadataManager)",
	"assignment": "[2026-03-01 10:00:00,000] INFO [GroupCoordinator id=3 topic=__consumer_offsets partition=12] Assignment received from leader consumer-1-6f1c2a90-0a4e-4b7e-9a51-0c3d1f5b7e11 for group orders for generation 42. The group has 3 members, 1 of which are static. (org.apache.kafka.coordinator.group.GroupMetadataManager)",
	"issued":     "[2026-03-01 10:00:00,000] INFO [GroupCoordinator id=3 topic=__consumer_offsets partition=12] Dynamic member with unknown member id joins group orders in Stable state. Created a new member id consumer-1-6f1c2a90-0a4e-4b7e-9a51-0c3d1f5b7e11 and requesting the member to rejoin with this id. (org.apache.kafka.coordinator.group.GroupMetadataManager)",
	"added":      "[2026-03-01 10:00:00,000] INFO [GroupCoordinator id=3 topic=__consumer_offsets partition=12] Pending dynamic member with id consumer-1-6f1c2a90-0a4e-4b7e-9a51-0c3d1f5b7e11 joins group orders in Stable state. Adding to the group now. (org.apache.kafka.coordinator.group.GroupMetadataManager)",
	"failed":     "[2026-03-01 10:00:00,000] INFO [GroupCoordinator id=3 topic=__consumer_offsets partition=12] Member consumer-1-6f1c2a90-0a4e-4b7e-9a51-0c3d1f5b7e11 in group orders has failed, removing it from the group. (org.apache.kafka.coordinator.group.GroupMetadataManager)",
	"left":       "[2026-03-01 10:00:00,000] INFO [GroupCoordinator id=3 topic=__consumer_offsets partition=12] [Group orders] Member consumer-1-6f1c2a90-0a4e-4b7e-9a51-0c3d1f5b7e11 has left group through explicit `LeaveGroup` request; client reason: the consumer is being closed (org.apache.kafka.coordinator.group.GroupMetadataManager)",
	"old":        "[2026-03-01 10:00:00,000] INFO [GroupCoordinator 3]: Preparing to rebalance group orders in state PreparingRebalance with old generation 41 (__consumer_offsets-12) (reason: removing member consumer-1-6f1c2a90-0a4e-4b7e-9a51-0c3d1f5b7e11 on heartbeat expiration) (kafka.coordinator.group.GroupCoordinator)",
	"unrelated":  "[2026-03-01 10:00:00,000] INFO [LocalLog partition=orders.events-7, dir=/var/lib/kafka/data] Rolled new log segment at offset 1937465 in 2 ms: largest timestamp 1772359200000, base offset 1931112, ok (kafka.log.LocalLog)",
}

func BenchmarkFind(b *testing.B) {
	for name, text := range benchLines {
		b.Run(name, func(b *testing.B) {
			f := newFinder(newNames())
			line := []byte(text)
			r := &record{text: line, start: strings.IndexByte(text[1:], '[') + 1}
			var e Event
			b.ReportAllocs()
			b.SetBytes(int64(len(line)))
			for b.Loop() {
				f.find(r, &e)
			}
		})
	}
}
