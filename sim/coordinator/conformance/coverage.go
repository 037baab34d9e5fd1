package conformance

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"simulate/sim/coordinator"
)

// Coverage returns what a recording shows, sorted: "reply commit Stable NONE" for an answer, with the
// state of the group when the request arrived; "becomes Stable PreparingRebalance join" for what one input
// or timer did to a group; "timer sync Stable" for a timer with the state it found; and "refused ERROR".
func Coverage(t *Trace) ([]string, error) {
	c := &coverage{states: map[string]string{}, asked: map[asked]string{}, cells: map[string]bool{}}
	for i, line := range t.lines {
		var op Op
		if err := json.Unmarshal(line, &op); err != nil {
			return nil, fmt.Errorf("step %d of %q: %w", i+1, t.Title, err)
		}
		c.step(&op)
	}
	var list []string
	for cell := range c.cells {
		list = append(list, cell)
	}
	slices.Sort(list)
	return list, nil
}

// coverage follows the states that a recording prints.
type coverage struct {
	states  map[string]string // of the groups that exist
	term    coordinator.Term
	loading bool
	loaded  bool
	asked   map[asked]string // the state of a group when the request arrived
	cells   map[string]bool
}

// asked is a group of a request; the answers to most requests do not name it.
type asked struct {
	req   int
	group string
}

func (c *coverage) step(op *Op) {
	c.timers(op.Before)
	switch op.Op {
	case "load":
		if c.term.Elected(*op.Epoch) {
			c.loaded, c.loading = !op.Hold, op.Hold
		}
	case "load-finish":
		c.loaded, c.loading = true, false
	case "unload", "restart":
		if op.Op == "restart" || c.term.Resigned(epochOf(op)) {
			c.loaded, c.loading, c.term = false, false, coordinator.Term{}
			c.states = map[string]string{}
		}
	case "append-fail":
		if op.Hit {
			c.cell("refused", op.Error)
		}
	}
	if op.Req != 0 {
		c.asked[asked{req: op.Req}] = c.state(op.Group)
		for _, g := range op.Groups {
			c.asked[asked{op.Req, g}] = c.state(g)
		}
	}
	for _, o := range op.Out {
		c.output(o, op.Op)
	}
	c.become(op.State, op.Op)
}

func epochOf(op *Op) (int32, bool) {
	if op.Epoch == nil {
		return 0, false
	}
	return *op.Epoch, true
}

func (c *coverage) state(group string) string {
	switch {
	case c.loading:
		return "(loading)"
	case !c.loaded:
		return "(unloaded)"
	case c.states[group] == "":
		return "(none)"
	}
	return c.states[group]
}

func (c *coverage) cell(words ...string) { c.cells[strings.Join(words, " ")] = true }

// timers notes the timers that fired before an input, and what they did.
func (c *coverage) timers(outputs []Output) {
	for _, o := range outputs {
		if o.Timer != "" && !o.Stale {
			c.fired(o.Timer)
		}
		c.output(o, "timer")
	}
}

func (c *coverage) fired(timer string) {
	kind, rest, grouped := strings.Cut(timer, "/")
	if !grouped {
		c.cell("timer", kind)
		return
	}
	group, _, _ := strings.Cut(rest, "/")
	c.cell("timer", kind, c.state(group))
}

func (c *coverage) output(o Output, by string) {
	if o.Reply != nil {
		c.reply(o.Reply)
	}
	c.become(o.State, by)
}

func (c *coverage) reply(r *Reply) {
	state := c.asked[asked{req: r.Req}]
	switch r.API {
	case "list", "txn-end":
		c.cell("reply", r.API, r.Error)
		return
	case "describe", "delete-group":
		for _, g := range r.Groups {
			what := *g.Error
			if g.State != nil {
				what += "/" + *g.State
			}
			c.cell("reply", r.API, c.asked[asked{r.Req, g.Group}], what)
		}
		return
	}
	c.cell("reply", r.API, state, r.Error)
	for _, m := range r.Members {
		if m.Error != nil {
			c.cell("reply", r.API+"-member", state, *m.Error)
		}
	}
	for _, p := range r.Partitions {
		if r.API == "fetch" || r.API == "delete-offsets" {
			c.cell("reply", r.API+"-partition", state, p.Error)
		}
	}
}

// become notes what one input or timer made of the groups. A load is none.
func (c *coverage) become(states []GroupState, by string) {
	for _, s := range states {
		before, now := c.states[s.Group], ""
		if s.State != nil {
			now = *s.State
		}
		if before == "" {
			before = "(none)"
		}
		if now != "" && now != before && !strings.HasPrefix(by, "load") {
			c.cell("becomes", before, now, by)
		}
		c.states[s.Group] = now
	}
}
