package records

import (
	"math"
	"testing"
	"time"

	"pgregory.net/rapid"

	"simulate/sim/clock"
	"simulate/sim/wire"
)

func orders(p int32) wire.TopicPartition { return wire.TopicPartition{Topic: "orders", Partition: p} }

func TestEnd(t *testing.T) {
	l := NewLogs()
	l.Create("orders", 3, Rate{30, time.Minute}, 4) // one every 2 s
	for _, test := range []struct {
		at   time.Duration
		want [3]int64
	}{
		{0, [3]int64{2, 1, 1}},
		{2*time.Second - 1, [3]int64{2, 1, 1}},
		{2 * time.Second, [3]int64{3, 1, 1}},
		{4 * time.Second, [3]int64{3, 2, 1}},
		{8 * time.Second, [3]int64{4, 2, 2}},
		{time.Hour, [3]int64{602, 601, 601}},
	} {
		for p, want := range test.want {
			if got := l.End(orders(int32(p)), clock.At(test.at)); got != want {
				t.Errorf("at %v partition %d ends at %d, want %d", test.at, p, got, want)
			}
		}
	}
	if got := l.End(orders(3), clock.At(time.Hour)); got != 0 {
		t.Errorf("a partition that is not there ends at %d", got)
	}
	if got := l.End(wire.TopicPartition{Topic: "bills"}, clock.At(time.Hour)); got != 0 {
		t.Errorf("a topic that is not there ends at %d", got)
	}
}

// The longest run at the highest rate is counted exactly.
func TestTenYears(t *testing.T) {
	l := NewLogs()
	l.Create("orders", 1, Rate{MostRecords, time.Second}, 0)
	years := 10 * 365 * 24 * time.Hour
	if got, want := l.End(orders(0), clock.At(years)), int64(years.Seconds())*MostRecords; got != want {
		t.Errorf("ten years bring %d records, want %d", got, want)
	}
}

func TestGrowAndDelete(t *testing.T) {
	l := NewLogs()
	l.Create("orders", 2, Rate{1, time.Second}, 2)
	l.Grow("orders", 3, clock.At(5*time.Second))
	at := clock.At(11 * time.Second) // 1+3 and 1+2 records, then two for each of three partitions
	for p, want := range []int64{6, 5, 2} {
		if got := l.End(orders(int32(p)), at); got != want {
			t.Errorf("partition %d ends at %d, want %d", p, got, want)
		}
	}
	if got := l.Next(orders(2), at); got != clock.At(14*time.Second) {
		t.Errorf("the next record of partition 2 arrives at %v", got)
	}
	if n, partitions := l.All("orders", at); n != 13 || partitions != 3 {
		t.Errorf("all %d partitions have %d records", partitions, n)
	}
	if got := l.End(orders(0), clock.At(4*time.Second)); got != 3 {
		t.Errorf("partition 0 ended at %d before", got)
	}
	l.Delete("orders", at)
	if l.End(orders(0), at) != 0 || l.Next(orders(0), at) != clock.Never || l.End(orders(0), at-1) != 6 {
		t.Error("a deleted topic has records, or had none before")
	}
}

func TestNoRate(t *testing.T) {
	l := NewLogs()
	l.Create("orders", 2, Rate{}, 3)
	if end := l.End(orders(0), clock.At(time.Hour)); end != 2 || l.Next(orders(0), 0) != clock.Never {
		t.Errorf("a topic without a rate ends at %d, with another record at %v", end, l.Next(orders(0), 0))
	}
}

// Law: until the next arrival a partition stays as it is, and then it has one more record.
func TestNextIsTheNextEnd(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		rate := Rate{rapid.Int64Range(1, 5000).Draw(t, "records"), rapid.SampledFrom([]time.Duration{time.Second, time.Minute, time.Hour}).Draw(t, "per")}
		partitions := rapid.IntRange(1, 9).Draw(t, "partitions")
		l := NewLogs()
		l.Create("orders", partitions, rate, rapid.Int64Range(0, 20).Draw(t, "backlog"))
		at := clock.Time(rapid.Int64Range(0, int64(48*time.Hour)).Draw(t, "at"))
		if rapid.Bool().Draw(t, "grows") {
			partitions += rapid.IntRange(1, 3).Draw(t, "more")
			l.Grow("orders", partitions, at/2)
		}
		tp := orders(int32(rapid.IntRange(0, partitions-1).Draw(t, "partition")))
		next, end := l.Next(tp, at), l.End(tp, at)
		if next <= at || l.End(tp, next-1) != end || l.End(tp, next) != end+1 {
			t.Fatalf("from %d at %d: next at %d, where it ends at %d, and at %d before", end, at, next, l.End(tp, next), l.End(tp, next-1))
		}
		if period, ok := l.Period("orders"); ok && (l.Next(tp, next) != next.Add(period) || l.End(tp, at.Add(period)) != end+1) {
			t.Fatalf("the next record is not there %v later", period)
		}
	})
}

func TestHand(t *testing.T) {
	g := NewLogs().NewGroup()
	for _, test := range []struct{ from, to, want int64 }{
		{0, 10, 0}, {10, 20, 0}, {15, 30, 5}, {0, 5, 5}, {30, math.MaxInt32, 0},
	} {
		if got := g.Hand(orders(0), test.from, test.to); got != test.want {
			t.Errorf("%d to %d: %d were handed again, want %d", test.from, test.to, got, test.want)
		}
	}
}
