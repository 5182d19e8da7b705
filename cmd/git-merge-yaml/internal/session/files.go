package session

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/git"
	"github.com/git-merge-yaml/git-merge-yaml/merge"
)

// What is read to find definitions is bounded.
const (
	maxCRDFiles = 2_000
	maxCRDBytes = 64 << 20 // of all of them
)

// files are those of a work tree, or of a commit. A sparse work tree has both: some files,
// and the commit that is checked out the others, as on a server, where nothing is there but
// what a merge changes.
type files struct {
	git       git.Git
	top       string // of the work tree, "" where there is none
	committed bool   // what is not in the work tree is read from the commit
	into      string // what git calls the commit, "" for HEAD
	tree      string // the id of its tree, once that is known
}

// A reader reads a regular file that is not larger than limit, which is an error of
// fs.ErrNotExist if it is not there; a file that is there is not nil.
type reader func(name string, limit int64) ([]byte, error)

func (f *files) read(name string, limit int64) ([]byte, error) {
	if f.top != "" {
		if data, err := f.readOnDisk(name, limit); !f.committed || !errors.Is(err, fs.ErrNotExist) {
			return data, err
		}
	}
	return f.readCommitted(name, limit)
}

// readOnDisk follows a symbolic link only as long as it stays in the work tree. A merge
// without the file pays for one look at the folder.
func (f *files) readOnDisk(name string, limit int64) ([]byte, error) {
	if _, err := os.Lstat(filepath.Join(f.top, name)); err != nil {
		return nil, err
	}
	root, err := os.OpenRoot(f.top)
	if err != nil {
		return nil, err
	}
	defer root.Close()
	info, err := root.Stat(name)
	switch {
	case errors.Is(err, fs.ErrNotExist): // what a link leads to, which is another error
		return nil, errors.New(err.Error())
	case err != nil:
		return nil, err
	case !info.Mode().IsRegular():
		return nil, errors.New("no regular file")
	case info.Size() > limit:
		return nil, fmt.Errorf("larger than %d bytes", limit)
	}
	return root.ReadFile(name)
}

func (f *files) readCommitted(name string, limit int64) ([]byte, error) {
	found, err := f.commit(name)
	switch {
	case err != nil:
		return nil, err
	case len(found) == 0:
		return nil, fs.ErrNotExist
	case found[0].Path != name || !found[0].Mode.IsFile():
		return nil, errors.New("no regular file")
	case found[0].Size > limit:
		return nil, fmt.Errorf("larger than %d bytes", limit)
	}
	data, err := f.git.Run("cat-file", "blob", found[0].ID.String())
	return append([]byte{}, data...), err
}

// named reads the file with rules that git's configuration names.
func (f *files) named(name string) ([]byte, error) {
	if filepath.IsAbs(name) {
		return readNamed(name)
	}
	if f.top != "" {
		if data, err := readNamed(filepath.Join(f.top, name)); err == nil || !f.committed {
			return data, err
		}
	}
	data, err := f.readCommitted(name, maxRules)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%s: no such file", name)
	}
	return data, err
}

// commit are the files of the commit, those at or below paths if any are given; none if there
// is no commit. What git calls the commit may have a path behind it, or be no commit at all.
func (f *files) commit(paths ...string) ([]git.File, error) {
	name, _, _ := strings.Cut(f.into, ":")
	for _, rev := range []string{name, "HEAD"} {
		if f.tree == "" && rev != "" {
			f.tree, _ = f.git.Line("rev-parse", "--verify", "-q", "--end-of-options", rev+"^{tree}")
		}
	}
	if f.tree == "" {
		return nil, nil
	}
	return f.git.Files(f.tree, paths...)
}

// list are the paths of all files, in order: those that git knows in the work tree or would
// add, at pathspecs if any are given, else those of the commit. read is good until done.
func (f *files) list(pathspecs ...string) (paths []string, read reader, done func(), err error) {
	if !f.committed {
		paths, err := f.git.Paths(append([]string{"ls-files", "-z", "--cached", "--others", "--exclude-standard", "--"}, pathspecs...)...)
		if errors.Is(git.Explain(err), git.ErrNoRepository) {
			return nil, f.readOnDisk, func() {}, nil // three files by hand, anywhere
		}
		slices.Sort(paths)
		return slices.Compact(paths), f.readOnDisk, func() {}, err
	}
	all, err := f.commit()
	files := map[string]git.File{}
	for _, c := range all {
		files[c.Path] = c
		paths = append(paths, c.Path)
	}
	objects := f.git.Objects()
	read = func(name string, limit int64) ([]byte, error) {
		switch c := files[name]; {
		case !c.Mode.IsFile():
			return nil, fs.ErrNotExist
		case c.Size > limit:
			return nil, fmt.Errorf("larger than %d bytes", limit)
		default:
			blobs, err := objects.Blobs(c.ID)
			return slices.Concat(blobs...), err
		}
	}
	return paths, read, func() { objects.Close() }, err
}

// definitions are the files that rules name as definitions of custom resources.
func (f *files) definitions(rules *merge.Rules) (all []merge.File, err error) {
	var specs []string
	for _, p := range rules.CRDs() {
		if !strings.Contains(p, "/") {
			p = "**/" + p
		}
		specs = append(specs, ":(top,glob)"+strings.TrimPrefix(p, "/"))
	}
	paths, read, done, err := f.list(specs...)
	if err != nil {
		return nil, err
	}
	defer done()
	left := int64(maxCRDBytes)
	for _, path := range paths {
		if !rules.IsCRD(path) {
			continue
		}
		data, err := read(path, left)
		switch {
		case errors.Is(err, fs.ErrNotExist):
			continue // deleted, and not committed
		case err != nil:
			return nil, fmt.Errorf("crds: %s: %w", path, err)
		case len(all) == maxCRDFiles:
			return nil, fmt.Errorf("crds: more than %d files match; name them more narrowly", maxCRDFiles)
		}
		left -= int64(len(data))
		all = append(all, merge.File{Path: path, Data: data})
	}
	return all, nil
}
