package consumers

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"simulate/sim/clock"
	"simulate/sim/random"
	"simulate/sim/records"
	"simulate/sim/trace"
	"simulate/sim/wire"
)

// newReader returns a client that holds the first two of three partitions of orders, of which partition 0 ends
// at 5 and partition 1 at 4, with one more record in each every second. It knows no positions.
func newReader() (*client, *trace.Memory) {
	logs, sink := records.NewLogs(), &trace.Memory{}
	logs.Create("orders", 3, records.Rate{Records: 3, Per: time.Second}, 13)
	c := &client{
		plan: &Plan{Config: Defaults()}, now: clock.At(0),
		env: Env{Sink: sink, Records: logs.NewGroup(), Work: random.Seed(1).Stream("c", "work")},
	}
	c.hold(ordersPartitions(0, 1))
	return c, sink
}

func ordersPartitions(numbers ...int32) (list []wire.TopicPartition) {
	for _, n := range numbers {
		list = append(list, wire.TopicPartition{Topic: "orders", Partition: n})
	}
	return list
}

// fetched is the answer to an OffsetFetch that says so much of each partition, -1 for nothing.
func fetched(offsets ...int64) wire.Response {
	body := &wire.OffsetFetchResponse{}
	for i, o := range offsets {
		body.Offsets = append(body.Offsets, wire.FetchedOffset{TopicPartition: ordersPartitions(int32(i))[0], Offset: o})
	}
	return wire.Response{Body: body}
}

func offsetsOf(body *wire.OffsetCommitRequest) (list []int64) {
	for _, o := range body.Offsets {
		list = append(list, o.Offset)
	}
	return list
}

// A member reads on behind what is committed; where nothing is, auto.offset.reset says from where.
func TestPositionsBegin(t *testing.T) {
	for _, test := range []struct {
		reset string
		want  []int64
		ok    bool
	}{{"latest", []int64{2, 4}, true}, {"earliest", []int64{2, 0}, true}, {"none", []int64{2}, false}} {
		c, sink := newReader()
		c.plan.Config.AutoOffsetReset = test.reset
		if n := c.fetchable(0); n != 0 || c.nextRecord() != clock.Never {
			t.Errorf("%d records are there, the next at %v, without a position", n, c.nextRecord())
		}
		ok := c.takeOffsets(fetched(2, -1))
		if ok != test.ok || !slices.Equal(offsetsOf(c.handledBody(false)), test.want) || c.hasPositions() == false {
			t.Errorf("%s: %v, positions %v", test.reset, ok, c.positions)
		}
		if e := sink.Events[0]; e.Kind != trace.PositionsSet || !slices.Equal(e.Offsets, test.want) {
			t.Errorf("%s: recorded %+v", test.reset, e)
		}
	}
}

// A fetch returns what has arrived, partitions in turn, and else waits for the next arrival. What is committed is what
// was handled.
func TestFetchTakesInTurn(t *testing.T) {
	c, _ := newReader()
	c.takeOffsets(fetched(2, 3))
	step := func(n int, want string) {
		t.Helper()
		c.take(n)
		if got := fmt.Sprint(c.positions.load.at); got != want {
			t.Errorf("after %d: %v, want %v", n, got, want)
		}
	}
	if n, few := c.fetchable(0), c.fetchable(2); n != 4 || few != 2 || c.nextRecord() != 0 {
		t.Errorf("%d records are there, of which a fetch returns %d, the next at %v", n, few, c.nextRecord())
	}
	step(2, "[{4 2 2} {3 3 3}]")
	c.handle(1)
	step(2, "[{5 3 2} {4 3 3}]")
	if !c.uncommitted() || !slices.Equal(offsetsOf(c.handledBody(true)), []int64{3}) || c.uncommitted() {
		t.Errorf("of %v not just what was handled is to be committed", c.positions.load.at)
	}
	c.commitLost()
	if !slices.Equal(offsetsOf(c.handledBody(true)), []int64{3, 3}) {
		t.Errorf("what a failed commit said is not said again: %v", c.positions.load.at)
	}
	c.handle(2)
	if got := offsetsOf(c.commitBody()); !slices.Equal(got, []int64{5, 3}) {
		t.Errorf("commits %v", got)
	}
	if at := c.nextRecord(); at <= 0 || at > clock.At(time.Second) {
		t.Errorf("the next record arrives at %v", at)
	}
	c.now = clock.At(time.Minute)
	if n := c.fetchable(0); n != 120 {
		t.Errorf("%d records are there after a minute", n)
	}
}

// Partitions that stay assigned keep their positions; what another member has had is handed out again.
func TestRedelivery(t *testing.T) {
	c, sink := newReader()
	c.takeOffsets(fetched(0, 0))
	c.take(7)
	c.handleAll()
	c.hold(ordersPartitions(1, 2))
	if got := fmt.Sprint(c.positions.load.at, c.positions.missing); got != "[{2 2 0} {-1 -1 -1}] [orders-2]" {
		t.Errorf("after a rebalance: %v", got)
	}
	c.hold(nil)
	c.hold(ordersPartitions(0, 1))
	c.takeOffsets(fetched(3, 1))
	c.take(4)
	last := sink.Events[len(sink.Events)-1]
	if last.Kind != trace.RecordsRedelivered || last.Members != 3 {
		t.Errorf("recorded %+v", last)
	}
}

// The application is about a batch for processing and for each of its records.
func TestTakes(t *testing.T) {
	c, _ := newReader()
	c.plan.Processing, c.plan.PerRecord = random.Constant(time.Second), random.Constant(time.Millisecond)
	if d := c.takes(500); d != 1500*time.Millisecond {
		t.Errorf("500 records take %v", d)
	}
	c.plan.PerRecord = random.Uniform(time.Millisecond, 3*time.Millisecond)
	if d := c.takes(500); d < 1900*time.Millisecond || d > 2100*time.Millisecond {
		t.Errorf("500 records of 1 to 3 ms take %v", d)
	}
}
