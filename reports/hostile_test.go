package reports

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"encoding/xml"
	"errors"
	"io"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"simulate/sim/wire"
)

// hostileWords are names that mean something to one form or another.
var hostileWords = []string{
	`<script>alert(1)</script>`, `"quoted" 'twice' \ back`, "line\nfeed\r\ttab", "\u202egnp.exe", "😀 wave", "=1+1", "--> %% ; : # end",
	"}]]>&amp;", "\x1b[2J\x00", "not \xff utf-8",
}

// named is a run in which the scenario, the group and its processes have a name, and a client says it, too.
func named(name string) Report {
	h := begin("hostile", name, name).create()
	h.title = name
	h.join(name + "-1").join(name + "-2").stabilize(name + "-1")
	h.assign(name+"-1", 0, 1).assign(name+"-2", 2, 3)
	h.remove(name+"-2", 0, name)
	h.become(wire.PreparingRebalance, h.events[len(h.events)-1])
	h.stabilize(name+"-1").expect(`state("`+name+`") == Stable`, name, false)
	return h.report()
}

// Whatever things are called, a form holds them as text: the structure of what is written is that of harmless names.
func TestHostileNamesAreInert(t *testing.T) {
	plots := func(w io.Writer, r Report) error {
		tradeOff, _ := TunePlot(tunedAs(r.Scenario.Name))
		for _, p := range slices.Concat(RunPlots(r), SweepPlots(sweptAs(r.Scenario.Name)), []Plot{tradeOff}) {
			if err := p.Write(w, "svg"); err != nil {
				return err
			}
		}
		return nil
	}
	for form, f := range map[string]struct {
		write func(io.Writer, Report) error
		shape func(*testing.T, string) string
	}{
		"mermaid": {MermaidStates, mermaidShape},
		"mermaid sequence": {func(w io.Writer, r Report) error {
			return MermaidRebalance(w, r, r.Summary.Groups[0].Name, len(r.Summary.Groups[0].Rebalances))
		}, mermaidShape},
		"html":              {HTML, tagShape},
		"sweep page":        {func(w io.Writer, r Report) error { return SweepHTML(w, sweptAs(r.Scenario.Name)) }, tagShape},
		"tune page":         {func(w io.Writer, r Report) error { return TuneHTML(w, tunedAs(r.Scenario.Name)) }, tagShape},
		"analysis page":     {func(w io.Writer, r Report) error { return AnalysisHTML(w, stuckAnalysis(r.Scenario.Name)) }, tagShape},
		"analysis json":     {func(w io.Writer, r Report) error { return AnalysisJSON(w, stuckAnalysis(r.Scenario.Name)) }, textJSONShape},
		"json":              {JSON, textJSONShape},
		"check json":        {func(w io.Writer, r Report) error { return CheckJSON(w, checkedAs(r)) }, textJSONShape},
		"sweep json":        {func(w io.Writer, r Report) error { return SweepJSON(w, sweptAs(r.Scenario.Name)) }, textJSONShape},
		"tune json":         {func(w io.Writer, r Report) error { return TuneJSON(w, tunedAs(r.Scenario.Name)) }, textJSONShape},
		"reproduction json": {func(w io.Writer, r Report) error { return ReproductionJSON(w, reproductionOf(r.Scenario.Name)) }, textJSONShape},
		"openmetrics":       {OpenMetrics, openMetricsShape},
		"perfetto":          {Perfetto, jsonShape},
		"timeline":          {TimelineText, lineShape},
		"broker-log":        {BrokerLog, lineShape},
		"plots":             {plots, xmlShape},
		"junit":             {func(w io.Writer, r Report) error { return CheckJUnit(w, checkedAs(r)) }, xmlShape},
		"csv":               {func(w io.Writer, r Report) error { return SweepCSV(w, sweptAs(r.Scenario.Name)) }, csvShape},
	} {
		shape := func(name string) string {
			var b bytes.Buffer
			if err := f.write(&b, named(name)); err != nil {
				t.Fatal(err)
			}
			return f.shape(t, b.String())
		}
		want := shape("orders")
		for _, name := range hostileWords {
			if got := shape(name); got != want {
				t.Errorf("%s: %q changes what is written:\n%s\nwant\n%s", form, name, got, want)
			}
		}
	}
}

// tagShape is the names of all tags, in order.
func tagShape(_ *testing.T, page string) string {
	return strings.Join(regexp.MustCompile(`<[^\s>]*`).FindAllString(page, -1), "\n")
}

// mermaidShape is the lines up to their texts, in which no character is left that Mermaid or a browser knows.
func mermaidShape(t *testing.T, text string) string {
	text = regexp.MustCompile(`^%%\{init: \{"gantt": \{"leftPadding": \d+}}}%%\n`).ReplaceAllString(text, "")
	var b strings.Builder
	for line := range strings.Lines(text) {
		head, rest, found := strings.Cut(line, " as ")
		if !found {
			head, rest, _ = strings.Cut(line, ": ")
		}
		if strings.ContainsAny(rest, "<>\"'`\\&%\x1b\u202e") {
			t.Errorf("mermaid: %q", line)
		}
		for _, word := range []string{"title", "section"} {
			if at := strings.Index(head, word); at >= 0 {
				head = head[:at+len(word)]
			}
		}
		b.WriteString(strings.TrimRight(head, "\n") + "\n")
	}
	return b.String()
}

