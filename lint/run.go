package lint

import (
	"fmt"
	"slices"
	"time"

	"simulate/sim/metrics"
	"simulate/sim/scenario"
)

func noExpectation(v *view) {
	if len(v.Expectations) == 0 {
		v.report("", cure{instead: "an [[expect]] with a number that matters to you, such as rebalances(" + v.groups[0].name + ") <= 3"},
			"nothing is expected of this scenario: simulate check passes whatever happens")
	}
}

func expectationDecidesNothing(v *view) {
	for i := range v.Expectations {
		e := &v.Expectations[i]
		verdict := "always holds"
		switch always, never := decided(e, v.Duration); {
		case never:
			verdict = "can never hold"
		case !always:
			continue
		}
		v.report(fmt.Sprintf("expect[%d].that", i), cure{instead: "a bound that a bad run would break"}, "%s %s, whatever happens", e.That, verdict)
	}
}

// decided reports whether an expectation holds, or fails, in every run: because of the least or the greatest value
// that its metric has. Metrics that may have no sample are left alone.
func decided(e *scenario.Expectation, duration time.Duration) (always, never bool) {
	definition, _ := metrics.Find(e.Query.Name)
	least, most := false, false // the value is the least, or at least the greatest, that the metric has
	above := false              // and beyond it
	switch {
	case e.Value.Type == metrics.CountType && e.Query.Name != "generation":
		least = e.Value.Count == 0
	case e.Value.Type == metrics.NumberType && e.Query.Name != "generation": // the mean of counts
		least = e.Value.Number == 0
	case e.Value.Type == metrics.ShareType && (definition.Type != metrics.ShareType || observed(e, duration) > 0): // or a fraction
		least, most, above = e.Value.Share == 0, e.Value.Share >= 1, e.Value.Share > 1
	case e.Value.Type == metrics.DurationType && (e.Query.Name == "time_in" || e.Query.Name == "stopped"):
		observed := observed(e, duration)
		least, most, above = e.Value.Duration == 0, e.Value.Duration >= observed, e.Value.Duration > observed
	}
	switch e.Op {
	case scenario.GreaterOrEqual:
		return least, above
	case scenario.Less:
		return above, least
	case scenario.LessOrEqual:
		return most, false
	case scenario.Greater:
		return false, most
	case scenario.Equal:
		return false, above
	}
	return above, false // not equal
}

// observed is how long an expectation looks.
func observed(e *scenario.Expectation, duration time.Duration) time.Duration {
	from, to := e.Period(duration)
	return to - from
}

func stuckAfterLongerThanRun(v *view) {
	if v.StuckAfter >= v.Duration {
		v.report("stuck-after", cure{"the longest wait that you accept", setTo("stuck-after", min(30*time.Second, v.Duration/2))},
			"stuck-after is %s and the run lasts %s: nothing can count as stuck", in(v.StuckAfter), in(v.Duration))
	}
}

func runEndsBeforeRefresh(v *view) {
	for i := range v.Events {
		e := &v.Events[i]
		if e.Do != scenario.Partitions && e.Do != scenario.CreateTopic {
			continue
		}
		for _, g := range v.groups {
			f := &v.Fleets[g.fleets[0]]
			need := e.At + f.Plan.Config.MetadataMaxAge
			if !slices.Contains(v.read(g), e.Topic) || need <= v.Duration {
				continue
			}
			v.report(eventKey(i, "at"), cure{"a run that lasts beyond the refresh", setTo("duration", seconds(need)+time.Minute)},
				"consumers of group %s learn of it when they refresh their metadata, up to %s later; the run ends %s after it, perhaps before anything happens",
				g.name, in(f.Plan.Config.MetadataMaxAge), in(v.Duration-e.At))
		}
	}
}

func runEndsBeforeEviction(v *view) {
	for i := range v.Events {
		e := &v.Events[i]
		if e.Do != scenario.Kill {
			continue
		}
		for _, at := range v.fleetsOf(e.Who) {
			f := &v.Fleets[at]
			session := f.Plan.Config.SessionTimeout
			if e.At+session < v.Duration || v.startsAgain(e.At, f) {
				continue
			}
			v.report(eventKey(i, "at"), cure{"a run that lasts beyond the session", setTo("duration", seconds(e.At+session)+time.Minute)},
				"the coordinator removes a killed member of %s when its session is over, %s after its last heartbeat; the run ends %s after the kill, before the rebalance",
				f.Name, in(session), in(v.Duration-e.At))
		}
	}
}
