package offsetslog

import (
	"fmt"

	"simulate/sim/coordinator"
	"simulate/sim/wire"
)

// latestMs bounds timestamps, so that the clock of a run can hold them: it is in the year 2255.
const latestMs = 9_000_000_000_000

// check refuses a record that no coordinator writes. Kafka trusts its log; a file can be written by anybody.
func check(r coordinator.Record) error {
	switch r := r.(type) {
	case coordinator.GroupMetadataRecord:
		return checkGroup(r)
	case *coordinator.OffsetCommitRecord:
		if !plausible(r.CommitTimestampMs) || !plausible(r.ExpireTimestampMs) {
			return fmt.Errorf("offset of group %q: a timestamp is out of range", r.Group)
		}
	}
	return nil
}

func checkGroup(r coordinator.GroupMetadataRecord) error {
	wrong := func(format string, args ...any) error {
		return fmt.Errorf("group %q: "+format, append([]any{r.Group}, args...)...)
	}
	if !plausible(r.StateTimestampMs) {
		return wrong("its timestamp is out of range")
	}
	if r.Generation < 0 {
		return wrong("generation %d is negative", r.Generation)
	}
	known := map[wire.MemberID]bool{}
	for _, m := range r.Members {
		switch {
		case known[m.Member]:
			return wrong("member %q is there twice", m.Member)
		case m.SessionTimeoutMs < 0 || m.RebalanceTimeoutMs < -1:
			return wrong("a timeout of member %q is negative", m.Member)
		}
		known[m.Member] = true
	}
	if len(r.Members) > 0 && (!known[r.Leader] || r.Protocol == "") {
		return wrong("it has members but no leader among them or no protocol")
	}
	return nil
}

func plausible(ms int64) bool { return ms >= -1 && ms < latestMs }
