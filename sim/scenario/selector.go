package scenario

import (
	"fmt"
	"path"
	"slices"
	"strconv"
	"strings"
)

// cast is everybody that events and expectations can name.
type cast struct {
	fleets []Fleet
	groups []string                // in the order of the fleets
	inLog  func(group string) bool // whether the log that the run starts from knows a group
	topics []string                // of the start, and those that events create
	index  map[string]int          // fleet -> where it is in fleets
	most   map[string]int          // fleet -> its highest member number at any time, scale included

	replications int // 0 when unknown
}

func newCast(fleets []Fleet, events []*table) *cast {
	c := &cast{fleets: fleets, index: map[string]int{}, most: map[string]int{}}
	for i, f := range fleets {
		c.index[f.Name] = i
		c.most[f.Name] = f.Count
		if !slices.Contains(c.groups, f.Plan.Group) {
			c.groups = append(c.groups, f.Plan.Group)
		}
	}
	for _, e := range events {
		to, isNumber := e.values["to"].(int64)
		if e.values["do"] != string(Scale) || !isNumber {
			continue
		}
		for _, name := range scaled(e.values["who"]) {
			if most, ok := c.most[name]; ok {
				c.most[name] = max(most, int(min(to, mostMembers)))
			}
		}
	}
	c.addPods(events)
	return c
}

// addPods counts the members of fleets that an autoscaler changes, or a Deployment replaces, whose new pods stand beside the old ones.
func (c *cast) addPods(events []*table) {
	for _, f := range c.fleets {
		if f.Autoscaler != nil {
			c.most[f.Name] = max(c.most[f.Name], f.Autoscaler.Max)
		}
	}
	replaced := map[string]bool{}
	for _, e := range events {
		if e.values["do"] != string(Rollout) || e.values["kind"] != string(Deployment) {
			continue
		}
		for _, name := range scaled(e.values["who"]) {
			if most, ok := c.most[name]; ok && !replaced[name] {
				c.most[name], replaced[name] = 2*most, true
			}
		}
	}
}

// scaled returns the names that stand in a who, however it is written.
func scaled(who any) []string {
	if name, ok := who.(string); ok {
		return []string{name}
	}
	list, _ := who.([]any)
	var names []string
	for _, e := range list {
		if name, ok := e.(string); ok {
			names = append(names, name)
		}
	}
	return names
}

func (c *cast) fleet(name string) *Fleet {
	i, ok := c.index[name]
	if !ok || name == "" {
		return nil
	}
	return &c.fleets[i]
}

// split finds the fleet of a member by its name, and its number; nil when it cannot be one.
func (c *cast) split(member string) (*Fleet, int) {
	i := strings.LastIndexByte(member, '-')
	if i < 0 || strings.HasPrefix(member[i+1:], "0") {
		return nil, 0
	}
	n, err := strconv.ParseUint(member[i+1:], 10, 31)
	if err != nil {
		return nil, 0
	}
	return c.fleet(member[:i]), int(n)
}

// reach names the members of a fleet in words.
func (c *cast) reach(f *Fleet) string {
	if n := c.most[f.Name]; n > 1 {
		return fmt.Sprintf("%s to %s", f.Member(1), f.Member(n))
	}
	return "only " + f.Member(1)
}

func (c *cast) fleetNames() []string {
	var names []string
	for _, f := range c.fleets {
		names = append(names, f.Name)
	}
	return names
}

// noMember says why a name is not that of a member.
func (c *cast) noMember(name string) string {
	fleet, suffix := numbered(name)
	if f := c.fleet(fleet); f != nil && suffix != "" {
		return fmt.Sprintf("no member %s; fleet %s has %s", quote(name), quote(f.Name), c.reach(f))
	}
	known := c.fleetNames()
	if best := nearest(fleet, known); best != "" && suffix != "" {
		known = append(known, best+suffix)
	}
	return fmt.Sprintf("no fleet or member %s%s", quote(name), didYouMean(name, known))
}

// numbered splits "orders-07" into "orders" and "-07", however the number is written; without a number
// the suffix is "".
func numbered(name string) (fleet, suffix string) {
	i := strings.LastIndexByte(name, '-')
	if i < 0 || len(name) == i+1 || strings.Trim(name[i+1:], "0123456789") != "" {
		return name, ""
	}
	return name[:i], name[i:]
}

