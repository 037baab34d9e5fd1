package scenario

import (
	"slices"
	"strings"
	"testing"

	"simulate/sim/random"
)

// TestPresets holds that every preset is a name that its keys take, with a source and a confidence, and that names are
// told from durations.
func TestPresets(t *testing.T) {
	keys := map[string]bool{}
	for _, k := range slices.Concat(brokersKeys, networkKeys, fleetKeys, eventKeys, pausesKeys, podKeys) {
		keys[k.name] = true
	}
	seen := map[string]bool{}
	for _, p := range Presets() {
		for _, key := range p.Keys {
			if !keys[key] {
				t.Errorf("%s is for %s, and there is no such key", p.Name, key)
			}
			if seen[key+" "+p.Name] {
				t.Errorf("%s of %s is there twice", p.Name, key)
			}
			seen[key+" "+p.Name] = true
		}
		if _, err := parseDuration(p.Name); err == nil || !LegalName(p.Name) {
			t.Errorf("%s cannot be a name", p.Name)
		}
		if p.About == "" || p.Source == "" || !slices.Contains([]Confidence{Published, Estimated}, p.Confidence) {
			t.Errorf("%s does not say what it is, or who says so", p.Name)
		}
		for _, kind := range p.Kinds {
			if k, ok := preset("pauses", kind); !ok || k.Kinds != nil {
				t.Errorf("%s stands for %s, which is no kind of pauses", p.Name, kind)
			}
		}
		if p.Kinds == nil && neverAdvances(p.Time) {
			t.Errorf("%s takes no time", p.Name)
		}
	}
}

// TestPodDefaults holds that what is said of defaults is what holds where nobody sets them.
func TestPodDefaults(t *testing.T) {
	const head = "duration = \"1h\"\n[[topic]]\nname = \"t\"\npartitions = 1\n[[fleet]]\nname = \"a\"\ntopics = \"t\"\n" +
		"pod.liveness = {}\nautoscaler = { max = 1, lag = 1 }\n[[event]]\nat = \"0s\"\ndo = \"rollout\"\nwho = \"a\"\nkind = \"deployment\"\n"
	text := load(t, "x.toml", []byte(head)).TOML()
	for _, d := range PodDefaults() {
		key := d.Key[strings.LastIndexByte(d.Key, '.')+1:]
		if !strings.Contains(text, key+" = "+d.Value) {
			t.Errorf("no %s = %s in\n%s", key, d.Value, text)
		}
	}
}

// TestPresetDraws holds, over many draws, that what a preset says of itself is what comes: its median and its 99th
// percentile, and nothing outside of its bounds.
func TestPresetDraws(t *testing.T) {
	const draws = 20_000
	for _, p := range Presets() {
		for _, d := range []random.Distribution{p.Time, p.Every} {
			s := random.Seed(3).Stream("preset", p.Name)
			all := make([]float64, draws)
			for i := range all {
				all[i] = float64(s.Draw(d))
			}
			slices.Sort(all)
			for _, q := range []float64{0.5, 0.99} {
				got, want := all[int(q*draws)], float64(d.Quantile(q))
				if got < 0.9*want || got > 1.1*want {
					t.Errorf("%s: quantile %v is %v, want %v", p.Name, q, got, want)
				}
			}
			if d.Kind == random.UniformKind && (all[0] < float64(d.A) || all[draws-1] >= float64(d.B)) {
				t.Errorf("%s: from %v to %v, want %v to %v", p.Name, all[0], all[draws-1], d.A, d.B)
			}
		}
	}
}
