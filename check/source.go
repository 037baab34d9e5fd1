package check

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/bmatcuk/doublestar/v4"

	"simulate/sim/metrics"
	"simulate/sim/scenario"
)

// Source is a scenario's text and where it came from.
type Source struct {
	Name string // a path, the name of a shipped scenario, or "stdin"
	Text []byte
	File bool  // Name is a path; the scenario may name files beside it
	Err  error // why there is no text

	Thresholds  metrics.Thresholds // of anomalies, for what is loaded
	ShuffleTies []uint64           // seeds of further orders of equal instants in which it is checked
	Strict      bool               // an expectation that hangs on such an order counts as a failure
}

// Library returns the text of a shipped scenario; ok is false when there is none of that name.
type Library func(name string) (text []byte, ok bool)

// ReadAll reads a scenario from r, which messages call "stdin".
func ReadAll(r io.Reader) Source {
	text, err := io.ReadAll(r)
	return Source{Name: "stdin", Text: text, Err: err}
}

// Open reads a scenario from a file, or from the library when there is no such file.
func Open(name string, library Library) Source {
	text, err := os.ReadFile(name)
	if errors.Is(err, fs.ErrNotExist) {
		shipped, ok := library(name)
		if ok {
			return Source{Name: name, Text: shipped}
		}
		err = fmt.Errorf("%s: there is no such file, and no shipped scenario of that name; "+
			"\"simulate scenarios list\" shows those", name)
	}
	return Source{Name: name, Text: text, File: true, Err: place(name, err)}
}

// Find returns the scenarios that paths name, in their order: files, shipped scenarios, every *.toml below a directory in
// the order of its names, and the files that a pattern such as "ops/**/*.toml" matches. What is named twice is there
// once. What cannot be read, and a pattern that matches nothing, is a Source with an error.
func Find(paths []string, library Library) []Source {
	var all []Source
	seen := map[string]bool{}
	for _, path := range paths {
		for _, s := range find(path, library) {
			if key := s.key(); !seen[key] {
				seen[key] = true
				all = append(all, s)
			}
		}
	}
	return all
}

// key is the same for two ways to name one file.
func (s *Source) key() string {
	whole, err := filepath.Abs(s.Name)
	if !s.File || err != nil {
		return s.Name
	}
	return whole
}

func find(path string, library Library) []Source {
	info, err := os.Stat(path)
	switch {
	case err == nil && info.IsDir():
		return below(path)
	case err != nil && strings.ContainsAny(path, "*?[{"):
		return matching(path)
	}
	return []Source{Open(path, library)}
}

// matching returns the files that a pattern matches.
func matching(pattern string) []Source {
	names, err := doublestar.FilepathGlob(pattern, doublestar.WithFilesOnly(), doublestar.WithFailOnIOErrors())
	switch {
	case errors.Is(err, doublestar.ErrBadPattern):
		err = fmt.Errorf("%s: this is no pattern; * and ? stand for parts of a name, ** for folders, [a-z] for a letter, {a,b} for a choice", pattern)
	case err == nil && len(names) == 0:
		err = fmt.Errorf("%s: no file matches this pattern", pattern)
	}
	if err != nil {
		return []Source{{Name: pattern, Err: place(pattern, err)}}
	}
	slices.Sort(names)
	var all []Source
	for _, name := range names {
		all = append(all, readFile(name))
	}
	return all
}

func readFile(path string) Source {
	text, err := os.ReadFile(path)
	return Source{Name: path, Text: text, File: true, Err: place(path, err)}
}

func below(dir string) []Source {
	var all []Source
	// The separator makes WalkDir follow dir itself when it is a link.
	err := filepath.WalkDir(dir+string(filepath.Separator), func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			all = append(all, Source{Name: path, Err: place(path, err)})
		case !d.IsDir() && filepath.Ext(path) == ".toml":
			all = append(all, readFile(path))
		}
		return nil
	})
	if err == nil && len(all) == 0 {
		err = errors.New(dir + ": there is no *.toml in this directory")
	}
	if err != nil {
		all = append(all, Source{Name: dir, Err: place(dir, err)})
	}
	return all
}

// place puts the name of a file before what went wrong with it, as all messages about files have it.
func place(name string, err error) error {
	var at *fs.PathError
	if errors.As(err, &at) {
		return fmt.Errorf("%s: %w", name, at.Err)
	}
	return err
}

// Load reads the scenario in the text. The error begins with where the mistake is, in every line.
func (s Source) Load(overrides ...scenario.Override) (Loaded, error) {
	if s.Err != nil {
		return Loaded{}, s.Err
	}
	var files scenario.Files
	if s.File {
		files = os.ReadFile
	}
	loaded, warnings, err := scenario.LoadWith(files, s.Name, s.Text, overrides...)
	return Loaded{Name: s.Name, Scenario: loaded, Warnings: warnings, Thresholds: s.Thresholds}, err
}
