package fidelity

import (
	"bufio"
	"bytes"
	"compress/gzip"
	_ "embed" // the kept cases
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// Recording is one recorded run: what was given, and what only the comparison may see.
type Recording struct {
	Case     *Case
	Observed *Observed
	text     []byte // of its case.json
}

//go:embed testdata/cases.jsonl.gz
var kept []byte

// Kept returns the recordings that are kept beside the code: those that scenarios can repeat.
func Kept() ([]Recording, error) {
	unzipped, err := gzip.NewReader(bytes.NewReader(kept))
	if err != nil {
		return nil, fmt.Errorf("cases.jsonl.gz: %w", err)
	}
	return readLines(unzipped)
}

func readLines(r io.Reader) ([]Recording, error) {
	var all []Recording
	lines := bufio.NewReader(r)
	for {
		text, err := lines.ReadBytes('\n')
		if len(text) > 0 {
			rec, err := readRecording(text)
			if err != nil {
				return nil, fmt.Errorf("cases.jsonl.gz:%d: %w", len(all)+1, err)
			}
			all = append(all, rec)
		}
		if errors.Is(err, io.EOF) {
			return all, nil
		}
		if err != nil {
			return nil, fmt.Errorf("cases.jsonl.gz: %w", err)
		}
	}
}

// besides are the files beside a case.json that know better when something arrived, or was closed.
var besides = []struct {
	name string
	add  func(text, evidence []byte) ([]byte, error)
}{{"wire.json", withArrivals}, {"wire.jsonl", withProxy}}

// Below returns the recordings of every case.json below folder, in the order of their paths. Where the broker's own
// log lies beside a case, or a proxy's, its instants count.
func Below(folder string) ([]Recording, error) {
	var all []Recording
	err := filepath.WalkDir(folder, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.Name() != "case.json" {
			return err
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		for _, beside := range besides {
			if wire, err := os.ReadFile(filepath.Join(filepath.Dir(path), beside.name)); err == nil {
				if text, err = beside.add(text, wire); err != nil {
					return fmt.Errorf("%s: %w", path, err)
				}
			}
		}
		rec, err := readRecording(text)
		if err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
		all = append(all, rec)
		return nil
	})
	return all, err
}

func readRecording(text []byte) (Recording, error) {
	c, err := ReadCase(text)
	if err != nil {
		return Recording{}, err
	}
	o, err := ReadObserved(text)
	return Recording{Case: c, Observed: o, text: text}, err
}

// Keep writes those of the recordings that scenarios can repeat, one a line, to the file that Kept
// reads when the program is built again.
func Keep(w io.Writer, recordings []Recording) error {
	zipped, _ := gzip.NewWriterLevel(w, gzip.BestCompression)
	for _, r := range recordings {
		if _, err := Build(r.Case); err != nil {
			continue
		}
		var line bytes.Buffer
		if err := json.Compact(&line, r.text); err != nil {
			return fmt.Errorf("%s: %w", r.Case.ID, err)
		}
		line.WriteByte('\n')
		if _, err := zipped.Write(line.Bytes()); err != nil {
			return err
		}
	}
	return zipped.Close()
}

// Experiments returns the recordings of the experiments of which a case has a name that matches: a case is compared
// with its repetitions in view.
func Experiments(all []Recording, only *regexp.Regexp) []Recording {
	wanted := map[string]bool{}
	for _, r := range all {
		if only.MatchString(r.Case.ID) {
			wanted[experiment(r.Case.ID)] = true
		}
	}
	return slices.DeleteFunc(slices.Clone(all), func(r Recording) bool { return !wanted[experiment(r.Case.ID)] })
}

// experiment returns what the repetitions of a case have in common: "07-sigkill-leader".
func experiment(id string) string {
	name, _, _ := strings.Cut(id, "/")
	return name
}
