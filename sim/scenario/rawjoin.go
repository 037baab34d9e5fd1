package scenario

import "slices"

// newestJoin is the newest version of JoinGroup.
const newestJoin = 9

// oldestJoin returns the oldest version of JoinGroup that a broker takes (KIP-896).
func oldestJoin(kafka string) int16 {
	if kafka == "3" {
		return 0
	}
	return 2
}

var joinModes = []string{string(VanishAfterID), string(SendAndVanish), string(HoldAfterJoin)}

func (l *loader) joinMode(t *table) JoinMode {
	mode := t.text("mode", "")
	if t.has("mode") && !slices.Contains(joinModes, mode) && !l.bad[t.at("mode")] {
		l.wrong(t.at("mode"), "unknown mode %s%s", quote(mode), oneOf(mode, joinModes))
	}
	return JoinMode(mode)
}

// checkRawJoin makes sure that the broker takes the JoinGroup, and that there is a fleet to take the rest of it from.
func (v *validator) checkRawJoin(path string, e *Event) {
	group, version, mode, hold := path+".group", path+".version", path+".mode", path+".hold"
	oldest := oldestJoin(v.s.Broker.Kafka)
	if e.Version < oldest && !v.bad[version] && !v.bad["kafka"] {
		v.wrong(version, "version is %d; brokers of Kafka %s take a JoinGroup from version %d on", e.Version, v.s.Broker.Kafka, oldest)
	}
	if v.given(group) && !v.bad[group] && !slices.Contains(v.cast.groups, e.Group) {
		v.wrong(group, "raw-join needs a fleet in group %s, to take the settings of its JoinGroup from", quote(e.Group))
	}
	switch {
	case v.bad[mode] || !v.given(mode):
	case e.Mode == HoldAfterJoin && !v.given(hold):
		v.wrongKey(path, "%s needs hold: %s", e.Mode, meaning("hold"))
	case e.Mode != HoldAfterJoin && v.given(hold):
		v.wrongKey(hold, "%s takes no hold; %s does", e.Mode, HoldAfterJoin)
	}
}

// checkHoldLeaderSync makes sure that it is said whose SyncGroup is held: that of some members, should one of them
// lead, or that of whoever leads a group by then.
func (v *validator) checkHoldLeaderSync(path string, e *Event) {
	switch who, group := v.given(path+".who"), v.given(path+".group"); {
	case who && group:
		v.wrongKey(path+".group", "hold-leader-sync takes who or group, not both")
	case !who && !group:
		v.wrongKey(path, "hold-leader-sync needs group, for whoever leads it by then, or who, for some of its members")
	}
}
