package main

import (
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/spf13/cobra"
)

// TestManual holds that every command has a page with all of its flags, that the pages are the same each time, and,
// where there is a groff, that it has nothing to say against them.
func TestManual(t *testing.T) {
	dir, again := t.TempDir(), t.TempDir()
	root := manual(t, dir)
	manual(t, again)
	groff, err := exec.LookPath("groff")
	pages := 0
	var walk func(c *cobra.Command)
	walk = func(c *cobra.Command) {
		if !c.IsAvailableCommand() {
			return
		}
		for _, below := range c.Commands() {
			walk(below)
		}
		pages++
		indented := false
		for line := range strings.Lines(c.Long) {
			if strings.HasPrefix(line, "\t") && !indented {
				t.Errorf("%s: an empty line has to be above %q, or the list becomes a paragraph", c.CommandPath(), line)
			}
			indented = line == "\n" || strings.HasPrefix(line, "\t")
		}
		file := strings.ReplaceAll(c.CommandPath(), " ", "-") + ".1"
		page := pageOf(t, dir, file)
		if page != pageOf(t, again, file) {
			t.Errorf("%s is not the same twice", file)
		}
		if strings.Count(page, "**") != strings.Count(strings.ReplaceAll(c.Long, `\*`, "*")+c.Example, "**") {
			t.Errorf("%s: a pattern has lost its stars", file)
		}
		for _, flag := range regexp.MustCompile(`(?m)^ .*?(--[a-z-]+)`).FindAllStringSubmatch(c.LocalFlags().FlagUsages(), -1) {
			if !strings.Contains(page, flag[1]) {
				t.Errorf("%s: no mention of %s", file, flag[1])
			}
		}
		if err != nil {
			return
		}
		if said, err := exec.Command(groff, "-man", "-ww", "-z", "-Tutf8", filepath.Join(dir, file)).CombinedOutput(); err != nil || len(said) > 0 {
			t.Errorf("%s: %v\n%s", file, err, said)
		}
	}
	walk(root)
	if all, _ := os.ReadDir(dir); pages < 15 || len(all) != pages {
		t.Errorf("there are %d pages for %d commands", len(all), pages)
	}
}

// manual writes all pages to a directory.
func manual(t *testing.T, dir string) *cobra.Command {
	t.Helper()
	root := newRoot(&terminal{stdout: io.Discard, stderr: io.Discard})
	root.SetArgs([]string{"man", dir})
	if err := root.Execute(); err != nil {
		t.Fatal(err)
	}
	return root
}

func pageOf(t *testing.T, dir, file string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(dir, file))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// TestHelpWidth holds that the help of every command fits into a terminal. What cobra itself says of completion need not.
func TestHelpWidth(t *testing.T) {
	var walk func(c *cobra.Command)
	walk = func(c *cobra.Command) {
		if c.Name() == "completion" {
			return
		}
		for _, below := range c.Commands() {
			walk(below)
		}
		var help strings.Builder
		c.SetOut(&help)
		if err := c.Help(); err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(help.String()) {
			if n := utf8.RuneCountInString(strings.TrimSuffix(line, "\n")); n > helpWidth {
				t.Errorf("%s --help has a line of %d columns, %d fit: %s", c.CommandPath(), n, helpWidth, line)
			}
		}
	}
	walk(newRoot(&terminal{stdout: io.Discard, stderr: io.Discard}))
}
