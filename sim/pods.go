package sim

import (
	"time"

	"simulate/sim/clock"
	"simulate/sim/consumers"
	"simulate/sim/scenario"
	"simulate/sim/trace"
)

// limitClosing kills a process that is told to close when it has not ended by the end of its pod's grace period.
func (w *world) limitClosing(a *actor) {
	if pod := a.fleet.Pod; pod != nil && a.process != nil {
		w.queue.Schedule(w.now().Add(pod.Grace), event{kind: graceOver, to: a, life: a.life, index: w.cause})
	}
}

func (w *world) graceEnded(a *actor, cause int32) {
	w.cause = cause
	w.beganBy(source{number: cause, name: "grace period"}, a, scenario.Kill, w.now())
	w.kill(a)
}

// firstProbe plans the first liveness probe of a process that starts now. Probes of different pods come at different
// times.
func (w *world) firstProbe(a *actor) {
	if a.fleet.Pod == nil || a.fleet.Pod.Liveness == nil {
		return
	}
	l := a.fleet.Pod.Liveness
	w.probeAt(a, w.now().Add(l.InitialDelay+a.probes.Between(0, l.Period)), 0)
}

func (w *world) probeAt(a *actor, at clock.Time, failures int) {
	w.queue.Schedule(at, event{kind: probed, to: a, life: a.life, index: int32(failures)})
}

// probe asks whether a process lives that failed to answer so often in a row. The last failure counts when the time-out
// is over.
func (w *world) probe(a *actor, failures int) {
	l := a.fleet.Pod.Liveness
	switch {
	case a.comeback != nil:
		return // it is on its way out
	case failures == l.Failures:
		w.restartContainer(a)
		return
	case w.answers(a, l.Timeout) && !busyLonger(a.process.PollWait(), w.now(), l.PollWithin):
		failures = 0
	default:
		failures++
	}
	if failures == l.Failures {
		w.probeAt(a, w.now().Add(l.Timeout), failures)
		return
	}
	w.probeAt(a, w.now().Add(l.Period), failures)
}

// answers reports whether a process has started up and answers a probe that begins now in time.
func (w *world) answers(a *actor, timeout time.Duration) bool {
	return a.process.PollWait().Kind != consumers.WaitBoot && a.frozen <= w.now().Add(timeout)
}

// busyLonger reports whether the application does one thing between two polls, or in a callback, for longer than most.
func busyLonger(wait consumers.Wait, now clock.Time, most time.Duration) bool {
	switch wait.Kind {
	case consumers.WaitProcessing, consumers.WaitStall, consumers.WaitListener:
		return most > 0 && now.Sub(wait.Since) > most
	}
	return false
}

// restartContainer ends a process as kubelet does when its liveness probe failed, and lets it come back.
func (w *world) restartContainer(a *actor) {
	by := a.fleet.source(scenario.OfLiveness)
	w.cause = by.number
	w.order(a)
	w.beganBy(by, a, scenario.Restart, clock.Never)
	ended := trace.Event{Kind: trace.FaultEnded, Who: a.name, Group: a.plan.Group, Text: string(scenario.Restart), Since: w.now()}
	a.comeback = &comeback{down: a.crashBackoff(w.now()), step: &fault{number: int(by.number), ends: &ended}, cause: by.number}
	w.close(a, consumers.CloseOptions{})
}

// What kubelet waits before it restarts a container: nothing at first, then twice as long each time. What ran for long
// begins anew. Kubernetes: MaxContainerBackOff, and kuberuntime's backOffPeriod.
const (
	firstCrashBackoff   = 10 * time.Second
	longestCrashBackoff = 5 * time.Minute
	crashesForgotten    = 10 * time.Minute
)

func (a *actor) crashBackoff(now clock.Time) time.Duration {
	if now.Sub(a.started) >= crashesForgotten {
		a.crashes = 0
	}
	a.crashes++
	if a.crashes == 1 {
		return 0
	}
	return min(firstCrashBackoff<<min(a.crashes-2, 5), longestCrashBackoff)
}

// source returns what acts on the members of a fleet by itself.
func (f *fleet) source(kind scenario.SourceKind) source {
	for _, s := range f.sources {
		if s.kind == kind {
			return s
		}
	}
	return source{}
}

// alive reports whether a member runs, or is about to.
func (a *actor) alive() bool { return a.process != nil || a.comeback != nil }

// living returns the members of a fleet that run or are about to, in number order.
func (f *fleet) living() []*actor {
	var all []*actor
	for _, a := range f.members {
		if a.alive() {
			all = append(all, a)
		}
	}
	return all
}

// createPod starts a member that does not run: the one with the lowest number.
func (w *world) createPod(f *fleet, back comeback) *actor {
	n := 0
	for n < len(f.members) && f.members[n].alive() {
		n++
	}
	w.grow(f, n+1)
	a := f.members[n]
	w.order(a)
	a.comeback = &back
	w.startAt(a, w.now().Add(w.scheduling(a)), back.cause)
	return a
}

// scheduling draws how long it takes from the creation of a's pod, if it has one, to the start of its process.
func (w *world) scheduling(a *actor) time.Duration {
	if a.fleet.Pod == nil {
		return 0
	}
	return a.probes.Draw(a.fleet.Pod.Scheduling)
}

// deletePod lets a process close within its grace period; one that is about to start does not.
func (w *world) deletePod(a *actor) {
	w.order(a)
	w.close(a, consumers.CloseOptions{})
}
