package reports

import (
	"bytes"
	"cmp"
	"context"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"simulate/incident"
	"simulate/incident/logs"
	"simulate/sim/metrics"
)

// saidOf is the beginning of the names of samples that belong together, and what has to stand in the text about them.
type saidOf struct {
	name    string
	phrases []string
}

// TestSampleTexts holds what the text says of logs that people have posted in public, in the words of their index: incident's
// TestSamples holds the numbers behind it. They lie beside the repository, or where LOGS_DIR says; it need not have them.
func TestSampleTexts(t *testing.T) {
	folder := cmp.Or(os.Getenv("LOGS_DIR"), filepath.Join("..", "..", "shared", "logs"))
	schema := compile(t, "analysis")
	for _, of := range sampleTexts {
		files, err := filepath.Glob(filepath.Join(folder, of.name+"*.log"))
		if err != nil {
			t.Fatal(err)
		}
		if len(files) == 0 {
			continue
		}
		t.Run(of.name, func(t *testing.T) {
			a := analysisOf(t, files)
			var b bytes.Buffer
			if err := AnalysisText(&b, a, TextOptions{}); err != nil {
				t.Fatal(err)
			}
			text := strings.Join(strings.Fields(b.String()), " ")
			for _, phrase := range of.phrases {
				if !strings.Contains(text, phrase) {
					t.Errorf("nothing says %q in\n%s", phrase, b.String())
				}
			}
			keepsSchema(t, schema, of.name, func(w io.Writer) error { return AnalysisJSON(w, a) })
		})
	}
}

// analysisOf reads logs as simulate analyze does.
func analysisOf(t *testing.T, files []string) Analysis {
	r, err := logs.Open(files, nil, logs.Options{})
	if err != nil {
		t.Fatal(err)
	}
	a, err := incident.Analyze(context.Background(), r, incident.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return Analysis{Analysis: a, Sources: r.Sources, StuckAfter: 30 * time.Second, Thresholds: metrics.Defaults()}
}
