package starter

import (
	"slices"
	"strconv"
	"strings"

	"simulate/sim/scenario"
)

// shape is something that happens to a group. Words in capitals stand for what draft.filled says.
type shape struct {
	name  string
	about string // what happens, in a few words
	knobs []knob
	story string // what happens, in full
	block string // the events
}

// knob is a setting to try.
type knob struct{ set, does string }

// shapes are what a scenario can be about; the first is what it is about unless told otherwise.
var shapes = []shape{
	{
		name: "deploy", about: "a rolling deployment",
		knobs: []knob{{"event.1.gap=5s", "a faster deployment"}, {"event.1.graceful=false", "killed instead of closed"}},
		story: "A deployment: BATCHWORDS is closed, is away for as long as a process takes to start, and a while later the next follows. Put your own times here.",
		block: `[[event]]
at    = "5m"
do    = "rolling-restart"
who   = "FLEET"
batch = BATCH
down  = "15s"
gap   = "45s"
`,
	},
	{
		name: "autoscale", about: "a scale-up and a scale-down",
		knobs: []knob{{"event.1.to=1", "down instead of up"}, {"fleet.FLEET.start.every=20s", "one after the other"}},
		story: "The load grows: as many again are started, and ten minutes later they are closed.",
		block: `[[event]]
at  = "5m"
do  = "scale"
who = "FLEET"
to  = TWICE

[[event]]
at  = "15m"
do  = "scale"
who = "FLEET"
to  = COUNT
`,
	},
	{
		name: "crash-loop", about: "a consumer that crashes again and again",
		knobs: []knob{{"event.1.down=2m", "a longer back-off"}, {"event.1.up=10s", "it crashes sooner"}},
		story: "One consumer dies a minute after each start and is started again.",
		block: `[[event]]
at    = "5m"
do    = "crash-loop"
who   = "FLEET-1"
up    = "60s"
down  = "10s"
until = "12m"
`,
	},
	{
		name: "gc-pause", about: "long garbage collections",
		knobs: []knob{{"event.1.for=60s", "a minute each"}, {"event.1.every=30s", "more often"}},
		story: "Now and then a whole process stands still, as in a long garbage collection.",
		block: `[[event]]
at    = "5m"
do    = "pause"
who   = "any(FLEET)"
for   = { p50 = "5s", p99 = "30s", cap = "60s" }
every = "60s"
`,
	},
	{
		name: "slow-consumer", about: "a batch that takes minutes while another consumer starts",
		knobs: []knob{{"event.1.for=20s", "a shorter batch"}, {"event.1.for=10m", "a longer one"}},
		story: "One consumer works on a batch for minutes. Meanwhile another process starts, and the group waits for the batch.",
		block: `[[event]]
at  = "5m"
do  = "stall"
who = "FLEET-1"
for = "3m"

[[event]]
at  = "5m30s"
do  = "scale"
who = "FLEET"
to  = MORE
`,
	},
	{
		name: "network-blip", about: "a network that is away for seconds",
		knobs: []knob{{"event.1.for=60s", "a minute"}, {"event.1.direction=in", "answers are lost, requests are not"}},
		story: "The network between all consumers and the brokers is away for some seconds.",
		block: `[[event]]
at    = "5m"
do    = "drop"
who   = "FLEET"
for   = "15s"
every = "5m"
`,
	},
	{
		name: "failover", about: "a coordinator that goes away",
		knobs: []knob{{"event.1.graceful=false", "it dies"}, {"event.1.down=5m", "it is away for longer"}},
		story: "The broker that coordinates the group restarts.",
		block: `[[event]]
at     = "5m"
do     = "broker-restart"
broker = COORDINATOR
down   = "30s"
`,
	},
	{
		name: "partition-growth", about: "partitions that are added",
		knobs: []knob{{"event.1.at=9m", "at another time"}, {"fleet.FLEET.config.metadata.max.age.ms=30s", "noticed sooner"}},
		story: "Somebody gives the topic twice as many partitions. The leader learns of it by its next refresh of metadata.",
		block: `[[event]]
at    = "7m"
do    = "partitions"
topic = TOPIC
count = GROWN
`,
	},
}

// Shapes names what a scenario can be about.
func Shapes() []string {
	var names []string
	for _, s := range shapes {
		names = append(names, s.name)
	}
	return names
}

// About says in a few words what a shape is.
func About(name string) string {
	s, _ := shapeNamed(name)
	return s.about
}

func shapeNamed(name string) (shape, bool) {
	i := slices.IndexFunc(shapes, func(s shape) bool { return s.name == name })
	if i < 0 {
		return shape{}, false
	}
	return shapes[i], true
}

// filled puts the draft's names and numbers into a text of a shape.
func (d *draft) filled(text string) string {
	one := "one consumer after the other"
	switch {
	case d.batch > d.concurrency:
		one = "a batch of consumers at a time"
	case d.concurrency > 1:
		one = "one process after the other, with all its consumers,"
	}
	return strings.NewReplacer(
		"BATCHWORDS", one,
		"BATCH", strconv.Itoa(d.batch),
		"FLEET", d.fleet,
		"COUNT", strconv.Itoa(d.Members),
		"TWICE", strconv.Itoa(2*d.Members),
		"MORE", strconv.Itoa(d.Members+1),
		"COORDINATOR", scenario.Literal("coordinator("+d.named()+")"),
		"TOPIC", scenario.Literal(d.Topics[0]),
		"GROWN", strconv.Itoa(2*d.Partitions),
	).Replace(text)
}
