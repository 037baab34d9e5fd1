package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

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
program, that are there twice, or that are missing or not finished. A folder
stands for the files in it whose names end in .runs.jsonl.`,
		Example: "  simulate merge orders-*-of-8.runs.jsonl --format csv\n  simulate merge shards --out result",
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
			if err := o.prepare(); err != nil {
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
		names, err := shardsIn(path)
		if err != nil {
			return nil, err
		}
		for _, name := range names {
			text, err := os.ReadFile(name)
			if err != nil {
				return nil, fmt.Errorf("%w; name the files of all shards", err)
			}
			files = append(files, tuning.File{Name: name, Text: text})
		}
	}
	return files, nil
}

// shardsIn returns the files of a folder that sweep named, or the path itself when it is no folder.
func shardsIn(path string) ([]string, error) {
	entries, err := os.ReadDir(path)
	if err != nil {
		return []string{path}, nil
	}
	var names []string
	for _, e := range entries {
		if strings.HasSuffix(e.Name(), runsExtension) {
			names = append(names, filepath.Join(path, e.Name()))
		}
	}
	if names == nil {
		return nil, fmt.Errorf("%s: the folder has no file *%s; name the files of all shards", path, runsExtension)
	}
	return names, nil
}
