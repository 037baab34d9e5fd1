package wire

// DeleteGroupsRequest is the body of a DeleteGroups, with the groups of one shard.
type DeleteGroupsRequest struct {
	Groups []string
}

// DeleteGroupsResponse is the body of a DeleteGroups response.
type DeleteGroupsResponse struct {
	Groups []GroupError
}

// GroupError is the result for one group.
type GroupError struct {
	Group string
	Err   Err
}

// DescribeGroupsRequest is the body of a DescribeGroups, with the groups of one shard.
type DescribeGroupsRequest struct {
	Groups []string
}

// DescribeGroupsResponse is the body of a DescribeGroups response.
type DescribeGroupsResponse struct {
	Groups []DescribedGroup
}

// DescribedGroup is what an administrator sees of a group. One that does not exist has state Dead; State
// is NoGroup when the coordinator cannot tell.
type DescribedGroup struct {
	Group        string
	Err          Err
	Message      string // of the error, from version 6 on
	State        GroupState
	ProtocolType string
	Protocol     string // only in Stable
	Members      []DescribedMember
}

// DescribedMember is one member of a DescribedGroup.
type DescribedMember struct {
	Member     MemberID
	Instance   InstanceID
	ClientID   string
	ClientHost string
	Metadata   []byte // what it said for Protocol; only in Stable
	Assignment []byte
}

// ListGroupsRequest is the body of a ListGroups. An empty filter lets everything pass.
type ListGroupsRequest struct {
	States []string // names of states in any case; blanks around them do not count
	Types  []string // names of group types in any case
}

// ListGroupsResponse is the body of a ListGroups response.
type ListGroupsResponse struct {
	Groups []ListedGroup
}

// ListedGroup is one entry of a ListGroupsResponse. All of them are of the type "classic".
type ListedGroup struct {
	Group        string
	ProtocolType string
	State        GroupState
}
