package reports

import (
	"bytes"
	"os"
	"strings"
	"testing"

	"simulate/sim/scenario"
)

// docs/presets.md is what make docs writes, and has every preset with its source.
func TestPresetsDocumentation(t *testing.T) {
	var got bytes.Buffer
	if err := PresetsMarkdown(&got, scenario.Presets()); err != nil {
		t.Fatal(err)
	}
	if want, err := os.ReadFile("../docs/presets.md"); err != nil || string(want) != got.String() {
		t.Errorf("docs/presets.md is not what make docs writes (%v)", err)
	}
	for _, p := range scenario.Presets() {
		if !strings.Contains(got.String(), "| `"+p.Name+"` | "+p.About+" |") || !strings.Contains(got.String(), p.Source) {
			t.Errorf("%s has no row", p.Name)
		}
	}
	for _, d := range scenario.PodDefaults() {
		if !strings.Contains(got.String(), "| `"+d.Key+"` | `"+d.Value+"` | "+d.Source+" |") {
			t.Errorf("the default of %s has no row", d.Key)
		}
	}
}

func TestPresetsText(t *testing.T) {
	var got bytes.Buffer
	if err := Presets(&got, scenario.Presets()); err != nil {
		t.Fatal(err)
	}
	compareGolden(t, "testdata/presets.text", got.String())
	for _, line := range strings.Split(got.String(), "\n") {
		if columns(line) > width {
			t.Errorf("%d columns: %s", columns(line), line)
		}
	}
}
