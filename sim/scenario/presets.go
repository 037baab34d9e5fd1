package scenario

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"simulate/sim/random"
)

// Confidence says how much the numbers of a preset are worth.
type Confidence string

// The confidences, the best first.
const (
	Published Confidence = "published" // somebody measured it and wrote it down
	Estimated Confidence = "estimated" // a range from experience, without a measurement behind it
)

// Preset is a name that stands for a time, for a kind of pauses, or for several kinds.
type Preset struct {
	Name       string
	Keys       []string            // that take it, in whatever table they stand
	Time       random.Distribution // how long
	Every      random.Distribution // a kind of pauses: how far apart they begin; else 0
	Kinds      []string            // the kinds of pauses that it stands for together; else nil
	About      string              // what it is the time of
	Source     string              // who says so, and what exactly
	Confidence Confidence
}

const (
	ms = time.Millisecond
	us = time.Microsecond
)

// between is for a range without anything known of its inside.
var between = random.Uniform

var (
	pausing   = []string{"pauses", "for"}
	latencies = []string{"latency"}
	appends   = []string{"append"}
	loads     = []string{"load"}
	boots     = []string{"boot"}
	schedules = []string{"scheduling", "down"}
	lasts     = []string{"for"}
)

// presets is the table of all presets, by what they are about.
var presets = []Preset{
	{"g1", []string{"pauses"}, none, none, []string{"g1-young", "g1-mixed"}, "the G1 collector of a heap that suffices: young and mixed collections", "the two kinds below", Estimated},
	{"cms", []string{"pauses"}, none, none, []string{"cms-young", "cms-remark"}, "the CMS collector as long as it keeps up: young collections and remarks", "the two kinds below", Estimated},
	{"g1-young", pausing, between(5*ms, 50*ms), between(time.Second, 30*time.Second), nil, "a young collection of G1",
		"catkinkitkat.github.io: 10 to 200 ms; codesprintpro.com: about 10 ms. How often is an estimate", Published},
	{"g1-mixed", pausing, between(100*ms, 500*ms), random.Exponential(10 * time.Minute), nil, "a mixed or large collection of G1",
		"codesprintpro.com: a spike of 500 ms at the 99th percentile. How often is an estimate", Published},
	{"full-gc", pausing, between(time.Second, 10*time.Second), random.Exponential(time.Hour), nil, "a full collection, when G1 could not keep up",
		"mdsanwarhossain.me: 6.4 s from 22 GB to 8 GB. The range and how often are estimates", Published},
	{"cms-young", pausing, between(10*ms, 150*ms), between(time.Second, 30*time.Second), nil, "a young collection of CMS (ParNew)",
		"Plumbr's handbook of garbage collection: 102 ms; S. Oaks, Java Performance, chapter 6: 149 ms. How often is an estimate", Published},
	{"cms-remark", pausing, between(50*ms, 500*ms), random.Exponential(10 * time.Minute), nil, "the second pause of a concurrent cycle of CMS",
		"from experience; P. Bajaj (Oracle) shows one of 34 s, with class unloading and too little CPU", Estimated},
	{"cms-failure", pausing, between(time.Second, 10*time.Second), random.Exponential(time.Hour), nil, "a full collection after a concurrent mode failure of CMS",
		"S. Oaks, Java Performance, chapter 6: 5.6 s for a heap of 1.4 GB. The range and how often are estimates", Published},
	{"zgc", pausing, between(50*us, ms), between(time.Second, 30*time.Second), nil, "a pause of ZGC or Shenandoah",
		"morling.dev: below 1 ms. How often is an estimate", Published},
	{"cpu-throttling", pausing, between(50*ms, 100*ms), random.Exponential(time.Second), nil, "a container that used up its CPU quota waits for the next period of 100 ms",
		"loke.dev: 5 ms of work on ten threads use up the 50 ms of half a CPU, and 95 ms follow without any. How often is an estimate", Published},
	{"cpu-starvation", pausing, between(time.Second, 5*time.Second), random.Exponential(5 * time.Minute), nil, "a container with a quarter of a CPU or less, under load",
		"from experience", Estimated},

	{Name: "network-blip", Keys: lasts, Time: random.LogNormal(2*time.Second, 30*time.Second), About: "a link that fails and heals by itself", Source: "from experience", Confidence: Estimated},
	{Name: "big-assignment", Keys: lasts, Time: between(50*ms, 500*ms), About: "an assignor with 10,000 to 100,000 partitions and 1,000 members", Source: "from experience", Confidence: Estimated},

	{Name: "loopback", Keys: latencies, Time: random.Constant(25 * us), About: "within one machine", Source: "from experience: 0.05 ms there and back", Confidence: Estimated},
	{Name: "same-az", Keys: latencies, Time: random.LogNormal(150*us, 250*us), About: "within one availability zone",
		Source: "xkyle.com, Measuring AWS Region and AZ Latency: 0.25 ms there and back at best; 0.3 to 0.5 ms", Confidence: Published},
	{Name: "cross-az", Keys: latencies, Time: capped(random.LogNormal(400*us, ms), 6*ms), About: "between availability zones",
		Source: "L. Liesis (2022): 0.82 ms there and back, at most 12.3 ms; xkyle.com: up to 3.4 ms; flashgrid.io: 0.5 to 1.5 ms", Confidence: Published},
	region("us-east-us-west", 63, 87), region("us-east-eu-west", 70, 80), region("eu-west-eu-central", 20, 20),
	region("us-east-tokyo", 145, 145), region("us-east-singapore", 217, 217), region("eu-singapore", 160, 240),
	region("tokyo-singapore", 74, 74), region("sydney-eu", 310, 310),
	{Name: "vpn", Keys: latencies, Time: between(10*ms, 30*ms), About: "from a laptop through a VPN to a cloud", Source: "from experience: 20 to 60 ms there and back; what is lost (0.1 to 1 %) is not in it", Confidence: Estimated},

	{Name: "acks-all", Keys: appends, Time: random.LogNormal(5*ms, 15*ms), About: "a record on three replicas",
		Source: "cdbartholomew's runs of the OpenMessaging Benchmark: median 3.7 to 6.7 ms, p99 8 to 14 ms", Confidence: Published},
	{Name: "acks-all-linger", Keys: appends, Time: random.LogNormal(10*ms, 20*ms), About: "the same with group.coordinator.append.linger.ms = 10",
		Source: "the same, and Kafka's GroupCoordinatorConfig", Confidence: Published},
	{Name: "acks-all-spike", Keys: appends, Time: between(132*ms, 200*ms), About: "what one record in a thousand takes on three replicas",
		Source: "cdbartholomew's runs of the OpenMessaging Benchmark: p99.9 132 to 139 ms; up to 200 ms is an estimate", Confidence: Published},

	{Name: "small-log", Keys: loads, Time: between(10*ms, 500*ms), About: "a partition of the offsets topic that is compacted", Source: "from experience", Confidence: Estimated},
	{Name: "bloated-log", Keys: loads, Time: between(5*time.Second, 2*time.Minute), About: "a partition of the offsets topic that was not compacted for long", Source: "from experience: seconds to minutes", Confidence: Estimated},

	{Name: "jvm", Keys: boots, Time: between(time.Second, 2*time.Second), About: "a plain Java client on a full core", Source: "from experience", Confidence: Estimated},
	{Name: "jvm-half-cpu", Keys: boots, Time: between(3*time.Second, 6*time.Second), About: "the same on half a CPU", Source: "from experience", Confidence: Estimated},
	{Name: "spring-boot", Keys: boots, Time: between(3*time.Second, 8*time.Second), About: "Spring Boot on two cores or more", Source: "blog.dominikcebula.com, scaled to two cores", Confidence: Estimated},
	{Name: "spring-boot-half-cpu", Keys: boots, Time: between(15*time.Second, 25*time.Second), About: "Spring Boot on half a CPU",
		Source: "blog.dominikcebula.com: a native image starts in less than 0.5 s there, 98 % faster than the slowest JVM", Confidence: Published},
	{Name: "spring-native", Keys: boots, Time: between(200*ms, 500*ms), About: "Spring Boot as a native image", Source: "blog.dominikcebula.com: less than 0.5 s on half a CPU", Confidence: Published},
	{Name: "go", Keys: boots, Time: between(20*ms, 200*ms), About: "a client in Go, Rust or C", Source: "from experience", Confidence: Estimated},

	{Name: "pod", Keys: schedules, Time: between(time.Second, 5*time.Second), About: "scheduling and the start of a container whose image is there", Source: "from experience", Confidence: Estimated},
	{Name: "pod-image-pull", Keys: schedules, Time: between(5*time.Second, 60*time.Second), About: "the same with a pull of the image", Source: "from experience", Confidence: Estimated},
	{Name: "new-node", Keys: schedules, Time: between(40*time.Second, 3*time.Minute), About: "the same where a node has to be added first", Source: "from experience", Confidence: Estimated},
}

