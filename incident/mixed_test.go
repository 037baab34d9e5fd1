package incident

import (
	"path/filepath"
	"reflect"
	"testing"
)

// TestMixedLogs holds that what clients log beside a broker changes nothing of what the broker says, and that nobody's clock is
// called wrong where all ran on one machine.
func TestMixedLogs(t *testing.T) {
	for _, folder := range recordings(t) {
		brokers, clients := logsIn(t, folder)
		alone, both := analyzed(t, Options{}, brokers...), analyzed(t, Options{}, append(brokers, clients...)...)
		for i := range alone.Groups {
			want := &alone.Groups[i]
			got := groupNamed(both, want.Name)
			if got == nil || len(got.Rebalances) != len(want.Rebalances) || len(got.Clients) == 0 && len(clients) > 0 && len(both.Groups) == 1 {
				t.Errorf("%s: %s is not what it is without clients", folder, want.Name)
				continue
			}
			if a, b := told(got), told(want); !reflect.DeepEqual(a, b) {
				t.Errorf("%s: got %v, without clients %v", folder, a, b)
			}
			for _, c := range got.Clients {
				if o := c.Offset; o != nil && (o.Broken || o.Low > 0 || o.High < 0) {
					t.Errorf("%s: the clock of %s is said to be ahead by %v", folder, c.Name, *o)
				}
			}
		}
	}
}

func logsIn(t *testing.T, folder string) (brokers, clients []string) {
	t.Helper()
	for pattern, list := range map[string]*[]string{"broker*.log": &brokers, "client-*.log": &clients} {
		found, err := filepath.Glob(filepath.Join(folder, pattern))
		if err != nil {
			t.Fatal(err)
		}
		*list = found
	}
	return brokers, clients
}

func groupNamed(a *Analysis, name string) *Group {
	for i := range a.Groups {
		if a.Groups[i].Name == name {
			return &a.Groups[i]
		}
	}
	return nil
}

// TestClientsAlone counts in how many recorded runs clients alone tell the last generation of their group, and how often it
// rebalanced. What they do not see is a rebalance that none of those took part in that log; a library that prints no
// generations tells fewer.
func TestClientsAlone(t *testing.T) {
	type score struct{ Runs, Generation, Rebalances int }
	got := map[string]score{}
	for _, folder := range recordings(t) {
		brokers, clients := logsIn(t, folder)
		truth := busiest(t, analyzed(t, Options{}, brokers...))
		g := groupNamed(analyzed(t, Options{}, clients...), truth.Name)
		if g == nil || truth.Consumer {
			continue
		}
		library := g.Clients[0].Library.String()
		s := got[library]
		s.Runs++
		if g.Generation == truth.Generation {
			s.Generation++
		}
		if g.Count == truth.Count {
			s.Rebalances++
		}
		got[library] = s
	}
	want := map[string]score{
		"java": {184, 181, 161}, "franz-go": {33, 33, 33}, "kafka-python": {29, 29, 29}, "librdkafka": {35, 35, 35},
		"kafka-go": {22, 22, 17}, "sarama": {39, 6, 6}, "kafkajs": {23, 0, 3},
	}
	if len(got) > 0 && !reflect.DeepEqual(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}
