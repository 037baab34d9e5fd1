package logs

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"testing/iotest"
	"time"
	"unicode/utf16"

	"github.com/klauspost/compress/zstd"
)

const stabilized = "[2024-05-01 09:12:56,387] INFO [GroupCoordinator 1]: Stabilized group orders generation 5 (kafka.coordinator.group.GroupCoordinator)\n"

// empty is "Group orders with generation 6 is now empty" ten seconds later, in a line of the same layout.
const empty = "[2024-05-01 09:13:06,387] INFO [GroupCoordinator 1]: Group orders with generation 6 is now empty (kafka.coordinator.group.GroupCoordinator)\n"

const bothEvents = "0:1 2024-05-01T09:12:56.387 completing broker=1 group=\"orders\" generation=5\n" +
	"0:2 2024-05-01T09:13:06.387 empty-group broker=1 group=\"orders\" generation=6\n"

// TestEncodings: what is inside of a source is found by its first bytes, whatever its name.
func TestEncodings(t *testing.T) {
	for name, encode := range map[string]func(text string) []byte{
		"plain":    func(text string) []byte { return []byte(text) },
		"gzip":     gzipped,
		"members":  func(text string) []byte { return append(gzipped(stabilized), gzipped(empty)...) },
		"zstd":     zstandard,
		"bzip2":    func(string) []byte { return decoded(t, bzipped) },
		"xz":       func(string) []byte { return decoded(t, xzipped) },
		"utf-8":    func(text string) []byte { return []byte("\xef\xbb\xbf" + text) },
		"utf-16le": func(text string) []byte { return utf16Bytes(text, 0, 8) },
		"utf-16be": func(text string) []byte { return utf16Bytes(text, 8, 0) },
		"crlf":     func(text string) []byte { return []byte(strings.ReplaceAll(text, "\n", "\r\n")) },
		"one end":  func(text string) []byte { return []byte(strings.TrimSuffix(text, "\n")) },
		"crashed":  func(text string) []byte { return []byte(strings.Repeat("\x00", 5000) + text) },
	} {
		t.Run(name, func(t *testing.T) {
			text := encode(stabilized + empty)
			path := filepath.Join(t.TempDir(), "log")
			if err := os.WriteFile(path, text, 0o600); err != nil {
				t.Fatal(err)
			}
			for from, r := range map[string]*Reader{
				"file":  open(t, []string{path}, nil),
				"stdin": open(t, []string{Stdin}, iotest.OneByteReader(bytes.NewReader(text))),
			} {
				if got := transcript(t, r); got != bothEvents {
					t.Errorf("%s: %s", from, got)
				}
			}
		})
	}
}

// The two lines as bzip2 and xz write them; Go has no writers for these.
const (
	bzipped = "QlpoOTFBWSZTWaCWsjwAADPfgAAQQGd/8AmhiAo/796wMACsQlU9TUyNM0E00wEaYQZNPQYA00NGjEZANABoYFVJ6moynojTAaQ00ehGmTanqKGL5mh9OtolYzX3jOrUSMfOAsoHTAcJigQheLUIcVLTaoqYpscRl9nqpa0b1eYueHi3oXPlHuofDO6r6GxwStyOkxhZ2VOCtOVaz8xJQnd3/XR3zfyEoVQ7F6xKbGloHngMJpWKBKxBAUcYE2bmA8cmggW5uLuSKcKEhQS1keA="
	xzipped = "/Td6WFoAAATm1rRGAgAhARYAAAB0L+Wj4AEQAIpdAC2MggNJUTINPf3YQ9YfGTBPGATrm2WFKwW21+cl30swrRkd6CZdEvlyzqYpDtdG3sHGxLZkSRFwwykgh/yEA0MtiQ/+iB2XV1ROZmy5DAOcqTC3KCg4KWPgW13CMgy6QdMsLcpwv3/KeGXigm+UQ01+OeSJ0z5kVv0g4RsN4pSe/i/4HPTs5jER4AAAAB47Zn3LK8olAAGmAZECAAAxXQg3scRn+wIAAAAABFla"
)

