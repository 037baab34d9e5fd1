package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// marker is the file by which a folder that --out wrote is known. It lists the others.
const marker = ".simulate-files"

// folder is a folder that is being written. It grows beside its place and moves there when it is whole. The zero folder
// writes nothing.
type folder struct {
	path  string // as the user named it
	place string // where that is
	temp  string
	files []string
}

// startFolder begins the folder at path, "" for none. What is there already has to be empty, or nothing but what an
// earlier run wrote.
func startFolder(path string) (folder, error) {
	if path == "" {
		return folder{}, nil
	}
	f := folder{path: path}
	place, err := filepath.Abs(path)
	if err != nil {
		return folder{}, f.wrong(err)
	}
	f.place = place
	if err := f.replaceable(); err != nil {
		return folder{}, err
	}
	if err := os.MkdirAll(filepath.Dir(place), 0o755); err != nil {
		return folder{}, f.wrong(err)
	}
	if f.temp, err = os.MkdirTemp(filepath.Dir(place), "."+filepath.Base(place)+".*"); err != nil {
		return folder{}, f.wrong(err)
	}
	return f, nil
}

// replaceable reports what speaks against taking the place.
func (f *folder) replaceable() error {
	info, err := os.Lstat(f.place)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return f.wrong(err)
	case info.Mode()&fs.ModeSymlink != 0:
		return fmt.Errorf("--out %s: that is a link; name the folder that it leads to", f.path)
	case !info.IsDir():
		return fmt.Errorf("--out %s: that is no folder; name one that is new, empty or from an earlier run", f.path)
	}
	if here, err := os.Stat("."); err == nil && os.SameFile(here, info) {
		return fmt.Errorf("--out %s: whoever is in a folder loses it when it is replaced; name one below or beside this one", f.path)
	}
	entries, err := os.ReadDir(f.place)
	if err != nil {
		return f.wrong(err)
	}
	listed, _ := os.ReadFile(filepath.Join(f.place, marker)) // without it nothing is ours
	ours := append(strings.Split(string(listed), "\n"), marker)
	for _, e := range entries {
		if !e.Type().IsRegular() || !slices.Contains(ours, e.Name()) {
			return fmt.Errorf("--out %s: %s in it is not from an earlier run; name a folder that is new or empty", f.path, e.Name())
		}
	}
	return nil
}

// write writes a file of the folder.
func (f *folder) write(name string, render func(io.Writer) error) error {
	file, err := os.Create(filepath.Join(f.temp, name))
	if err != nil {
		return f.wrong(err)
	}
	defer file.Close()
	b := bufio.NewWriterSize(file, 1<<16)
	if err := render(b); err != nil {
		return f.wrong(err)
	}
	if err := b.Flush(); err != nil {
		return f.wrong(err)
	}
	f.files = append(f.files, name)
	return nil
}

// keep completes the folder and moves it to its place. What was there goes when it has been replaced.
func (f *folder) keep() error {
	if f.temp == "" {
		return nil
	}
	err := f.write(marker, func(w io.Writer) error {
		_, err := io.WriteString(w, strings.Join(f.files, "\n")+"\n")
		return err
	})
	if err != nil {
		return err
	}
	if err := os.Chmod(f.temp, 0o755); err != nil { // temporary folders are private
		return f.wrong(err)
	}
	if err := f.replaceable(); err != nil { // somebody may have been there meanwhile
		return err
	}
	old := f.temp + ".old"
	err = os.Rename(f.place, old)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return f.wrong(err)
	}
	if err := os.Rename(f.temp, f.place); err != nil {
		return errors.Join(f.wrong(err), putBack(old, f.place))
	}
	f.temp = ""
	if err := os.RemoveAll(old); err != nil {
		return fmt.Errorf("--out %s: the report is there, and the earlier one, which cannot be removed, beside it in %s", f.path, filepath.Base(old))
	}
	return nil
}

// putBack returns what was there to its place, if anything was.
func putBack(old, place string) error {
	if err := os.Rename(old, place); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

// discard removes what was not kept.
func (f *folder) discard() {
	if f.temp != "" {
		os.RemoveAll(f.temp)
	}
}

func (f *folder) wrong(err error) error {
	o := output{flag: "--out", path: f.path}
	return o.wrong(err)
}
