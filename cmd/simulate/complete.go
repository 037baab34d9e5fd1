package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"simulate/check"
	"simulate/lint"
	"simulate/scenarios"
	"simulate/sim/metrics"
	"simulate/starter"
	"simulate/tuning"
)

// forms are the values of --format, by command.
var forms = map[string][]string{
	"run":   runFormNames(),
	"diff":  {"text", "json"},
	"check": {"text", "json", "tap"},
	"lint":  {"text", "json", "sarif"},
	"sweep": sweepForms(),
	"merge": sweepForms(),
	"tune":  {"text", "json", "html"},

	"analyze": {"text", "json", "html"},
}

// addCompletion tells shells what may stand in the command lines of root, in one place for all commands.
func addCompletion(root *cobra.Command) {
	for _, c := range root.Commands() {
		switch _, arguments, _ := strings.Cut(c.Use, " "); {
		case c.CommandPath() == "simulate scenarios show":
			c.ValidArgsFunction = completeShipped
		case slices.Contains([]string{"FILE|NAME|-", "PATH...", "A [B]"}, arguments):
			c.ValidArgsFunction = completeScenario
		}
		offered := forms[c.Name()]
		if c.Name() == "init" {
			offered = configFormats() // of the file that it reads
		}
		for flag, values := range map[string]cobra.CompletionFunc{
			"format":  fixed(offered...),
			"anomaly": completeThreshold,
			"set":     completeKey(0),
			"param":   completeKey(0),
			"design":  fixed(tuning.GridDesign, tuning.HypercubeDesign),
			"why-not": completeKey(0),
			"set-b":   completeKey(1),
			"shape":   fixed(starter.Shapes()...),
			"client":  fixed(starter.Clients()...),
			"disable": completeRule,
			"explain": completeRule,
			"seed":    fixed(), "seed-b": fixed(), "at": fixed(), "rebalance": fixed(), "run": fixed(),
			"group": fixed(), "topic": fixed(), "members": fixed(), "partitions": fixed(),
			"metric": fixed(), "base": fixed(), "replications": fixed(), "points": fixed(), "parallel": fixed(), "until-ci": fixed(), "shard": fixed(),
			"since": fixed(), "tz": fixed(), "stuck-after": fixed(),
			"minimise": fixed(), "subject-to": fixed(), "budget": fixed(),
		} {
			if c.Flags().Lookup(flag) != nil {
				must(c.RegisterFlagCompletionFunc(flag, values))
			}
		}
		addCompletion(c)
	}
}

// must is for flags that were just looked up.
func must(err error) {
	if err != nil {
		panic(err)
	}
}

// fixed offers some words and no files.
func fixed(words ...string) cobra.CompletionFunc {
	return cobra.FixedCompletions(words, cobra.ShellCompDirectiveNoFileComp)
}

// completeShipped offers the shipped scenarios.
func completeShipped(_ *cobra.Command, _ []string, begun string) ([]string, cobra.ShellCompDirective) {
	names := slices.DeleteFunc(scenarios.Names(), func(name string) bool { return !strings.HasPrefix(name, begun) })
	return names, cobra.ShellCompDirectiveNoFileComp
}

// completeScenario offers the shipped scenarios, folders, and the TOML files in them.
func completeScenario(c *cobra.Command, args []string, begun string) ([]string, cobra.ShellCompDirective) {
	all, directive := completeShipped(c, args, begun)
	paths, _ := filepath.Glob(escaped(begun) + "*")
	for _, path := range paths {
		info, err := os.Stat(path)
		switch {
		case err != nil || strings.HasPrefix(filepath.Base(path), ".") && !strings.HasPrefix(filepath.Base(begun), "."):
		case info.IsDir():
			all = append(all, path+string(filepath.Separator))
			directive |= cobra.ShellCompDirectiveNoSpace // more of the path follows
		case filepath.Ext(path) == ".toml":
			all = append(all, path)
		}
	}
	return all, directive
}

// escaped takes the meaning of a pattern from a text.
func escaped(text string) string {
	return strings.NewReplacer(`\`, `\\`, "*", `\*`, "?", `\?`, "[", `\[`).Replace(text)
}

// completeRule offers the rules of lint with what they find.
func completeRule(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
	var all []string
	for _, r := range lint.Rules() {
		all = append(all, cobra.CompletionWithDesc(r.ID, r.Summary))
	}
	return all, cobra.ShellCompDirectiveNoFileComp
}

// completeThreshold offers the thresholds of anomalies with what they are.
func completeThreshold(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
	defaults := metrics.Defaults()
	var all []string
	for _, t := range defaults.Each() {
		all = append(all, cobra.CompletionWithDesc(t.Name+"=", t.Value()))
	}
	return all, cobra.ShellCompDirectiveNoSpace | cobra.ShellCompDirectiveNoFileComp
}

// completeKey offers the keys of the scenario that one of the arguments names, or else the one before it, with their
// values.
func completeKey(argument int) cobra.CompletionFunc {
	return func(_ *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
		const directive = cobra.ShellCompDirectiveNoSpace | cobra.ShellCompDirectiveNoFileComp
		if len(args) == 0 {
			return nil, directive
		}
		loaded, err := check.Open(args[min(argument, len(args)-1)], scenarios.Read).Load()
		if err != nil {
			return nil, directive
		}
		var all []string
		for _, a := range loaded.Scenario.Assignments() {
			all = append(all, cobra.CompletionWithDesc(a.Key+"=", a.Value))
		}
		return all, directive
	}
}