func decoded(t *testing.T, text string) []byte {
	b, err := base64.StdEncoding.DecodeString(text)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func gzipped(text string) []byte {
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	io.WriteString(w, text)
	w.Close()
	return b.Bytes()
}

func zstandard(text string) []byte {
	w, _ := zstd.NewWriter(nil)
	return w.EncodeAll([]byte(text), nil)
}

func utf16Bytes(text string, first, second int) []byte {
	var b []byte
	for _, c := range utf16.Encode([]rune("\ufeff" + text)) {
		b = append(b, byte(c>>first), byte(c>>second))
	}
	return b
}

func open(t *testing.T, paths []string, stdin io.Reader) *Reader {
	t.Helper()
	r, err := Open(paths, stdin, Options{})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// TestMistakes: everything that cannot be read is named at once.
func TestMistakes(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	if err := os.Mkdir(filepath.Join(dir, "empty"), 0o700); err != nil {
		t.Fatal(err)
	}
	tar := make([]byte, 512)
	copy(tar[257:], "ustar")
	_, err := Open([]string{
		filepath.Join(dir, "none.log"), filepath.Join(dir, "none*.log"), filepath.Join(dir, "[.log"), filepath.Join(dir, "empty"),
		write("program", "\x7fELF\x02\x01\x01\x00\x00\x00\x03\x00\x3e\x00\x01\x00"), write("a.zip", "PK\x03\x04"), write("a.tar", string(tar)),
		write("a.tgz", string(gzipped(string(tar)))), write("a.gz", "\x1f\x8bxx"), write("good.log", stabilized),
	}, nil, Options{})
	want := `none.log: there is no such file
none*.log: no file has such a name
[.log: is neither a file nor a pattern that is complete
empty: there is no file in this directory
program: is not text; give a log, as it is or compressed by gzip, bzip2, xz or zstd
a.zip: is a zip archive; unpack it, and give the logs
a.tar: is a tar archive; unpack it, and give the logs
a.tgz: is a tar archive; unpack it, and give the logs
a.gz: unexpected EOF`
	if err == nil || strings.ReplaceAll(err.Error(), dir+"/", "") != want {
		t.Errorf("%v", err)
	}
}

// TestDamaged: of a source that is damaged, what is before the damage is read, and the others are.
func TestDamaged(t *testing.T) {
	dir := t.TempDir()
	whole := gzipped(strings.Repeat(stabilized, 20_000) + empty)
	for name, text := range map[string][]byte{"1.gz": whole[:len(whole)-200], "2.log": []byte(empty), "3.log": nil} {
		if err := os.WriteFile(filepath.Join(dir, name), text, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	r := open(t, []string{dir}, nil)
	got := transcript(t, r)
	if !strings.Contains(got, "1.gz: ") || !strings.Contains(got, " its end is missing; what was there was read\n") ||
		!strings.HasPrefix(got, strings.SplitAfter(bothEvents, "\n")[0]+"1:1 ") {
		t.Error(got)
	}
	if r.Sources[2].Lines != 0 || r.Sources[2].First != NoTime {
		t.Errorf("%+v", r.Sources[2])
	}
}

// repeated is a text so many times.
type repeated struct {
	text []byte
	left int64
	at   int
}

func (r *repeated) Read(b []byte) (int, error) {
	if r.left == 0 {
		return 0, io.EOF
	}
	n := 0
	for n < len(b) && r.left > 0 {
		m := copy(b[n:], r.text[r.at:])
		n, r.at = n+m, r.at+m
		if r.at == len(r.text) {
			r.at = 0
			r.left--
		}
	}
	return n, nil
}

// TestLongLine: of a line of 10 GB the begin is read, the rest is passed over, and memory stays small.
func TestLongLine(t *testing.T) {
	const gigabytes = 10
	block := bytes.Repeat([]byte("x"), 1<<20)
	count := int64(gigabytes << 10)
	if testing.Short() {
		count = 64
	}
	l := newLines(io.MultiReader(strings.NewReader("before\nbegin "), &repeated{text: block, left: count}, strings.NewReader("\nafter")))
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	var got []string
	for {
		line, err := l.next()
		if err == io.EOF {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, string(line[:min(len(line), 7)]))
	}
	runtime.ReadMemStats(&after)
	if strings.Join(got, ",") != "before,begin x,after" || l.cut != 1 || l.number != 3 {
		t.Error(got, l.cut, l.number)
	}
	if used := after.TotalAlloc - before.TotalAlloc; used > 8<<20 {
		t.Errorf("%d bytes allocated", used)
	}
}

// TestFollow: what is added is read, also after a file was replaced; what was read is handed out while nothing comes.
func TestFollow(t *testing.T) {
	path := filepath.Join(t.TempDir(), "server.log")
	if err := os.WriteFile(path, []byte(stabilized), 0o600); err != nil {
		t.Fatal(err)
	}
	r, err := Open([]string{path}, nil, Options{Follow: true})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	var kinds []Kind
	err = r.Each(ctx, func(e *Event) error {
		kinds = append(kinds, e.Kind)
		switch len(kinds) {
		case 1:
			add(t, path, empty[:40])
			time.AfterFunc(pollInterval, func() { add(t, path, empty[40:]) })
		case 2:
			if err := os.Rename(path, path+".1"); err != nil {
				t.Error(err)
			}
			add(t, path, strings.Replace(stabilized, "09:12", "09:14", 1))
		case 3:
			cancel()
		}
		return nil
	})
	if !errors.Is(err, context.Canceled) || len(kinds) != 3 || kinds[1] != EmptyGroup || kinds[2] != Completing {
		t.Error(kinds, err)
	}
}

func add(t *testing.T, path, text string) {
	file, err := os.OpenFile(path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		t.Error(err)
		return
	}
	defer file.Close()
	if _, err := io.WriteString(file, text); err != nil {
		t.Error(err)
	}
}

// TestInterrupted: a stream that has nothing to say does not keep a reader that is to end; what was read is handed out.
func TestInterrupted(t *testing.T) {
	in, out := io.Pipe()
	defer out.Close()
	ctx, cancel := context.WithCancel(context.Background())
	go func() {
		io.WriteString(out, stabilized)
		io.WriteString(out, "\n") // is read only when what came before it was taken
		cancel()
	}()
	n := 0
	err := open(t, []string{Stdin}, in).Each(ctx, func(*Event) error { n++; return nil })
	if !errors.Is(err, context.Canceled) || n != 1 {
		t.Error(n, err)
	}
}

// TestMemory: what a hostile log makes a reader hold back is bounded: long lists, long names, all of one instant.
func TestMemory(t *testing.T) {
	const lines = 300
	in, out := io.Pipe()
	go func() {
		for i := range lines {
			fmt.Fprintf(out, "[2024-05-01 09:12:56,387] INFO [GroupCoordinator 1]: Group %d removed dynamic members who haven't joined: Set(%sm)\n",
				i, strings.Repeat("m, ", 20_000))
			fmt.Fprintf(out, "[2024-05-01 09:12:56,387] INFO [GroupCoordinator 1]: Stabilized group %d%s generation 5\n", i, strings.Repeat("g", 60_000))
		}
		out.Close()
	}()
	n, peak := 0, uint64(0)
	err := open(t, []string{Stdin}, in).Each(context.Background(), func(e *Event) error {
		if n++; n%50 == 0 {
			var m runtime.MemStats
			runtime.GC()
			runtime.ReadMemStats(&m)
			peak = max(peak, m.HeapAlloc)
		}
		return nil
	})
	if err != nil || n != 2*lines || peak > 50<<20 {
		t.Errorf("%d events, %d MiB, %v", n, peak>>20, err)
	}
}

// TestForeign: what is no log among the files of a directory is left out and named, unless it is all there is.
func TestForeign(t *testing.T) {
	dir := t.TempDir()
	program, good := filepath.Join(dir, "a-program"), filepath.Join(dir, "good.log")
	for path, text := range map[string]string{program: "\x7fELF\x02\x01\x01\x00\x00\x00\x03\x00\x3e\x00\x01\x00", good: stabilized} {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, asked := range []string{dir, filepath.Join(dir, "*")} {
		r, err := Open([]string{asked}, nil, Options{})
		if err != nil {
			t.Fatal(err)
		}
		events := 0
		if err := r.Each(context.Background(), func(*Event) error { events++; return nil }); err != nil {
			t.Fatal(err)
		}
		if events == 0 || r.Sources[0].Warning != "left out: it is not text" || r.Sources[1].Warning != "" {
			t.Errorf("%s: %d events, %+v", asked, events, r.Sources[0])
		}
	}
	if _, err := Open([]string{program, dir}, nil, Options{}); err == nil {
		t.Error("a file that is named and no log is left out")
	}
	if err := os.Remove(good); err != nil {
		t.Fatal(err)
	}
	if _, err := Open([]string{dir}, nil, Options{}); err == nil || !strings.Contains(err.Error(), "a-program: is not text") {
		t.Errorf("nothing but a program: %v", err)
	}
}
