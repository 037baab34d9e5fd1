package main

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"simulate/reports"
	"simulate/sim/scenario"
	"simulate/starter"
)

func newClients(t *terminal) *cobra.Command {
	return &cobra.Command{
		Use:   "clients [NAME]",
		Short: "List the client libraries, or all about one of them",
		Long: `Clients lists the client libraries that a fleet's key "client" may name. With a
NAME it prints that client's settings with their defaults and where those stand,
what it does unlike the Java consumer, and what is not modelled.`,
		Example: `  simulate clients
  simulate clients librdkafka`,
		Args: func(c *cobra.Command, args []string) error {
			if len(args) == 0 {
				return nil
			}
			return exactly(1, "client")(c, args)
		},
		ValidArgs: starter.Clients(),
		RunE: func(c *cobra.Command, args []string) error {
			if len(args) == 0 {
				return reports.Clients(t.stdout, scenario.Clients())
			}
			client, ok := scenario.FindClient(args[0])
			if !ok {
				return fmt.Errorf("no client is called %q; there are %s", args[0], strings.Join(starter.Clients(), ", "))
			}
			return reports.Client(t.stdout, client)
		},
	}
}
