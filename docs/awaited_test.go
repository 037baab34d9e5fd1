package docs

import (
	"os/exec"
	"path/filepath"
	"strings"
)

// awaited are the commands and flags without which an example cannot run.
var awaited = [][]string{
	{"check", "--junit"}, {"check", "--github-summary"}, {"check", "--strict"}, {"check", "--update"},
}

// possible reports whether the program has all of those that a script uses.
func possible(dir, script string) bool {
	for _, a := range awaited {
		if !strings.Contains(script, a[len(a)-1]) {
			continue
		}
		help, err := exec.Command(filepath.Join(dir, "simulate"), a[0], "--help").CombinedOutput()
		if err != nil || !strings.Contains(string(help), a[len(a)-1]) {
			return false
		}
	}
	return true
}