var none random.Distribution

func capped(d random.Distribution, most time.Duration) random.Distribution {
	d.Cap = most
	return d
}

// region is a preset for the way between two regions of a cloud, from times there and back in milliseconds.
func region(name string, least, most time.Duration) Preset {
	way := between(least*ms/2, most*ms/2)
	there := fmt.Sprintf("%d to %d", least, most)
	if least == most {
		way, there = random.Constant(least*ms/2), fmt.Sprint(int(least))
	}
	return Preset{
		Name: name, Keys: latencies, Time: way, About: "between regions of a cloud", Confidence: Published,
		Source: "averages of AWS in A Computer Scientist Learns AWS (2017): " + there + " ms there and back; lower today",
	}
}

// Presets returns all presets, in the order of the table.
func Presets() []Preset { return slices.Clone(presets) }

// preset finds what a name stands for under a key.
func preset(key, name string) (Preset, bool) {
	i := slices.IndexFunc(presets, func(p Preset) bool { return p.Name == name && slices.Contains(p.Keys, key) })
	if i < 0 {
		return Preset{}, false
	}
	return presets[i], true
}

// presetsOf returns the names of the presets that a key takes, and what each is.
func presetsOf(key string) (names, about []string) {
	for _, p := range presets {
		if slices.Contains(p.Keys, key) {
			names, about = append(names, p.Name), append(about, p.About)
		}
	}
	return names, about
}

