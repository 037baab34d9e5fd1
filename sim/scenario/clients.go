package scenario

import (
	"simulate/sim/consumers"
)

// Client is what there is to know about a client that a fleet may name.
type Client struct {
	Name         string
	About        string // a line
	Defaults     []Default
	Requests     []consumers.RequestVersion // to coordinators
	Subscription int16                      // its version in JoinGroup

	// Sentences: what it does unlike the Java consumer, what is not modelled, three surprises.

	Modelled, NotModelled, Remember []string
}

// Default is a setting of a client that a run follows, with what holds when nobody sets it.
type Default struct {
	Key    string // Kafka's, or the library's own where only that has it
	Name   string // the library's own; the same for those that have Kafka's
	Means  string
	Value  string // as TOML has it
	Source string // of the value: file and symbol of the library, or Kafka's class
}

// Clients returns all clients in the order of reports.
func Clients() []Client {
	profiles := consumers.Profiles()
	all := make([]Client, len(profiles))
	for i := range profiles {
		all[i] = clientOf(&profiles[i])
	}
	return all
}

// FindClient returns the client of that name.
func FindClient(name string) (Client, bool) {
	p, ok := consumers.FindProfile(name)
	if !ok || p.Name != name {
		return Client{}, false
	}
	return clientOf(&p), true
}

func clientOf(p *consumers.Profile) Client {
	c := Client{Name: p.Name, About: p.About, Modelled: p.Modelled, NotModelled: p.NotModelled, Remember: p.Remember}
	c.Requests, c.Subscription = p.Requests()
	for i, s := range settingsOf(p.Name) {
		d := Default{Key: s.key, Name: s.key, Means: s.means, Value: s.literal(&p.Config), Source: "Kafka: ConsumerConfig, CommonClientConfigs"}
		if p.Options != nil {
			d.Name, d.Source = p.Options[i].Name, p.Options[i].Source
		}
		c.Defaults = append(c.Defaults, d)
	}
	return c
}
