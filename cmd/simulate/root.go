package main

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

func newRoot(t *terminal) *cobra.Command {
	root := &cobra.Command{
		Use:   "simulate",
		Short: "Simulate the rebalances of Kafka consumer groups",
		Long: `Simulate runs the consumer-group coordinator of Apache Kafka 4 on a virtual
clock, against consumers that behave like real ones, under faults. It tells how
often a group rebalanced, why, and who held it up.`,
		Example: `  simulate run rolling-restart
  simulate run incident.toml --set fleet.orders.config.session.timeout.ms=30s
  simulate check scenarios`,
		SilenceErrors: true,
		SilenceUsage:  true,
	}
	root.SetIn(t.stdin)
	root.SetOut(t.stdout)
	root.SetErr(t.stderr)
	root.SetFlagErrorFunc(func(c *cobra.Command, err error) error {
		return wrongUse(c, err.Error())
	})
	root.PersistentFlags().BoolVarP(&t.quiet, "quiet", "q", false, "no warnings; of check, no line about what passed")
	root.PersistentFlags().BoolVar(&t.noColor, "no-color", false, "no colour (as with NO_COLOR)")
	root.AddCommand(newRun(t), newShow(t), newDescribe(t), newExplain(t), newCheck(t), newLint(t), newDiff(t), newSweep(t), newMerge(t), newTune(t), newAnalyze(t), newReproduce(t), newInit(t), newClients(t), newScenarios(t), newPresets(t), newSchema(t), newMan(t), newVersion(t))
	addCompletion(root)
	root.SetUsageTemplate(strings.NewReplacer(
		".LocalFlags.FlagUsages", "wrapped .LocalFlags", ".InheritedFlags.FlagUsages", "wrapped .InheritedFlags",
	).Replace(root.UsageTemplate()))
	return root
}

// helpWidth is how many columns a help text may take.
const helpWidth = 80

func init() { cobra.AddTemplateFunc("wrapped", wrapped) }

// wrapped lists flags as FlagUsages does, in at most helpWidth columns.
func wrapped(flags *pflag.FlagSet) string {
	var unbroken pflag.FlagSet
	flags.VisitAll(func(f *pflag.Flag) {
		plain := *f
		plain.Usage = strings.ReplaceAll(f.Usage, "\n", " ")
		unbroken.AddFlag(&plain)
	})
	return unbroken.FlagUsagesWrapped(helpWidth)
}

// family returns a command that only holds others.
func family(use, short string, members ...*cobra.Command) *cobra.Command {
	c := &cobra.Command{Use: use, Short: short}
	c.AddCommand(members...)
	c.RunE = func(c *cobra.Command, args []string) error {
		if len(args) == 0 {
			return c.Help()
		}
		return fmt.Errorf("%s has no %q; it has %s", c.CommandPath(), args[0], strings.Join(namesOf(members), " and "))
	}
	return c
}

func namesOf(commands []*cobra.Command) []string {
	var names []string
	for _, c := range commands {
		names = append(names, c.Name())
	}
	return names
}

// wrongUse is the error of a command line that makes no sense.
func wrongUse(c *cobra.Command, problem string) error {
	return fmt.Errorf("%s: %s; see %s --help", c.CommandPath(), problem, c.CommandPath())
}

// exactly refuses any other number of arguments.
func exactly(n int, what string) cobra.PositionalArgs {
	return func(c *cobra.Command, args []string) error {
		switch {
		case len(args) < n:
			return wrongUse(c, "name a "+what)
		case len(args) > n && n > 0:
			return wrongUse(c, fmt.Sprintf("name one %s, not %d", what, len(args)))
		case len(args) > n:
			return wrongUse(c, fmt.Sprintf("it takes no argument, such as %q", args[0]))
		}
		return nil
	}
}
