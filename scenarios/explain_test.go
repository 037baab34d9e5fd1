package scenarios

import (
	"bytes"
	"context"
	"slices"
	"testing"

	"simulate/check"
	"simulate/explain"
	"simulate/reports"
	"simulate/sim/scenario"
)

// explained runs a shipped scenario and explains its rebalances.
func explained(t *testing.T, name string) (check.Loaded, reports.Explanation) {
	t.Helper()
	text, _ := Read(name)
	loaded, err := check.Source{Name: name, Text: text}.Load()
	if err != nil {
		t.Fatal(err)
	}
	e, err := check.Explain(context.Background(), loaded)
	if err != nil {
		t.Fatal(err)
	}
	return loaded, e
}

// TestChains holds that each rebalance of each shipped scenario goes back to an event of the scenario, to a time that
// was drawn, or to the start of a process.
func TestChains(t *testing.T) {
	forEach(t, Names(), func(t *testing.T, name string) {
		_, e := explained(t, name)
		for i, g := range e.Chains {
			rebalances := e.Summary.Group(g.Name).Rebalances
			if len(g.Chains) != len(rebalances) {
				t.Errorf("%d chains for %d rebalances of %s", len(g.Chains), len(rebalances), g.Name)
			}
			for _, c := range e.Chains[i].Chains {
				if last := c.Steps[len(c.Steps)-1]; last.Kind != explain.Rebalanced || last.At != c.Rebalance.At {
					t.Errorf("the chain of rebalance %d of %s ends in %+v", c.Number, g.Name, last)
				}
				if c.Orphan {
					t.Errorf("nothing explains rebalance %d of %s at %v (%v): %+v", c.Number, g.Name, c.Rebalance.At, c.Rebalance.Reason, c.First())
				}
			}
		}
	})
}

// TestCircle holds that the rebalances of a backlog that feeds itself go back to the outage, whichever of the clients that
// watch how often they are polled reads it.
func TestCircle(t *testing.T) {
	for _, client := range []string{"java", "kafka-python"} {
		text, _ := Read("vicious-circle")
		text = bytes.Replace(text, []byte("count      = 4\n"), []byte("count = 4\nclient = \""+client+"\"\n"), 1)
		loaded, err := check.Source{Name: client, Text: text}.Load()
		if err != nil {
			t.Fatal(err)
		}
		e, err := check.Explain(context.Background(), loaded)
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range e.Chains[0].Chains[1:] {
			if first := c.First(); first.Event != 1 {
				t.Errorf("%s: rebalance %d goes back to %+v", client, c.Number, first)
			}
		}
	}
}

// TestAblation holds that a chain is no guess: without an event that it names, the rebalance does not happen; and what
// goes back to a first start happens whatever else does not.
func TestAblation(t *testing.T) {
	agree := 0
	for _, name := range In(".") {
		loaded, e := explained(t, name)
		ablations, err := check.Ablate(context.Background(), loaded, e.Chains)
		if err != nil {
			t.Fatal(err)
		}
		scripted := false
		for i, g := range e.Chains {
			for _, c := range g.Chains {
				scripted = scripted || len(c.Events()) > 0
				for _, a := range ablations[i] {
					named, needed := slices.Contains(c.Events(), a.Event), slices.Contains(a.Needed, c.Number)
					switch {
					case named && !needed:
						t.Errorf("%s: the chain of rebalance %d of %s names event %d (%s); it happens without", name, c.Number, g.Name, a.Event, a.Verb)
					case needed && len(c.Events()) == 0:
						t.Errorf("%s: the chain of rebalance %d of %s names no event; it does not happen without event %d (%s)", name, c.Number, g.Name, a.Event, a.Verb)
					}
				}
			}
		}
		if scripted {
			agree++
		}
	}
	if agree < 20 {
		t.Errorf("%d scenarios have chains that go back to an event", agree)
	}
}

// TestExplanations pins what is said of some.
func TestExplanations(t *testing.T) {
	var got bytes.Buffer
	for _, name := range []string{
		"gc-pause-long", "crash-loop", "network-drop", "slow-poll", "leader-dies-before-sync", "static-restart-too-long",
		"append-fails-at-sync", "partitions-grow", "poisoned-subscription", "rolling-restart-cooperative", "liveness-probe", "rollout-deployment",
	} {
		loaded, e := explained(t, name)
		var err error
		if e.Ablations, err = check.Ablate(context.Background(), loaded, e.Chains); err != nil {
			t.Fatal(err)
		}
		e.NotModelled = nil
		if err := reports.Explain(&got, e, reports.Chosen{}, reports.TextOptions{}); err != nil {
			t.Fatal(err)
		}
		got.WriteByte('\n')
	}
	compareGolden(t, "testdata/explain.golden", got.String())
}

// TestClientChains holds that a rebalance goes back to something whatever library the members run on.
func TestClientChains(t *testing.T) {
	forEach(t, In("clients"), func(t *testing.T, name string) {
		for _, c := range scenario.Clients() {
			e, err := check.Explain(context.Background(), load(t, name, "fleet.orders.client="+c.Name))
			if err != nil {
				t.Fatal(err)
			}
			for _, chain := range e.Chains[0].Chains {
				if chain.Orphan {
					t.Errorf("%s: nothing explains rebalance %d at %v (%v): %+v", c.Name, chain.Number, chain.Rebalance.At, chain.Rebalance.Reason, chain.First())
				}
			}
		}
	})
}
