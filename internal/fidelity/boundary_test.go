package fidelity

import (
	"encoding/json"
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// given are the files that read what was given and build scenarios from it.
var given = []string{"actions.go", "build.go", "case.go", "clients.go", "settings.go"}

// Scenario building refers to nothing of this package but itself, so that it cannot see what was observed.
func TestScenariosAreBuiltFromWhatWasGiven(t *testing.T) {
	paths, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	sources := map[string]any{}
	for _, path := range paths {
		if !strings.HasSuffix(path, "_test.go") {
			sources[path] = nil
		}
	}
	for _, leak := range leaks(t, sources, given) {
		t.Error(leak)
	}
}

func TestLeaksAreFound(t *testing.T) {
	sources := map[string]any{
		"build.go":    "package p\nfunc build(c *Case) int { return peek(c).Answer }\ntype Case struct{ Seen *Observed }",
		"observed.go": "package p\ntype Observed struct{ Answer int }\nfunc peek(*Case) Observed { return Observed{} }",
	}
	got := leaks(t, sources, []string{"build.go"})
	want := []string{"build.go uses Observed of observed.go", "build.go uses peek of observed.go"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// leaks names what the files in inside use that is declared at package level in another one. A source
// is read from the file of its name when it is nil.
func leaks(t *testing.T, sources map[string]any, inside []string) []string {
	t.Helper()
	declared := map[string]string{}
	files := map[string]*ast.File{}
	for _, path := range slices.Sorted(maps.Keys(sources)) {
		file, err := parser.ParseFile(token.NewFileSet(), path, sources[path], 0)
		if err != nil {
			t.Fatal(err)
		}
		files[path] = file
		for _, name := range packageNames(file) {
			declared[name] = path
		}
	}
	var found []string
	for _, path := range inside {
		for _, name := range identifiers(files[path]) {
			if home, ok := declared[name]; ok && !slices.Contains(inside, home) {
				found = append(found, path+" uses "+name+" of "+home)
			}
		}
	}
	return found
}

// packageNames returns the names that a file declares at package level, methods aside.
func packageNames(file *ast.File) []string {
	var all []string
	for _, d := range file.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			if d.Recv == nil {
				all = append(all, d.Name.Name)
			}
		case *ast.GenDecl:
			for _, s := range d.Specs {
				switch s := s.(type) {
				case *ast.TypeSpec:
					all = append(all, s.Name.Name)
				case *ast.ValueSpec:
					for _, n := range s.Names {
						all = append(all, n.Name)
					}
				}
			}
		}
	}
	return all
}

// identifiers returns the unqualified names that a file uses or declares, sorted, each once. Selected
// names (x.Name) and the keys of composite literals are no uses of package-level names.
func identifiers(file *ast.File) []string {
	names := map[string]bool{}
	var visit func(n ast.Node) bool
	visit = func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.SelectorExpr:
			ast.Inspect(n.X, visit)
			return false
		case *ast.KeyValueExpr:
			if _, field := n.Key.(*ast.Ident); field {
				ast.Inspect(n.Value, visit)
				return false
			}
		case *ast.Ident:
			names[n.Name] = true
		}
		return true
	}
	ast.Inspect(file, visit)
	return slices.Sorted(maps.Keys(names))
}

// Whatever was observed, the scenario is the same.
func TestObservationsChangeNoScenario(t *testing.T) {
	for _, r := range keptRecordings(t) {
		var whole map[string]any
		if err := json.Unmarshal(r.text, &whole); err != nil {
			t.Fatal(err)
		}
		delete(whole, "observed")
		blind, err := json.Marshal(whole)
		if err != nil {
			t.Fatal(err)
		}
		c, err := ReadCase(blind)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(built(t, r.Case), built(t, c)); diff != "" {
			t.Errorf("%s: %s", r.Case.ID, diff)
		}
	}
}
