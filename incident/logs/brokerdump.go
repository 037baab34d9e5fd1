package logs

import "bytes"

// dumps are members as brokers print them.
var dumps = []*pattern{
	compile("MemberMetadata(memberId={member}, groupInstanceId={instance}, clientId={client id}, clientHost={client host}, sessionTimeoutMs={session}, rebalanceTimeoutMs={rebalance}, supportedProtocols={protocols}"), // 2.4 to 3.9
	compile("MemberMetadata(memberId={member}, clientId={client id}, clientHost={client host}, sessionTimeoutMs={session}, rebalanceTimeoutMs={rebalance}, supportedProtocols={protocols}"),
	compile("ClassicGroupMember(memberId='{member}', groupInstanceId='{instance}', clientId='{client id}', clientHost='{client host}', rebalanceTimeoutMs={rebalance}, sessionTimeoutMs={session}, protocolType='{any}', supportedProtocols={protocols}"),
}

// readDump reads a member that is printed whole, or by its id alone.
func readDump(e *Event, dump []byte, m *message) {
	for _, p := range dumps {
		if p.readPart(dump, bareText, m, e) {
			return
		}
	}
	e.Member = m.names.member(dump)
}

// details are those of the member, made when they are needed first.
func details(e *Event) *MemberDetails {
	if e.Details == nil {
		e.Details = &MemberDetails{}
	}
	return e.Details
}

func setDetail(e *Event, kind fieldKind, value []byte, m *message) {
	switch kind {
	case clientIDField:
		details(e).ClientID = m.names.text(value)
	case clientHostField:
		details(e).ClientHost = m.names.text(value)
	case protocolsField:
		for _, protocol := range members(nil, bytes.TrimSuffix(value, []byte(")")), m.names) {
			details(e).Protocols = append(details(e).Protocols, string(protocol))
		}
	}
}
