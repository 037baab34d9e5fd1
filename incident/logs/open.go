package logs

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/bmatcuk/doublestar/v4"
)

// Stdin is the path that stands for the standard input.
const Stdin = "-"

const stdinName = "standard input"

// Open looks into sources: files, compressed or not, patterns such as logs/**/server.log*, directories, of which all files
// are taken but those that are no logs, and "-". The error names everything that cannot be read. The Reader is to be used once.
func Open(paths []string, stdin io.Reader, o Options) (*Reader, error) {
	files, wrong := expand(paths)
	var left []error
	names := newNames()
	r := &Reader{options: o, names: names, finder: newFinder(names), window: newWindow()}
	for _, path := range files {
		s, err := r.look(path, stdin)
		if foreign := (*foreignError)(nil); errors.As(err, &foreign) && !slices.Contains(paths, path) {
			left = append(left, err)
			r.Sources = append(r.Sources, &Source{Name: path, First: NoTime, Last: NoTime, Until: NoTime, Warning: "left out: it " + foreign.is})
			continue
		}
		if err != nil {
			wrong = append(wrong, err)
			continue
		}
		s.index = int32(len(r.Sources))
		r.Sources = append(r.Sources, s.source)
		r.waiting = append(r.waiting, s)
	}
	if len(r.waiting) == 0 {
		wrong = append(wrong, left...)
	}
	if len(wrong) > 0 {
		for _, s := range r.waiting {
			s.close()
		}
		return nil, errors.Join(wrong...)
	}
	slices.SortStableFunc(r.waiting, func(a, b *stream) int {
		return cmp.Or(cmp.Compare(b.first, a.first), cmp.Compare(b.index, a.index))
	})
	return r, nil
}

// expand turns paths into those of files, each once.
func expand(paths []string) (files []string, wrong []error) {
	for _, path := range paths {
		found, err := filesAt(path)
		if err != nil {
			wrong = append(wrong, err)
		}
		for _, file := range found {
			if !slices.Contains(files, file) {
				files = append(files, file)
			}
		}
	}
	return files, wrong
}

func filesAt(path string) ([]string, error) {
	if path == Stdin {
		return []string{path}, nil
	}
	info, err := os.Stat(path)
	switch {
	case err == nil && info.IsDir():
		return filesUnder(path)
	case err == nil:
		return []string{path}, nil
	case !errors.Is(err, fs.ErrNotExist):
		return nil, plainError(path, err)
	}
	found, err := doublestar.FilepathGlob(path, doublestar.WithFilesOnly())
	switch {
	case err != nil:
		return nil, fmt.Errorf("%s: is neither a file nor a pattern that is complete", path)
	case len(found) > 0:
		slices.Sort(found)
		return found, nil
	case strings.ContainsAny(path, "*?[{"):
		return nil, fmt.Errorf("%s: no file has such a name", path)
	}
	return nil, fmt.Errorf("%s: there is no such file", path)
}

// filesUnder are the files of a directory and of those in it; hidden ones are left out.
func filesUnder(directory string) (files []string, err error) {
	err = filepath.WalkDir(directory, func(path string, d fs.DirEntry, err error) error {
		switch hidden := strings.HasPrefix(d.Name(), ".") && path != directory; {
		case err != nil:
			return plainError(path, err)
		case hidden && d.IsDir():
			return fs.SkipDir
		case !hidden && d.Type().IsRegular():
			files = append(files, path)
		}
		return nil
	})
	if err == nil && len(files) == 0 {
		err = fmt.Errorf("%s: there is no file in this directory", directory)
	}
	return files, err
}

// plainError leaves out what the operating system was asked for.
func plainError(path string, err error) error {
	var p *fs.PathError
	if errors.As(err, &p) {
		err = p.Err
	}
	return fmt.Errorf("%s: %w", path, err)
}