func (c *cast) isMember(name string) bool {
	f, n := c.split(name)
	return f != nil && n <= c.most[f.Name]
}

// anyMatch reports whether a member's name matches the pattern.
func (c *cast) anyMatch(pattern string) bool {
	for i := range c.fleets {
		if c.matches(&c.fleets[i], pattern) {
			return true
		}
	}
	return false
}

func (c *cast) matches(f *Fleet, pattern string) bool {
	for n := range c.most[f.Name] {
		if ok, _ := path.Match(pattern, f.Member(n+1)); ok {
			return true
		}
	}
	return false
}

// who reads the selectors of an event.
func (l *loader) who(t *table) []Selector {
	texts, paths := t.texts("who")
	var all []Selector
	for i, text := range texts {
		s, problem := l.cast.selector(text)
		if problem != "" {
			l.wrong(paths[i], "%s", problem)
			l.bad[t.at("who")] = true
			continue
		}
		all = append(all, s)
	}
	if t.has("who") && len(texts) == 0 && !l.bad[t.at("who")] {
		l.wrong(t.at("who"), "who is empty; name a fleet or a member")
	}
	return all
}

// selector reads one selector; the problem is "" when it names somebody.
func (c *cast) selector(text string) (s Selector, problem string) {
	if verb, name, ok := call(text); ok {
		return c.callSelector(text, verb, name)
	}
	switch {
	case strings.ContainsAny(text, "*?["):
		if _, err := path.Match(text, ""); err != nil {
			return s, fmt.Sprintf("%s is not a glob; close its brackets", quote(text))
		}
		if !c.anyMatch(text) {
			return s, fmt.Sprintf("no member matches %s", quote(text))
		}
		return Selector{ByGlob, text}, ""
	case c.fleet(text) != nil:
		return Selector{ByFleet, text}, ""
	case c.isMember(text):
		return Selector{ByMember, text}, ""
	}
	return s, c.noMember(text)
}

func (c *cast) callSelector(text, verb, name string) (s Selector, problem string) {
	isGroup := slices.Contains(c.groups, name)
	switch {
	case verb == "leader" && isGroup:
		return Selector{ByLeader, name}, ""
	case verb == "leader":
		return s, c.noGroup(name)
	case verb == "any" && (isGroup || c.fleet(name) != nil):
		return Selector{ByAny, name}, ""
	case verb == "any":
		return s, fmt.Sprintf("no fleet or group %s%s", quote(name), didYouMean(name, append(c.fleetNames(), c.groups...)))
	}
	return s, fmt.Sprintf("%s names nobody; write a member, a fleet, a glob, leader(GROUP) or any(FLEET or GROUP)", quote(text))
}

func (c *cast) noGroup(name string) string {
	return fmt.Sprintf("no group %s%s", quote(name), didYouMean(name, c.groups))
}

// call splits "verb(name)".
func call(text string) (verb, name string, ok bool) {
	verb, rest, found := strings.Cut(text, "(")
	name, closed := strings.CutSuffix(rest, ")")
	return strings.TrimSpace(verb), strings.TrimSpace(name), found && closed
}

// String writes a selector as scenarios do.
func (s Selector) String() string {
	switch s.Kind {
	case ByLeader:
		return "leader(" + s.Name + ")"
	case ByAny:
		return "any(" + s.Name + ")"
	}
	return s.Name
}

// fleetsOf returns the fleets whose members a selector can name.
func (c *cast) fleetsOf(s Selector) []*Fleet {
	owner, _ := c.split(s.Name)
	var all []*Fleet
	for i := range c.fleets {
		if f := &c.fleets[i]; c.canName(s, f, owner) {
			all = append(all, f)
		}
	}
	return all
}

// canName reports whether the selector can name members of f; owner is the fleet of the member it names.
func (c *cast) canName(s Selector, f, owner *Fleet) bool {
	switch s.Kind {
	case ByMember:
		return f == owner
	case ByFleet:
		return f.Name == s.Name
	case ByGlob:
		return c.matches(f, s.Name)
	case ByAny:
		if c.fleet(s.Name) != nil {
			return f.Name == s.Name
		}
	}
	return f.Plan.Group == s.Name
}