// noPreset says what a word under a key may be instead; "" when the word is meant for no name.
func noPreset(key, word string) string {
	names, _ := presetsOf(key)
	if len(names) == 0 || word == "" || !strings.ContainsAny(word[:1], "abcdefghijklmnopqrstuvwxyz") {
		return ""
	}
	return fmt.Sprintf("unknown preset %s of %s%s", quote(word), key, meantOrAll(word, names, names))
}

// Written is what a preset stands for, as a file would say it.
func (p *Preset) Written() string {
	switch {
	case p.Kinds != nil:
		return `["` + strings.Join(p.Kinds, `", "`) + `"]`
	case neverAdvances(p.Every):
		return distribution(p.Time)
	}
	return "{ every = " + distribution(p.Every) + ", for = " + distribution(p.Time) + " }"
}

// PodDefault is what a key has that concerns Kubernetes when nobody sets it, and who says so.
type PodDefault struct{ Key, Value, Source string }

// PodDefaults returns the defaults of pods, rollouts and autoscalers, as Kubernetes documents them.
func PodDefaults() []PodDefault {
	const probe, manager = "Kubernetes API, Probe: ", "kube-controller-manager, --horizontal-pod-autoscaler-"
	return []PodDefault{
		{"grace", span(defaultGrace), "Kubernetes API, PodSpec: terminationGracePeriodSeconds"},
		{"readiness", span(defaultPeriod), probe + "periodSeconds"},
		{"liveness.initial-delay", span(0), probe + "initialDelaySeconds"},
		{"liveness.period", span(defaultPeriod), probe + "periodSeconds"},
		{"liveness.timeout", span(defaultTimeout), probe + "timeoutSeconds"},
		{"liveness.failures", strconv.Itoa(defaultFailures), probe + "failureThreshold"},
		{"max-surge", aQuarter.literal(), "Kubernetes API, RollingUpdateDeployment: maxSurge, rounded up"},
		{"max-unavailable", aQuarter.literal(), "Kubernetes API, RollingUpdateDeployment: maxUnavailable, rounded down"},
		{"min-ready", span(0), "Kubernetes API, DeploymentSpec: minReadySeconds"},
		{"sync", span(defaultSync), manager + "sync-period"},
		{"tolerance", literal(strconv.Itoa(defaultTolerance) + "%"), manager + "tolerance"},
		{"stabilization", span(defaultStable), manager + "downscale-stabilization"},
	}
}
