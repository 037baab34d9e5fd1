package coordinator

import (
	"fmt"
	"slices"
	"strings"

	"simulate/sim/wire"
)

// describeGroups handles a DescribeGroups. Only whether a group exists is read at the committed offset;
// what it shows of the group is in memory now.
//
// Kafka: GroupMetadataManager.describeGroups.
func (s *Shard) describeGroups(r *wire.Request, body *wire.DescribeGroupsRequest) {
	response := &wire.DescribeGroupsResponse{}
	for _, id := range body.Groups {
		described := wire.DescribedGroup{Group: id, State: wire.Dead}
		if g, ok := s.groups.committed(id); ok {
			described = g.describe()
		} else if r.Version >= 6 {
			described.Err, described.Message = wire.GroupIDNotFound, fmt.Sprintf("Group %s not found.", id)
		}
		response.Groups = append(response.Groups, described)
	}
	s.reply(wire.Response{Ticket: r.Ticket, API: wire.DescribeGroups, Body: response})
}

// describe shows what members said only in Stable, and what they were assigned always.
//
// Kafka: ClassicGroup.describe, describeNoMetadata.
func (g *group) describe() wire.DescribedGroup {
	d := wire.DescribedGroup{Group: g.id, State: g.state, ProtocolType: g.protocolType}
	stable := g.state == wire.Stable
	hidden := !stable && g.shard.old[DescribeOnlyStable]
	if stable {
		d.Protocol = g.protocol
	}
	for id, m := range g.members.all() {
		described := wire.DescribedMember{
			Member: id, Instance: m.instance, ClientID: m.clientID, ClientHost: m.host,
		}
		if !hidden {
			described.Assignment = m.assignment
		}
		if stable {
			described.Metadata = m.metadata(g.protocol)
		}
		d.Members = append(d.Members, described)
	}
	return d
}

// listGroups handles a ListGroups: the groups at the committed offset that pass both filters, by name.
//
// Kafka: GroupMetadataManager.listGroups.
func (s *Shard) listGroups(r *wire.Request, body *wire.ListGroupsRequest) {
	s.reply(wire.Response{Ticket: r.Ticket, API: wire.ListGroups, Body: s.list(body)})
}

func (s *Shard) list(body *wire.ListGroupsRequest) *wire.ListGroupsResponse {
	response := &wire.ListGroupsResponse{}
	if typeListed(body.Types) {
		for id, g := range s.groups.sorted(false) {
			if s.stateListed(body.States, g.state) {
				response.Groups = append(response.Groups, wire.ListedGroup{Group: id, ProtocolType: g.protocolType, State: g.state})
			}
		}
	}
	return response
}

func (s *Shard) stateListed(filter []string, state wire.GroupState) bool {
	return len(filter) == 0 || slices.ContainsFunc(filter, func(name string) bool {
		if s.old[ListWhileLoading] {
			return strings.EqualFold(name, state.String())
		}
		return strings.EqualFold(strings.TrimSpace(name), state.String())
	})
}

// typeListed takes a name as it is, unlike stateListed: blanks around it count.
func typeListed(filter []string) bool {
	return len(filter) == 0 || slices.ContainsFunc(filter, func(name string) bool { return strings.EqualFold(name, "classic") })
}
