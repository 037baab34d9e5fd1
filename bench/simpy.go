package bench

import (
	"fmt"
	"os/exec"
	"strconv"
	"strings"
	"time"
)

// simPy is a Python that has SimPy.
type simPy struct {
	python  string
	version string
}

// findSimPy asks a Python for its SimPy. The error says what is missing.
func findSimPy(python string) (simPy, error) {
	out, err := exec.Command(python, "-c", "import simpy; print(simpy.__version__)").Output()
	if err != nil {
		return simPy{}, fmt.Errorf("%s with the package simpy is not here", python)
	}
	return simPy{python, strings.TrimSpace(string(out))}, nil
}

// hold returns how long an event of the hold model takes.
func (s simPy) hold(pending, events int) (time.Duration, error) {
	out, err := exec.Command(s.python, "hold.py", strconv.Itoa(pending), strconv.Itoa(events)).CombinedOutput()
	if err != nil {
		return 0, fmt.Errorf("hold.py: %w: %s", err, out)
	}
	ns, err := strconv.ParseFloat(strings.TrimSpace(string(out)), 64)
	return time.Duration(ns), err
}
