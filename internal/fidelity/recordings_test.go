package fidelity

import (
	"bytes"
	"compress/gzip"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Every case.json below a folder is read; what is kept of them is what can be repeated.
func TestKeep(t *testing.T) {
	folder := t.TempDir()
	kept := keptRecordings(t)[:2]
	for i, r := range kept {
		writeCaseFile(t, filepath.Join(folder, "b", string(rune('1'+i))), r.text)
	}
	writeCaseFile(t, filepath.Join(folder, "a"), []byte(`{"id": "other", "protocol": "consumer", "observed": {}}`))

	all, err := Below(folder)
	if err != nil {
		t.Fatal(err)
	}
	if len(all) != 3 || all[0].Case.ID != "other" || all[2].Case.ID != kept[1].Case.ID {
		t.Fatalf("got %d recordings, want the other and two kept ones", len(all))
	}
	var file bytes.Buffer
	if err := Keep(&file, all); err != nil {
		t.Fatal(err)
	}
	unzipped, err := gzip.NewReader(&file)
	if err != nil {
		t.Fatal(err)
	}
	again, err := readLines(unzipped)
	if err != nil {
		t.Fatal(err)
	}
	if len(again) != 2 || !bytes.Equal(again[0].text, kept[0].text) || !bytes.Equal(again[1].text, kept[1].text) {
		t.Errorf("got %d recordings, want the two kept ones as they were", len(again))
	}
}

func writeCaseFile(t *testing.T, folder string, text []byte) {
	t.Helper()
	if err := os.MkdirAll(folder, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(folder, "case.json"), text, 0o644); err != nil {
		t.Fatal(err)
	}
}

func TestMalformedRecordings(t *testing.T) {
	folder := t.TempDir()
	writeCaseFile(t, folder, []byte(`{"id": "x", "observed": {"events": 7}}`))
	if _, err := Below(folder); err == nil || !strings.HasPrefix(err.Error(), filepath.Join(folder, "case.json")+": observed: json: ") {
		t.Errorf("got %v, want the path and what is wrong", err)
	}
	if _, err := Below(filepath.Join(folder, "none")); err == nil {
		t.Error("a missing folder is no error")
	}
	if _, err := readLines(strings.NewReader("{\"id\":\"x\"}\n{}\n")); err == nil || err.Error() != "cases.jsonl.gz:2: case: no id" {
		t.Errorf("got %v, want the line and what is wrong", err)
	}
}