// openMetricsShape is the metrics of all samples, in their order; Prometheus reads them.
func openMetricsShape(t *testing.T, text string) string {
	if strings.ContainsAny(text, "\x1b\u202e\r\x00") {
		t.Errorf("openmetrics: what a terminal obeys in\n%q", text)
	}
	samplesOf(t, []byte(text))
	var names []string
	for line := range strings.Lines(text) {
		name, _, _ := strings.Cut(line, "{")
		names = append(names, name)
	}
	return strings.Join(names, "\n")
}

// jsonShape is the tokens, with all texts and numbers alike.
func jsonShape(t *testing.T, text string) string {
	if strings.ContainsAny(text, "\x1b\x00") || strings.Contains(text, "<script") {
		t.Errorf("json: what a terminal or a browser obeys in\n%q", text)
	}
	var b strings.Builder
	for d := json.NewDecoder(strings.NewReader(text)); ; {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			return b.String()
		}
		if err != nil {
			t.Errorf("%v in\n%s", err, text)
			return ""
		}
		if delimiter, ok := token.(json.Delim); ok {
			b.WriteString(delimiter.String())
		} else {
			b.WriteString(".")
		}
	}
}

// textJSONShape is that of JSON which no browser takes for its own.
func textJSONShape(t *testing.T, text string) string {
	return jsonShape(t, strings.ReplaceAll(text, "<script", ""))
}

// A program that reads JSON gets names as they are.
func TestNamesSurviveJSON(t *testing.T) {
	for _, name := range hostileWords {
		var b bytes.Buffer
		if err := JSON(&b, named(name)); err != nil {
			t.Fatal(err)
		}
		var run struct {
			Scenario string
			Groups   []struct{ Group string }
		}
		if err := json.Unmarshal(b.Bytes(), &run); err != nil {
			t.Fatal(err)
		}
		if want := strings.ToValidUTF8(name, "\ufffd"); run.Scenario != want || len(run.Groups) != 1 || run.Groups[0].Group != want {
			t.Errorf("%q is read as %q", name, run)
		}
	}
}

// lineShape is how many lines there are; nothing in them is for a terminal.
func lineShape(t *testing.T, text string) string {
	if strings.ContainsAny(text, "\x1b\x00\r") {
		t.Errorf("text: what a terminal obeys in\n%q", text)
	}
	return strings.Repeat("\n", strings.Count(text, "\n[")+strings.Count(text, "\nat"))
}

// xmlShape is the elements.
func xmlShape(t *testing.T, text string) string {
	var b strings.Builder
	for d := xml.NewDecoder(strings.NewReader(text)); ; {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			return b.String()
		}
		if err != nil {
			t.Errorf("%v in\n%s", err, text)
			return ""
		}
		if e, ok := token.(xml.StartElement); ok {
			b.WriteString("<" + e.Name.Local)
		}
	}
}

// csvShape is how many fields each row has; none begins a formula.
func csvShape(t *testing.T, text string) string {
	rows, err := csv.NewReader(strings.NewReader(text)).ReadAll()
	if err != nil {
		t.Error(err)
	}
	var b strings.Builder
	for _, row := range rows {
		b.WriteString(strings.Repeat(",", len(row)) + "\n")
		for _, field := range row {
			if _, err := strconv.ParseFloat(field, 64); err != nil && strings.ContainsAny(field[:min(len(field), 1)], "=+-@\t\r") {
				t.Errorf("csv: %q is a formula", field)
			}
		}
	}
	return b.String()
}

func checkedAs(r Report) Checked {
	return checkedOf(CheckedFile{Name: r.Scenario.Name, Verdict: FileFailed, Report: r})
}

// sweptAs is a sweep in which a name is a metric's and a value's.
func sweptAs(name string) Sweep {
	s := handMadeSweeps()["sweep-grid"]
	s.Scenario = name
	s.Metrics[0].Text = "rebalances(" + name + ")"
	s.Cells[0].Values[0] = name
	return s
}

// tunedAs is a search in which a name is all that a file can choose.
func tunedAs(name string) Tune {
	t := handMadeSearches()["tune-met"]
	t.Scenario, t.Question, t.Kafka, t.RefusedBecause = name, name, name, name
	t.Objective.Text, t.Limits[0].Text = "stopped("+name+")", "settled("+name+") < 1s"
	t.Params[0] = TuneParam{name, []string{name}, name, name}
	t.Best.Values[0], t.Beside[0].Value, t.Beside[1].Why, t.Curve[0].Cell.Values[0] = name, name, name, name
	return t
}
