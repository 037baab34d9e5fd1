package reproduce

import (
	"bytes"
	"context"
	"os"
	"testing"

	"simulate/incident/logs"
)

// FuzzFrom holds that no log breaks the making of a scenario, and that what is made loads.
func FuzzFrom(f *testing.F) {
	for _, name := range []string{"orders.log", "client.log"} {
		text, err := os.ReadFile("testdata/" + name)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		reader, err := logs.Open([]string{logs.Stdin}, bytes.NewReader(text), logs.Options{})
		if err != nil {
			return
		}
		log, err := Read(context.Background(), reader)
		if err != nil || len(log.Analysis.Groups) == 0 {
			return
		}
		result, err := From(context.Background(), log, Options{Group: log.Analysis.Groups[0].Name, Budget: 3})
		if err != nil {
			return
		}
		if _, err := ran(result.Text, 0); err != nil {
			t.Fatalf("%v\n%s", err, result.Text)
		}
	})
}
