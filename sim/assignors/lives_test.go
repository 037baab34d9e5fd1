package assignors

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"

	"simulate/sim/wire"
)

// TestLives follows recorded groups through joins, leaves, restarts, new topics and subscriptions. What a
// member sends in a step is made from what it was given in the step before, where the recording says that
// it came from there; so an error would go on from step to step.
func TestLives(t *testing.T) {
	compared := map[string]int{}
	forEachGolden(t, func(g *golden) {
		a, ok := Find(g.Assignor)
		if !ok || g.Kind != "sequence" {
			return
		}
		compared[g.Assignor+" lives"]++
		var before life
		for i := range g.Steps {
			step := &g.Steps[i]
			name := fmt.Sprintf("%s step %d", g.ID, i+1)
			compared[g.Assignor+" user data"] += before.checkUserData(t, name, a, step)
			out := checkCall(t, name, a, step)
			compared[g.Assignor+" steps"]++
			before = life{step: step, out: out}
		}
	})
	report(t, compared)
	for _, kind := range []string{"sticky steps", "cooperative-sticky steps", "sticky user data", "cooperative-sticky user data"} {
		if compared[kind] < 300 {
			t.Errorf("%d %s were compared; testdata has more", compared[kind], kind)
		}
	}
}

// life is where a group stands: its last step and what we answered.
type life struct {
	step *golden
	out  Output
}

// checkUserData compares the user data of members that were assigned something in the step before, and
// puts ours in its place. It returns how many there were.
func (l *life) checkUserData(t *testing.T, name string, a Assignor, step *golden) int {
	t.Helper()
	topicDeleted := slices.ContainsFunc(step.Events, func(e string) bool { return strings.HasPrefix(e, "delete ") })
	if l.step == nil || l.out.Assigned == nil || topicDeleted { // the recorder's members forget a deleted topic at once
		return 0
	}
	given := map[wire.MemberID][]wire.TopicPartition{}
	for i, m := range l.step.Members {
		given[m.ID] = l.out.Assigned[i]
	}
	n := 0
	for i := range step.Members {
		m := &step.Members[i]
		list, was := given[m.ID]
		if !was || m.UserData == nil || m.ClaimGeneration != *l.step.Generation {
			continue
		}
		ours := EncodeStickyUserData(list, *l.step.Generation)
		if a.Cooperative {
			ours = EncodeCooperativeUserData(*l.step.Generation)
		}
		if !bytes.Equal(ours, *m.UserData) {
			t.Errorf("%s: %s sends\n%x, want\n%x", name, m.ID, ours, []byte(*m.UserData))
		}
		*m.UserData = ours
		n++
	}
	return n
}
