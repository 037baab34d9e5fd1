package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"simulate/check"
	"simulate/clientconfig"
	"simulate/sim/scenario"
	"simulate/starter"
)

// initFlags are what init is told besides the file.
type initFlags struct {
	from, format string
	force        bool
	options      starter.Options
}

func newInit(t *terminal) *cobra.Command {
	var f initFlags
	c := &cobra.Command{
		Use:   "init [FILE]",
		Short: "Write a commented scenario to start from",
		Long: `Init writes a scenario of a fleet of consumers, to FILE or to standard output.
Each value has a comment that says where it came from, or that it is assumed. It
expects what its own run measures, so that "simulate check" notices a change.

With --from it reads the configuration of a real client: the properties of a
Java consumer, the application.yml or application.properties of Spring Boot, or
the JSON that an application hands to librdkafka. Addresses, passwords and
whatever else has no effect on a group are not copied.

Shapes of what happens:

` + shapes(),
		Example: `  simulate init orders.toml --from src/main/resources/application.yml
  simulate init --from consumer.properties --topic orders --partitions 24
  simulate init --group billing --members 20 --shape gc-pause`,
		Args: func(c *cobra.Command, args []string) error {
			switch {
			case len(args) == 0:
				return nil
			case args[0] == "":
				return wrongUse(c, "the name of the file to write is empty")
			}
			return exactly(1, "file to write")(c, args)
		},
		RunE: func(c *cobra.Command, args []string) error {
			file := "-"
			if len(args) == 1 {
				file = args[0]
			}
			return f.run(t, c, file)
		},
	}
	f.add(c)
	return c
}

func (f *initFlags) add(c *cobra.Command) {
	flags, o := c.Flags(), &f.options
	flags.StringVar(&f.from, "from", "", "`FILE` that configures a client; - is standard input")
	flags.StringVar(&f.format, "format", "", "`FORMAT` of that file, where nothing else tells it:\n"+strings.Join(configFormats(), ", "))
	flags.StringVar(&o.Group, "group", "", "`NAME` of the group")
	flags.IntVar(&o.Members, "members", 0, "`NUMBER` of consumers in the group")
	flags.StringArrayVar(&o.Topics, "topic", nil, "`NAME` of a topic that they read; may be repeated")
	flags.IntVar(&o.Partitions, "partitions", 0, "`NUMBER` of partitions of each topic")
	flags.StringVar(&o.Client, "client", "", "`NAME` of the client library: see \"simulate clients\"")
	flags.BoolVar(&o.Static, "static", false, "give each consumer a group.instance.id")
	flags.StringVar(&o.Shape, "shape", starter.Shapes()[0], "`SHAPE` of what happens")
	flags.BoolVar(&f.force, "force", false, "replace FILE if it is there")
}

// run writes the scenario to a file, "-" for standard output.
func (f *initFlags) run(t *terminal, c *cobra.Command, file string) error {
	ctx, stop := interruptible(c.Context())
	defer stop()
	if err := f.check(c, file); err != nil {
		return err
	}
	config, err := f.read(t)
	if err != nil {
		return err
	}
	f.options.Config = config
	if file != "-" {
		f.options.File = file
	}
	text, err := starter.Write(ctx, f.options)
	switch {
	case ctx.Err() != nil:
		return ended(check.Interrupted)
	case errors.Is(err, starter.ErrBroken):
		return t.broke("init", err)
	case err != nil:
		return err
	}
	if config != nil && !t.quiet {
		for _, notice := range notices(config) {
			fmt.Fprintln(t.stderr, notice)
		}
	}
	return t.write(file, text)
}

// shapes lists what --shape takes, a line each.
func shapes() string {
	var lines []string
	for _, s := range starter.Shapes() {
		lines = append(lines, fmt.Sprintf("  %-17s %s", s, starter.About(s)))
	}
	return strings.Join(lines, "\n")
}

func configFormats() []string {
	var names []string
	for _, f := range clientconfig.Formats() {
		names = append(names, string(f))
	}
	return names
}

