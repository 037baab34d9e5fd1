package metrics

import (
	"simulate/sim/trace"
	"simulate/sim/wire"
)

// Values lists what an argument of that kind can be, as it is written.
func (a Argument) Values() []string {
	var all []string
	switch a {
	case StateArgument:
		for s := wire.NoGroup; s < wire.NumGroupStates; s++ {
			all = append(all, s.String())
		}
	case RebalanceReason:
		for _, r := range trace.RebalanceReasons() {
			all = append(all, r.String())
		}
	case EvictionCause:
		for _, r := range EvictionCauses() {
			all = append(all, r.String())
		}
	case LeaveCause:
		all = []string{"poll-timeout"}
	case KindOfAnomaly:
		for _, d := range AnomalyDefinitions {
			all = append(all, d.Name)
		}
	}
	return all
}
