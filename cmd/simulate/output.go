package main

import (
	"bufio"
	"errors"
	"fmt"
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

// startOutput begins the file at path, which a flag gave; "" means none.
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
	err := o.buffer.Flush()
	if err == nil {
		err = o.file.Chmod(0o644) // temporary files are private
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