// read reads --from.
func (f *initFlags) read(t *terminal) (*clientconfig.Config, error) {
	format := clientconfig.Format(f.format)
	if f.format != "" && !slices.Contains(configFormats(), f.format) {
		return nil, fmt.Errorf("--format %s: there are %s", scenario.Brief(f.format), strings.Join(configFormats(), ", "))
	}
	if f.from == "" {
		if f.format != "" {
			return nil, errors.New("--format is that of the file that --from names; give --from too")
		}
		return nil, nil
	}
	name, text, err := t.configuration(f.from)
	if err != nil {
		return nil, err
	}
	if format == "" {
		format = clientconfig.Detect(name, text)
	}
	return clientconfig.Read(name, text, format, f.options.Client)
}

// configuration reads the file that --from names, and no more than a byte beyond what a configuration may have.
func (t *terminal) configuration(file string) (name string, text []byte, err error) {
	from := output{flag: "--from", path: file}
	name, source := "stdin", t.stdin
	if file != "-" {
		opened, err := os.Open(file)
		if err != nil {
			return "", nil, from.wrong(err)
		}
		defer opened.Close()
		name, source = file, opened
	}
	text, err = io.ReadAll(io.LimitReader(source, clientconfig.MostBytes+1))
	if err != nil {
		return "", nil, from.wrong(err)
	}
	return name, text, nil
}

// check refuses numbers that make no sense, and to replace a file unasked.
func (f *initFlags) check(c *cobra.Command, file string) error {
	for _, n := range []struct {
		flag        string
		value, most int
	}{{"members", f.options.Members, starter.MostMembers}, {"partitions", f.options.Partitions, starter.MostPartitions}} {
		if c.Flags().Changed(n.flag) && (n.value < 1 || n.value > n.most) {
			return fmt.Errorf("--%s %d: write a number from 1 to %d", n.flag, n.value, n.most)
		}
	}
	if c.Flags().Changed("group") && f.options.Group == "" {
		return errors.New("--group: write the name of a group")
	}
	if file == "-" || f.force {
		return nil
	}
	if _, err := os.Lstat(file); err == nil {
		return fmt.Errorf("%s: there is such a file already; --force replaces it", file)
	} else if !errors.Is(err, fs.ErrNotExist) {
		o := output{flag: "init", path: file}
		return o.wrong(err)
	}
	return nil
}

// mostNotices bounds what is said of a file that is something else.
const mostNotices = 20

// notices says what of a configuration the scenario lacks though somebody may count on it.
func notices(c *clientconfig.Config) []string {
	words := map[clientconfig.Reason]string{
		clientconfig.Placeholder: "is known only where the client runs; write the value into the scenario",
		clientconfig.NotModelled: "is not taken over",
		clientconfig.OfBroker:    "is a key of a broker; where it counts, write it in [broker]",
		clientconfig.OfProducer:  "is a key of a producer",
		clientconfig.Unknown:     "is a key that no Kafka consumer knows",
	}
	name := scenario.Brief(c.Name)
	var all []string
	for _, l := range c.Left {
		said, ok := words[l.Reason]
		if !ok {
			continue
		}
		if l.Why != "" {
			said += ": " + l.Why
		}
		all = append(all, fmt.Sprintf("%s:%d: %s %s", name, l.Line, scenario.Brief(l.Key), said))
	}
	for _, note := range c.Notes {
		all = append(all, name+": "+note)
	}
	if n := len(all) - mostNotices; n > 0 {
		all = append(all[:mostNotices], fmt.Sprintf("%s: %d more are in the scenario's comment", name, n))
	}
	return all
}

// write writes a text to a file, or to standard output.
func (t *terminal) write(file string, text []byte) error {
	if file == "-" {
		_, err := t.stdout.Write(text)
		return err
	}
	if err := writeFile("init", file, text); err != nil {
		return err
	}
	if !t.quiet {
		fmt.Fprintf(t.stderr, "%s is written; try: simulate run %s\n", file, file)
	}
	return nil
}
