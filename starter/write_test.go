package starter

import (
	"context"
	"regexp"
	"strings"
	"testing"

	"github.com/cockroachdb/datadriven"
	"github.com/google/go-cmp/cmp"

	"simulate/check"
	"simulate/clientconfig"
	"simulate/lint"
	"simulate/sim/scenario"
)

// TestWrite runs the transcripts in testdata/write:
//
//	init [from=NAME] [group=G] [client=C] [topic=(T, ...)] [members=N] [partitions=N] [static] [shape=S]
//
// writes the scenario for the configuration that follows, or for none, and holds what every such scenario keeps.
func TestWrite(t *testing.T) {
	inputs := 0
	datadriven.Walk(t, "testdata/write", func(t *testing.T, path string) {
		datadriven.RunTest(t, path, func(t *testing.T, d *datadriven.TestData) string {
			if d.Cmd != "init" {
				return "unknown command " + d.Cmd
			}
			inputs++
			o, err := options(t, d)
			if err != nil {
				return err.Error() + "\n"
			}
			text, err := Write(context.Background(), o)
			if err != nil {
				return err.Error() + "\n"
			}
			hold(t, text)
			passes(t, text)
			return string(text)
		})
	})
	if inputs < 20 {
		t.Errorf("only %d inputs", inputs)
	}
}

func options(t *testing.T, d *datadriven.TestData) (Options, error) {
	t.Helper()
	o := Options{File: "orders.toml", Static: d.HasArg("static")}
	scan := func(key string, to any) {
		if d.HasArg(key) {
			d.ScanArgs(t, key, to)
		}
	}
	scan("group", &o.Group)
	scan("client", &o.Client)
	scan("members", &o.Members)
	scan("partitions", &o.Partitions)
	scan("shape", &o.Shape)
	for _, arg := range d.CmdArgs {
		if arg.Key == "topic" {
			o.Topics = arg.Vals
		}
	}
	if !d.HasArg("from") {
		return o, nil
	}
	var name string
	scan("from", &name)
	text := []byte(d.Input + "\n")
	var err error
	o.Config, err = clientconfig.Read(name, text, clientconfig.Detect(name, text), o.Client)
	return o, err
}

// tester is a *testing.T or a *rapid.T.
type tester interface {
	Helper()
	Errorf(format string, args ...any)
	Fatalf(format string, args ...any)
}

// mustNotLeak is in every secret of the tests.
const mustNotLeak = "hunter2"

// loads holds what is true of every text that is written: it loads without a warning; written in full it loads again
// as the same; and no secret is in it.
func loads(t tester, text []byte) {
	t.Helper()
	s, warnings, err := scenario.Load("init.toml", text)
	if err != nil || len(warnings) > 0 {
		t.Fatalf("%v %q in\n%s", err, warnings, text)
	}
	again, _, err := scenario.Load("init.toml", []byte(s.TOML()))
	if err != nil {
		t.Fatalf("%v in\n%s", err, s.TOML())
	}
	if diff := cmp.Diff(s.TOML(), again.TOML()); diff != "" {
		t.Errorf("loading what TOML wrote differs (-file +written):\n%s", diff)
	}
	if strings.Contains(string(text), mustNotLeak) {
		t.Errorf("a secret is in\n%s", text)
	}
}

// TestEveryClient holds that what is written of each client library loads, passes, and has no error of lint.
func TestEveryClient(t *testing.T) {
	for _, client := range Clients() {
		for _, shape := range Shapes() {
			t.Run(client+"/"+shape, func(t *testing.T) {
				text, err := Write(context.Background(), Options{Client: client, Shape: shape})
				if err != nil {
					t.Fatal(err)
				}
				hold(t, text)
				passes(t, text)
				s, _, err := scenario.Load("init.toml", text)
				if err != nil {
					t.Fatal(err)
				}
				for _, f := range lint.Check(s, text) {
					if f.Rule.Severity == lint.Error {
						t.Errorf("%d:%d: %s: %s", f.Line, f.Column, f.Rule.ID, f.Text)
					}
				}
			})
		}
	}
}

// hold is loads, and holds that the settings load which the text lists.
func hold(t tester, text []byte) {
	t.Helper()
	loads(t, text)
	listed := knobLine.FindAllSubmatch(text, -1)
	if len(listed) < 4 {
		t.Errorf("only %d settings to try in\n%s", len(listed), text)
	}
	for _, l := range listed {
		o, err := scenario.ParseOverride(string(l[1]))
		if err == nil {
			_, _, err = scenario.Load("init.toml", text, o)
		}
		if err != nil {
			t.Errorf("%s: %v", l[1], err)
		}
	}
}

var knobLine = regexp.MustCompile(`(?m)^#   --set (\S+)  `)

// passes holds that what the scenario expects is so.
func passes(t tester, text []byte) {
	t.Helper()
	result := check.One(context.Background(), check.Source{Name: "init.toml", Text: text})
	if result.Verdict != check.Passed || len(result.Report.Expectations) == 0 {
		t.Errorf("verdict %d, %v of\n%s", result.Verdict, result.Err, text)
	}
}
