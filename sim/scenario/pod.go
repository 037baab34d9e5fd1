package scenario

import (
	"math"
	"regexp"
	"strconv"
	"time"

	"simulate/sim/metrics"
	"simulate/sim/random"
)

// Pod says how Kubernetes runs each member of a fleet.
type Pod struct {
	Scheduling random.Distribution // from the creation of a pod to the start of its process
	Grace      time.Duration       // from SIGTERM to SIGKILL
	Readiness  time.Duration       // the period of the readiness probe
	Liveness   *Liveness           // nil: there is none
}

// Liveness is a probe that restarts a process which does not answer.
type Liveness struct {
	InitialDelay time.Duration // from the start of the process to the first probe, at the earliest
	Period       time.Duration
	Timeout      time.Duration
	Failures     int           // in a row, until the process is restarted
	PollWithin   time.Duration // not 0: also fails when the application was busy for longer with one thing
}

// Autoscaler changes how many members there are, as a HorizontalPodAutoscaler does.
type Autoscaler struct {
	Min, Max      int
	Demand        []Demand      // in order of time; nil: it follows the lag
	Lag           int           // how many records behind are work for one member; 0: it follows Demand
	Sync          time.Duration // how often it looks
	Tolerance     int           // percent that demand may differ from what there is
	Stabilization time.Duration // there was no more demand for so long before it takes members away
}

// Demand is how many members the load is work for, from an instant on.
type Demand struct {
	At      time.Duration
	Percent int // of what one member does: 250 is work for two and a half
}

// Kubernetes' own defaults, and how long a pod takes that has its image.
const (
	defaultGrace     = 30 * time.Second
	defaultPeriod    = 10 * time.Second
	defaultTimeout   = time.Second
	defaultFailures  = 3
	defaultSync      = 15 * time.Second
	defaultTolerance = 10
	defaultStable    = 5 * time.Minute
	mostProbes       = 1000
)

// pod reads how Kubernetes runs the members of a fleet; nil when it does not.
func (l *loader) pod(fleet *table) *Pod {
	if !fleet.has("pod") {
		return nil
	}
	t := fleet.sub("pod", "[fleet.pod]", podKeys)
	standard, _ := preset("scheduling", "pod")
	p := &Pod{
		Scheduling: t.distribution("scheduling", standard.Time),
		Grace:      t.duration("grace", defaultGrace),
		Readiness:  t.period("readiness", defaultPeriod),
	}
	if t.has("liveness") {
		p.Liveness = liveness(t.sub("liveness", "liveness", livenessKeys))
	}
	t.done()
	return p
}

func liveness(t *table) *Liveness {
	defer t.done()
	return &Liveness{
		InitialDelay: t.duration("initial-delay", 0),
		Period:       t.period("period", defaultPeriod),
		Timeout:      t.period("timeout", defaultTimeout),
		Failures:     int(t.number("failures", defaultFailures, 1, mostProbes)),
		PollWithin:   t.duration("poll-within", 0),
	}
}

// period reads a time between things that happen again and again: at least a second, as Kubernetes has it.
func (t *table) period(key string, absent time.Duration) time.Duration {
	d := t.duration(key, absent)
	if d < time.Second && !t.l.bad[t.at(key)] {
		t.l.wrong(t.at(key), "%s is %s; it must be at least 1s", key, metrics.Duration(d))
		return absent
	}
	return d
}

