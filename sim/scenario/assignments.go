package scenario

import (
	"strconv"
	"strings"
)

// Assignment is a key and its value as --set takes them.
type Assignment struct{ Key, Value string }

// Assignments lists every key of the scenario that an Override can replace, with its value, in the order of TOML.
func (s *Scenario) Assignments() []Assignment {
	var all []Assignment
	element, prefix := "", ""
	count := map[string]int{}
	for line := range strings.Lines(s.TOML()) {
		line = strings.TrimSuffix(line, "\n")
		key, value, isPair := strings.Cut(line, " = ")
		array, isElement := strings.CutPrefix(line, "[[")
		switch {
		case isElement:
			array = strings.TrimSuffix(array, "]]")
			count[array]++
			element = array + "." + strconv.Itoa(count[array]) + "."
			if name := s.nameOf(array, count[array]-1); name != "" {
				element = array + "." + name + "."
			}
			prefix = element
		case strings.HasPrefix(line, "[") && strings.Contains(line, "."): // a table of the element
			_, below, _ := strings.Cut(strings.Trim(line, "[]"), ".")
			prefix = element + below + "."
		case strings.HasPrefix(line, "["):
			prefix = strings.Trim(line, "[]") + "."
		case isPair:
			all = append(all, Assignment{prefix + key, value})
		}
	}
	return all
}

// nameOf returns the name that an element of an array goes by in an Override, "" when it goes by its number.
func (s *Scenario) nameOf(array string, i int) string {
	switch array {
	case "topic":
		return s.Topics[i].Name
	case "fleet":
		return s.Fleets[i].Name
	}
	return ""
}
