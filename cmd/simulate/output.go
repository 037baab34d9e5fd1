package main

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"syscall"
)

// output is a file that is being written. It grows beside its place and moves there when it is whole, so that
// a file of that name is never half of one. The zero output writes nothing.
type output struct {
	flag, path string
	file       *os.File
	buffer     *bufio.Writer // keeps the first error of a write
}

// startRecord begins the file at path, which a flag gave for something that a run or a check leaves; "" means none.
func startRecord(flag, path string) (output, error) {
	if err := noScenario(flag, path); err != nil {
		return output{}, err
	}
	return startOutput(flag, path)
}

// noScenario refuses to write over a scenario: a flag whose value was forgotten takes the first of the paths for it.
func noScenario(flag, path string) error {
	if filepath.Ext(path) == ".toml" {
		return fmt.Errorf("%s %s: scenarios have such names; name another file to write to", flag, path)
	}
	return nil
}

// startOutput begins the file at path, which flag asks for; "" means none.
func startOutput(flag, path string) (output, error) {
	if path == "" {
		return output{}, nil
	}
	o := output{flag: flag, path: path}
	if info, err := os.Stat(path); err == nil && !info.Mode().IsRegular() {
		return output{}, fmt.Errorf("%s %s: that is no regular file; name one to write to", flag, path)
	}
	file, err := os.CreateTemp(filepath.Dir(path), "."+filepath.Base(path)+".*")
	if err != nil {
		return output{}, o.wrong(err)
	}
	o.file, o.buffer = file, bufio.NewWriterSize(file, 1<<16)
	return o, nil
}

// keep completes the file and moves it to its place.
func (o *output) keep() error {
	if o.file == nil {
		return nil
	}
	mode := os.FileMode(0o644) // temporary files are private
	if info, err := os.Stat(o.path); err == nil {
		mode = info.Mode()
	}
	err := o.buffer.Flush()
	if err == nil {
		err = o.file.Chmod(mode)
	}
	if err == nil {
		err = o.file.Close()
	}
	if err == nil {
		err = os.Rename(o.file.Name(), o.path)
	}
	if err != nil {
		return o.wrong(err)
	}
	o.file = nil
	return nil
}

// notReadOnly refuses a file that nobody is to write to, though it could be replaced where its folder allows that.
func notReadOnly(flag, path string) error {
	if info, err := os.Stat(path); err == nil && info.Mode().Perm()&0o222 == 0 {
		return fmt.Errorf("%s %s: the file is read-only", flag, path)
	}
	return nil
}

// replaceFile gives a file another content, or leaves it as it is. A link goes on pointing to the file.
func replaceFile(flag, path string, text []byte) error {
	target, err := filepath.EvalSymlinks(path)
	if err != nil {
		return fmt.Errorf("%s %s: %w", flag, path, err)
	}
	return writeFile(flag, target, text)
}

// writeFile writes a whole file, or leaves what is there.
func writeFile(flag, path string, text []byte) error {
	o, err := startOutput(flag, path)
	if err != nil {
		return err
	}
	defer o.discard()
	if _, err := o.buffer.Write(text); err != nil {
		return o.wrong(err)
	}
	return o.keep()
}

// wrong says what is wrong with the file that the user named, whatever temporary name it has.
func (o *output) wrong(err error) error {
	var cause syscall.Errno
	if errors.As(err, &cause) {
		err = cause
	}
	return fmt.Errorf("%s %s: %w", o.flag, o.path, err)
}

// discard removes what was not kept.
func (o *output) discard() {
	if o.file != nil {
		o.file.Close()
		os.Remove(o.file.Name())
	}
}

// appending is a file to whose end something is added. The zero appending adds nothing.
type appending struct {
	flag string
	file *os.File
}

func startAppending(flag, path string) (appending, error) {
	if path == "" {
		return appending{}, nil
	}
	if err := noScenario(flag, path); err != nil {
		return appending{}, err
	}
	file, err := os.OpenFile(path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
	if err != nil {
		o := output{flag: flag, path: path}
		return appending{}, o.wrong(err)
	}
	return appending{flag, file}, nil
}

// add writes what render does, in one go, so that the file never has half of it.
func (a *appending) add(render func(io.Writer) error) error {
	if a.file == nil {
		return nil
	}
	var b bytes.Buffer
	err := render(&b)
	if err == nil {
		_, err = a.file.Write(b.Bytes())
	}
	if err != nil {
		o := output{flag: a.flag, path: a.file.Name()}
		return o.wrong(err)
	}
	return nil
}

func (a *appending) close() {
	if a.file != nil {
		a.file.Close()
	}
}
