package reports

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"testing"
	"time"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"simulate/sim/metrics"
)

func TestJSON(t *testing.T) { golden(t, "json", JSON) }

// What JSON writes is what the published schema promises, and not a key more.
func TestJSONKeepsItsSchema(t *testing.T) {
	schema := compile(t, "run")
	for _, run := range handMadeRuns() {
		if err := schema.Validate(decoded(t, run.report())); err != nil {
			t.Errorf("%s: %v", run.name, err)
		}
	}
}

// The schema lists every kind of anomaly and every threshold with its default.
func TestSchemaListsAnomalies(t *testing.T) {
	text, _ := Schema("run")
	for _, d := range metrics.AnomalyDefinitions {
		if !bytes.Contains(text, []byte(`            "`+d.Name+`"`)) {
			t.Errorf("no kind %s", d.Name)
		}
	}
	defaults := metrics.Defaults()
	for _, threshold := range defaults.Each() {
		want := fmt.Sprintf(`%q: {"type": "string", "default": %q}`, threshold.Name, threshold.Value())
		if !bytes.Contains(text, []byte(want)) {
			t.Errorf("no line %s", want)
		}
	}
}

// The schema is strict: a report with a key that is missing, unknown or of another type is refused.
func TestSchemaRefuses(t *testing.T) {
	schema := compile(t, "run")
	damages := map[string]func(run, group map[string]any){
		"missing key":     func(run, _ map[string]any) { delete(run, "trace_digest") },
		"unknown key":     func(_, group map[string]any) { group["lag"] = 1 },
		"wrong type":      func(_, group map[string]any) { group["members"] = "three" },
		"unknown state":   func(_, group map[string]any) { group["state"] = "Sleeping" },
		"negative time":   func(_, group map[string]any) { group["stopped_ms"] = -1 },
		"another version": func(run, _ map[string]any) { run["schema"] = "simulate.run/2" },
	}
	for name, change := range damages {
		run := decoded(t, stuckClosed().report()).(map[string]any)
		change(run, run["groups"].([]any)[0].(map[string]any))
		if schema.Validate(run) == nil {
			t.Errorf("%s: accepted", name)
		}
	}
}

// The times in all states come to the simulated time.
func TestJSONTimesAddUp(t *testing.T) {
	for _, run := range handMadeRuns() {
		r := decoded(t, run.report()).(map[string]any)
		for _, g := range r["groups"].([]any) {
			sum := 0.0
			for _, ms := range g.(map[string]any)["time_in_state_ms"].(map[string]any) {
				f, err := ms.(json.Number).Float64()
				if err != nil {
					t.Fatal(err)
				}
				sum += f
			}
			if want := float64(run.end) / float64(time.Millisecond); sum-want > 1e-6 || want-sum > 1e-6 {
				t.Errorf("%s: the states add up to %v of %v ms", run.name, sum, want)
			}
		}
	}
}

// keepsSchema holds that what write writes is what a schema promises, and not a key more.
func keepsSchema(t *testing.T, schema *jsonschema.Schema, name string, write func(io.Writer) error) {
	t.Helper()
	var b bytes.Buffer
	if err := write(&b); err != nil {
		t.Fatal(err)
	}
	var got map[string]any
	if err := json.Unmarshal(b.Bytes(), &got); err != nil {
		t.Fatal(err)
	}
	if err := schema.Validate(got); err != nil {
		t.Errorf("%s: %v", name, err)
	}
	got["lag"] = 1
	if schema.Validate(got) == nil {
		t.Errorf("%s: a key that nobody promised is accepted", name)
	}
}

func compile(t *testing.T, name string) *jsonschema.Schema {
	t.Helper()
	text, ok := Schema(name)
	if !ok {
		t.Fatalf("no schema %q", name)
	}
	document, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	c.DefaultDraft(jsonschema.Draft2020)
	if err := c.AddResource("run.json", document); err != nil {
		t.Fatal(err)
	}
	schema, err := c.Compile("run.json")
	if err != nil {
		t.Fatal(err)
	}
	return schema
}

func decoded(t *testing.T, r Report) any {
	t.Helper()
	var b bytes.Buffer
	if err := JSON(&b, r); err != nil {
		t.Fatal(err)
	}
	value, err := jsonschema.UnmarshalJSON(&b)
	if err != nil {
		t.Fatal(err)
	}
	return value
}
