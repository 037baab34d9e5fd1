package logs

import (
	"errors"
	"path"
	"strings"
)

// Matches reports whether a group is among those that are asked for by name or pattern; all are when nothing is.
func Matches(patterns []string, group string) bool {
	if len(patterns) == 0 {
		return true
	}
	for _, p := range patterns {
		if p == group {
			return true
		}
		if ok, err := path.Match(unslashed(p), unslashed(group)); err == nil && ok {
			return true
		}
	}
	return false
}

// unslashed takes from a slash what it means in paths: names of groups are no paths.
func unslashed(s string) string { return strings.ReplaceAll(s, "/", "\x00") }

// CheckPattern says what is wrong with a pattern.
func CheckPattern(pattern string) error {
	if _, err := path.Match(unslashed(pattern), ""); err != nil {
		return errors.New("a pattern has * for any text, ? for one character and [a-z] for one of several")
	}
	return nil
}
