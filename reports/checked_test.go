package reports

import (
	"encoding/json"
	"io"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"simulate/explain"
	"simulate/sim/clock"
	"simulate/sim/metrics"
	"simulate/sim/scenario"
)

// checkForms are the renderers of a check, by the ending of their golden files.
var checkForms = map[string]func(io.Writer, Checked) error{
	"text":   func(w io.Writer, c Checked) error { return CheckText(w, c, CheckTextOptions{}) },
	"json":   CheckJSON,
	"tap":    CheckTAP,
	"xml":    CheckJUnit,
	"md":     CheckSummary,
	"github": CheckAnnotations,
}

// TestCheckForms compares what each renderer makes of each hand-made check.
func TestCheckForms(t *testing.T) {
	for ending, render := range checkForms {
		for name, c := range handMadeChecks() {
			t.Run(name+"."+ending, func(t *testing.T) {
				compareGolden(t, filepath.Join("testdata", "check-"+name+"."+ending), rendered(t, render, c))
			})
		}
	}
}

func rendered(t *testing.T, render func(io.Writer, Checked) error, c Checked) string {
	t.Helper()
	var b strings.Builder
	if err := render(&b, c); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func handMadeChecks() map[string]Checked {
	return map[string]Checked{
		"passed":  checkedOf(passes("ops/a.toml"), passes("slow-poll")),
		"failed":  checkedOf(passes("ops/a.toml"), evicts(), waits(), snapshot(), CheckedFile{Name: "ops/empty.toml", IsPath: true, Verdict: FilePassed}),
		"ended":   checkedOf(append(cuts(), wrong(), broken(), spins(), runSpins(), replicated(), races(FilePassed), races(FileFailed))...),
		"hostile": checkedOf(hostile()),
	}
}

func checkedOf(files ...CheckedFile) Checked {
	c := Checked{Files: files}
	for _, f := range files {
		switch f.Verdict {
		case FilePassed:
			c.Passed++
		case FileInterrupted:
			c.Interrupted++
		default:
			c.Failed++
		}
	}
	return c
}

func passes(name string) CheckedFile {
	r := quietStart().report()
	return CheckedFile{Name: name, IsPath: strings.Contains(name, "/"), Verdict: FilePassed, Report: r}
}

// failing is an expectation of a hand-made run, with what was measured.
type failing struct {
	that, got string
	query     metrics.Query
	miss      metrics.Miss
}

// checkedRun makes the file of a run whose expectations fail, and finds what they failed by, as check does.
func checkedRun(name string, h *handMade, list ...failing) CheckedFile {
	f := CheckedFile{Name: name, IsPath: true, Verdict: FileFailed, Report: h.report()}
	fold := metrics.NewFold(metrics.Options{
		StuckAfter: 30 * time.Second, Topics: map[string]int{topic: twelve}, Fleets: []metrics.Fleet{h.fleet},
	})
	for _, e := range h.events {
		fold.Record(e)
	}
	groups := explain.Explain(h.events, fold)
	for i, of := range list {
		e := Expectation{That: of.that, Got: of.got, Line: 10 + 3*i}
		if m, ok := fold.Moment(of.query, clock.At(h.end), of.miss); ok {
			e.Responsible = &Responsible{Moment: m, Cause: groups[0].Behind(&m)}
		}
		f.Report.Expectations = append(f.Report.Expectations, e)
	}
	return f
}

func evicts() CheckedFile {
	return checkedRun("ops/it's one.toml", eviction(),
		failing{"rebalances(orders) == 1", "2", metrics.Query{Name: "rebalances", Subject: "orders"}, metrics.Miss{Most: 1}},
		failing{"evictions(orders) == 0", "1", metrics.Query{Name: "evictions", Subject: "orders"}, metrics.Miss{}},
		failing{"stuck(orders) == 2", "1", metrics.Query{Name: "stuck", Subject: "orders"}, metrics.Miss{Low: true}})
}

func waits() CheckedFile {
	f := checkedRun("ops/waits.toml", stuckClosed(),
		failing{"longest(orders, PreparingRebalance) < 30s", "4m37s", metrics.Query{Name: "longest", Subject: "orders", Arg: "PreparingRebalance"}, metrics.Miss{}})
	f.Report.Expectations = append(f.Report.Expectations,
		Expectation{That: "leader(orders) == orders-1 at 0s", Problem: "nobody leads orders", Line: 30})
	defaults := metrics.Defaults()
	defaults.StormCount = 4
	f.Report.Thresholds = defaults
	return f
}

func snapshot() CheckedFile {
	f := CheckedFile{Name: "-s.toml", IsPath: true, Verdict: FileFailed, Report: quietStart().report()}
	f.Report.Expectations = []Expectation{{That: "generation(orders) == 3", Got: "1", Line: 9, Snapshot: true}}
	return f
}

func wrong() CheckedFile {
	return CheckedFile{Name: "ops/wrong.toml", IsPath: true, Verdict: FileWrong,
		Problem: "ops/wrong.toml:3:1: unknown key \"nam\"; did you mean \"name\"?\nops/wrong.toml:7:12: \"10\" has no unit\nops/wrong.toml: 2 problems"}
}

func broken() CheckedFile {
	return CheckedFile{Name: "ops/broken.toml", IsPath: true, Verdict: FileBroken, Problem: "ops/broken.toml: two owners of one partition"}
}

// cuts are all ways in which the user does not wait for a file.
func cuts() []CheckedFile {
	list := []CheckedFile{
		{Name: "ops/cut.toml", Report: interrupted().report()},
		{Name: "ops/cut-runs.toml", Report: quietStart().report()},
		{Name: "ops/cut-orders.toml", Report: quietStart().report()},
	}
	list[1].Report.Replicated = Replicated{Planned: 20, Ended: 3}
	list[2].Report.RacesCut = true
	for i := range list {
		list[i].IsPath, list[i].Verdict = true, FileInterrupted
	}
	return list
}

func spins() CheckedFile {
	f := passes("ops/spins.toml")
	f.Verdict, f.Report.Outcome, f.Report.At = FileBroken, EventLimit, clock.At(4*time.Minute)
	return f
}

func runSpins() CheckedFile {
	f := passes("ops/run-spins.toml")
	f.Verdict, f.Report.Replicated = FileBroken, Replicated{Planned: 20, Ended: 20, Spins: &Run{Seed: 9, At: clock.At(3 * time.Minute)}}
	return f
}

func replicated() CheckedFile {
	f := checkedRun("ops/replicated.toml", eviction(),
		failing{"rebalances(orders) == 1", "2", metrics.Query{Name: "rebalances", Subject: "orders"}, metrics.Miss{Most: 1}})
	e := &f.Report.Expectations[len(f.Report.Expectations)-1]
	e.Replications, e.FailedIn, e.Seed = 20, 3, 9
	f.Report.Replicated = Replicated{Planned: 20, Ended: 20}
	return f
}

func races(verdict FileVerdict) CheckedFile {
	f := passes("ops/races-" + string(verdict) + ".toml")
	f.Verdict, f.Report.RacesFail = verdict, verdict == FileFailed
	f.Report.Races = []Race{{That: "rebalances(orders) == 1", Line: 12, ShuffleSeed: 3, Got: "2", Unshuffled: "1"}}
	if f.Report.RacesFail {
		f.Report.Races = append(f.Report.Races, Race{That: "leader(orders) == orders-1", Line: 15, ShuffleSeed: 1, Got: "orders-2", Unshuffled: "orders-1"})
	}
	return f
}

// nasty means something in each of the forms: tags, quotes, ends of lines and of sections, commands of CI systems,
// directives, links, mentions, text that runs from right to left, and a byte that is no text.
const nasty = "a<script>alert(\"1\")</script>'&amp;]]>-->\n::error file=x::y\r\n##[error]z ##vso[a] %0A,: \x00\x1b[31m\u202eלא😀\xff " +
	"`c` **b** [l](http://e.vil) | www.e.vil @admin #1 :tada: \\ # TODO # SKIP ---\n...\nBail out!\nnot ok 1"

func hostile() CheckedFile {
	f := checkedRun(nasty+".toml", hostileNames(),
		failing{nasty + " == 1", nasty, metrics.Query{Name: "rebalances", Subject: hostileNames().group}, metrics.Miss{Most: 1}},
		failing{"longest < 1s", "41s", metrics.Query{Name: "longest", Subject: hostileNames().group, Arg: "PreparingRebalance"}, metrics.Miss{}})
	f.Report.Races = []Race{{That: nasty, Line: 1, Got: nasty, Unshuffled: nasty}}
	return f
}

// TestCheckTextIsTame holds that whatever names there are, nothing reaches a terminal or a CI system that it would obey.
func TestCheckTextIsTame(t *testing.T) {
	text := rendered(t, checkForms["text"], checkedOf(hostile()))
	for line := range strings.Lines(text) {
		line = strings.TrimSuffix(line, "\n")
		if strings.HasPrefix(strings.TrimSpace(line), "::") || strings.Contains(line, "##") || line != clean(line) {
			t.Errorf("got the line %q", line)
		}
	}
	var b strings.Builder
	file := "a\t##[error].toml"
	if err := Updates(&b, []Update{{File: file, Lines: []scenario.Rewritten{{Line: 3, Before: "\x1b[2J\t1", After: "##vso[x] 2"}}}}); err != nil {
		t.Fatal(err)
	}
	const want = "--- a�# # [error].toml\n+++ a�# # [error].toml\n@@ -3 +3 @@\n-�[2J    1\n+# # vso[x] 2\n1 file changed\n"
	if b.String() != want {
		t.Errorf("got\n%s\nwant\n%s", b.String(), want)
	}
}

// TestCheckTextQuiet holds that only files which passed are left out, and the tally stays.
func TestCheckTextQuiet(t *testing.T) {
	c := checkedOf(passes("ops/a.toml"), wrong())
	var b strings.Builder
	if err := CheckText(&b, c, CheckTextOptions{Quiet: true}); err != nil {
		t.Fatal(err)
	}
	const want = "FAIL  ops/wrong.toml: it cannot be read, or is wrong, and did not run\n\n1 passed, 1 failed\n"
	if b.String() != want {
		t.Errorf("got\n%s", b.String())
	}
}

// TestCheckTextColor holds that colour changes nothing but the look of the verdicts.
func TestCheckTextColor(t *testing.T) {
	c := checkedOf(append(cuts(), passes("ops/a.toml"), wrong())...)
	var b strings.Builder
	if err := CheckText(&b, c, CheckTextOptions{TextOptions: TextOptions{Color: true}}); err != nil {
		t.Fatal(err)
	}
	got := b.String()
	for _, word := range []string{red + "FAIL" + plain, red + "CUT" + plain, green + "ok" + plain} {
		if !strings.Contains(got, word) {
			t.Errorf("no %q", word)
		}
	}
	if bare := strings.NewReplacer(red, "", green, "", plain, "").Replace(got); bare != rendered(t, checkForms["text"], c) {
		t.Errorf("got %q", got)
	}
}

// TestCheckJSONKeepsItsSchema holds that JSON is what the published schema promises, that hostile names come back as they
// were, and that no line is a command.
func TestCheckJSONKeepsItsSchema(t *testing.T) {
	schema := compile(t, "check")
	for name, c := range handMadeChecks() {
		text := rendered(t, CheckJSON, c)
		if err := schema.Validate(decodedText(t, text)); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if strings.Contains(text, "##") {
			t.Errorf("%s: a log could take something for a command", name)
		}
	}
	var back struct{ Files []struct{ File string } }
	if err := json.Unmarshal([]byte(rendered(t, CheckJSON, checkedOf(hostile()))), &back); err != nil {
		t.Fatal(err)
	}
	if got, want := back.Files[0].File, strings.ToValidUTF8(nasty, "\ufffd")+".toml"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

// TestCheckSchemaRefuses holds that the schema is strict.
func TestCheckSchemaRefuses(t *testing.T) {
	schema := compile(t, "check")
	for name, change := range map[string]func(check, file map[string]any){
		"missing key":     func(check, _ map[string]any) { delete(check, "passed") },
		"unknown key":     func(_, file map[string]any) { file["time"] = 1 },
		"unknown verdict": func(_, file map[string]any) { file["verdict"] = "green" },
		"another version": func(check, _ map[string]any) { check["schema"] = "simulate.check/2" },
	} {
		check := decodedText(t, rendered(t, CheckJSON, checkedOf(evicts()))).(map[string]any)
		change(check, check["files"].([]any)[0].(map[string]any))
		if schema.Validate(check) == nil {
			t.Errorf("%s: accepted", name)
		}
	}
}

func decodedText(t *testing.T, text string) any {
	t.Helper()
	value, err := jsonschema.UnmarshalJSON(strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	return value
}
