package consumers

import (
	"time"

	"simulate/sim/clock"
	"simulate/sim/wire"
)

// goTicker is a goroutine with a time.Ticker that does something at each tick. A tick that finds it busy waits, a
// second one is dropped.
type goTicker struct {
	on       bool
	interval time.Duration
	next     clock.Time
	ticket   wire.Ticket // the request whose answer it waits for, 0 when none is outstanding
}

func newGoTicker(now clock.Time, interval time.Duration) goTicker {
	interval = max(interval, time.Millisecond)
	return goTicker{on: true, interval: interval, next: now.Add(interval)}
}

// due returns when the next tick comes, clock.Never while none can be taken.
func (t *goTicker) due() clock.Time {
	if !t.on || t.ticket != 0 {
		return clock.Never
	}
	return t.next
}

// ticked reports whether the tick has come, and takes it.
func (t *goTicker) ticked(now clock.Time) bool {
	if now < t.due() {
		return false
	}
	t.next = t.next.Add((now.Sub(t.next)/t.interval + 1) * t.interval)
	return true
}

// begin starts the goroutines of a generation, unless nobody wants it any more.
func (p *kafkaGo) begin() {
	if p.closing {
		p.generationEnded()
		return
	}
	p.takeOffsets(p.group.answer)
	p.recordAssigned(p.assigned)
	p.beats = newGoTicker(p.now, p.plan.Config.HeartbeatInterval)
	if p.plan.Config.WatchPartitionChanges {
		p.watcher = newGoTicker(p.now, p.plan.Config.PartitionWatchInterval)
		p.seen = p.partitionCounts()
	}
	if d := p.plan.Config.CommitInterval; d > 0 {
		p.commits.goTicker = newGoTicker(p.now, d)
	}
	p.fetching = p.now.Add(goFetchCost)
	p.enter(goRuns, clock.Never)
}

// ticks lets the heartbeat and watcher goroutines do what is due, and ends the generation if it is to. It reports
// whether anything happened.
func (p *kafkaGo) ticks() bool {
	if p.group.stage != goRuns {
		return false
	}
	switch {
	case p.closing:
		p.ends()
	case p.beats.ticked(p.now):
		p.beat()
	case p.watcher.ticked(p.now):
		p.lookAtPartitions()
	default:
		return false
	}
	return true
}

// beat sends a heartbeat. A connection that was lost meanwhile is noticed here.
func (p *kafkaGo) beat() {
	if p.conns[CoordinatorConn].state != ready {
		p.beatAnswered(wire.NetworkException)
		return
	}
	p.beats.ticket = p.request(CoordinatorConn, p.heartbeatRequest(), p.plan.Config.RequestTimeout)
}

// beatAnswered ends the generation because of any error.
func (p *kafkaGo) beatAnswered(err wire.Err) {
	if err == wire.None || p.group.stage != goRuns {
		return
	}
	p.requestRejoin(failedWith("heartbeat", err))
	p.ends()
}

// lookAtPartitions ends the generation if a topic has other partitions than at its beginning.
func (p *kafkaGo) lookAtPartitions() {
	for i, n := range p.partitionCounts() {
		if n != p.seen[i] {
			p.requestRejoin("partition changes found")
			p.ends()
			return
		}
	}
}

func (p *kafkaGo) partitionCounts() []int {
	counts := make([]int, len(p.subscription.topics))
	for i, topic := range p.subscription.topics {
		counts[i] = p.metadata.topics[topic].Partitions
	}
	return counts
}

// ends stops the goroutines of a generation. The next one waits for them: for the Fetches in flight, for a last commit,
// and for a heartbeat or commit that is outstanding. kafka-go: Generation.close, Reader.unsubscribe.
func (p *kafkaGo) ends() {
	if p.commits.on && p.uncommitted() && !p.commits.busy() {
		p.commit()
	}
	p.beats.on, p.watcher.on, p.commits.on = false, false, false
	p.enter(goEnds, p.fetchesReturn())
}

// fetchesReturn returns when the Fetch of each partition that is in flight is answered. A fetcher that cannot put
// messages aside any more has none in flight.
func (p *kafkaGo) fetchesReturn() clock.Time {
	until := p.now
	if p.fetchable(0) > goQueueCapacity {
		return until
	}
	for _, tp := range p.assigned {
		until = max(until, p.fetchReturns(tp))
	}
	return until
}

// fetchReturns returns when the Fetch of a partition is answered: when the next record arrives, or before that because
// it finds none. The first one that found none came behind the last record. After a standstill there are records at hand.
func (p *kafkaGo) fetchReturns(tp wire.TopicPartition) clock.Time {
	began, next := p.fetching, clock.Never
	if p.loaded() {
		if p.now < p.woke.Add(goCatchUp) && p.env.Records.Next(tp, p.stood) <= p.woke {
			return p.now
		}
		next = p.env.Records.Next(tp, p.now)
	}
	if next < clock.Never { // they come evenly
		began = max(began, next.Add(next.Sub(p.env.Records.Next(tp, next))))
	}
	cycle := goFetchWait(p.plan.Config.FetchMaxWait)
	empty := began
	if p.now >= began {
		empty = began.Add((p.now.Sub(began)/cycle + 1) * cycle)
	}
	return min(next, empty)
}

// goFetchWait returns how long a broker keeps an empty Fetch: MaxWait less what kafka-go deems a round trip.
// kafka-go: adjustDeadlineForRTT.
func goFetchWait(maxWait time.Duration) time.Duration {
	if maxWait < goRoundTrip {
		return max(time.Millisecond, maxWait-maxWait/4)
	}
	return max(time.Millisecond, maxWait-goRoundTrip)
}

// busy reports whether a heartbeat or a commit keeps a generation from ending.
func (p *kafkaGo) busy() bool { return p.beats.ticket != 0 || p.commits.busy() }

// generationEnded goes on when all goroutines of a generation have returned.
func (p *kafkaGo) generationEnded() {
	p.giveUp()
	p.disconnect(CoordinatorConn)
	p.state = unjoined
	if p.closing {
		p.group.failure, p.group.at = wire.None, "LeaveGroup"
		p.leave()
		return
	}
	p.dial(false)
}

// giveUp gives up what is assigned: no fetcher reads it any more.
func (p *kafkaGo) giveUp() {
	if len(p.assigned) > 0 && p.state == stable && p.group.stage >= goRuns {
		p.recordGivenUp(p.assigned, false)
	}
	p.hold(nil)
}
