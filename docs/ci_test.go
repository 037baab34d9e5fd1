// Package docs holds the documentation, and tests of what it tells people to write.
package docs

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"go.yaml.in/yaml/v3"
)

var fence = regexp.MustCompile("(?ms)^```([a-z]*)\n(.*?)^```$")

// blocks returns the examples of a page in one language, which stand between lines of three back-quotes.
func blocks(t *testing.T, page, language string) []string {
	t.Helper()
	var all []string
	for _, m := range fence.FindAllStringSubmatch(read(t, page), -1) {
		if m[1] == language {
			all = append(all, m[2])
		}
	}
	if len(all) == 0 {
		t.Fatalf("%s has no example in %s", page, language)
	}
	return all
}

func read(t *testing.T, file string) string {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func parse(t *testing.T, text string, into any) {
	t.Helper()
	if err := yaml.Unmarshal([]byte(text), into); err != nil {
		t.Fatal(err)
	}
}

// published compiles a schema of testdata.
func published(t *testing.T, name string) *jsonschema.Schema {
	t.Helper()
	document, err := jsonschema.UnmarshalJSON(strings.NewReader(read(t, "testdata/"+name)))
	if err != nil {
		t.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	if err := c.AddResource(name, document); err != nil {
		t.Fatal(err)
	}
	s, err := c.Compile(name)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// TestPipelines holds the examples of CI against the schemas of those who read them, and their scripts against bash.
func TestPipelines(t *testing.T) {
	schemas := map[string]*jsonschema.Schema{
		"# .github/workflows/rebalances.yml": published(t, "github-workflow.json"),
		"# .gitlab-ci.yml":                   published(t, "gitlab-ci.json"),
	}
	seen := map[string]int{}
	for _, text := range blocks(t, "ci.md", "yaml") {
		file, _, _ := strings.Cut(text, "\n")
		if schemas[file] == nil {
			t.Errorf("no schema for %q", file)
			continue
		}
		seen[file]++
		var document map[string]any
		parse(t, text, &document)
		if err := schemas[file].Validate(document); err != nil {
			t.Errorf("%s: %v", file, err)
		}
		for _, script := range scripts(document) {
			if said, err := exec.Command("bash", "-n", "-c", script).CombinedOutput(); err != nil {
				t.Errorf("%s: %v\n%s%s", file, err, said, script)
			}
		}
	}
	if len(seen) != len(schemas) {
		t.Errorf("only these have examples: %v", seen)
	}
}

// scripts returns what a pipeline runs.
func scripts(v any) []string {
	var all []string
	switch v := v.(type) {
	case map[string]any:
		for key, e := range v {
			if script, ok := e.(string); ok && key == "run" {
				all = append(all, script)
			}
			if lines, ok := e.([]any); ok && key == "script" {
				all = append(all, strings.Trim(fmt.Sprintln(lines...), "\n"))
			}
			all = append(all, scripts(e)...)
		}
	case []any:
		for _, e := range v {
			all = append(all, scripts(e)...)
		}
	}
	return all
}

// step is one of an action or of a job.
type step struct {
	Name, Uses, Shell, Run string
	Env, With              map[string]string
}

// action is what action.yml says.
type action struct {
	Inputs map[string]struct{ Description, Default string }
	Runs   struct{ Steps []step }
}

func theAction(t *testing.T) action {
	t.Helper()
	var a action
	parse(t, read(t, "../action.yml"), &a)
	return a
}

// named returns the step of that name.
func (a action) named(t *testing.T, name string) step {
	t.Helper()
	i := slices.IndexFunc(a.Runs.Steps, func(s step) bool { return s.Name == name })
	if i < 0 {
		t.Fatalf("the action has no step %q", name)
	}
	return a.Runs.Steps[i]
}

// TestAction holds action.yml against its schema and the page, and that inputs reach scripts by the environment alone.
func TestAction(t *testing.T) {
	var document map[string]any
	parse(t, read(t, "../action.yml"), &document)
	if err := published(t, "github-action.json").Validate(document); err != nil {
		t.Error(err)
	}
	a, page := theAction(t), read(t, "ci.md")
	env := a.named(t, "Check").Env
	for name, input := range a.Inputs {
		row := fmt.Sprintf("| `%s` | %s |", name, rowOf(input.Description))
		if !strings.Contains(page, row) {
			t.Errorf("ci.md has no row %s", row)
		}
		if n := strings.Count(fmt.Sprint(env), "${{ inputs."+name+" }}"); n != 1 {
			t.Errorf("%d variables have the input %s, want one", n, name)
		}
	}
	for _, s := range a.Runs.Steps {
		if strings.Contains(s.Run, "${{") {
			t.Errorf("step %q has an expression in its script: %s", s.Name, s.Run)
		}
	}
	for _, text := range blocks(t, "ci.md", "yaml") {
		var workflow struct {
			Jobs map[string]struct{ Steps []step }
		}
		if !strings.HasPrefix(text, "# .github") {
			continue
		}
		parse(t, text, &workflow)
		for _, s := range workflow.Jobs["simulate"].Steps {
			for name := range s.With {
				if _, known := a.Inputs[name]; strings.HasPrefix(s.Uses, "OWNER/simulate@") && !known {
					t.Errorf("an example gives the action %s, which is no input", name)
				}
			}
		}
	}
}

// rowOf is the description of an input as the page has it.
func rowOf(description string) string {
	description = strings.TrimSuffix(strings.TrimSuffix(description, " None when empty."), ".")
	description = strings.Replace(description, "true:", "`true`:", 1)
	description = strings.ReplaceAll(description, `"simulate check"`, "`simulate check`")
	return strings.ToLower(description[:1]) + description[1:]
}

// runStep runs the script of a step as GitHub does, in a folder, and returns its exit code and what it said.
func runStep(t *testing.T, s step, dir string, env ...string) (int, string) {
	t.Helper()
	script := filepath.Join(t.TempDir(), "step.sh")
	if err := os.WriteFile(script, []byte(s.Run), 0o644); err != nil {
		t.Fatal(err)
	}
	c := exec.Command("bash", "--noprofile", "--norc", "-eo", "pipefail", script)
	c.Dir, c.Env = dir, append(os.Environ(), env...)
	said, err := c.CombinedOutput()
	if c.ProcessState == nil {
		t.Fatal(err)
	}
	return c.ProcessState.ExitCode(), string(said)
}

// built runs the action's own step that builds the program, and returns the folder that it puts it in.
func built(t *testing.T) string {
	t.Helper()
	root, err := filepath.Abs("..")
	if err != nil {
		t.Fatal(err)
	}
	temp := filepath.Join(t.TempDir(), "a temp")
	if err := os.Mkdir(temp, 0o755); err != nil {
		t.Fatal(err)
	}
	code, said := runStep(t, theAction(t).named(t, "Build simulate"), t.TempDir(), "RUNNER_TEMP="+temp, "GITHUB_ACTION_PATH="+root)
	if code != 0 {
		t.Fatalf("the program was not built: %s", said)
	}
	return temp
}

// recorder stands in for the program: it notes its arguments, each in brackets, and ends with the code that the
// environment has for its command.
const recorder = `#!/usr/bin/env bash
{ printf '[%s]' "$@"; echo; } >> "$RECORD"
code=CODE_$1
exit "${!code}"
`

// TestCheckStep holds that the action gives inputs to the program as they are, whatever stands in them, and ends with
// the program's exit code.
func TestCheckStep(t *testing.T) {
	temp := t.TempDir()
	if err := os.WriteFile(filepath.Join(temp, "simulate"), []byte(recorder), 0o755); err != nil {
		t.Fatal(err)
	}
	s := theAction(t).named(t, "Check")
	for name, test := range map[string]struct {
		env  []string
		code int
		want string
	}{
		"defaults": {[]string{"SCENARIOS=ops"}, 0, "[check][--github-summary][SUMMARY][--][ops]\n"},
		"all": {
			[]string{"SCENARIOS=ops\n\nlib", "LINT=true", "SARIF=my lint.sarif", "JUNIT=a b.xml", "STRICT=true", "ARGUMENTS=--run\np.*"}, 0,
			"[lint][--format][sarif][--][ops][lib]\n[lint][--][ops][lib]\n" +
				"[check][--github-summary][SUMMARY][--run][p.*][--strict][--junit][a b.xml][--][ops][lib]\n",
		},
		"hostile": {
			[]string{"SCENARIOS=it's \"$(touch pwned)\" `touch pwned`; touch pwned\n-rf *", "ARGUMENTS=--run\n$HOME"}, 0,
			"[check][--github-summary][SUMMARY][--run][$HOME][--][it's \"$(touch pwned)\" `touch pwned`; touch pwned][-rf *]\n",
		},
		"check fails":    {[]string{"SCENARIOS=a", "CODE_check=1"}, 1, "[check][--github-summary][SUMMARY][--][a]\n"},
		"check is wrong": {[]string{"SCENARIOS=a", "LINT=true", "CODE_lint=1", "CODE_check=2"}, 2, "[lint][--][a]\n[check][--github-summary][SUMMARY][--][a]\n"},
		"sarif only":     {[]string{"SCENARIOS=a", "SARIF=lint.sarif", "CODE_lint=1"}, 0, "[lint][--format][sarif][--][a]\n[check][--github-summary][SUMMARY][--][a]\n"},
		"lint breaks":    {[]string{"SCENARIOS=a", "SARIF=lint.sarif", "CODE_lint=3"}, 2, "[lint][--format][sarif][--][a]\n[check][--github-summary][SUMMARY][--][a]\n"},
		"lint fails":     {[]string{"SCENARIOS=a", "LINT=true", "CODE_lint=1"}, 1, "[lint][--][a]\n[check][--github-summary][SUMMARY][--][a]\n"},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			record := filepath.Join(t.TempDir(), "record")
			env := []string{"RUNNER_TEMP=" + temp, "RECORD=" + record, "GITHUB_STEP_SUMMARY=SUMMARY", "CODE_check=0", "CODE_lint=0"}
			for variable := range s.Env {
				env = append(env, variable+"=")
			}
			code, said := runStep(t, s, dir, append(env, test.env...)...)
			if code != test.code || said != "" {
				t.Errorf("got exit code %d and %q, want %d", code, said, test.code)
			}
			if got := read(t, record); got != test.want {
				t.Errorf("got\n%swant\n%s", got, test.want)
			}
			if all, _ := filepath.Glob(filepath.Join(dir, "pwned")); all != nil {
				t.Error("an input was run")
			}
		})
	}
}

// TestShell runs the examples for a shell one after the other, in a folder that begins empty.
func TestShell(t *testing.T) {
	temp, dir := built(t), t.TempDir()
	path := "PATH=" + temp + string(os.PathListSeparator) + os.Getenv("PATH")
	if code, said := runStep(t, step{Run: "git init -q"}, dir); code != 0 {
		t.Fatal(said)
	}
	for _, script := range blocks(t, "ci.md", "sh") {
		if code, said := runStep(t, step{Run: script}, dir, path); code != 0 {
			t.Errorf("exit code %d\n%s%s", code, script, said)
		}
	}
}

// TestActionRuns runs both scripts of the action, with the program itself: what is found is annotated once.
func TestActionRuns(t *testing.T) {
	s := theAction(t).named(t, "Check")
	temp, dir := built(t), t.TempDir()
	scenario := read(t, "../scenarios/gc-pause-short.toml")
	for code, text := range []string{scenario, strings.Replace(scenario, "45000", "10000", 1), scenario + "x"} {
		if err := os.WriteFile(filepath.Join(dir, "my pause.toml"), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		got, said := runStep(t, s, dir, "RUNNER_TEMP="+temp, "GITHUB_STEP_SUMMARY=summary.md", "GITHUB_ACTIONS=true",
			"SCENARIOS=my pause.toml\n", "LINT=true", "SARIF=lint.sarif", "JUNIT=results.xml", "STRICT=true", "ARGUMENTS=")
		if got != code {
			t.Errorf("exit code %d, want %d\n%s", got, code, said)
		}
		annotated := map[string]bool{}
		for line := range strings.Lines(said) {
			if strings.HasPrefix(line, "::") && annotated[line] {
				t.Errorf("annotated twice: %s", line)
			}
			annotated[line] = true
		}
		for _, file := range []string{"lint.sarif", "results.xml", "summary.md"} {
			if text := read(t, filepath.Join(dir, file)); !strings.Contains(text, "pause") {
				t.Errorf("%s does not say what was checked:\n%s", file, text)
			}
		}
	}
}
