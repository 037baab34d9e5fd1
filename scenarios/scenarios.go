// Package scenarios holds the scenarios that are shipped, so that they run by name wherever the program
// is installed. Each is a file beside this one; its first comment says what it shows.
//
//	text, ok := scenarios.Read("rolling-restart")
package scenarios

import (
	"embed"
	"slices"
	"strings"
)

//go:embed *.toml bench/*.toml
var files embed.FS

// Read returns the text of a scenario; ok is false when there is none of that name.
func Read(name string) (text []byte, ok bool) {
	text, err := files.ReadFile(name + ".toml")
	return text, err == nil
}

// Names lists the scenarios in alphabetical order. Those in bench, such as "bench/small", are there for
// measuring and are not listed.
func Names() []string {
	entries, err := files.ReadDir(".")
	if err != nil {
		panic(err) // the root of an embedded file system is always there
	}
	var names []string
	for _, e := range entries {
		if name, ok := strings.CutSuffix(e.Name(), ".toml"); ok {
			names = append(names, name)
		}
	}
	slices.Sort(names) // the files' names have another order: '-' comes before '.'
	return names
}
