package fidelity

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/cockroachdb/datadriven"

	"simulate/sim/consumers"
	"simulate/sim/coordinator"
	"simulate/sim/scenario"
)

// The commands are
//
//	kept ID      builds a kept case
//	case         builds the case.json below
func TestBuild(t *testing.T) {
	datadriven.Walk(t, "testdata/build", func(t *testing.T, path string) {
		datadriven.RunTest(t, path, func(t *testing.T, d *datadriven.TestData) string {
			var c *Case
			switch d.Cmd {
			case "kept":
				c = keptCase(t, d.CmdArgs[0].Key)
			case "case":
				var err error
				if c, err = ReadCase([]byte(d.Input)); err != nil {
					return err.Error() + "\n"
				}
			default:
				d.Fatalf(t, "unknown command %s", d.Cmd)
			}
			s, err := Build(c)
			if err != nil {
				return err.Error() + "\n"
			}
			return describe(s)
		})
	})
}

// target names what an event acts on.
func target(e scenario.Event) string {
	switch {
	case e.Broker > 0:
		return fmt.Sprintf("broker %d", e.Broker)
	case e.Group != "":
		return e.Group
	}
	if len(e.Who) == 0 {
		return e.Group
	}
	return e.Who[0].Name
}

// subscribed returns the topics that a process subscribes to, or their pattern.
func subscribed(p consumers.Plan) any {
	if p.Pattern != "" {
		return p.Pattern
	}
	return p.Topics
}

// describe writes what a case decides of its scenario; settings at their defaults are left out.
func describe(s *scenario.Scenario) string {
	var b strings.Builder
	fmt.Fprintf(&b, "duration %v, offsets partitions %d\n", s.Duration, s.Broker.OffsetsPartitions)
	if d := coordinator.Defaults().InitialRebalanceDelay; s.Broker.InitialRebalanceDelay != d {
		fmt.Fprintf(&b, "initial rebalance delay %v\n", s.Broker.InitialRebalanceDelay)
	}
	for _, topic := range s.Topics {
		fmt.Fprintf(&b, "topic %s of %d", topic.Name, topic.Partitions)
		if topic.Rate.Records > 0 {
			fmt.Fprintf(&b, ", %d records per %v", topic.Rate.Records, topic.Rate.Per)
		}
		b.WriteString("\n")
	}
	for _, f := range s.Fleets {
		fmt.Fprintf(&b, "fleet %s of %d at %v\n", f.Name, f.Count, f.StartAt)
		b.WriteString(describePlan(f.Plan, f.Instance))
		for _, m := range slices.Sorted(maps.Keys(f.MemberIDs)) {
			for _, id := range f.MemberIDs[m] {
				fmt.Fprintf(&b, "  id %s\n", id)
			}
		}
	}
	for _, e := range s.Events {
		fmt.Fprintf(&b, "%v %s %s", e.At, e.Do, target(e))
		if e.Back > 0 {
			fmt.Fprintf(&b, " until %v, graceful %v", e.Back, e.Graceful)
		}
		if e.Closes > 0 {
			fmt.Fprintf(&b, ", closes at %v", e.Closes)
		}
		if len(e.Loads) > 0 {
			fmt.Fprintf(&b, ", loads at %v", e.Loads)
		}
		if e.For.A > 0 {
			fmt.Fprintf(&b, " for %v", e.For.A)
		}
		if e.AtOnce {
			b.WriteString(" at once")
		}
		if len(e.Topics) > 0 {
			fmt.Fprintf(&b, " to %v", e.Topics)
		}
		if e.Do == scenario.Drop {
			fmt.Fprintf(&b, " broker %d, held %v", e.Broker, e.Held)
		}
		if e.Do == scenario.RawJoin {
			fmt.Fprintf(&b, " version %d, %s for %v, ids %v", e.Version, e.Mode, e.Hold.A, e.MemberIDs)
		}
		if e.Topic != "" {
			fmt.Fprintf(&b, " %s of %d", e.Topic, e.Count)
		}
		b.WriteString("\n")
		if e.Plan != nil {
			b.WriteString(describePlan(*e.Plan, *e.Instance))
		}
	}
	return b.String()
}

func describePlan(p consumers.Plan, instance string) string {
	var b strings.Builder
	if p.Client != consumers.Newest {
		fmt.Fprintf(&b, "  client %s\n", p.Client)
	}
	fmt.Fprintf(&b, "  group %s, topics %v, poll %v, processing %v\n", p.Group, subscribed(p), p.PollTimeout, p.Processing.A)
	fmt.Fprintf(&b, "  boot %v, join not before %v\n", p.Boot.A, p.JoinNotBefore)
	if instance != "" {
		fmt.Fprintf(&b, "  instance %s\n", instance)
	}
	d := consumers.Defaults()
	if c := p.Config; c.SessionTimeout != d.SessionTimeout || c.MaxPollInterval != d.MaxPollInterval || !c.AutoCommit {
		fmt.Fprintf(&b, "  session %v, max poll interval %v, auto-commit %v\n", c.SessionTimeout, c.MaxPollInterval, c.AutoCommit)
	}
	if p.Config.RebalanceTimeout > 0 {
		fmt.Fprintf(&b, "  rebalance timeout %v, metadata for %v, from the %s record\n",
			p.Config.RebalanceTimeout, p.Config.MetadataMaxAge, p.Config.AutoOffsetReset)
	}
	fmt.Fprintf(&b, "  assignors %v\n", p.Config.Assignors)
	return b.String()
}

func TestKeptCasesAreSupported(t *testing.T) {
	recordings := keptRecordings(t)
	if len(recordings) < 100 {
		t.Errorf("%d kept cases; there were 102", len(recordings))
	}
	for _, r := range recordings {
		built(t, r.Case)
	}
}

func TestUnsupportedIsNotMalformed(t *testing.T) {
	c := *keptCase(t, "07-sigkill-leader/run1")
	c.Members = map[string]CaseMember{"c1": {Behaviour: Behaviour{Client: "rskafka"}}}
	_, err := Build(&c)
	if !errors.As(err, &Unsupported{}) {
		t.Errorf("got %v, want an Unsupported", err)
	}
	c.Members = nil
	if _, err = Build(&c); err == nil || errors.As(err, &Unsupported{}) {
		t.Errorf("got %v, want another error than Unsupported", err)
	}
}

func keptRecordings(t *testing.T) []Recording {
	t.Helper()
	all, err := Kept()
	if err != nil {
		t.Fatal(err)
	}
	return all
}

func keptCase(t *testing.T, id string) *Case {
	t.Helper()
	return recordingOf(t, id).Case
}

func built(t *testing.T, c *Case) *scenario.Scenario {
	t.Helper()
	s, err := Build(c)
	if err != nil {
		t.Fatal(err)
	}
	return s
}