// autoscaler reads what changes the size of a fleet; nil when nothing does.
func (l *loader) autoscaler(fleet *table) *Autoscaler {
	if !fleet.has("autoscaler") {
		return nil
	}
	t := fleet.sub("autoscaler", "[fleet.autoscaler]", autoscalerKeys)
	t.must("max")
	switch demand, lag := t.has("demand"), t.has("lag"); {
	case demand && lag:
		l.wrongKey(t.at("lag"), "[fleet.autoscaler] has demand and lag; it follows one of them")
	case !demand && !lag:
		l.wrongKey(t.path, "[fleet.autoscaler] has no demand and no lag: what it follows")
	}
	a := &Autoscaler{
		Min:           int(t.number("min", 1, 1, mostMembers)),
		Max:           int(t.number("max", 1, 1, mostMembers)),
		Demand:        l.demand(t),
		Lag:           int(t.number("lag", 0, 1, math.MaxInt32)),
		Sync:          t.period("sync", defaultSync),
		Tolerance:     t.percent("tolerance", defaultTolerance),
		Stabilization: t.duration("stabilization", defaultStable),
	}
	if a.Max < a.Min && t.has("max") && !l.bad[t.at("max")] && !l.bad[t.at("min")] {
		l.wrong(t.at("max"), "max is %d; it must not be below min (%d)", a.Max, a.Min)
	}
	t.done()
	return a
}

// demand reads the steps of the demand.
func (l *loader) demand(t *table) []Demand {
	var all []Demand
	for _, step := range t.listed("demand", demandKeys) {
		step.must("at")
		step.must("members")
		d := Demand{At: step.duration("at", 0), Percent: l.members(step)}
		if n := len(all); n > 0 && d.At <= all[n-1].At && step.has("at") && !l.bad[step.at("at")] {
			l.wrong(step.at("at"), "at is %s; it must be after the step before (%s)", metrics.Duration(d.At), metrics.Duration(all[n-1].At))
		}
		step.done()
		all = append(all, d)
	}
	return all
}

// members reads how many members the load is work for, with up to two decimals.
func (l *loader) members(t *table) int {
	const key = "members"
	v, _ := t.get(key)
	percent := -1.0
	switch v := v.(type) {
	case nil:
		return 0
	case int64:
		percent = float64(v) * 100
	case float64:
		percent = v * 100
	}
	whole := int(percent + 0.5)
	if percent < 0 || percent > mostMembers*100 || float64(whole)-percent > 1e-6 || percent-float64(whole) > 1e-6 {
		l.wrong(t.at(key), "%s is %s; write a number from 0 to %d with up to two decimals", key, show(v), mostMembers)
		return 0
	}
	return whole
}

var percentage = regexp.MustCompile(`^(100|[0-9]{1,2})%$`)

// percent reads a whole percentage such as "10%".
func (t *table) percent(key string, absent int) int {
	v, given := t.get(key)
	if !given {
		return absent
	}
	text, _ := v.(string)
	if !percentage.MatchString(text) {
		t.l.wrong(t.at(key), `%s is %s; write a percentage such as "10%%"`, key, show(v))
		return absent
	}
	n, _ := strconv.Atoi(text[:len(text)-1])
	return n
}

// pod writes how Kubernetes runs the members of a fleet.
func (w *writer) pod(f *Fleet) {
	if p := f.Pod; p != nil {
		w.header("[fleet.pod]")
		w.pair("scheduling", distribution(p.Scheduling))
		w.pair("grace", span(p.Grace))
		w.pair("readiness", span(p.Readiness))
		if l := p.Liveness; l != nil {
			w.pair("liveness", "{ initial-delay = "+span(l.InitialDelay)+", period = "+span(l.Period)+", timeout = "+span(l.Timeout)+
				", failures = "+strconv.Itoa(l.Failures)+", poll-within = "+span(l.PollWithin)+" }")
		}
	}
	if a := f.Autoscaler; a != nil {
		w.header("[fleet.autoscaler]")
		w.pair("min", strconv.Itoa(a.Min))
		w.pair("max", strconv.Itoa(a.Max))
		w.pair("sync", span(a.Sync))
		w.pair("tolerance", literal(strconv.Itoa(a.Tolerance)+"%"))
		w.pair("stabilization", span(a.Stabilization))
		if a.Lag > 0 {
			w.pair("lag", strconv.Itoa(a.Lag))
			return
		}
		steps := ""
		for i, d := range a.Demand {
			if i > 0 {
				steps += ", "
			}
			steps += "{ at = " + span(d.At) + ", members = " + strconv.FormatFloat(float64(d.Percent)/100, 'f', -1, 64) + " }"
		}
		w.pair("demand", "["+steps+"]")
	}
}
