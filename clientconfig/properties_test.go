package clientconfig

import (
	"bytes"
	"encoding/json"
	"os"
	"testing"

	"github.com/google/go-cmp/cmp"

	"simulate/sim/scenario"
)

// TestProperties compares with what java.util.Properties (17) made of the same texts; null where it refuses one. Java
// also has an empty key for a backslash at the end of the file; nobody asks for that one.
func TestProperties(t *testing.T) {
	recorded, err := os.ReadFile("testdata/java-properties.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	cases := 0
	for line := range bytes.Lines(recorded) {
		var c struct {
			Text string
			Want map[string]string
		}
		if err := json.Unmarshal(line, &c); err != nil {
			t.Fatal(err)
		}
		r := &reader{config: &Config{}, text: []byte(c.Text), lines: scenario.LinesOf([]byte(c.Text))}
		var got map[string]string
		if all := r.properties(0, len(r.text)); len(r.mistakes) == 0 {
			got = map[string]string{}
			for _, e := range all {
				got[e.spelled] = e.value
			}
		}
		if c.Want[""] == "" {
			delete(c.Want, "")
		}
		if got[""] == "" {
			delete(got, "")
		}
		if diff := cmp.Diff(c.Want, got); diff != "" {
			t.Errorf("%q (-Java +here):\n%s", c.Text, diff)
		}
		cases++
	}
	if cases < 400 {
		t.Errorf("only %d cases", cases)
	}
}

// TestLatin1 holds that a file that is no UTF-8 is read as ISO 8859-1, with columns in characters.
func TestLatin1(t *testing.T) {
	c, err := Read("consumer.properties", []byte("group.id=caf\xe9\n"), Properties, "")
	if err != nil || c.Group.Value != "café" {
		t.Errorf("got %v, %v", c, err)
	}
	_, err = Read("consumer.properties", []byte("# caf\xe9\nsession.timeout.ms=\xe9"), Properties, "")
	const want = "consumer.properties:2:1: session.timeout.ms is \"é\"; Kafka takes a whole number of milliseconds, such as 45000\n" +
		"consumer.properties: 1 problem"
	if err == nil || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
}

// TestNoText holds that what is no text is refused.
func TestNoText(t *testing.T) {
	_, err := Read("a.properties", []byte("\xff\xfeg\x00r\x00"), Properties, "")
	if err == nil || err.Error() != "a.properties: the file has bytes that are no text; save it as UTF-8\na.properties: 1 problem" {
		t.Errorf("got %v", err)
	}
}

// TestTooLong holds that a file that is no configuration is refused before it is read.
func TestTooLong(t *testing.T) {
	for _, format := range Formats() {
		if _, err := Read("a", bytes.Repeat([]byte("a=b\n"), 1<<19), format, ""); err == nil {
			t.Errorf("%s: 2 MB were read", format)
		}
	}
}
