package logs

import (
	"context"
	"io"
	"os"
	"time"
)

// pollInterval is how often is looked whether there is something new.
const pollInterval = 200 * time.Millisecond

// tail is a file that grows. When it was replaced, as by rotation, the new one is read on; when it was cut, from its begin.
type tail struct {
	path string
	file *os.File
}

func (t *tail) Read(b []byte) (int, error) {
	n, err := t.file.Read(b)
	if err != io.EOF {
		return n, err
	}
	if n == 0 && t.renewed() {
		return t.file.Read(b)
	}
	return n, errIdle
}

// renewed reports whether there is something new to read instead.
func (t *tail) renewed() bool {
	now, err := os.Stat(t.path)
	if err != nil {
		return false
	}
	old, err := t.file.Stat()
	if err != nil {
		return false
	}
	if !os.SameFile(now, old) {
		file, err := os.Open(t.path)
		if err != nil {
			return false
		}
		t.file.Close()
		t.file = file
		return true
	}
	at, err := t.file.Seek(0, io.SeekCurrent)
	if err != nil || now.Size() >= at {
		return false
	}
	_, err = t.file.Seek(0, io.SeekStart)
	return err == nil
}

func (t *tail) Close() error { return t.file.Close() }

// async reads a stream that may keep a reader waiting, so that the wait can end.
type async struct {
	ctx    context.Context
	parts  chan piece
	rest   piece
	follow bool // what does not come soon is idle
}

type piece struct {
	text []byte
	err  error
}

func newAsync(ctx context.Context, source io.Reader, follow bool) *async {
	a := &async{ctx: ctx, parts: make(chan piece), follow: follow}
	go func() {
		for {
			text := make([]byte, 64<<10)
			n, err := source.Read(text)
			select {
			case a.parts <- piece{text[:n], err}:
			case <-ctx.Done():
				return
			}
			if err != nil {
				return
			}
		}
	}()
	return a
}

func (a *async) Read(b []byte) (int, error) {
	for len(a.rest.text) == 0 {
		if a.rest.err != nil {
			return 0, a.rest.err
		}
		var soon <-chan time.Time
		if a.follow {
			soon = time.After(pollInterval)
		}
		select {
		case a.rest = <-a.parts:
		case <-a.ctx.Done():
			return 0, a.ctx.Err()
		case <-soon:
			return 0, errIdle
		}
	}
	n := copy(b, a.rest.text)
	a.rest.text = a.rest.text[n:]
	return n, nil
}
