package fidelity

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"simulate/sim/trace"
	"simulate/sim/wire"
)

// aliases names member ids as the recordings do: "c1#2" is the second id of client c1.
type aliases map[wire.MemberID]string

// uuidLength is that of "-" and a UUID, which end every member id.
const uuidLength = 37

// newAliases names the ids that c pins, and numbers on the others that occur in events.
func newAliases(c *Case, events []trace.Event) aliases {
	named := aliases{"": ""}
	count := map[string]int{}
	for alias, id := range c.MemberIDs {
		named[wire.MemberID(id)] = alias
	}
	owners := ownersOf(c, events)
	seen := map[wire.MemberID]bool{"": true}
	for _, e := range events {
		if seen[e.Member] {
			continue
		}
		seen[e.Member] = true
		owner := owners[e.Member]
		count[owner]++
		if _, pinned := named[e.Member]; !pinned {
			named[e.Member] = fmt.Sprintf("%s#%d", owner, count[owner])
		}
	}
	return named
}

// of returns the alias of id, and id itself when it occurs nowhere else.
func (a aliases) of(id wire.MemberID) string {
	if alias, ok := a[id]; ok {
		return alias
	}
	return string(id)
}

// ownersOf tells which member each id belongs to: the one that c pins it for, or whose process used it;
// otherwise the one whose client.id or group.instance.id it begins with.
func ownersOf(c *Case, events []trace.Event) map[wire.MemberID]string {
	owners := map[wire.MemberID]string{}
	for _, e := range events {
		if e.Member != "" && e.Who != "" {
			owners[e.Member] = memberOf(e.Who)
		}
	}
	for alias, id := range c.MemberIDs {
		owners[wire.MemberID(id)], _, _ = strings.Cut(alias, "#")
	}
	for _, e := range events {
		if _, known := owners[e.Member]; !known {
			owners[e.Member] = ownerByPrefix(c, e.Member)
		}
	}
	return owners
}

func ownerByPrefix(c *Case, id wire.MemberID) string {
	prefix := string(id[:max(0, len(id)-uuidLength)])
	for _, name := range slices.Sorted(maps.Keys(c.Members)) {
		if prefix == process(name) || prefix == name || prefix == c.Members[name].Config["group.instance.id"] {
			return name
		}
	}
	return prefix
}

// memberOf returns the member whose only process that is.
func memberOf(process string) string { return process[:max(0, len(process)-len("-1"))] }
