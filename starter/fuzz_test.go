package starter

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"simulate/clientconfig"
	"simulate/sim/scenario"
)

// FuzzProperties holds what written says of a consumer.properties with a password in it.
func FuzzProperties(f *testing.F) {
	seed(f, clientconfig.Properties)
	f.Fuzz(func(t *testing.T, text []byte) {
		written(t, "fuzz.properties", after("ssl.key.password=hunter2-secret\n", text), clientconfig.Properties)
		written(t, "fuzz.properties", after("spring.kafka.ssl.key-password=hunter2-secret\n", text), clientconfig.Spring)
	})
}

// FuzzYAML holds what written says of an application.yml with a password in its first document.
func FuzzYAML(f *testing.F) {
	seed(f, clientconfig.Spring)
	f.Fuzz(func(t *testing.T, text []byte) {
		written(t, "fuzz.yml", after("spring.kafka.ssl.key-password: hunter2-secret\n---\n", text), clientconfig.Spring)
	})
}

// FuzzLibrdkafka holds what written says of an object with a password in it.
func FuzzLibrdkafka(f *testing.F) {
	seed(f, clientconfig.Librdkafka)
	f.Fuzz(func(t *testing.T, text []byte) {
		if rest, ok := bytes.CutPrefix(text, []byte("{")); ok {
			text = after(`{"sasl.password": "hunter2-secret",`, rest)
		}
		written(t, "fuzz.json", text, clientconfig.Librdkafka)
	})
}

func after(before string, text []byte) []byte { return append([]byte(before), text...) }

// configuration is one in a transcript: its name and its text.
var configuration = regexp.MustCompile(`(?ms)^(?:read|init) (?:from=)?(\S+)[^\n]*\n(.*?)^----$`)

// seed adds the configurations of all transcripts that are of a format.
func seed(f *testing.F, format clientconfig.Format) {
	f.Helper()
	added := 0
	for _, pattern := range []string{"testdata/write/*", "../clientconfig/testdata/read/*"} {
		files, _ := filepath.Glob(pattern)
		for _, file := range files {
			transcript, err := os.ReadFile(file)
			if err != nil {
				f.Fatal(err)
			}
			for _, found := range configuration.FindAllSubmatch(transcript, -1) {
				if clientconfig.Detect(string(found[1]), found[2]) == format {
					f.Add(bytes.ReplaceAll(found[2], []byte(mustNotLeak), []byte("changeit")))
					added++
				}
			}
		}
	}
	if added < 5 {
		f.Fatalf("only %d seeds", added)
	}
}

// written holds that a configuration is read or refused with mistakes that are one line and stand inside the file, and
// that what is written of one that is read is as loads demands.
func written(t *testing.T, name string, text []byte, format clientconfig.Format) {
	t.Helper()
	if bytes.Count(text, []byte(mustNotLeak)) > 1 {
		return // the fuzzer has found the word by itself
	}
	config, err := clientconfig.Read(name, text, format, "")
	if err == nil {
		d, err := begin(Options{Config: config})
		if err != nil {
			t.Fatal(err)
		}
		loads(t, []byte(d.text.String()))
		return
	}
	var all *scenario.Errors
	if !errors.As(err, &all) || len(all.Mistakes) == 0 {
		t.Fatalf("got %v, want *scenario.Errors with mistakes", err)
	}
	for _, m := range all.Mistakes {
		if !inside(m, text) {
			t.Errorf("%d:%d is not inside the file: %s", m.Line, m.Column, m.Text)
		}
		if strings.ContainsFunc(m.Text, unicode.IsControl) || strings.Contains(m.Text, mustNotLeak) {
			t.Errorf("the message is not one plain line without a secret: %q", m.Text)
		}
	}
}

// inside reports whether a mistake is about the whole file, or stands on a character of it or right behind a line.
func inside(m scenario.Mistake, text []byte) bool {
	if m.Line == 0 {
		return m.Column == 0
	}
	lines := bytes.Split(bytes.TrimPrefix(text, []byte("\ufeff")), []byte("\n"))
	if m.Line < 1 || m.Line > len(lines) {
		return false
	}
	columns := utf8.RuneCount(lines[m.Line-1])
	if !utf8.Valid(text) {
		columns = len(lines[m.Line-1]) // it is read as ISO 8859-1
	}
	return m.Column >= 1 && m.Column <= columns+1
}
