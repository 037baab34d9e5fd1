package scenario

import (
	"errors"
	"io/fs"
	"path/filepath"
	"slices"

	"simulate/sim/offsetslog"
)

// offsetsLog is the key of [broker] that names the file which the run starts from.
const offsetsLog = "offsets-log"

// readLog reads the records that the coordinators begin with.
func (l *loader) readLog(t *table, s *Scenario) {
	at := t.at(offsetsLog)
	l.startsFromLog = t.has(offsetsLog)
	switch {
	case !l.startsFromLog || l.bad[at]:
		return
	case s.OffsetsLog == "":
		l.wrong(at, "offsets-log is empty; name a file")
		return
	case l.files == nil:
		l.wrong(at, "offsets-log names a file beside the scenario's; this scenario is no file")
		return
	}
	path := s.OffsetsLog
	if !filepath.IsAbs(path) {
		path = filepath.Join(filepath.Dir(l.name), path)
	}
	text, err := l.files(path)
	if err != nil {
		var cause *fs.PathError
		if errors.As(err, &cause) {
			err = cause.Err
		}
		l.wrong(at, "offsets-log %s: %v", brief(path), err)
		return
	}
	entries, problems := offsetslog.Read(text, s.Broker.OffsetsPartitions)
	for _, p := range problems {
		l.mistakes = append(l.mistakes, Mistake{File: path, Line: p.Line, Text: p.Text})
	}
	if len(problems) > 0 {
		return
	}
	s.Log = entries
	l.logged = make(map[string]bool)
	for _, e := range entries {
		l.logged[offsetslog.GroupOf(e.Record)] = true
	}
}

// inLog reports whether the log knows a group, as far as that can be said.
func (l *loader) inLog(group string) bool {
	return l.startsFromLog && (l.logged == nil || l.logged[group])
}

// knowsGroup reports whether there can be a group of that name.
func (c *cast) knowsGroup(name string) bool {
	return slices.Contains(c.groups, name) || c.inLog(name)
}
