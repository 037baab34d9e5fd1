// Simulate runs Kafka consumer groups on a virtual clock: "simulate run FILE" tells how often a group
// rebalanced, why, and who held it up; "simulate check PATH" tests scenarios against what they expect.
//
// It exits with 0 when all is well, 1 when an expectation failed, lint found an error or two runs differ, 2 for
// a bad scenario, flag or input, 3 when an invariant of its own broke or a run spins, and 130 when it was interrupted.
// Results go to standard output, everything else to standard error.
package main

import (
	"errors"
	"fmt"
	"os"
	"os/signal"
	"syscall"
)

func main() { os.Exit(run()) }

// run carries out the command line and returns the exit code.
func run() int {
	signal.Ignore(syscall.SIGPIPE) // writes to a closed pipe return an error instead
	t := newTerminal()
	err := newRoot(t).Execute()
	var ended *verdictError
	switch {
	case err == nil:
		return 0
	case errors.As(err, &ended):
		return exitCodes[ended.verdict]
	}
	fmt.Fprintln(t.stderr, err)
	return 2
}
