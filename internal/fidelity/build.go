package fidelity

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"

	"simulate/sim/consumers"
	"simulate/sim/coordinator"
	"simulate/sim/random"
	"simulate/sim/records"
	"simulate/sim/scenario"
)

// What all cases are run with. Some fit the machine that recorded; they are no properties of Kafka.
const (
	firstSeed      = random.Seed(1)
	cores          = 2                     // of the machine
	pollBeforeFind = 6 * time.Millisecond  // first poll() to the first FindCoordinator at the broker
	pollBeforeJoin = 30 * time.Millisecond // first poll() to the first JoinGroup, when only that is known

	// beginsBeforeJoin is how long before the first JoinGroup another library than Java's begins to look for its group:
	// more than any needs for that, since the JoinGroup waits for its instant.
	beginsBeforeJoin = 100 * time.Millisecond

	stuckAfter = 30 * time.Second

	pollAgain = time.Second // after an exception
)

// delays are those of the machine that recorded.
type delays struct {
	latency    time.Duration // one way
	appendTime time.Duration
}

// The recordings with Java consumers, alone or among others, were made beside JVMs that were slower than those of the
// other clients alone.
var (
	besideJVMs = delays{latency: 2 * time.Millisecond, appendTime: 3 * time.Millisecond}
	besideNone = delays{latency: 300 * time.Microsecond, appendTime: time.Millisecond}
)

func delaysOf(c *Case) delays {
	if c.Client == "java" || c.Client == mixed {
		return besideJVMs
	}
	return besideNone
}

// Unsupported is the error of a case that asks for what a scenario cannot say yet.
type Unsupported struct{ What string }

func (u Unsupported) Error() string { return u.What + " is not supported" }

func unsupported(format string, args ...any) error {
	return Unsupported{What: fmt.Sprintf(format, args...)}
}

// builder turns one case into a scenario.
type builder struct {
	given    *Case
	delays   delays
	scenario *scenario.Scenario
	started  map[string]bool // members whose first start is a fleet by now
}

// Build returns the scenario that repeats c: a fleet of one process for each member that starts. The
// error is Unsupported or names a value that c must not have.
func Build(c *Case) (*scenario.Scenario, error) {
	if err := supported(c); err != nil {
		return nil, err
	}
	d := delaysOf(c)
	b := builder{given: c, delays: d, scenario: &scenario.Scenario{
		Name:        c.ID,
		Description: c.Title,
		Seed:        firstSeed,
		Duration:    millis(c.DurationMs),
		StuckAfter:  stuckAfter,
		Broker:      coordinator.Defaults(),
		Brokers:     c.Brokers.Count,
		Append:      random.Constant(d.appendTime),
		Load:        scenario.DefaultLoad,
		Cores:       cores,
		Latency:     random.Constant(d.latency),
	}, started: map[string]bool{}}
	if err := b.build(); err != nil {
		return nil, fmt.Errorf("%s: %w", c.ID, err)
	}
	return b.scenario, nil
}

// supported checks what is true of a case as a whole.
func supported(c *Case) error {
	if c.Protocol != "classic" {
		return unsupported("protocol %s", c.Protocol)
	}
	for _, a := range c.Actions {
		if actions[a.Do] == nil {
			return unsupported("action %s", a.Do)
		}
	}
	return nil
}

func (b *builder) build() error {
	s := b.scenario
	if n := b.given.Brokers.OffsetsPartitions; n > 0 {
		s.Broker.OffsetsPartitions = n
	}
	if err := assign(&s.Broker, b.given.Broker, brokerSettings); err != nil {
		return err
	}
	for _, name := range slices.Sorted(maps.Keys(b.given.Topics)) {
		s.Topics = append(s.Topics, b.topic(name))
	}
	for _, a := range b.given.Actions {
		if err := actions[a.Do](b, a); err != nil {
			return err
		}
	}
	slices.SortStableFunc(s.Events, func(x, y scenario.Event) int { return int(x.At - y.At) })
	return nil
}

// topic returns a topic, with the records that arrive in it.
func (b *builder) topic(name string) scenario.Topic {
	t := scenario.Topic{Name: name, Partitions: b.given.Topics[name]}
	if f := b.given.Feed; f != nil {
		t.Rate = records.Rate{Records: int64(f.PerSecond * float64(t.Partitions)), Per: time.Second}
	}
	return t
}

// behaviour returns how the process behaves that a starts.
func (b *builder) behaviour(a Action) (consumers.Plan, error) {
	member, ok := b.given.Members[a.Who]
	if !ok {
		return consumers.Plan{}, fmt.Errorf("no member %q", a.Who)
	}
	how := b.settings(a)
	profile, err := profileOf(how.Client)
	if err != nil {
		return consumers.Plan{}, err
	}
	config, err := configOf(profile, how)
	if err != nil {
		return consumers.Plan{}, err
	}
	plan := consumers.Plan{
		Client:  profile.Name,
		Group:   member.group(),
		Topics:  b.topics(how.Topics),
		Pattern: member.Pattern,

		PollAgain:   cmp.Or(profile.PollAgain, pollAgain),
		Config:      config,
		PollTimeout: profile.PollTimeout,
		Processing:  random.Constant(millis(how.ProcMs)),
	}
	switch {
	case how.PollMs != nil:
		plan.PollTimeout = millis(*how.PollMs)
	case isJava(how.Client):
		return consumers.Plan{}, errors.New("a Java client without poll_ms")
	}
	return plan, nil
}

// settings returns those with which a starts a process, a's own before those of its member.
func (b *builder) settings(a Action) Behaviour {
	if a.ConfigNow != nil {
		return *a.ConfigNow
	}
	return b.given.Members[a.Who].Behaviour
}

// instance returns the group.instance.id with which a starts a process, "" when that is dynamic.
func (b *builder) instance(a Action) string {
	configured, _ := b.settings(a).Config["group.instance.id"].(string)
	return cmp.Or(a.Instance, configured)
}

// topics returns topics under the names that the case declares.
func (b *builder) topics(recorded []string) []string {
	declared := slices.Collect(maps.Keys(b.given.Topics))
	var all []string
	for _, name := range recorded {
		all = append(all, topicIn(declared, name))
	}
	return all
}

// process returns the name of the only process of a member's fleet.
func process(member string) string { return member + "-1" }

// memberIDs returns the ids that the coordinator handed out to a member, in order.
func (b *builder) memberIDs(member string) []string {
	var ids []string
	for n := 1; ; n++ {
		id, ok := b.given.MemberIDs[fmt.Sprintf("%s#%d", member, n)]
		if !ok {
			return ids
		}
		ids = append(ids, id)
	}
}
