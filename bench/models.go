package bench

import (
	"fmt"
	"math"
	"math/rand/v2"
	"time"
)

// model is a way in which a simulation uses its queue.
type model struct {
	name  string
	about string // a sentence for readers of the table
	moves bool   // needs timers
	start func(q queue, n int) (step func())
}

// session and beat are a member's: it sends a heartbeat each beat, which moves its session's end to session later.
const (
	session = int64(45 * time.Second)
	beat    = int64(3 * time.Second)
)

var models = []model{
	{"hold", "take the first event, schedule it again an exponential time later", false, startHold},
	{"re-arm", "move a pending timer 45 s ahead, as each heartbeat does", true, startRearm},
	{"cancel", "the same, by cancelling the timer and scheduling it anew", true, startCancel},
}

// startHold is the hold model, which queues have been compared by since Vaucher and Duval (1975).
func startHold(q queue, n int) func() {
	later := exponential()
	for id := range n {
		q.Schedule(int32(id), later())
	}
	return func() {
		id, now, _ := q.Next(math.MaxInt64)
		q.Schedule(id, now+later())
	}
}

// exponential returns a source of exponential times with a mean of a second, drawn before anything is measured.
func exponential() func() int64 {
	random := rand.New(rand.NewPCG(1, 1))
	drawn := make([]int64, 1<<14)
	for i := range drawn {
		drawn[i] = int64(random.ExpFloat64() * float64(time.Second))
	}
	i := 0
	return func() int64 {
		i++
		return drawn[i%len(drawn)]
	}
}

func startRearm(q queue, n int) func() {
	t := q.(timers)
	return startTimers(t, n, t.Rearm)
}

func startCancel(q queue, n int) func() {
	t := q.(timers)
	return startTimers(t, n, func(id int32, at int64) {
		t.Cancel(id)
		t.Schedule(id, at)
	})
}

// startTimers keeps n session timers none of which ever ends: each round moves all of them, while the clock goes on by
// one beat. After each move the queue is asked for what is due, so that one that puts off work has to do it in the end.
func startTimers(t timers, n int, move func(id int32, at int64)) func() {
	order := rand.New(rand.NewPCG(1, 1)).Perm(n)
	step := beat / int64(n)
	now := int64(0)
	for i, id := range order {
		t.Schedule(int32(id), session+int64(i)*step)
	}
	i := 0
	return func() {
		id := int32(order[i])
		if i++; i == n {
			i = 0
		}
		now += step
		move(id, now+session)
		if id, _, ok := t.Next(now); ok {
			panic(fmt.Sprintf("session %d ends, in spite of its heartbeats", id))
		}
	}
}
