package reports

import (
	"time"

	"simulate/incident"
	"simulate/incident/logs"
)

// sampleAnalysis is what scrapes alone tell, of a group that rebalanced between them.
func sampleAnalysis() Analysis {
	s := &incident.Samples{
		Count: 4, From: loggedAt(0), To: loggedAt(90 * time.Second), Apart: 30 * time.Second, Rebalancing: 1, Changes: 2, Rebalances: 3, Least: 2, Most: 3,
		Seen: []incident.Sample{
			{At: loggedAt(0), State: incident.Stable, Line: lineAt(3)}, {At: loggedAt(30 * time.Second), State: incident.Stable, Line: lineAt(6)},
			{At: loggedAt(60 * time.Second), Rebalancing: true, Line: lineAt(9)}, {At: loggedAt(90 * time.Second), State: incident.Stable, Line: lineAt(12)},
		},
	}
	s.In[incident.Stable] = 3
	g := incident.Group{
		Name: "orders", ClientView: true, From: s.From, To: s.To, Records: 4, Generation: logs.Unknown, Members: logs.Unknown,
		Partition: logs.Unknown, Samples: s,
	}
	return withTimes(Analysis{
		Analysis: &incident.Analysis{From: g.From, To: g.To, Groups: []incident.Group{g}}, StuckAfter: 30 * time.Second,
		Sources: []*logs.Source{{Name: "state.txt", Lines: 12, Events: 4}},
	})
}
