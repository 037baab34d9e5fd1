package scenario

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// ballot is one list of assignors that members of a group join with.
type ballot struct {
	path      string // of the fleet or event
	who       string
	group     string
	assignors []string
}

// checkVotes refuses groups that could vote for an assignor without code. A member votes for the first
// entry of its list that all members have, which need not be the first of all; that can only happen when
// two lists disagree. Kafka: ClassicGroup.selectProtocol.
func (v *validator) checkVotes() {
	all := ballots(v.s)
	for i, b := range all {
		for j := i - 1; j >= 0 && all[j].group == b.group; j-- {
			common := firstCommon(b.assignors, all[j].assignors)
			if common != "" && !slices.Contains(supportedFirst, common) {
				v.wrongKey(b.path, "group %s could use %s, which %s and %s share; that is not supported yet",
					quote(b.group), common, all[j].who, b.who)
			}
		}
	}
}

func ballots(s *Scenario) []ballot {
	var all []ballot
	for i, f := range s.Fleets {
		all = append(all, ballot{indexed("fleet", i), "fleet " + quote(f.Name), f.Plan.Group, f.Plan.Config.Assignors})
	}
	for i, e := range s.Events {
		if e.Plan != nil {
			all = append(all, ballot{indexed("event", i), fmt.Sprintf("the event in line %d", e.Line), e.Plan.Group, e.Plan.Config.Assignors})
		}
	}
	// Lists that are alike vote alike: the first of each is enough, and few are different.
	slices.SortStableFunc(all, func(a, b ballot) int {
		return cmp.Or(strings.Compare(a.group, b.group), slices.Compare(a.assignors, b.assignors))
	})
	return slices.CompactFunc(all, func(a, b ballot) bool {
		return a.group == b.group && slices.Equal(a.assignors, b.assignors)
	})
}

func firstCommon(a, b []string) string {
	for _, name := range a {
		if slices.Contains(b, name) {
			return name
		}
	}
	return ""
}
