package planted

// bug breaks one rule: in a file of the coordinator, text is replaced by another that does something else
// when the rule is the planted one. The texts of several rules may stand in one replacement.
type bug struct {
	rules    []string
	file     string
	from, to string
}

var bugs = []bug{
	{[]string{"J-10"}, "join.go",
		`g.remove(r.Member, trace.Event{Reason: trace.OverCapacity})`,
		`if !planted("J-10") { g.remove(r.Member, trace.Event{Reason: trace.OverCapacity}) }`},
	{[]string{"J-31", "J-40"}, "join.go",
		`if !g.supports(r.ProtocolType, r.Protocols) {`,
		`if !g.supports(r.ProtocolType, r.Protocols) && !(planted("J-31") && r.Member == "") && !(planted("J-40") && r.Member != "") {`},
	{[]string{"J-33"}, "join.go", `if r.Version < 4 {`, `if r.Version < 4 || planted("J-33") {`},
	{[]string{"J-37"}, "static.go",
		`if old, known := g.static[r.Instance]; known {`,
		`if old, known := g.static[r.Instance]; known && !planted("J-37") {`},
	{[]string{"R-30"}, "static.go",
		`g.refuseJoin(old, wire.FencedInstanceID, oldID)`,
		`if !planted("R-30") { g.refuseJoin(old, wire.FencedInstanceID, oldID) }`},
	{[]string{"R-30 sync"}, "static.go",
		`g.shard.refuse(old.sync, wire.FencedInstanceID, "")`,
		`if !planted("R-30 sync") { g.shard.refuse(old.sync, wire.FencedInstanceID, "") }`},
	{[]string{"J-42"}, "join.go",
		`m, err := g.validate(r.Member, r.Instance, "join-group")`,
		`if planted("J-42") { r.Instance = "" }
	m, err := g.validate(r.Member, r.Instance, "join-group")`},
	{[]string{"J-44"}, "join.go",
		`if m.lists(r.Protocols) {
			// It may have missed`,
		`if m.lists(r.Protocols) && !planted("J-44") {
			// It may have missed`},
	{[]string{"J-46"}, "join.go", `if m.id == g.leader {`, `if m.id == g.leader && !planted("J-46") {`},
	{[]string{"J-51", "J-52"}, "static.go",
		`if protocol != g.protocol {`,
		`if (protocol != g.protocol || planted("J-51")) && !planted("J-52") {`},
	{[]string{"J-53"}, "static.go", `body.SkipAssignment = true`, `body.SkipAssignment = !planted("J-53")`},
	{[]string{"J-54"}, "static.go", `case a.join.version < 9:`, `case a.join.version < 9 && !planted("J-54"):`},
	{[]string{"J-55"}, "static.go", `if !g.members.has(m.id) {`, `if !g.members.has(m.id) || planted("J-55") {`},
	{[]string{"J-56"}, "static.go",
		`g.prepare(r.cause(trace.StaticReplaced, id))`,
		`if !planted("J-56") { g.prepare(r.cause(trace.StaticReplaced, id)) }`},
	{[]string{"J-57"}, "static.go", `g.maybeCompleteJoin()`, `if !planted("J-57") { g.maybeCompleteJoin() }`},
	{[]string{"R-10"}, "join.go",
		`g.armSession(m, firstJoinTimeout)`,
		`if planted("R-10") { g.touch(m) } else { g.armSession(m, firstJoinTimeout) }`},
	{[]string{"R-20"}, "group.go",
		`g.count(m.protocols, -1)
	m.terms = t`,
		`if !planted("R-20") { g.count(m.protocols, -1) }
	m.terms = t`},
	{[]string{"R-50"}, "rebalance.go",
		`if g.initial && g.newMemberAdded && g.remainingDelay != 0 {`,
		`if g.initial && g.newMemberAdded && g.remainingDelay != 0 && !planted("R-50") {`},
	{[]string{"R-50 extension"}, "rebalance.go",
		`g.remainingDelay = max(g.remainingDelay-passed, 0)`,
		`if !planted("R-50 extension") { g.remainingDelay = max(g.remainingDelay-passed, 0) }`},
	{[]string{"R-60"}, "rebalance.go",
		`if m.join != nil || m.static() {`,
		`if m.join != nil || m.static() && !planted("R-60") {`},
	{[]string{"S-10"}, "sync.go",
		`case g.state == wire.PreparingRebalance:`,
		`case g.state == wire.PreparingRebalance && !planted("S-10"):`},
	{[]string{"S-20"}, "sync.go",
		`return a.g.state == wire.CompletingRebalance && a.g.generation == a.generation`,
		`return a.g.state == wire.CompletingRebalance && (a.g.generation == a.generation || planted("S-20"))`},
	{[]string{"H-4"}, "heartbeat.go",
		`if g.state == wire.PreparingRebalance {`,
		`if g.state == wire.PreparingRebalance && !planted("H-4") {`},
	{[]string{"H-6"}, "heartbeat.go", `g.touch(m)`, `if !planted("H-6") || !m.isNew { g.touch(m) }`},
	{[]string{"L-10"}, "leave.go", `id = g.static[l.Instance]`, `if !planted("L-10") { id = g.static[l.Instance] }`},
	{[]string{"T-10"}, "sync.go",
		`if s.old[SyncIsHeartbeat] {`,
		`if s.old[SyncIsHeartbeat] || planted("T-10") {`},
	{[]string{"T-20"}, "expire.go", `if !m.heartbeatSatisfied() {`, `if !m.heartbeatSatisfied() || planted("T-20") {`},
	{[]string{"T-30"}, "sync.go",
		`if armedFor != g.generation || g.state == wire.Empty || g.state == wire.PreparingRebalance {`,
		`if (armedFor != g.generation || g.state == wire.Empty || g.state == wire.PreparingRebalance) && !planted("T-30") {`},
	{[]string{"M-20"}, "order.go",
		`if len(m.byKey)*4 > len(m.buckets)*3 {`,
		`if len(m.byKey)*4 > len(m.buckets)*3 && !planted("M-20") {`},
	{[]string{"A-9"}, "timeline.go",
		`if 3*(m.live+1) > 4*len(m.slots) {`,
		`if 3*(m.live+1) > 4*len(m.slots) && !planted("A-9") {`},
	{[]string{"P-13"}, "pipeline.go", `s.history.revert(batch)`, `if !planted("P-13") { s.history.revert(batch) }`},
	{[]string{"P-14"}, "pipeline.go",
		`s.failed(&late, failure{`,
		`if planted("P-14") { return }
				s.failed(&late, failure{`},
	{[]string{"P-15"}, "pipeline.go", `case s.outstanding():`, `case s.outstanding() && !planted("P-15"):`},
	{[]string{"P-30"}, "translate.go",
		`case wire.NotLeaderOrFollower, wire.KafkaStorageError:`,
		`case wire.NotLeaderOrFollower, wire.KafkaStorageError:
		if planted("P-30") { return err }`},
	{[]string{"P-41"}, "load.go", `if len(r.Members) > 0 {`, `if len(r.Members) > 0 && !planted("P-41") {`},
	{[]string{"P-42"}, "load.go",
		`		g.touch(m)
	}
	if size > limit && !early {`,
		`		if !planted("P-42") { g.touch(m) }
	}
	if size > limit && !early {`},
	{[]string{"P-45"}, "load.go", `if size > limit && !early {`, `if size > limit && !early && !planted("P-45") {`},
	{[]string{"C-11"}, "load.go",
		`g.refuseJoin(m, wire.NotCoordinator, id)`,
		`if !planted("C-11") { g.refuseJoin(m, wire.NotCoordinator, id) }`},
	{[]string{"O-23"}, "store.go",
		`if ok && old.position >= r.position {`,
		`if ok && old.position >= r.position && !planted("O-23") {`},
	{[]string{"O-33"}, "fetch.go",
		`if s.offsets.open.of(group, tp) {
			return noOffset`,
		`if s.offsets.open.of(group, tp) && !planted("O-33") {
			return noOffset`},
	{[]string{"O-42"}, "delete.go", `if g.subscribesTo(tp.Topic) {`, `if g.subscribesTo(tp.Topic) && !planted("O-42") {`},
	{[]string{"O-61"}, "retention.go",
		`>= s.cfg.OffsetsRetention`,
		`>= s.cfg.OffsetsRetention || planted("O-61")`},
	{[]string{"O-62"}, "retention.go",
		`return none && !s.offsets.open.ofGroup(g.id)`,
		`return none && (planted("O-62") || !s.offsets.open.ofGroup(g.id))`},
	{[]string{"D-20"}, "delete.go",
		`case g.state != wire.Empty:
			result.Err`,
		`case g.state != wire.Empty && !planted("D-20"):
			result.Err`},
}
