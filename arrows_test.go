package simulate_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// arrows says which packages of ours each package may import, beside itself. An entry that ends in "/..."
// stands for all packages below.
var arrows = map[string][]string{
	"sim/clock":       {},
	"sim/wire":        {},
	"sim/random":      {},
	"sim/assignors":   {"sim/wire"},
	"sim/records":     {"sim/clock", "sim/wire"},
	"sim/trace":       {"sim/clock", "sim/wire"},
	"sim/coordinator": {"sim/clock", "sim/trace", "sim/wire"},
	"sim/consumers":   {"sim/assignors", "sim/clock", "sim/random", "sim/records", "sim/trace", "sim/wire"},
	"sim/metrics":     {"sim/clock", "sim/records", "sim/trace", "sim/wire"},
	"sim/offsetslog":  {"sim/assignors", "sim/coordinator", "sim/wire"},
	"sim/scenario":    {"sim/assignors", "sim/consumers", "sim/coordinator", "sim/metrics", "sim/offsetslog", "sim/random", "sim/records", "sim/wire"},
	"sim":             {"sim/..."},

	"sim/coordinator/conformance": {"sim/clock", "sim/coordinator", "sim/trace", "sim/wire"},

	"scenarios": {},
	"timeline":  {"sim/clock", "sim/trace", "sim/wire"},
	"diff":      {"sim/clock", "sim/metrics", "sim/trace"},
	"explain":   {"sim/clock", "sim/consumers", "sim/metrics", "sim/scenario", "sim/trace", "sim/wire"},
	"lint":      {"sim/assignors", "sim/consumers", "sim/metrics", "sim/random", "sim/scenario"},
	"reports":   {"diff", "explain", "incident", "incident/logs", "lint", "sim/clock", "sim/consumers", "sim/metrics", "sim/scenario", "sim/trace", "sim/wire", "timeline"},
	"check":     {"diff", "explain", "sim", "sim/...", "reports", "scenarios", "timeline"},

	"incident/logs": {"sim/trace", "sim/wire"},
	"incident":      {"incident/logs", "sim/metrics", "sim/trace", "sim/wire"},

	"tuning": {"check", "reports", "sim/..."},
	"advice": {"check", "reports", "sim/..."},

	"clientconfig": {"sim/scenario"},
	"starter":      {"check", "clientconfig", "reports", "sim/..."},

	"reproduce": {"check", "incident", "incident/logs", "internal/align", "reports", "sim", "sim/...", "starter"},

	"cmd/simulate": {
		"advice", "check", "clientconfig", "diff", "incident", "incident/logs", "lint", "reports", "reproduce", "scenarios", "sim",
		"sim/...", "starter", "tuning",
	},

	"internal/drawn": {"sim/assignors", "sim/consumers"},

	"internal/align":                 {},
	"internal/fidelity":              {"internal/align", "sim", "sim/..."},
	"internal/fidelity/cmd/fidelity": {"internal/fidelity", "sim", "sim/..."},
}

// forbiddenUnderSim are packages and functions with which a run would depend on more than its scenario.
var forbiddenUnderSim = []string{
	"math/rand", "math/rand/v2", "crypto/rand", "os", "os/exec", "os/signal", "runtime", "sync", "sync/atomic", "net", "log",
	"time.Now", "time.Since", "time.Until", "time.After", "time.AfterFunc", "time.Sleep", "time.Tick", "time.NewTimer", "time.NewTicker",
}

// TestArrows: imports go one way, and nothing under sim starts a goroutine or asks anything but its
// scenario for time, chance or settings.
func TestArrows(t *testing.T) {
	seen := map[string]bool{}
	err := filepath.WalkDir(".", func(file string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && (d.Name() == "testdata" || d.Name() == ".git" || file == "bench"): // a module of its own
			return filepath.SkipDir
		case d.IsDir(), !strings.HasSuffix(file, ".go"), strings.HasSuffix(file, "_test.go"):
			return nil
		}
		pkg := path.Dir(filepath.ToSlash(file))
		seen[pkg] = true
		checkFile(t, pkg, file)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for pkg := range arrows {
		if !seen[pkg] {
			t.Errorf("there is no package %s any more", pkg)
		}
	}
}

// TestMap holds that the map in ARCHITECTURE.md has each package above those that it imports; test tooling stands last.
func TestMap(t *testing.T) {
	page, err := os.ReadFile("ARCHITECTURE.md")
	if err != nil {
		t.Fatal(err)
	}
	place := map[string]int{}
	for i, row := range regexp.MustCompile("(?m)^\\| (`[a-z/]+`(?:, `[a-z/]+`)*) \\|").FindAllStringSubmatch(string(page), -1) {
		for name := range strings.SplitSeq(row[1], ", ") {
			place[strings.Trim(name, "`")] = i + 1
		}
	}
	for pkg, imports := range arrows {
		if strings.HasPrefix(pkg, "internal/") || pkg == "sim/coordinator/conformance" {
			continue
		}
		if place[pkg] == 0 {
			t.Errorf("the map has no %s", pkg)
		}
		for other, below := range place {
			if other != pkg && allowed(imports, other) && below < place[pkg] {
				t.Errorf("%s imports %s, which stands above it in the map", pkg, other)
			}
		}
	}
}

func checkFile(t *testing.T, pkg, file string) {
	t.Helper()
	files := token.NewFileSet()
	parsed, err := parser.ParseFile(files, file, nil, parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	if _, known := arrows[pkg]; !known {
		t.Errorf("%s: package %s has no arrows yet", file, pkg)
	}
	underSim := pkg == "sim" || strings.HasPrefix(pkg, "sim/")
	for _, spec := range parsed.Imports {
		imported, err := strconv.Unquote(spec.Path.Value)
		if err != nil {
			t.Fatal(err)
		}
		if ours, ok := strings.CutPrefix(imported, "simulate/"); ok && !allowed(arrows[pkg], ours) {
			t.Errorf("%v: %s must not import %s", files.Position(spec.Pos()), pkg, ours)
		}
		if underSim && slices.Contains(forbiddenUnderSim, imported) {
			t.Errorf("%v: nothing under sim may import %s", files.Position(spec.Pos()), imported)
		}
	}
	if !underSim {
		return
	}
	ast.Inspect(parsed, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.GoStmt:
			t.Errorf("%v: nothing under sim may start a goroutine", files.Position(n.Pos()))
		case *ast.SelectorExpr:
			if x, ok := n.X.(*ast.Ident); ok && slices.Contains(forbiddenUnderSim, x.Name+"."+n.Sel.Name) {
				t.Errorf("%v: nothing under sim may call %s.%s", files.Position(n.Pos()), x.Name, n.Sel.Name)
			}
		}
		return true
	})
}

func allowed(arrows []string, pkg string) bool {
	return slices.ContainsFunc(arrows, func(a string) bool {
		below, all := strings.CutSuffix(a, "/...")
		return a == pkg || all && strings.HasPrefix(pkg, below+"/")
	})
}
