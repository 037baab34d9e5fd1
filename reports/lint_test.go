package reports

import (
	"bytes"
	"errors"
	"io"
	"os"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"simulate/lint"
	"simulate/sim/scenario"
)

const lintedText = `duration = "30m"
stuck-after = "10s"
topic = [{ name = "t", partitions = 4 }]
[[fleet]]
name   = "orders"
topics = ["t", "no <topic>"]
count  = 6
[fleet.config]
session.timeout.ms    = 10000 # lint:ignore session-below-request-timeout an old client
heartbeat.interval.ms = 4000
# lint:ignore-file no-expectation
`

// linted are two files with findings of all severities, one of them taken back, one that is fine, and one that is wrong.
func linted(t *testing.T) []Linted {
	t.Helper()
	fine := "duration = \"5m\"\ntopic = [{ name = \"t\", partitions = 4 }]\n[[fleet]]\nname = \"a\"\ntopics = [\"t\"]\n" +
		"[[expect]]\nthat = \"rebalances(a) == 1\"\n"
	var all []Linted
	for _, f := range []struct{ name, text string }{{"ops/orders one.toml", lintedText}, {"ops/\x1b[31m.toml", lintedText}, {"fine.toml", fine}} {
		s, _, err := scenario.Load("file.toml", []byte(f.text))
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, Linted{File: f.name, IsPath: f.name != "fine.toml", Findings: lint.Check(s, []byte(f.text))})
	}
	_, _, err := scenario.Load("/srv/bad.toml", []byte("duration = 3\n[[fleet]]\nname = \"a\"\ncout = 2\n"))
	return append(all, Linted{File: "/srv/bad.toml", IsPath: true, Err: err}, Linted{File: "none.toml", Err: errors.New("none.toml: there is no such file")})
}

func TestLint(t *testing.T) {
	for _, form := range []struct {
		name  string
		write func(io.Writer) error
	}{
		{"lint.text", func(w io.Writer) error { return Lint(w, linted(t), TextOptions{}) }},
		{"lint.json", func(w io.Writer) error { return LintJSON(w, linted(t)) }},
		{"lint.sarif", func(w io.Writer) error { return LintSARIF(w, linted(t)) }},
		{"lint.github", func(w io.Writer) error { return LintAnnotations(w, linted(t)) }},
		{"lint-rules.text", func(w io.Writer) error { return LintRules(w, lint.Rules()) }},
		{"lint-rule.text", func(w io.Writer) error {
			rule, _ := lint.Find("static-session-below-restart")
			return LintRule(w, rule)
		}},
	} {
		t.Run(form.name, func(t *testing.T) {
			var got bytes.Buffer
			if err := form.write(&got); err != nil {
				t.Fatal(err)
			}
			compareGolden(t, "testdata/"+form.name, got.String())
		})
	}
}

// docs/lint.md is what make docs writes.
func TestLintDocumentation(t *testing.T) {
	var got bytes.Buffer
	if err := LintMarkdown(&got, lint.Rules()); err != nil {
		t.Fatal(err)
	}
	if want, err := os.ReadFile("../docs/lint.md"); err != nil || string(want) != got.String() {
		t.Errorf("docs/lint.md is not what make docs writes (%v)", err)
	}
}

func TestLintJSONKeepsItsSchema(t *testing.T) {
	schema := compile(t, "lint")
	for _, files := range [][]Linted{linted(t), nil} {
		if err := schema.Validate(written(t, LintJSON, files)); err != nil {
			t.Error(err)
		}
	}
	damaged := written(t, LintJSON, linted(t)).(map[string]any)
	delete(damaged["files"].([]any)[0].(map[string]any)["findings"].([]any)[0].(map[string]any), "line")
	if schema.Validate(damaged) == nil {
		t.Error("a finding without a line is accepted")
	}
}

// What LintSARIF writes is SARIF: testdata has the schema of the OASIS committee,
// https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json.
func TestLintSARIFIsSARIF(t *testing.T) {
	c := jsonschema.NewCompiler()
	c.AssertFormat()
	schema, err := c.Compile("testdata/sarif-schema-2.1.0.json")
	if err != nil {
		t.Fatal(err)
	}
	for _, files := range [][]Linted{linted(t), nil} {
		if err := schema.Validate(written(t, LintSARIF, files)); err != nil {
			t.Error(err)
		}
	}
	damaged := written(t, LintSARIF, linted(t)).(map[string]any)
	damaged["runs"].([]any)[0].(map[string]any)["results"].([]any)[0].(map[string]any)["level"] = "fatal"
	if schema.Validate(damaged) == nil {
		t.Error("a level that SARIF does not have is accepted")
	}
}

// written decodes what a renderer writes.
func written(t *testing.T, write func(io.Writer, []Linted) error, files []Linted) any {
	t.Helper()
	var b bytes.Buffer
	if err := write(&b, files); err != nil {
		t.Fatal(err)
	}
	value, err := jsonschema.UnmarshalJSON(&b)
	if err != nil {
		t.Fatal(err)
	}
	return value
}

// Paths become URIs that are valid whatever the names.
func TestFileURI(t *testing.T) {
	for file, want := range map[string]string{
		"ops/a.toml": "ops/a.toml", "./a b.toml": "a%20b.toml", "/srv/a.toml": "file:///srv/a.toml", "a:b%.toml": "./a:b%25.toml",
	} {
		if got := fileURI(file); got != want {
			t.Errorf("%s is %s, want %s", file, got, want)
		}
	}
}

// Sources are what a reader can look up: every rule has one, and addresses are whole.
func TestRulesHaveSources(t *testing.T) {
	for _, r := range lint.Rules() {
		if len(r.Sources) == 0 || r.Why == "" || r.Instead == "" || r.Summary == "" {
			t.Errorf("%s lacks a text or a source", r.ID)
		}
		for _, source := range r.Sources {
			if strings.HasPrefix(source, "http") && strings.ContainsAny(source, " ()") {
				t.Errorf("%s: %q is no address", r.ID, source)
			}
		}
	}
}

// TestLintIsUnheeded holds that no name makes a line that the log of a CI system obeys.
func TestLintIsUnheeded(t *testing.T) {
	files := linted(t)
	files[0].File, files[1].File = "::error::x.toml", "##[error]##vso[x].toml"
	for name, write := range map[string]func(io.Writer) error{
		"text":  func(w io.Writer) error { return Lint(w, files, TextOptions{}) },
		"json":  func(w io.Writer) error { return LintJSON(w, files) },
		"sarif": func(w io.Writer) error { return LintSARIF(w, files) },
	} {
		var b bytes.Buffer
		if err := write(&b); err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(b.String()) {
			if strings.HasPrefix(strings.TrimSpace(line), "::") || strings.Contains(line, "##") {
				t.Errorf("%s has the line %q", name, line)
			}
		}
	}
}
