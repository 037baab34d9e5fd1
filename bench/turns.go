package bench

import (
	"slices"
	"syscall"
	"time"
)

// turns lets each of several do its work once in each of so many rounds, and returns the median time of each. A work
// says itself how long it took.
func turns(rounds int, works ...func() time.Duration) []time.Duration {
	took := make([][]time.Duration, len(works))
	for range rounds {
		for i, work := range works {
			took[i] = append(took[i], work())
		}
	}
	medians := make([]time.Duration, len(works))
	for i, all := range took {
		slices.Sort(all)
		medians[i] = all[len(all)/2]
	}
	return medians
}

// timed makes a work of something that does not time itself.
func timed(do func()) func() time.Duration {
	return func() time.Duration {
		begin := processorTime()
		do()
		return processorTime() - begin
	}
}

// processorTime returns how long the process has computed so far, on all its threads, whoever else wants the processors.
func processorTime() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		panic(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
