package coordinator

// vote elects the protocol of the next generation: each member votes for the first entry of its list
// that every member lists. The protocol that comes first in Java's order wins a tie.
//
// It reports false when a member finds no candidate, which is an internal error in Kafka: one client
// that lists a name twice can make a group of compatible members incompatible.
//
// Kafka: ClassicGroup.selectProtocol.
func (g *group) vote() (string, bool) {
	votes := newJavaMap[string, int]()
	for _, m := range g.members.all() {
		choice, ok := g.choice(m)
		if !ok {
			g.shard.fail("Member does not support any of the candidate protocols")
			return "", false
		}
		n, _ := votes.get(choice)
		votes.put(choice, n+1)
	}
	winner, most := "", 0
	for name, n := range votes.all() {
		if n > most {
			winner, most = name, n
		}
	}
	return winner, true
}

func (g *group) choice(m *member) (string, bool) {
	for _, p := range m.protocols {
		if g.supported[p.Name] == g.members.len() {
			return p.Name, true
		}
	}
	return "", false
}
