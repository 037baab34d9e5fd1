package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"

	"simulate/check"
)

// terminal is what a command talks to, and how.
type terminal struct {
	stdin          io.Reader
	stdout, stderr io.Writer
	colors         bool // stdout is a terminal that shows colour
	live           bool // stderr is a terminal, for what is rewritten in place

	quiet, noColor bool // flags
}

func newTerminal() *terminal {
	return &terminal{
		stdin: os.Stdin, stdout: pipe{os.Stdout}, stderr: os.Stderr,
		colors: showsColor(os.Stdout, os.Getenv), live: isTerminal(os.Stderr),
	}
}

// pipe takes everything, also when nobody reads it any more: a reader that has seen enough is no error.
type pipe struct{ io.Writer }

func (p pipe) Write(b []byte) (int, error) {
	n, err := p.Writer.Write(b)
	if errors.Is(err, syscall.EPIPE) {
		return len(b), nil
	}
	return n, err
}

// showsColor reports whether a file is a terminal whose user wants colour (https://no-color.org).
func showsColor(f *os.File, getenv func(string) string) bool {
	return isTerminal(f) && getenv("NO_COLOR") == "" && getenv("TERM") != "dumb"
}

func isTerminal(f *os.File) bool {
	info, err := f.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0
}

func (t *terminal) color() bool { return t.colors && !t.noColor }

// warn tells about what is in a source without having an effect.
func warn[W ~string](t *terminal, source string, warnings []W) {
	if t.quiet {
		return
	}
	for _, w := range warnings {
		fmt.Fprintf(t.stderr, "%s: %s\n", source, w)
	}
}

// progress says in a line that is rewritten in place how far a command is, if anybody sees that.
func (t *terminal) progress(format string, args ...any) {
	if t.live && !t.quiet {
		fmt.Fprintf(t.stderr, "\r"+format, args...)
	}
}

// noProgress takes that line away.
func (t *terminal) noProgress() { t.progress("%60s\r", "") }

// interruptible returns a context that ends with the first interrupt, or when a scheduler such as Slurm or Kubernetes
// asks the program to end; a second one ends the program.
func interruptible(parent context.Context) (context.Context, context.CancelFunc) {
	ctx, stop := signal.NotifyContext(parent, os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop)
	return ctx, stop
}

// exitCodes are what design and documentation promise.
var exitCodes = map[check.Verdict]int{
	check.Passed:      0,
	check.Failed:      1,
	check.Interrupted: 130,
	check.Wrong:       2,
	check.Broken:      3,
}

// verdictError ends a command that has already said what there is to say.
type verdictError struct{ verdict check.Verdict }

func (e *verdictError) Error() string { return fmt.Sprintf("exit code %d", exitCodes[e.verdict]) }

// ended returns nil when all passed.
func ended(v check.Verdict) error {
	if v == check.Passed {
		return nil
	}
	return &verdictError{v}
}

// broke says that an invariant of the simulator broke.
func (t *terminal) broke(scenario string, err error) error {
	fmt.Fprintf(t.stderr, "%s: %v; this is a bug of the simulator, not of the scenario\n", scenario, err)
	return ended(check.Broken)
}
