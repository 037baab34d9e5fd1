// Package starter writes a scenario to start from, as commented as those of the library: from the configuration of a
// real client, from flags, or from both. It says of each value where it came from, whether it is Kafka's default or
// only assumed; one thing happens, and the scenario expects what its own run measured, so that a later change shows.
//
//	text, err := starter.Write(ctx, starter.Options{File: "orders.toml", Config: config, Shape: "deploy"})
package starter

import (
	"cmp"
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"simulate/clientconfig"
	"simulate/sim/consumers"
	"simulate/sim/scenario"
)

// Options say what to write. What is zero is taken from the configuration, or assumed.
type Options struct {
	File       string               // where the text goes, for the commands in its comment
	Config     *clientconfig.Config // nil: there is none
	Group      string
	Client     string // a profile
	Topics     []string
	Members    int // all processes together
	Partitions int // of each topic
	Static     bool
	Shape      string // one of Shapes
}

// Bounds of Options.
const (
	MostMembers    = 500
	MostPartitions = 10_000
)

// What is assumed of a fleet.
const (
	assumedProcesses = 3
	mostSteps        = 12 // of a deployment; larger fleets go in batches
)

// draft is a scenario on its way to a text. Its Config is never nil: where there is none, it is empty.
type draft struct {
	Options
	shape       shape
	profile     consumers.Profile
	fleet       string
	concurrency int // consumers a process
	processes   int
	batch       int // consumers that restart at once
	duration    time.Duration
	text        strings.Builder

	assumed struct{ topics, partitions, members bool }
}

// Write returns the text of a scenario. It loads without a warning, and what it expects holds. The error says which
// option is wrong, or why the settings make no scenario.
func Write(ctx context.Context, o Options) ([]byte, error) {
	d, err := begin(o)
	if err != nil {
		return nil, err
	}
	if err := d.expectations(ctx); err != nil {
		return nil, err
	}
	return []byte(d.text.String()), nil
}

// begin writes everything but what the scenario expects.
func begin(o Options) (*draft, error) {
	d := &draft{Options: o}
	if d.Config == nil {
		d.Config = &clientconfig.Config{}
	}
	if err := d.settle(); err != nil {
		return nil, err
	}
	d.header()
	d.world()
	d.consumers()
	d.settings()
	d.text.WriteByte('\n')
	d.comment("", d.filled(d.shape.story))
	d.text.WriteString(d.filled(d.shape.block))
	return d, nil
}

// settle decides what the options leave open.
func (d *draft) settle() error {
	var ok bool
	if d.shape, ok = shapeNamed(cmp.Or(d.Shape, Shapes()[0])); !ok {
		return fmt.Errorf("--shape %s: there are %s", scenario.Brief(d.Shape), strings.Join(Shapes(), ", "))
	}
	client := cmp.Or(d.Client, d.Config.Client)
	if d.profile, ok = consumers.FindProfile(client); !ok {
		return fmt.Errorf("--client %s: there are %s", scenario.Brief(client), strings.Join(Clients(), ", "))
	}
	if d.Group != "" && !scenario.LegalGroup(d.Group) {
		return fmt.Errorf("--group %s: use no spaces, commas or parentheses", scenario.Brief(d.Group))
	}
	if d.Static && d.profile.AlwaysDynamic {
		return fmt.Errorf("--static: client %s has no group.instance.id", d.profile.Name)
	}
	for i, t := range d.Topics {
		switch {
		case !scenario.LegalName(t):
			return fmt.Errorf("--topic %s: use 1 to 249 letters, digits, dots, _ and -", scenario.Brief(t))
		case slices.Contains(d.Topics[:i], t):
			return fmt.Errorf("--topic %s: this topic is there twice", t)
		}
	}
	if d.assumed.topics = len(d.Topics) == 0; d.assumed.topics {
		d.Topics = []string{"orders"}
	}
	if d.assumed.partitions = d.Partitions == 0; d.assumed.partitions {
		d.Partitions = 12
	}
	d.fleet = FleetName(d.group())
	d.size()
	return nil
}

// Clients names the client libraries that a fleet can have.
func Clients() []string {
	var names []string
	for _, p := range consumers.Profiles() {
		names = append(names, p.Name)
	}
	return names
}

// group returns what the consumers' group is called where they run; "" when nobody says.
func (d *draft) group() string {
	if d.Group != "" {
		return d.Group
	}
	if g := d.Config.Group; g != nil {
		return g.Value.(string)
	}
	return ""
}

// named returns the group as the scenario calls it: by its own name, if expectations can say that.
func (d *draft) named() string {
	if g := d.group(); scenario.LegalGroup(g) {
		return g
	}
	return d.fleet
}

// longestFleet leaves room for the numbers of members.
const longestFleet = 100

// FleetName makes a name for a fleet of that of its group.
func FleetName(group string) string {
	name := strings.Map(func(c rune) rune {
		if scenario.LegalName(string(c)) || c == '.' {
			return c
		}
		return '-'
	}, group)
	return cmp.Or(strings.Trim(name[:min(len(name), longestFleet)], "-."), "consumers")
}

// size decides how many consumers there are, and how long the run takes.
func (d *draft) size() {
	d.concurrency, d.processes = 1, assumedProcesses
	if c := d.Config.Concurrency; c != nil {
		d.concurrency = int(c.Value.(int64))
	}
	if d.assumed.members = d.Members == 0; d.assumed.members {
		d.processes = max(1, min(d.processes, MostMembers/d.concurrency))
		d.Members = d.concurrency * d.processes
	}
	d.concurrency = min(d.concurrency, d.Members)
	d.processes = (d.Members + d.concurrency - 1) / d.concurrency
	atOnce := (d.processes + mostSteps - 1) / mostSteps
	d.batch = d.concurrency * atOnce
	steps := (d.processes + atOnce - 1) / atOnce
	d.duration = max(20*time.Minute, 10*time.Minute+time.Duration(steps)*time.Minute)
}

// source names a place in the configuration.
func (d *draft) source(s clientconfig.Setting) string {
	place := fmt.Sprintf("%s:%d", scenario.Brief(filepath.Base(d.Config.Name)), s.Line)
	if s.Note != "" {
		place += ", " + s.Note
	}
	return place
}

// called names the file in commands.
func (d *draft) called() string {
	odd := func(c rune) bool { return c != '/' && c != '.' && !scenario.LegalName(string(c)) }
	if d.File == "" || strings.ContainsFunc(d.File, odd) {
		return "FILE"
	}
	return d.File
}
