package coordinator

import "simulate/sim/wire"

// metadata returns the record of the group as it is, with the given assignments in place of the
// members' own where there is one.
//
// Kafka: GroupCoordinatorRecordHelpers.newGroupMetadataRecord.
func (g *group) metadata(assignments map[wire.MemberID][]byte) GroupMetadataRecord {
	r := GroupMetadataRecord{
		Group:            g.id,
		ProtocolType:     g.protocolType,
		Generation:       g.generation,
		Protocol:         g.protocol,
		Leader:           g.leader,
		StateTimestampMs: g.sinceMs(),
	}
	for id, m := range g.members.all() {
		assignment := m.assignment
		if assignments != nil {
			assignment = assignments[id]
		}
		r.Members = append(r.Members, MemberRecord{
			Member:             id,
			Instance:           m.instance,
			ClientID:           m.clientID,
			ClientHost:         m.host,
			RebalanceTimeoutMs: int32(m.rebalanceTimeout.Milliseconds()),
			SessionTimeoutMs:   int32(m.sessionTimeout.Milliseconds()),
			Subscription:       m.metadata(g.protocol),
			Assignment:         assignment,
		})
	}
	return r
}

// emptyMetadata returns the record that announces a new group, whatever happened to it meanwhile.
//
// Kafka: GroupCoordinatorRecordHelpers.newEmptyGroupMetadataRecord.
func (g *group) emptyMetadata() GroupMetadataRecord {
	return GroupMetadataRecord{Group: g.id, StateTimestampMs: g.sinceMs()}
}
