package logs

import (
	"bytes"
	"testing"
)

// FuzzSamples holds that no text makes the reader of samples panic, and that what it reads is in order and names a group.
func FuzzSamples(f *testing.F) {
	for _, text := range []string{
		"2026-03-02T10:00:00Z\nGROUP COORDINATOR (ID) ASSIGNMENT-STRATEGY STATE #MEMBERS\norders kafka:9092 (1) range Stable 3\n",
		"GROUP TOPIC PARTITION CURRENT-OFFSET LOG-END-OFFSET LAG CONSUMER-ID HOST CLIENT-ID\norders events 0 5 9 4 c-1-aa /10.0.0.1 c-1\n\nMon Mar  2 10:00:00 UTC 2026\n",
		"Consumer group 'orders' has no active members.\nWarning: Consumer group 'orders' is rebalancing.\n",
		"kafka_server_group_coordinator_metrics_classic_group_count{state=\"stable\",instance=\"b\"} 1 1772445600.000\n",
		"kafka_consumergroup_members{consumergroup=\"a \\\"b\\\"\"} 3 1772445600000\nsimulate_group_generation{group=\"a\"} 1e300 -5\n",
		"kminion_kafka_consumer_group_info{group_id=\"orders\",state=\"Stable\"} 1\nkafka_coordinator_group_groupmetadatamanager_numgroupsstable 1\n",
	} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		hasSamples(text)
		r := &Reader{names: newNames()}
		c := newCalendar(nil, NoTime)
		all, err := r.samplesOf(&stream{source: &Source{}, calendar: c, written: NoTime}, bytes.NewReader(text))
		if err != nil {
			t.Fatal(err)
		}
		last := NoTime
		for i := range all.list {
			e := &all.list[i]
			if e.At < last || e.Kind != GroupObserved || e.Group == "" || e.Members < Unknown {
				t.Errorf("%d: %+v after %d", i, e, last)
			}
			last = e.At
		}
	})
}
