package sim

import (
	"slices"
	"time"

	"simulate/sim/clock"
	"simulate/sim/scenario"
	"simulate/sim/trace"
)

// rollout replaces the pods of one fleet.
type rollout struct {
	fault *fault
	fleet *fleet
	want  int      // how many pods there are to be
	old   []*actor // that are still to be replaced, in number order
	made  []*pod   // that were created
}

// pod is one that a rollout has created.
type pod struct {
	of        *rollout
	actor     *actor
	probing   bool       // its process has started, or its start was called off
	ready     clock.Time // when it became ready, 0 before
	available bool
}

// rollOut begins to replace the pods of the fleets of an event.
func (w *world) rollOut(f *fault) {
	for _, s := range f.event.Who {
		fl := w.fleetNamed(s.Name)
		r := &rollout{fault: f, fleet: fl, old: fl.living()}
		r.want = len(r.old)
		switch {
		case fl.rollout != nil:
			w.warn("rollout of %s did not begin: another one goes on", fl.Name)
			continue
		case r.want == 0:
			w.warn("rollout found nobody to act on: no such consumer runs")
			continue
		}
		if p := f.event.Plan; p != nil {
			fl.plan = p
		}
		fl.rollout = r
		w.Record(trace.Event{At: w.now(), Kind: trace.FaultBegan, Group: fl.Plan.Group, Text: string(f.event.Do), Until: clock.Never})
		w.rollOn(r)
	}
}

// rollOn does what the pods that are available allow.
func (w *world) rollOn(r *rollout) {
	if r.fault.event.Kind == scenario.StatefulSet {
		w.replaceNext(r)
	} else {
		for w.addPods(r) || w.removePods(r) {
		}
	}
	if len(r.old) == 0 && r.available() == len(r.made) {
		r.fleet.rollout = nil
		w.Record(trace.Event{At: w.now(), Kind: trace.FaultEnded, Group: r.fleet.Plan.Group, Text: string(r.fault.event.Do)})
	}
}

// addPods creates as many new pods as max-surge allows.
// Kubernetes: NewRSNewReplicas in pkg/controller/deployment/util.
func (w *world) addPods(r *rollout) bool {
	surge, _ := r.bounds()
	n := min(r.want+surge-len(r.old)-len(r.made), r.want-len(r.made))
	for range n {
		p := &pod{of: r}
		p.actor = w.createPod(r.fleet, w.podComeback(p))
		r.made = append(r.made, p)
	}
	return n > 0
}

// removePods deletes as many old pods as max-unavailable allows, first those that do not run.
// Kubernetes: reconcileOldReplicaSets in pkg/controller/deployment/rolling.go.
func (w *world) removePods(r *rollout) bool {
	_, unavailable := r.bounds()
	least, before := r.want-unavailable, len(r.old)
	remove := len(r.old) - least + r.available()
	for i := len(r.old) - 1; i >= 0 && remove > 0; i-- {
		if r.old[i].process == nil {
			remove--
			w.deletePod(r.old[i])
			r.old = slices.Delete(r.old, i, i+1)
		}
	}
	running := 0
	for _, a := range r.old {
		if a.process != nil {
			running++
		}
	}
	for remove = min(remove, running+r.available()-least); remove > 0 && len(r.old) > 0; remove-- {
		w.deletePod(r.takeLast())
	}
	return len(r.old) < before
}

// bounds returns how many pods more there may be, and how many less available. Kubernetes: ResolveFenceposts.
func (r *rollout) bounds() (surge, unavailable int) {
	e := r.fault.event
	surge, unavailable = e.MaxSurge.Of(r.want, true), e.MaxUnavailable.Of(r.want, false)
	if surge == 0 && unavailable == 0 {
		unavailable = 1
	}
	return surge, unavailable
}

// replaceNext replaces the pod with the highest number, once those before it are available.
// Kubernetes: updateStatefulSet in pkg/controller/statefulset.
func (w *world) replaceNext(r *rollout) {
	for len(r.old) > 0 && r.available() == len(r.made) {
		a := r.takeLast()
		if a.process == nil {
			w.warn("rollout skipped %s: it was not running", a.name)
			continue
		}
		p := &pod{of: r, actor: a}
		r.made = append(r.made, p)
		back := w.podComeback(p)
		back.down = w.scheduling(a)
		w.order(a)
		a.comeback = &back
		w.close(a, r.fault.event.Close)
	}
}

func (r *rollout) takeLast() *actor {
	last := len(r.old) - 1
	a := r.old[last]
	r.old = r.old[:last]
	return a
}

func (r *rollout) available() int {
	n := 0
	for _, p := range r.made {
		if p.available {
			n++
		}
	}
	return n
}

// podComeback is with what a new pod starts; the rollout goes on with it.
func (w *world) podComeback(p *pod) comeback {
	f := p.of.fault
	return comeback{plan: f.event.Plan, step: &fault{event: f.event, number: f.number, begun: true, pod: p}, cause: int32(f.number)}
}

// stepPod looks at a new pod when its process starts, and from then on whenever its readiness probe does.
func (w *world) stepPod(f *fault) {
	p, a := f.pod, f.pod.actor
	period := a.fleet.Pod.Readiness
	again := func(at clock.Time) { w.queue.Schedule(at, event{kind: faulted, to: f}) }
	switch minReady := f.event.MinReady; {
	case p.available:
	case !p.probing:
		p.probing = true
		again(w.now().Add(a.probes.Between(0, period)))
	case !a.alive():
		w.losePod(p)
	case a.process == nil || !w.answers(a, readinessTimeout):
		p.ready = 0
		again(w.now().Add(period))
	case minReady > 0 && p.ready == 0:
		p.ready = w.now()
		again(p.ready.Add(minReady))
	default:
		p.available = true
		w.rollOn(p.of)
	}
}

// readinessTimeout is how long a readiness probe waits for an answer. Kubernetes: timeoutSeconds.
const readinessTimeout = time.Second

// losePod goes on without a pod that somebody else ended: a Deployment creates another one.
func (w *world) losePod(p *pod) {
	r := p.of
	r.made = slices.DeleteFunc(r.made, func(q *pod) bool { return q == p })
	w.warn("rollout lost %s before it was ready", p.actor.name)
	w.rollOn(r)
}
