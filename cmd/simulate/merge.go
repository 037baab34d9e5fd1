package main

import (
	"fmt"
	"os"

	"github.com/spf13/cobra"

	"simulate/tuning"
)

func newMerge(t *terminal) *cobra.Command {
	var o sweepOutput
	c := &cobra.Command{
		Use:   "merge SHARD...",
		Short: "Put the shards of a sweep together",
		Long: `Merge reads the files that "simulate sweep --shard" wrote, one for each shard,
and reports what the sweep without shards would have reported, byte for byte. It
refuses shards that are of different scenarios, parameters or versions of the
program, that are there twice, or that are missing or not finished.`,
		Example: "  simulate merge orders-*-of-8.runs.jsonl --format csv",
		Args: func(c *cobra.Command, args []string) error {
			if len(args) == 0 {
				return wrongUse(c, "name the files of all shards")
			}
			return nil
		},
		RunE: func(c *cobra.Command, args []string) error {
			if err := o.check(); err != nil {
				return err
			}
			files, err := readShards(args)
			if err != nil {
				return err
			}
			merged, err := tuning.Merge(files)
			if err != nil {
				return err
			}
			return o.write(t, merged.Report())
		},
	}
	o.flags(c)
	return c
}

func readShards(paths []string) ([]tuning.File, error) {
	var files []tuning.File
	for _, path := range paths {
		text, err := os.ReadFile(path)
		if err != nil {
			return nil, fmt.Errorf("%w; name the files of all shards", err)
		}
		files = append(files, tuning.File{Name: path, Text: text})
	}
	return files, nil
}
