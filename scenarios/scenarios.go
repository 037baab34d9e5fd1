// Package scenarios holds the scenarios that are shipped, so that they run by name wherever the program
// is installed. Each is a file beside this one; its first comment says what it shows.
//
//	text, ok := scenarios.Read("rolling-restart")
package scenarios

import (
	"embed"
	"path"
	"slices"
	"strings"
)

//go:embed *.toml bench/*.toml clients/*.toml families/*.toml incidents/*.toml studies/*.toml
var files embed.FS

// Folders lists the parts of the library that have a folder of their own: "clients", to be run with each client
// library; "families", one for each common shape, written to be turned by the --set lines that its comment lists;
// "incidents", whose scenarios are public incidents by the number they have in their first lines, each with a second
// one, "-cured", that shows what helps; and "studies", each a question with what to vary and to measure in [sweep].
func Folders() []string { return []string{"clients", "families", "incidents", "studies"} }

// Read returns the text of a scenario; ok is false when there is none of that name.
func Read(name string) (text []byte, ok bool) {
	text, err := files.ReadFile(name + ".toml")
	return text, err == nil
}

// Names lists all scenarios: those of no folder, then those of each, in alphabetical order. Those in bench, such as
// "bench/small", are there for measuring and are not listed.
func Names() []string {
	names := In(".")
	for _, folder := range Folders() {
		names = append(names, In(folder)...)
	}
	return names
}

// In lists the scenarios of one folder, "." for those of none, in alphabetical order.
func In(folder string) []string {
	entries, err := files.ReadDir(folder)
	if err != nil {
		panic(err) // folders are those of Folders, which are embedded
	}
	var names []string
	for _, e := range entries {
		if name, ok := strings.CutSuffix(e.Name(), ".toml"); ok {
			names = append(names, path.Join(folder, name))
		}
	}
	slices.Sort(names) // the files' names have another order: '-' comes before '.'
	return names
}
