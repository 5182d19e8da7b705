package driver

import (
	"bytes"
	"os"
	"path/filepath"

	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/disk"
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/git"
	"github.com/git-merge-yaml/git-merge-yaml/merge"
)

// A lineMerger merges by lines, by git. It does not know YAML.
type lineMerger struct {
	git git.Git
	// in is what the files on disk hold: bytes that are in there need not be
	// written for git to read them.
	in Inputs
	// resolve decides conflicts: ours, theirs, union, or "" for markers.
	resolve string
}

// lines merges by lines what m merges.
func (m *Merger) lines() lineMerger {
	return lineMerger{git: m.Session.Git, in: m.In, resolve: m.Resolve}
}

// merge is a merge.LineMerge.
func (l lineMerger) merge(original, dest, updated []byte, m merge.Markers) ([]byte, int, error) {
	return l.mergeAs(original, dest, updated, styleName(m.Style), m.Size, [3]string{m.Ours, m.Base, m.Theirs})
}

// mergeAs merges with conflicts in a style that git knows, "" for the one
// that it is configured to, and labels in the order ours, base, theirs.
func (l lineMerger) mergeAs(original, dest, updated []byte, style string, size int, labels [3]string) ([]byte, int, error) {
	if size == 0 {
		size = merge.DefaultMarkerSize
	}
	files := scratch{}
	defer files.remove()
	mf := git.MergeFile{
		Base:       files.path("base", original, l.in.Base),
		Ours:       files.path("ours", dest, l.in.Ours),
		Theirs:     files.path("theirs", updated, l.in.Theirs),
		Labels:     labels,
		MarkerSize: size,
		Style:      style,
		Resolve:    l.resolve,
	}
	if files.err != nil {
		return nil, 0, files.err
	}
	return l.git.MergeFile(mf)
}

// scratch holds what git is to read and is on no disk yet, in a temporary
// folder that is made for the first such file.
type scratch struct {
	dir string
	err error // the first one
}

// path returns the path of a file with these bytes: that of in, or a new one.
func (s *scratch) path(name string, data []byte, in disk.File) string {
	if in.Regular && bytes.Equal(data, in.Bytes) {
		return in.Path
	}
	if s.err == nil && s.dir == "" {
		s.dir, s.err = disk.TempFolder()
	}
	if s.err != nil {
		return ""
	}
	path := filepath.Join(s.dir, name)
	s.err = os.WriteFile(path, data, 0o600)
	return path
}

func (s *scratch) remove() {
	if s.dir != "" {
		os.RemoveAll(s.dir)
	}
}
